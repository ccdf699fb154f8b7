"""A PTX module as one C++ translation unit that the oracle's runner can load."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from migrate.oracle.ptx import libm
from migrate.oracle.ptx.functions import Outcome, Unit, head, write_function
from migrate.oracle.ptx.model import Function, Instruction, Module, Place, PtxError, Symbol, Variable, type_bytes
from migrate.oracle.ptx.scope import cpp_name, host_address, literal

HEADERS = Path(__file__).parent / "headers"
_ORDER = ("values", "integers", "floats", "conversions", "memory", "warp", "matrix")


@dataclass(frozen=True)
class Translated:
    """``outcomes``: the branch outcomes counted, in the order of the counters. ``ignored``: calls left out."""

    text: str
    outcomes: tuple[Outcome, ...]
    ignored: frozenset[str]


@dataclass(frozen=True)
class Parameter:
    """One kernel parameter as the library describes it."""

    type: str
    bytes: int


@cache
def semantics() -> str:
    """The C++ meaning of all instructions."""
    parts = [f'#line 1 "/oracle/headers/{name}.h"\n' + (HEADERS / f"{name}.h").read_text("utf-8") for name in _ORDER]
    return "".join(parts)


def reachable(module: Module, entry: Function) -> list[Function]:
    """``entry`` and the functions with bodies that it can reach by calls or by address, in the text's order."""
    needed = {entry.name}
    pending = [entry]
    while pending:
        for statement in pending.pop().body or ():
            for name in _named(statement):
                function = module.functions.get(name)
                if function is not None and function.body is not None and name not in needed:
                    needed.add(name)
                    pending.append(function)
    for variable in module.variables.values():  # tables of functions
        for item in variable.values:
            function = module.functions.get(item.name) if isinstance(item, Symbol) else None
            if function is not None and function.body is not None and not function.entry:
                needed.add(function.name)
    return [f for f in module.functions.values() if f.name in needed]


def _named(statement: object) -> Sequence[str]:
    if not isinstance(statement, Instruction):
        return ()
    return [o.name for o in statement.operands if isinstance(o, Symbol)]


def translate(
    module: Module,
    entry: Function,
    parameters: Sequence[Parameter],
    symbols: Sequence[tuple[str, str]],
    find: Callable[[Place], tuple[str, int] | None],
    *,
    counts: bool,
) -> Translated:
    """``symbols``: (name for cases, PTX variable or "" where the text has none). ``find``: see `functions.Unit`.

    Raises PtxError for what cannot be translated.
    """
    functions = reachable(module, entry)
    shared = _shared_variables(module, functions)
    unit = Unit(module, find, libm.functions(), counts, shared_bytes=sum(v.bytes for v in shared))
    for variable in shared:
        module.variables[variable.name] = variable
    parts = [semantics(), libm.declarations(), '#line 1 "oracle export"\n', _variables(module, functions, shared)]
    bodies = [write_function(unit, f) for f in functions]
    parts.append(f"static u64 outcomes_[{max(len(unit.outcomes), 1)}];\n")
    parts += [head(f) + ";\n" for f in functions]
    for body in bodies:
        parts += [body, '#line 1 "oracle export"\n']
    parts.append(_export(module, functions, entry, parameters, symbols, len(unit.outcomes)))
    return Translated("".join(parts), tuple(unit.outcomes), frozenset(unit.ignored))


def _shared_variables(module: Module, functions: Sequence[Function]) -> list[Variable]:
    """Static shared variables: at the module's level (those that the functions name) and inside functions."""
    named = {n for f in functions for s in f.body or () for n in _all_names(s)}
    found = {v.name: v for v in module.variables.values() if v.space == "shared" and v.count and v.name in named}
    for function in functions:
        for statement in function.body or ():
            if isinstance(statement, Variable) and statement.space == "shared" and statement.count:
                if statement.name in found:
                    raise PtxError(f"two shared variables {statement.name}", statement.line)
                found[statement.name] = statement
    return list(found.values())


def _all_names(statement: object) -> Sequence[str]:
    if not isinstance(statement, Instruction):
        return ()
    found: list[str] = []
    for operand in statement.operands:
        base = getattr(operand, "base", operand)
        if isinstance(base, Symbol):
            found.append(base.name)
    return found


