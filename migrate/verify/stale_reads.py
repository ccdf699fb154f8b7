"""A variant of a kernel in which the value that a compare-and-swap loop expects is out of date.

Here threads run one after another between barriers, so that no other thread comes between a read and the exchange that
checks it, and the loop never goes round again. In this variant the read gives another value: the first exchange finds
what it did not expect, and original and port must both go on as they would on a device.
"""

from __future__ import annotations

import ast
import re

from migrate.analysis.cas_reads import CheckedRead
from migrate.ir.kernel import Expr
from migrate.verify.text_difference import one_difference
from migrate.verify.textual import balanced

_ASSIGNMENT = re.compile(rb"(?<![=!<>+\-*/%&|^])=(?!=)")


def out_of_date(text: bytes, _: Expr, read: CheckedRead) -> bytes | None:
    """``text`` with one added to what ``read`` gives; None unless its line holds one plain assignment."""
    lines = text.split(b"\n")
    if read.line > len(lines):
        return None
    line = lines[read.line - 1]
    found = list(_ASSIGNMENT.finditer(line))
    if len(found) != 1 or line.lstrip().startswith(b"#") or line.rstrip().endswith(b"\\") or b"//" in line:
        return None
    start = found[0].end()
    stop = next((at for at in range(start, len(line)) if line[at : at + 1] in b",;" and balanced(line[start:at])), 0)
    if not stop:
        return None
    lines[read.line - 1] = line[:start] + b" (" + line[start:stop].strip() + b") + 1" + line[stop:]
    return b"\n".join(lines)


def differs_by_one_more(plain: str, varied: str) -> bool:
    """Whether two port texts differ in one value only, to which one of them adds one."""
    return _one_more(ast.parse(plain), ast.parse(varied))


def _one_more(plain: ast.AST, varied: ast.AST) -> bool:
    added = isinstance(varied, ast.BinOp) and isinstance(varied.op, ast.Add) and _is_one(varied.right)
    if added and isinstance(varied, ast.BinOp) and ast.dump(varied.left) == ast.dump(plain):
        return True
    inner = one_difference(plain, varied)
    return inner is not None and _one_more(*inner)


def _is_one(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and len(node.args) == 1:
        node = node.args[0]
    return isinstance(node, ast.Constant) and node.value == 1
