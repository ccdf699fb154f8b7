"""Python that upstream's tracer cannot follow: early returns, ``else`` of loops, macros in kernels or conditions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.lint.findings import LintFinding
from migrate.lint.symbols import Traced

RETURN, OTHER = "TLM922", "TLM933"


def find(traced: Traced) -> Iterator[tuple[str, LintFinding]]:
    """Each construct with what to write instead."""
    macro = traced.module.decorated(traced.function, "T.macro")
    for node in traced.nodes:
        if isinstance(node, ast.Return) and _is_conditional(node, traced):
            instead = "assign to a T.alloc_var and return it at the end" if macro else "T.thread_return()"
            yield RETURN, LintFinding(node, f"`return` in a run-time branch or loop breaks the trace; write {instead}")
        elif isinstance(node, (ast.For, ast.While)) and node.orelse and _is_run_time_loop(node, traced):
            yield OTHER, LintFinding(node.orelse[0], "`else` of a run-time loop is rejected; use a bool variable")
        elif isinstance(node, ast.FunctionDef) and not macro and traced.module.decorated(node, "T.macro"):
            yield (
                OTHER,
                LintFinding(node, f"macro `{node.name}` is defined inside a kernel, where upstream does not find it"),
            )
        elif isinstance(node, (ast.BoolOp, ast.IfExp)):
            for call in ast.walk(node):
                if (
                    isinstance(call, ast.Call)
                    and isinstance(call.func, ast.Name)
                    and call.func.id in traced.module.macros
                ):
                    yield (
                        OTHER,
                        LintFinding(
                            call, f"macro call `{traced.module.source(call)}` in a condition; bind it to a name first"
                        ),
                    )


def _is_conditional(node: ast.Return, traced: Traced) -> bool:
    for outer in traced.module.enclosing(node):
        if outer is traced.function:
            return False
        if isinstance(outer, ast.If) and traced.is_run_time(outer.test):
            return True
        if isinstance(outer, (ast.For, ast.While)) and _is_run_time_loop(outer, traced):
            return True
    return False


def _is_run_time_loop(node: ast.For | ast.While, traced: Traced) -> bool:
    if isinstance(node, ast.For):
        kind = traced.loop_kind(node)
        plain = (
            isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range"
        )
        return bool(kind) and (not plain or _in_kernel(node, traced))
    return traced.is_run_time(node.test)


def _in_kernel(node: ast.AST, traced: Traced) -> bool:
    """Inside ``with T.Kernel``: Python around it may loop as it likes."""
    for outer in traced.module.enclosing(node):
        if isinstance(outer, ast.With) and any(
            traced.module.function_of(i.context_expr) == "T.Kernel" for i in outer.items
        ):
            return True
    return False