def _variables(module: Module, functions: Sequence[Function], shared: Sequence[Variable]) -> str:
    lines: list[str] = []
    for function in functions:
        lines.append(head(function) + ";")
    for variable in shared:
        # Statics inside functions: that is how the runner knows shared memory.
        lines.append(
            f"static u8* {cpp_name('s_', variable.name)}() {{ alignas({max(variable.alignment, 16)}) static "
            f"__attribute__((used)) u8 data[{variable.bytes}]; return data; }}"
        )
    inside = " || ".join(f"in_area(a, {cpp_name('s_', v.name)}(), {v.bytes})" for v in shared)
    lines.append(
        "INLINE bool in_shared_memory(u64 a) { return in_area(a, oracle_dynamic_shared, ORACLE_DYNAMIC_LIMIT)"
        f"{' || ' + inside if inside else ''}; }}"
    )
    kept = [v for v in module.variables.values() if v.space in ("global", "const")]
    for variable in kept:
        if variable.external:
            raise PtxError(f"the variable {variable.name} is declared, not defined", variable.line)
        lines.append(
            f"alignas({max(variable.alignment, 16)}) static u{8 * type_bytes(variable.type)} "
            f"{cpp_name('v_', variable.name)}[{max(variable.count, 1)}]"
            + (";" if not variable.values else f" = {{{', '.join(_initial(module, functions, variable))}}};")
        )
    return "\n".join(lines) + "\n"


def _initial(module: Module, functions: Sequence[Function], variable: Variable) -> list[str]:
    bits = 8 * type_bytes(variable.type)
    found: list[str] = []
    known = {f.name for f in functions}
    for item in variable.values:
        if not isinstance(item, Symbol):
            found.append(literal(item, bits))
        elif item.name in module.variables and bits == 64:
            found.append(f"{host_address(module.variables[item.name])} + {item.offset}")
        elif item.name in module.functions and bits == 64:
            # Entries are named only by the mark that says which one is wanted.
            found.append(f"(u64)(uintptr_t)&{cpp_name('f_', item.name)}" if item.name in known else "0")
        else:
            raise PtxError(f"the initial value of {variable.name} names {item.name}", variable.line)
    return found


def _export(
    module: Module,
    functions: Sequence[Function],
    entry: Function,
    parameters: Sequence[Parameter],
    symbols: Sequence[tuple[str, str]],
    outcomes: int,
) -> str:
    sizes = ", ".join(str(p.bytes) for p in parameters)
    types = ", ".join(f'"T = {p.type}"' for p in parameters)
    rows: list[str] = []
    absent: list[str] = []
    for i, (name, variable) in enumerate(symbols):
        if variable:
            known = module.variables[variable]
            rows.append(f'{{"{name}", (void*){cpp_name("v_", variable)}, {known.bytes}}}')
        else:
            # A variable that the compiler left out: cases may set it all the same.
            absent.append(f"static u8 absent_{i}[65536];")
            rows.append(f'{{"{name}", absent_{i}, sizeof absent_{i}}}')
    synchronises = any(
        isinstance(s, Instruction) and s.opcode in ("bar", "barrier", "shfl", "vote", "match", "redux", "activemask")
        for f in functions
        for s in f.body or ()
    )
    return "\n".join([
        *absent,
        f"static void thread_function(void** a) {{ {cpp_name('f_', entry.name)}(nullptr, a); }}",
        f"static const size_t parameter_sizes[] = {{{sizes + ', ' if sizes else ''}0}};",
        f'static const char* const parameter_types[] = {{{types + ", " if types else ""}""}};',
        f"static const oracle_symbol symbol_table[] = {{{', '.join([*rows, '{nullptr, nullptr, 0}'])}}};",
        'extern "C" __attribute__((visibility("default"))) oracle_kernel oracle_kernel_table = {'
        f"{len(parameters)}, parameter_sizes, parameter_types, {int(synchronises)}, &thread_function, nullptr, "
        f"oracle_dynamic_shared, symbol_table, {len(rows)}, outcomes_, {outcomes}}};",
        "",
    ])  # fmt: skip
