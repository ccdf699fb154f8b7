"""PortModule statements as Python text."""

from __future__ import annotations

from collections.abc import Iterable

from migrate.emit import layout
from migrate.emit.expressions import text
from migrate.ir import port as p

STEP = "    "


def suite(statements: Iterable[p.PortStmt], indent: str) -> list[str]:
    """A suite; ``pass`` where nothing remains."""
    lines: list[str] = []
    acts = False
    for statement in statements:
        lines += lines_of(statement, indent)
        acts = acts or not isinstance(statement, p.Remark)
    return lines if acts else [*lines, f"{indent}pass"]


def lines_of(statement: p.PortStmt, indent: str) -> list[str]:
    """One statement."""
    if isinstance(statement, p.Bind):
        return layout.assignment(statement.name, _plain(statement.value, ("int32",)), indent)
    if isinstance(statement, p.SetVar):
        return layout.assignment(statement.name, _plain(statement.value), indent)
    if isinstance(statement, p.SetElement):
        target = text(p.Element(statement.buffer, statement.indices, ""))
        return layout.assignment(target, _plain(statement.value), indent)
    if isinstance(statement, p.AllocVar):
        return _alloc_var(statement, indent)
    if isinstance(statement, p.AllocLocal):
        return [f'{indent}{statement.name} = T.alloc_local({_shape(statement.shape)}, "{statement.dtype}")']
    if isinstance(statement, p.AllocShared):
        shape = _shape(statement.shape)
        return [f'{indent}{statement.name} = T.alloc_shared({shape}, "{statement.dtype}", scope="{statement.scope}")']
    if isinstance(statement, p.View):
        return [f'{indent}{statement.name} = T.view({statement.of}, {_shape(statement.shape)}, "{statement.dtype}")']
    if isinstance(statement, p.PortIf):
        return _if(statement, indent, "if")
    if isinstance(statement, p.PortWhile):
        return [*layout.header("while", statement.cond, indent), *suite(statement.body, indent + STEP)]
    if isinstance(statement, p.PortFor):
        return [_for(statement, indent), *suite(statement.body, indent + STEP)]
    if isinstance(statement, p.Jump):
        return [f"{indent}{statement.kind}"]
    if isinstance(statement, p.Do):
        return layout.expression(statement.call, indent)
    if isinstance(statement, p.MacroReturn):
        return layout.returned(statement.value, indent)
    return [f"{indent}# {statement.text}".rstrip()]


def _plain(value: p.PortExpr, dtypes: tuple[str, ...] = ("int32", "float32", "bool")) -> p.PortExpr:
    """A literal without constructor where the target's dtype decides."""
    return p.Lit(value.value, value.dtype) if isinstance(value, p.Lit) and value.dtype in dtypes else value


def _alloc_var(statement: p.AllocVar, indent: str) -> list[str]:
    keywords = () if statement.init is None else (("init", _plain(statement.init)),)
    call = p.Call("T.alloc_var", (p.Text(statement.dtype),), statement.dtype, keywords)
    return layout.assignment(statement.name, call, indent)


def _shape(shape: tuple[int | str, ...]) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else "(" + ", ".join(str(extent) for extent in shape) + ")"


def _if(statement: p.PortIf, indent: str, keyword: str) -> list[str]:
    lines = [*layout.header(keyword, statement.cond, indent), *suite(statement.then, indent + STEP)]
    rest = statement.otherwise
    if len(rest) == 1 and isinstance(rest[0], p.PortIf):
        return lines + _if(rest[0], indent, "elif")
    if rest:
        lines += [f"{indent}else:", *suite(rest, indent + STEP)]
    return lines


def _for(statement: p.PortFor, indent: str) -> str:
    start, stop, step = statement.start, statement.stop, statement.step
    args = [text(stop)]
    plain_step = isinstance(step, p.Lit) and step.value == 1
    if not (isinstance(start, p.Lit) and start.value == 0 and start.dtype == "int32" and plain_step):
        args = [text(start), text(stop)]
    if not plain_step:
        args.append(text(step))
    return f"{indent}for {statement.var} in T.{statement.kind}({', '.join(args)}):"
