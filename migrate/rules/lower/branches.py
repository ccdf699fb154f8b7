"""if, return, comments."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering


@rule("branches", "if (cond) … else …", "if (i < n) y[i] = 0.f;", "if i < n:\n    y[i] = 0.0")
def lower_if(node: k.If, lowering: Lowering) -> None:
    """``if``/``else``. Where only the else side does something the condition is negated NaN-safely."""
    if not node.then and not node.otherwise:
        return
    with lowering.condition_scope():
        if not node.then:
            cond = lowering.lower(k.Unary("not", node.cond, "bool", node.span))
            then: tuple[k.Stmt, ...] = node.otherwise
            otherwise: tuple[k.Stmt, ...] = ()
        else:
            cond = lowering.lower(node.cond)
            then, otherwise = node.then, node.otherwise
        known = lowering.identities.literal(cond)
        if known is not None:
            for statement in then if known else otherwise:
                lowering.run(statement)
            return
        first, second = lowering.body(then), lowering.body(otherwise)
    if not _acts(first) and _acts(second):  # what was left of the suite does nothing
        flag = cond if isinstance(cond, p.Name) else lowering.hoist(cond, "holds")
        lowering.emit(p.PortIf(p.Prefix("not", flag, "bool"), second, (), node.span))
        return
    if _acts(first):
        lowering.emit(p.PortIf(cond, first, second if _acts(second) else (), node.span))


def _acts(suite: tuple[p.PortStmt, ...]) -> bool:
    return any(not isinstance(statement, p.Remark) for statement in suite)


@rule("early_return", "return;", "if (i >= n) return;", "if i >= n:\n    T.thread_return()")
def lower_return(node: k.Return, lowering: Lowering) -> None:
    """In a kernel the thread is done (`T.thread_return`); later barriers count it out, as on the GPU.

    In a device function: the value, or an assignment to the result variable where returns are not last.
    """
    if not lowering.in_function:
        lowering.emit(p.Do(p.Call("T.thread_return", (), "void"), node.span))
        return
    if node.value is None:
        return
    if lowering.result is not None:
        lowering.emit(p.SetVar(lowering.result.name, lowering.lower_as(node.value, lowering.result.dtype), node.span))
    else:
        lowering.emit(p.MacroReturn(lowering.exact(node.value), node.span))


@rule("comments", "// text", "// two passes", "# two passes")
def lower_comment(node: k.Comment, lowering: Lowering) -> None:
    """A comment on a line of its own is carried over."""
    for line in node.text.splitlines():
        lowering.emit(p.Remark(line.strip()))
