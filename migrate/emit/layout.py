"""Line breaking: statements that do not fit in a line are broken as a formatter would."""

from __future__ import annotations

from migrate.emit.expressions import operand_text, precedence, text
from migrate.ir import port as p

WIDTH = 120


def assignment(target: str, value: p.PortExpr, indent: str) -> list[str]:
    """``target = value``."""
    return _broken(f"{target} = ", value, "", indent)


def expression(value: p.PortExpr, indent: str) -> list[str]:
    """An expression statement."""
    return _broken("", value, "", indent)


def header(keyword: str, value: p.PortExpr, indent: str) -> list[str]:
    """``keyword value:`` (if, elif, while)."""
    return _broken(f"{keyword} ", value, ":", indent)


def returned(value: p.PortExpr, indent: str) -> list[str]:
    """``return value``."""
    return _broken("return ", value, "", indent)


def _broken(before: str, value: p.PortExpr, after: str, indent: str) -> list[str]:
    line = f"{indent}{before}{text(value)}{after}"
    if len(line) <= WIDTH:
        return [line]
    if isinstance(value, p.Call) and before != "" and after == "":
        return _call(before, value, after, indent)
    if isinstance(value, p.Call):
        return _call(before, value, after, indent)
    inner = indent + "    "
    return [f"{indent}{before}(", *_operands(value, inner), f"{indent}){after}"]


def _operands(value: p.PortExpr, indent: str) -> list[str]:
    """One operand of a chain of equally binding operators a line."""
    if not isinstance(value, p.Operation):
        return _nested(value, "", indent)
    chain: list[tuple[str, p.PortExpr, p.Operation]] = []
    node: p.PortExpr = value
    level = precedence(value)
    while isinstance(node, p.Operation) and precedence(node) == level and level != 4:
        chain.append((node.op, node.right, node))
        node = node.left
    if not chain:
        assert isinstance(node, p.Operation)
        chain.append((node.op, node.right, node))
        node = node.left
    parent = chain[-1][2]
    lines = _nested(node, "", indent, operand_text(parent, node, False))
    for op, operand, owner in reversed(chain):
        lines += _nested(operand, f"{op} ", indent, operand_text(owner, operand, True))
    return lines


def _nested(value: p.PortExpr, lead: str, indent: str, shown: str | None = None) -> list[str]:
    shown = text(value) if shown is None else shown
    line = f"{indent}{lead}{shown}"
    if len(line) <= WIDTH:
        return [line]
    if isinstance(value, p.Call):
        return _call(lead, value, "", indent)
    if isinstance(value, p.Operation):
        return [f"{indent}{lead}(", *_operands(value, indent + "    "), f"{indent})"]
    return [line]


def _call(before: str, call: p.Call, after: str, indent: str) -> list[str]:
    inner = indent + "    "
    lines = [f"{indent}{before}{call.function}("]
    for argument in call.args:
        found = _nested(argument, "", inner)
        lines += [*found[:-1], found[-1] + ","]
    for name, argument in call.keywords:
        found = _nested(argument, f"{name}=", inner)
        lines += [*found[:-1], found[-1] + ","]
    return [*lines, f"{indent}){after}"]
