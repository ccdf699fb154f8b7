"""When two parts of a port's expression are equal, and when a store may lie between them."""

from __future__ import annotations

from migrate.ir import port as p
from migrate.ir.port_identity import Identities

TOTAL = p.Name("total", "int32", "var")
BEFORE = p.Name("before", "int32", "bind")
OLD = p.Name("old", "int32", "bind")
INDEX = p.Name("i", "int32", "bind")
LOAD = p.Element("x", (INDEX,), "int32")
THREAD = p.Name("tx", "int32", "thread")
KNOWN = Identities({"before": TOTAL, "old": LOAD, "i": THREAD, "next": p.Operation("+", INDEX, TOTAL, "int32")})


def test_a_snapshot_is_not_what_its_variable_holds_later() -> None:
    assert KNOWN.number(BEFORE) == KNOWN.number(TOTAL)
    assert not KNOWN.same(BEFORE, TOTAL) and not KNOWN.same(OLD, LOAD)
    later = p.Operation("+", THREAD, TOTAL, "int32")
    assert not KNOWN.same(p.Name("next", "int32", "bind"), later)


def test_parts_that_are_read_at_one_moment_are_equal() -> None:
    assert KNOWN.same(BEFORE, BEFORE) and KNOWN.same(TOTAL, TOTAL) and KNOWN.same(LOAD, LOAD)
    assert KNOWN.same(INDEX, THREAD), "no memory is read for the index"
    assert KNOWN.same(p.Element("x", (THREAD,), "int32"), LOAD)
    assert not KNOWN.same(p.Element("y", (THREAD,), "int32"), LOAD)
    assert KNOWN.same(p.Lit(1, "int32"), p.Lit(1, "int32")) and not KNOWN.same(p.Lit(1, "int32"), p.Lit(2, "int32"))
