"""PortModule expressions as Python text."""

from __future__ import annotations

import math
import struct

from migrate.ir import port as p

# Python's precedence, higher binds tighter.
_PRECEDENCE = {"or": 1, "and": 2, "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4, "|": 5, "^": 6, "&": 7, "<<": 8,
               ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "//": 10, "%": 10}  # fmt: skip
_NOT, _PREFIX, _ATOM = 3, 11, 20
_ASSOCIATIVE = frozenset({"and", "or"})
_LARGEST_FLOAT32 = 3.4028234663852886e38


def precedence(expr: p.PortExpr) -> int:
    """How tightly the printed form of ``expr`` binds."""
    if isinstance(expr, p.Operation):
        return _PRECEDENCE[expr.op]
    if isinstance(expr, p.Prefix):
        return _NOT if expr.op == "not" else _PREFIX
    if isinstance(expr, p.Lit) and not expr.explicit and expr.dtype != "bool" and expr.value < 0:
        return _PREFIX
    return _ATOM


def text(expr: p.PortExpr) -> str:
    """``expr`` on one line."""
    if isinstance(expr, p.Lit):
        return literal_text(expr)
    if isinstance(expr, p.Name):
        return expr.name
    if isinstance(expr, p.Text):
        return '"' + expr.value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(expr, p.Element):
        return f"{expr.buffer}[{', '.join(text(index) for index in expr.indices)}]"
    if isinstance(expr, p.Prefix):
        inner = text(expr.operand)
        wanted = precedence(expr)
        inner = f"({inner})" if precedence(expr.operand) < wanted else inner
        return f"not {inner}" if expr.op == "not" else f"{expr.op}{inner}"
    if isinstance(expr, p.Operation):
        return f"{operand_text(expr, expr.left, False)} {expr.op} {operand_text(expr, expr.right, True)}"
    parts = [text(argument) for argument in expr.args] + [f"{name}={text(value)}" for name, value in expr.keywords]
    return f"{expr.function}({', '.join(parts)})"


def operand_text(parent: p.Operation, operand: p.PortExpr, right: bool) -> str:
    """An operand with the parentheses that it needs (comparisons never chain)."""
    inner, own = precedence(operand), _PRECEDENCE[parent.op]
    bare = text(operand)
    if inner < own or (inner == own and (right or own == 4) and parent.op not in _ASSOCIATIVE):
        return f"({bare})"
    bits, mixed = frozenset({"&", "|", "^", "<<", ">>"}), isinstance(operand, p.Operation) and operand.op != parent.op
    if mixed and isinstance(operand, p.Operation) and (parent.op in bits or (own == 4 and operand.op in bits)):
        return f"({bare})"  # for the reader
    return bare


def literal_text(lit: p.Lit) -> str:
    """A literal; its constructor only where ``explicit``."""
    if lit.dtype == "bool":
        return f"T.bool({bool(lit.value)})" if lit.explicit else str(bool(lit.value))
    value = lit.value
    if lit.dtype.startswith(("float", "bfloat")):
        return _float_text(float(value), lit.dtype, lit.explicit)
    number = (
        hex(value) if isinstance(value, int) and value > 0xFFFF and lit.dtype.startswith("uint") else str(int(value))
    )
    return f"T.{lit.dtype}({number})" if lit.explicit else number


def _float_text(value: float, dtype: str, explicit: bool) -> str:
    if math.isinf(value):
        return f'{"-" if value < 0 else ""}T.infinity("{dtype}")'
    if math.isnan(value):
        return f'T.{dtype}(float("nan"))'
    if dtype == "float64" and abs(value) > _LARGEST_FLOAT32:  # upstream rejects the plain literal
        (bits,) = struct.unpack("<Q", struct.pack("<d", value))
        return f'T.reinterpret(T.uint64({bits:#x}), "float64")'
    number = shortest(value, dtype)
    return f"T.{dtype}({number})" if explicit else number


def shortest(value: float, dtype: str) -> str:
    """The shortest decimal that rounds to ``value`` in ``dtype`` (exact where that decimal would exceed float32)."""
    if dtype == "float32":
        import numpy as np  # checking a file must not load it

        number = repr(float(str(np.float32(value))))
        return number if abs(float(number)) <= _LARGEST_FLOAT32 else repr(value)
    return repr(value)
