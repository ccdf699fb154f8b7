"""Local scalars and arrays."""

from __future__ import annotations

from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.ir.port_walk import walk
from migrate.rules.base import rule
from migrate.rules.lower.context import Lowering, Place, Root, is_float
from migrate.rules.lower.literals import literal


def carried_dtype(var: k.LocalVar, lowering: Lowering) -> str:
    """The dtype that the port keeps ``var`` in: int32 for unsigned values proven to fit, else its own."""
    return lowering.ranges.carrier(k.LocalRef(var))


# A chain of snapshots that each use the one before twice doubles at every link once upstream writes them out: five
# rounds of a warp's minimum take minutes to compile. Past this many nodes a variable ends the chain.
EXPANDED_LIMIT = 200


@rule("locals", "T v = x;", "float sum = 0.f;", 'total = T.alloc_var("float32", init=0.0)')
def lower_declare(node: k.Declare, lowering: Lowering) -> None:
    """A local that is written once is a snapshot (``v = x``); every other one is a `T.alloc_var`."""
    var = node.var
    if node.init is None:
        declare_variable(var, None, lowering)
        return
    dtype = carried_dtype(var, lowering)
    value = lowering.lower_as(node.init, dtype)
    if lowering.writes.get(var.name, 0) <= 1 and var.name not in lowering.pinned:
        snapshot(var, value, dtype, lowering)
        return
    declare_variable(var, value, lowering)


def declare_variable(var: k.LocalVar, init: p.PortExpr | None, lowering: Lowering) -> p.Name:
    """A `T.alloc_var` for ``var``."""
    dtype = carried_dtype(var, lowering)
    name = lowering.names.claim(var.name)
    place = p.Name(name, dtype, "var")
    lowering.places[var.name] = Place(place)
    lowering.emit(p.AllocVar(name, dtype, init, var.span))
    return place


def snapshot(var: k.LocalVar, value: p.PortExpr, dtype: str, lowering: Lowering) -> None:
    """A plain binding for ``var``; a name for the same thing where the value is just a name of the same spelling."""
    if isinstance(value, p.Name) and value.kind in ("thread", "block", "python") and value.name == var.name:
        lowering.places[var.name] = Place(value)
        return
    if dtype == "bool" and _orders_floats(value):
        declare_variable(var, value, lowering)  # upstream looks through snapshots and combines comparisons
        return
    if p.PYTHON not in (dtype, value.dtype) and lowering.expanded(value) > EXPANDED_LIMIT:
        declare_variable(var, value, lowering)
        return
    name = lowering.names.claim(var.name)
    lowering.emit(p.Bind(name, value, var.span))
    lowering.define(name, value)
    kind_dtype = p.PYTHON if value.dtype == p.PYTHON else dtype
    lowering.places[var.name] = Place(p.Name(name, kind_dtype, "bind"))


def _orders_floats(value: p.PortExpr) -> bool:
    return any(
        isinstance(part, p.Operation) and part.op in ("<", "<=", ">", ">=") and is_float(part.left.dtype)
        for part in walk(value)
    )


def write(var: k.LocalVar, value: p.PortExpr, lowering: Lowering, span: object = None) -> None:
    """Writes a local: its variable if it has one, else this is its only write and declares it."""
    place = lowering.places.get(var.name)
    dtype = carried_dtype(var, lowering)
    value = lowering.coerce(value, dtype)
    if place is not None and place.name.kind in ("var", "param"):
        lowering.emit(p.SetVar(place.name.name, value, var.span))
        return
    snapshot(var, value, dtype, lowering)


@rule("assignments", "v = x;", "sum += x[i];", "total = total + x[i]")
def lower_assign(node: k.Assign, lowering: Lowering) -> None:
    """A write of a variable."""
    dtype = carried_dtype(node.var, lowering)
    write(node.var, lowering.lower_as(node.value, dtype), lowering)


@rule("local_reads", "v", "v", "v")
def lower_local(node: k.LocalRef, lowering: Lowering) -> p.PortExpr:
    """A read of a local; one that was never written reads 0, as C leaves it open."""
    place = lowering.places.get(node.var.name)
    if place is None:
        return lowering.coerce(literal(0, node.dtype), carried_dtype(node.var, lowering))
    return place.name


@rule("parameters", "kernel parameters", "n", "n")
def lower_parameter(node: k.ParamRef, lowering: Lowering) -> p.PortExpr:
    """A read of a scalar parameter."""
    return lowering.params[node.name]


@rule("local_arrays", "T v[N];", "float acc[8] = {0.f};", 'acc = T.alloc_local((8,), "float32")')
def lower_declare_array(node: k.DeclareArray, lowering: Lowering) -> None:
    """`T.alloc_local`; an initialiser becomes stores, a loop where all leaves are one constant."""
    buffer = node.buffer
    shape = buffer.shape or (1,)
    name = lowering.names.claim(buffer.name)
    lowering.roots[buffer.name] = Root(name, len(shape))
    lowering.emit(p.AllocLocal(name, shape, buffer.dtype, node.span))
    if node.init is None:
        return
    size = 1
    for extent in shape:
        size *= extent
    values = [lowering.exact(leaf) for leaf in node.init]
    values += [literal(0, buffer.dtype)] * (size - len(values))
    if size > 4 and all(isinstance(v, p.Lit) and v == values[0] for v in values):
        _fill(name, shape, values[0], lowering)
        return
    for position, value in enumerate(values):
        lowering.emit(p.SetElement(name, _indices(position, shape), value, node.span))


def _indices(position: int, shape: tuple[int, ...]) -> tuple[p.PortExpr, ...]:
    found: list[p.PortExpr] = []
    for extent in reversed(shape):
        found.insert(0, p.Lit(position % extent, "int32"))
        position //= extent
    return tuple(found)


def _fill(name: str, shape: tuple[int, ...], value: p.PortExpr, lowering: Lowering) -> None:
    variables = [lowering.names.claim(letter) for letter in "ijkl"[: len(shape)]]
    indices = tuple(p.Name(variable, "int32", "loop") for variable in variables)
    body: tuple[p.PortStmt, ...] = (p.SetElement(name, indices, value),)
    one, zero = p.Lit(1, "int32"), p.Lit(0, "int32")
    for variable, extent in reversed(list(zip(variables, shape, strict=True))):
        body = (p.PortFor(variable, "int32", zero, p.Lit(extent, "int32"), one, body, "unroll"),)
    for statement in body:
        lowering.emit(statement)
