"""Structural verifier of PortModule: what the printer and upstream's tracer rely on."""

from __future__ import annotations

from migrate.ir import port as p
from migrate.ir.port_walk import own_expressions, statements, suites, walk

_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


class PortError(Exception):
    """The rules built a PortModule that breaks its own contract: a fault of this program, never of the input."""


def verify_port(kernel: p.PortKernel) -> None:
    """Raises PortError naming the first violation."""
    names = {param.name for param in kernel.params} | set(kernel.grid_names) | set(kernel.block_bindings)
    names |= set(kernel.block_names) | {name for name, _ in kernel.thread_bindings}
    _suite(kernel.body, names, False, False)
    for macro in kernel.macros:
        inner = {param.name for param in macro.params} | set(kernel.block_names)
        _suite(macro.body, inner, False, True)
        if macro.result is not None and not (macro.body and isinstance(macro.body[-1], p.MacroReturn)):
            raise PortError(f"macro {macro.name} does not end in return")


def _suite(body: tuple[p.PortStmt, ...], names: set[str], in_loop: bool, may_return: bool) -> None:
    known = set(names)
    assignable = {s.name for s in statements(body) if isinstance(s, p.AllocVar)}
    for position, statement in enumerate(body):
        if isinstance(statement, p.MacroReturn) and not (may_return and position == len(body) - 1):
            raise PortError("return is not the last statement of a macro")
        if isinstance(statement, p.Jump) and not in_loop:
            raise PortError(f"{statement.kind} outside a loop")
        for expr in own_expressions(statement):
            for part in walk(expr):
                _expression(part, known)
        if isinstance(statement, (p.PortIf, p.PortWhile)) and statement.cond.dtype != "bool":
            raise PortError(f"a condition of dtype {statement.cond.dtype}")
        if isinstance(statement, (p.SetVar, p.SetElement)):
            target = statement.name if isinstance(statement, p.SetVar) else statement.buffer
            if target not in known:
                raise PortError(f"{target} is assigned before it exists")
        if isinstance(statement, (p.Bind, p.AllocVar, p.AllocLocal, p.AllocShared, p.View)):
            if isinstance(statement, p.Bind) and statement.name in assignable:
                raise PortError(f"{statement.name} is a snapshot and a variable")
            known.add(statement.name)
        inner = known | {statement.var} if isinstance(statement, p.PortFor) else known
        for nested in suites(statement):
            _suite(nested, inner, in_loop or isinstance(statement, (p.PortFor, p.PortWhile)), False)


def _expression(expr: p.PortExpr, names: set[str]) -> None:
    if isinstance(expr, p.Name) and expr.name not in names:
        raise PortError(f"{expr.name} is read before it exists")
    if isinstance(expr, p.Element) and expr.buffer not in names:
        raise PortError(f"{expr.buffer} is read before it exists")
    if isinstance(expr, p.Operation):
        sides = {expr.left.dtype, expr.right.dtype} - {p.PYTHON}
        if sides == {"int32", "int64"}:
            sides = {"int64"}  # upstream widens
        if len(sides) > 1:
            raise PortError(f"operands of {expr.op} have dtypes {sorted(sides)}")
        if p.PYTHON in (expr.left.dtype, expr.right.dtype) and not sides <= {"int32", "int64"}:
            raise PortError(f"a trace-time int beside {sides}")
        if expr.op in _COMPARISONS and expr.dtype != "bool":
            raise PortError(f"{expr.op} gives bool, not {expr.dtype}")
        if expr.op in ("and", "or") and sides != {"bool"}:
            raise PortError(f"{expr.op} of {sorted(sides)}")
