"""`build_kernel`: passes over one instantiated ``__global__`` function until the plan stands."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from clang.cindex import Cursor, CursorKind

from migrate.analysis.walk import sub_statements
from migrate.diagnostics import Refusal, refuse
from migrate.ir.kernel import (
    Atomic,
    Buffer,
    BufferArg,
    CallFunction,
    Function,
    Kernel,
    LocalRef,
    PointerParam,
    ScalarParam,
    Scope,
    Stmt,
    Store,
)
from migrate.ir.verify_kernel import verify_kernel
from migrate.parse.build import (
    calls,
    casts,
    declarations,
    initializers,
    literals,
    loops,
    operators,
    references,
    statements,
    switch,
)
from migrate.parse.build.builder import Builder, Handler, StatementHandler
from migrate.parse.build.clang_types import TypeReader, qualified_name, split_arguments, template_arguments
from migrate.parse.build.dropped import refuse_mere_output
from migrate.parse.build.frame import Frame
from migrate.parse.build.freezing import drop_results, forward, freeze, tidy
from migrate.parse.build.hidden import body_of, maybe_mutated
from migrate.parse.build.markers import strip_marks
from migrate.parse.build.names import Names, safe_name
from migrate.parse.build.parameters import bind_kernel_parameters
from migrate.parse.build.plan import Plan
from migrate.parse.build.textures import LaunchedTextures, check_pointers, texture_params
from migrate.parse.build.types import VoidType
from migrate.parse.build.unit import Unit
from migrate.parse.clang_extra import has_recovery, is_invalid, pretty_print

if TYPE_CHECKING:
    from migrate.parse.context import ParseContext

_MOST_PASSES = 12
_EXPRESSIONS: dict[CursorKind, Handler] = {
    **literals.HANDLERS,
    **references.HANDLERS,
    **casts.HANDLERS,
    **operators.HANDLERS,
    **initializers.HANDLERS,
    **calls.HANDLERS,
}
_STATEMENTS: dict[CursorKind, StatementHandler] = {
    **statements.HANDLERS,
    **declarations.HANDLERS,
    **loops.HANDLERS,
    **switch.HANDLERS,
}


def build_kernel(cursor: Cursor, context: ParseContext, launched: LaunchedTextures | None = None) -> Kernel:
    """The kernel of an instantiated ``__global__`` function.

    ``cursor``: a FUNCTION_DECL with a typed body (a specialisation, not a template). ``launched``: what the launches in
    this file pass for its texture and surface parameters, by position. Raises Refusal with a code, a
    reason and the line for everything that is not converted; never returns a kernel that `verify_kernel` rejects.
    """
    span = context.span(cursor)
    body = body_of(cursor)
    if body is None:
        raise refuse("TLM112", f"kernel {cursor.spelling} has no body here", span)
    if is_invalid(cursor) or has_recovery(cursor):
        raise refuse("TLM114", f"kernel {cursor.spelling} uses names that the parser does not know", span)
    plan = Plan()
    types = TypeReader()
    try:
        for _ in range(_MOST_PASSES):
            plan.start_pass()
            kernel = _build_once(cursor, body, context, plan, types, launched or {})
            if kernel.id:
                break
        else:
            raise refuse("TLM102", "the accesses to a buffer ask for element types that do not fit together", span)
    except Refusal:
        raise
    except RecursionError:
        raise refuse("TLM117", f"kernel {cursor.spelling} is nested too deeply", span) from None
    except (ValueError, KeyError, TypeError, AttributeError, AssertionError, IndexError, StopIteration) as error:
        raise refuse("TLM139", f"internal: {type(error).__name__}: {error}", span) from error
    faults = verify_kernel(kernel)
    if faults:
        raise refuse("TLM139", f"internal: the kernel that was built is not well formed: {faults[0]}", span)
    return kernel


def _build_once(
    cursor: Cursor, body: Cursor, context: ParseContext, plan: Plan, types: TypeReader, launched: LaunchedTextures
) -> Kernel:
    unit = Unit(context, plan, types, launched=launched)
    names = Names(unit.shared_names)
    frame = Frame(cursor, "kernel", names, VoidType(), maybe_mutated(body))
    builder = Builder(unit, frame, _EXPRESSIONS, _STATEMENTS)
    builder._spans.append(context.span(cursor))
    params, sizes = bind_kernel_parameters(builder, cursor)
    try:
        builder.execute(body)
    except Refusal:
        if plan.settle():  # a refusal may come from a choice that this pass has just corrected
            return _empty(cursor, context)
        raise
    if plan.settle():  # another pass follows: this one need not be finished
        return _empty(cursor, context)
    found = finish(builder.block, unit)
    functions = tuple(_finished(function, unit) for function in unit.functions.values())
    objects = [item for _, made in texture_params(unit) for item in made]
    check_pointers(unit, params, _written(found, functions))
    params = tuple(sorted((*params, *objects), key=lambda item: item.position))
    kernel = _kernel(cursor, context, unit, params, sizes, found, functions)
    refuse_mere_output(kernel)
    return kernel


def finish(block: list[Stmt], unit: Unit) -> tuple[Stmt, ...]:
    """A finished body: without marks, temporaries forwarded, mutability set."""
    plain = freeze(strip_marks(block))
    return freeze(drop_results(tidy(forward(plain, unit.temporaries)), unit.temporaries))


def _finished(function: Function, unit: Unit) -> Function:
    body = finish(list(function.body), unit)
    references = frozenset(param.var.name for param in function.params if param.ref)
    if references:
        body = _keep_mutable(body, references)
    return replace(function, body=body)


def _written(body: tuple[Stmt, ...], functions: tuple[Function, ...]) -> set[str]:
    """Buffers that are stored to, or given to a function that may."""
    found: set[str] = set()
    for block in (body, *(function.body for function in functions)):
        for statement in sub_statements(block):
            if isinstance(statement, Store | Atomic):
                found.add(statement.buffer.name)
            elif isinstance(statement, CallFunction):
                found |= {argument.buffer.name for argument in statement.args if isinstance(argument, BufferArg)}
    return found


def _keep_mutable(body: tuple[Stmt, ...], names: frozenset[str]) -> tuple[Stmt, ...]:
    """Reference parameters stay mutable even where this function only reads them."""
    from migrate.parse.build.rewrite import map_blocks, map_statement

    def change(expr):  # type: ignore[no-untyped-def]
        if isinstance(expr, LocalRef) and expr.var.name in names and not expr.var.mutable:
            return replace(expr, var=replace(expr.var, mutable=True))
        return None

    def block(items: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(map_blocks(map_statement(item, change), block) for item in items)

    return block(body)


def _empty(cursor: Cursor, context: ParseContext) -> Kernel:
    span = context.span(cursor)
    return Kernel("", "", "", "", (), (), (), (), (), (), span)


def _kernel(
    cursor: Cursor,
    context: ParseContext,
    unit: Unit,
    params: tuple[ScalarParam | PointerParam, ...],
    sizes: tuple[tuple[str, int], ...],
    body: tuple[Stmt, ...],
    functions: tuple[Function, ...],
) -> Kernel:
    span = context.span(cursor)
    arguments = printed_arguments(cursor)
    name = qualified_name(cursor)
    position = cursor.location
    file = context.relative(position.file.name) if position.file else context.file
    buffers: list[Buffer] = [param.buffer for param in params if isinstance(param, PointerParam)]
    buffers += [buffer for buffer in unit.buffers.values() if buffer.scope != Scope.GLOBAL]
    return Kernel(
        id=f"{file}:{position.line}:{cursor.spelling}",
        name=cursor.spelling,
        symbol=symbol_of(cursor.spelling, arguments),
        cpp_name=cpp_name(cursor, name, arguments),
        template_args=arguments,
        params=params,
        c_params=sizes,
        buffers=tuple(buffers),
        functions=functions,
        body=body,
        span=span,
        launch_bounds=_launch_bounds(cursor),
        comments=(cursor.raw_comment,) if cursor.raw_comment else (),
        notes=tuple(unit.notes),
        warnings=tuple(unit.warnings),
        left_out=tuple(dict.fromkeys(unit.left_out)),
    )


def printed_arguments(cursor: Cursor) -> tuple[str, ...]:
    """Template arguments of a specialisation as C++ spells them; from the printed declaration, packs included."""
    if not template_arguments(cursor):
        return ()
    text = pretty_print(cursor)
    start = text.find(f"{cursor.spelling}<")
    if start < 0:
        return template_arguments(cursor)
    return split_arguments(text[start + len(cursor.spelling) :])


def symbol_of(name: str, arguments: tuple[str, ...]) -> str:
    """A Python identifier for an instantiation: ``reduce_float_256``."""
    parts = [name]
    for argument in arguments:
        text = re.sub(r"\b(struct|class|enum|const)\b|__nv_|__", "", argument)
        parts.append(re.sub(r"\W+", "_", text.replace("-", "minus_").replace("*", " ptr")).strip("_"))
    return safe_name("_".join(part for part in parts if part))


def cpp_name(cursor: Cursor, name: str, arguments: tuple[str, ...]) -> str:
    """What C++ calls an instantiation: ``ns::reduce<float, 256>``."""
    del cursor
    return f"{name}<{', '.join(arguments)}>" if arguments else name


def _launch_bounds(cursor: Cursor) -> tuple[int, ...]:
    """Arguments of ``__launch_bounds__``, as far as they are literal."""
    if not any(child.kind == CursorKind.UNEXPOSED_ATTR for child in cursor.get_children()):
        return ()
    text = pretty_print(cursor)
    found = re.search(r"launch_bounds\(([^)]*)\)", text[: text.find("{")] if "{" in text else text)
    if found is None:
        return ()
    numbers = re.findall(r"\d+", found.group(1))
    return tuple(int(number) for number in numbers[:2])
