"""Value ranges of integer expressions and the dtype that can carry them.

CUDA's thread and block indices are unsigned, so most index arithmetic of a kernel is unsigned 32-bit, which upstream
handles badly (it assumes that unsigned arithmetic does not wrap). Where the range shows that neither an expression nor
any part of it leaves 0 … 2³¹−1, the same value can be computed in int32; that is what `Ranges.carrier` decides.

Ranges are flow-insensitive, one a local variable (names are unique in a kernel). Figures: CUDA C++ Programming Guide,
"Technical Specifications per Compute Capability" (grid x < 2³¹, grid y and z ≤ 65535, block ≤ 1024 threads, z ≤ 64).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from migrate.analysis.walk import sub_statements, walk_expressions
from migrate.ir import kernel as k
from migrate.ir.port import GridRule

Range = tuple[int, int]
INT32_MAX = 2**31 - 1
GRID_SLACK = 65536
_BUILTIN: dict[tuple[str, str], Range] = {
    ("threadIdx", "x"): (0, 1023),
    ("threadIdx", "y"): (0, 1023),
    ("threadIdx", "z"): (0, 63),
    ("blockDim", "x"): (1, 1024),
    ("blockDim", "y"): (1, 1024),
    ("blockDim", "z"): (1, 64),
    ("blockIdx", "x"): (0, INT32_MAX - 1),
    ("blockIdx", "y"): (0, 65534),
    ("blockIdx", "z"): (0, 65534),
    ("gridDim", "x"): (1, INT32_MAX),
    ("gridDim", "y"): (1, 65535),
    ("gridDim", "z"): (1, 65535),
    ("laneid", "x"): (0, 31),
    ("warpid", "x"): (0, 31),
}
_AXES = {"x": 0, "y": 1, "z": 2}


def is_integer(dtype: str) -> bool:
    """True for int8 … uint64 (not bool)."""
    return dtype.startswith(("int", "uint"))


def is_unsigned(dtype: str) -> bool:
    """True for uint8 … uint64."""
    return dtype.startswith("uint")


def is_float(dtype: str) -> bool:
    """True for float16, bfloat16, float32, float64."""
    return dtype.startswith(("float", "bfloat"))


@cache
def type_range(dtype: str) -> Range:
    """Smallest and largest value of an integer dtype or bool."""
    if dtype == "bool":
        return 0, 1
    bits = int(dtype.lstrip("uint"))
    return (0, 2**bits - 1) if is_unsigned(dtype) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def fits(inner: Range, outer: Range) -> bool:
    """Whether every value of ``inner`` lies in ``outer``."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _truncdiv(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


class Ranges:
    """Ranges of one kernel (or function) body.

    ``grid_rules`` collects the launch preconditions that the answers relied on.
    """

    def __init__(self, body: Iterable[k.Stmt] = (), pinned: Iterable[str] = ()):
        self.variables: dict[str, Range] = {}
        self.grid_rules: set[GridRule] = set()
        self._pinned = frozenset(pinned)
        self._known: dict[int, tuple[k.Expr, Range]] = {}
        self._settled = False
        statements = tuple(body)
        if statements:
            self._infer(statements)
        self._settled = True

    # --- variables --------------------------------------------------------------------------------------------------

    def _infer(self, body: tuple[k.Stmt, ...]) -> None:
        """Joins what is assigned to each variable; one that still grows after four rounds gets its type's range."""
        assigned: dict[str, list[k.Expr | None]] = {}
        dtypes: dict[str, str] = {}
        for statement in sub_statements(body):
            for var, value in direct_writes(statement):
                if is_integer(var.dtype) and var.name not in self._pinned:
                    assigned.setdefault(var.name, []).append(value)
                    dtypes[var.name] = var.dtype
        free = {name for name, values in assigned.items() if any(value is None for value in values)}
        for loop in (s for s in sub_statements(body) if isinstance(s, k.Loop)):
            self._counted(loop, assigned)
        pending = [name for name in assigned if name not in free]
        for name in pending:
            self.variables.setdefault(name, (0, -1))  # empty until something is known
        for round_number in range(8):
            changed: list[str] = []
            for name in pending:
                known = [self.of(value) for value in assigned[name] if value is not None]
                known = [r for r in known if r[0] <= r[1]]
                if not known:
                    continue
                joined = (min(r[0] for r in known), max(r[1] for r in known))
                before = self.variables[name]
                if before[0] <= before[1]:
                    joined = (min(before[0], joined[0]), max(before[1], joined[1]))
                if joined != before:
                    changed.append(name)
                    self.variables[name] = type_range(dtypes[name]) if round_number >= 4 else joined
            if not changed:
                break
        else:
            for name in pending:
                self.variables[name] = type_range(dtypes[name])
        for name in pending:
            if self.variables[name][0] > self.variables[name][1]:
                self.variables[name] = type_range(dtypes[name])
        self.variables = {n: r for n, r in self.variables.items() if n not in free}

    def _counted(self, loop: k.Loop, assigned: dict[str, list[k.Expr | None]]) -> None:
        """``for (i = a; i < b; i += c)``: the step is bounded by the condition, so it must not widen ``i``.

        The value after the last step (up to b − 1 + c) belongs to the range, as the condition reads it.
        """
        counted = counted_loop(loop)
        if counted is None:
            return
        values = assigned.get(counted.var.name)
        if values is None or len(values) != 2:
            return
        one = k.Const(counted.var.dtype, 1)
        bound = counted.bound if counted.op in ("lt", "gt") else k.Binary("add", counted.bound, one, counted.var.dtype)
        last = k.Binary("add", bound, counted.step, counted.var.dtype)
        if counted.op in ("lt", "le") and self.of(counted.step)[0] > 0:
            values[1] = last

    # --- expressions ------------------------------------------------------------------------------------------------

    def of(self, expr: k.Expr) -> Range:
        """Smallest and largest value that an integer or bool expression can take (wrapped to its dtype)."""
        known = self._known.get(id(expr))
        if known is not None:
            return known[1]
        limits = type_range(expr.dtype)
        exact = self.unwrapped(expr)
        found = exact if fits(exact, limits) else limits
        if self._settled:
            self._known[id(expr)] = (expr, found)  # the node is kept, so its id stays its own
        return found

    def unwrapped(self, expr: k.Expr) -> Range:
        """As `of`, but with this node's own operation not wrapped to its dtype (operands are)."""
        limits = type_range(expr.dtype)
        if isinstance(expr, k.Const):
            return int(expr.value), int(expr.value)
        if isinstance(expr, k.Builtin):
            return _BUILTIN[expr.kind, expr.axis]
        if isinstance(expr, k.LocalRef):
            return self.variables.get(expr.var.name, limits)
        if isinstance(expr, k.Cast):
            source = expr.operand.dtype
            return self.of(expr.operand) if is_integer(source) or source == "bool" else limits
        if isinstance(expr, k.Select):
            left, right = self.of(expr.then), self.of(expr.otherwise)
            return min(left[0], right[0]), max(left[1], right[1])
        if isinstance(expr, k.Unary) and expr.op == "neg":
            low, high = self.of(expr.operand)
            return -high, -low
        if isinstance(expr, k.MathCall) and expr.name.startswith(("min_", "max_")):
            left, right = (self.of(argument) for argument in expr.args)
            choose = min if expr.name.startswith("min_") else max
            return choose(left[0], right[0]), choose(left[1], right[1])
        if isinstance(expr, k.Binary) and is_integer(expr.dtype):
            grid = self._grid_product(expr)
            return grid if grid is not None else self._binary(expr, limits)
        return limits

    def _binary(self, expr: k.Binary, limits: Range) -> Range:
        left, right = self.of(expr.left), self.of(expr.right)
        if left[0] > left[1] or right[0] > right[1]:
            return 0, -1  # nothing known yet
        if expr.op == "add":
            return left[0] + right[0], left[1] + right[1]
        if expr.op == "sub":
            return left[0] - right[1], left[1] - right[0]
        if expr.op == "mul":
            corners = [a * b for a in left for b in right]
            return min(corners), max(corners)
        if expr.op == "truncdiv" and right[0] > 0:
            corners = [_truncdiv(a, b) for a in left for b in right]
            return min(corners), max(corners)
        if expr.op == "truncmod" and right[0] > 0:
            most = right[1] - 1
            return (0 if left[0] >= 0 else max(-most, left[0])), min(most, max(left[1], 0))
        if expr.op == "shr" and right[0] >= 0 and right[1] < 64:
            corners = [a >> b for a in left for b in right]
            return min(corners), max(corners)
        if expr.op == "shl" and right[0] >= 0 and right[1] < 64:
            corners = [a << b for a in left for b in right]
            return min(corners), max(corners)
        if expr.op == "bitand" and (left[0] >= 0 or right[0] >= 0):
            return 0, min(r[1] for r in (left, right) if r[0] >= 0)
        if expr.op in ("bitor", "bitxor") and left[0] >= 0 and right[0] >= 0:
            return 0, 2 ** max(left[1], right[1]).bit_length() - 1
        return limits

    def _grid_product(self, expr: k.Binary) -> Range | None:
        """``blockIdx.a * (block size and constants)``: bounded by a launch precondition instead of by the factors."""
        if expr.op != "mul" or expr.dtype not in ("uint32", "int32"):
            return None
        factors = _factors(expr)
        index = [f for f in factors if isinstance(f, k.Builtin) and f.kind in ("blockIdx", "gridDim")]
        rest = [f for f in factors if f not in index]
        if len(index) != 1 or len(index) + len(rest) != len(factors):
            return None
        axis = index[0].axis
        constant, per_block = 1, False
        for factor in rest:
            if isinstance(factor, k.Const) and 0 < int(factor.value) <= GRID_SLACK:
                constant *= int(factor.value)
            elif isinstance(factor, k.Builtin) and factor.kind == "blockDim" and factor.axis == axis and not per_block:
                per_block = True
            else:
                return None
        highest = _BUILTIN["blockIdx", axis][1] * constant * (1024 if per_block else 1)
        if highest <= INT32_MAX - GRID_SLACK or constant > GRID_SLACK:
            return None
        self.grid_rules.add(GridRule(_AXES[axis], constant, per_block))
        return 0, INT32_MAX - GRID_SLACK

    def may_wrap(self, expr: k.Expr) -> bool:
        """Whether an unsigned operation in ``expr`` (through integer operands) may wrap, or a cast change the value."""
        if isinstance(expr, k.Binary) and is_unsigned(expr.dtype):
            if not fits(self.unwrapped(expr), type_range(expr.dtype)):
                return True
            return self.may_wrap(expr.left) or self.may_wrap(expr.right)
        if isinstance(expr, k.Unary) and is_unsigned(expr.dtype):
            return True
        if isinstance(expr, k.Cast) and is_integer(expr.dtype) and is_integer(expr.operand.dtype):
            if not fits(self.of(expr.operand), type_range(expr.dtype)):
                return True
            return self.may_wrap(expr.operand)
        return False

    def carrier(self, expr: k.Expr) -> str:
        """The dtype in which ``expr`` is computed: int32 (int64) for unsigned values proven to stay non-negative there.

        64-bit products keep 64 bits, as the source asked for them.
        """
        dtype = expr.dtype
        if dtype not in ("uint32", "uint64", "int64"):
            return dtype
        small = fits(self.of(expr), (0 if is_unsigned(dtype) else -INT32_MAX - 1, INT32_MAX))
        wide = dtype if dtype == "int64" or not fits(self.of(expr), (0, 2**63 - 1)) else "int64"
        if isinstance(expr, (k.Const, k.Builtin)):
            return "int32" if small else wide
        if isinstance(expr, k.LocalRef):
            if expr.var.name not in self.variables:
                return dtype
            if dtype == "uint32":
                return "int32" if small else dtype
            return wide
        if isinstance(expr, k.Cast) and is_integer(expr.operand.dtype):
            inner = self.carrier(expr.operand)
            value = self.of(expr.operand)
            if not fits(value, type_range(dtype)) or (is_unsigned(dtype) and value[0] < 0):
                return dtype
            return inner if inner in ("int32", "int64") else dtype
        if isinstance(expr, k.Binary) and expr.op in _CARRIED:
            parts = {self.carrier(expr.left), self.carrier(expr.right)}
            if expr.op in ("shl", "shr"):
                parts = {self.carrier(expr.left)}
            exact = fits(self.unwrapped(expr), type_range(dtype))
            if parts == {"int32"} and small and exact and not (expr.op == "mul" and dtype != "uint32"):
                return "int32"
            if dtype == "uint64" and exact and wide == "int64" and parts <= {"int32", "int64"}:
                return "int64"
        if isinstance(expr, k.MathCall) and expr.name.startswith(("min_", "max_")):
            return "int32" if small and all(self.carrier(part) == "int32" for part in expr.args) else dtype
        return dtype

    def ring_int32(self, expr: k.Expr) -> bool:
        """Whether a uint32 sum or product may be computed in int32 when only its low 32 bits as int32 are wanted.

        Leaves are index-like (carried by int32 already, or an int32 that C converted), so that leaving int32 would
        already have been a fault of the original.
        """
        if expr.dtype != "uint32":
            return False
        if self.carrier(expr) == "int32":
            return True
        if isinstance(expr, k.Cast):
            return expr.operand.dtype == "int32" or self.carrier(expr.operand) == "int32"
        if isinstance(expr, k.Binary) and expr.op in ("add", "sub", "mul"):
            return self.ring_int32(expr.left) and self.ring_int32(expr.right)
        return False


_CARRIED = frozenset({"add", "sub", "mul", "truncdiv", "truncmod", "shl", "shr", "bitand", "bitor", "bitxor"})


def _factors(expr: k.Expr) -> list[k.Expr]:
    if isinstance(expr, k.Binary) and expr.op == "mul":
        return _factors(expr.left) + _factors(expr.right)
    if isinstance(expr, k.Cast) and expr.dtype in ("int32", "uint32") and expr.operand.dtype in ("int32", "uint32"):
        inner = _factors(expr.operand)
        return inner if all(isinstance(f, (k.Builtin, k.Const)) for f in inner) else [expr]
    return [expr]


def direct_writes(statement: k.Stmt) -> list[tuple[k.LocalVar, k.Expr | None]]:
    """(variable, value) pairs a statement writes; value None when it is not an expression."""
    if isinstance(statement, k.Declare):
        return [(statement.var, statement.init)] if statement.init is not None else []
    if isinstance(statement, k.Assign):
        return [(statement.var, statement.value)]
    if isinstance(statement, (k.SyncReduce, k.Shuffle, k.Vote)):
        return [(statement.result, None)]
    if isinstance(statement, k.Atomic):
        return [(statement.result, None)] if statement.result is not None else []
    if isinstance(statement, k.CallFunction):
        written: list[tuple[k.LocalVar, k.Expr | None]] = [
            (argument.var, None) for argument in statement.args if isinstance(argument, k.RefArg)
        ]
        return written + ([(statement.result, None)] if statement.result is not None else [])
    return []


def writes(body: Iterable[k.Stmt]) -> Mapping[str, int]:
    """How often each local is written in ``body`` (declarations with a value count)."""
    counts: dict[str, int] = {}
    for statement in sub_statements(body):
        for var, _ in direct_writes(statement):
            counts[var.name] = counts.get(var.name, 0) + 1
    return counts


class CountedLoop:
    """``for (var = start; var op bound; var += step)`` with nothing in the body that changes var."""

    def __init__(self, var: k.LocalVar, start: k.Expr, op: str, bound: k.Expr, step: k.Expr):
        self.var, self.start, self.op, self.bound, self.step = var, start, op, bound, step


def counted_loop(loop: k.Loop) -> CountedLoop | None:
    """Recognises the counted form: declared in the loop, one step at the end, not written in the body."""
    if loop.kind != "for" or loop.cond_pre or len(loop.init) != 1 or len(loop.step) != 1 or loop.cond is None:
        return None
    declare, step, cond = loop.init[0], loop.step[0], loop.cond
    if not isinstance(declare, k.Declare) or declare.init is None or not isinstance(step, k.Assign):
        return None
    var = declare.var
    if step.var.name != var.name or not isinstance(cond, k.Binary) or cond.op not in ("lt", "le", "gt", "ge"):
        return None
    if not is_integer(var.dtype) or var.name in writes(loop.body):
        return None
    increment = _increment(step.value, var)
    if increment is None or not _is_var(cond.left, var):
        return None
    if cond.left.dtype != var.dtype and not _widening(cond.left):
        return None
    if any(isinstance(part, k.LocalRef) and part.var.name == var.name for part in walk_expressions(cond.right)):
        return None
    return CountedLoop(var, declare.init, cond.op, cond.right, increment)


def _widening(expr: k.Expr) -> bool:
    return isinstance(expr, k.Cast) and fits(type_range(expr.operand.dtype), type_range(expr.dtype))


def _is_var(expr: k.Expr, var: k.LocalVar) -> bool:
    while isinstance(expr, k.Cast) and is_integer(expr.dtype):
        expr = expr.operand
    return isinstance(expr, k.LocalRef) and expr.var.name == var.name


def _increment(value: k.Expr, var: k.LocalVar) -> k.Expr | None:
    while isinstance(value, k.Cast) and is_integer(value.dtype):
        value = value.operand
    if not isinstance(value, k.Binary) or value.op not in ("add", "sub"):
        return None
    if _is_var(value.left, var):
        other = value.right
    elif value.op == "add" and _is_var(value.right, var):
        other = value.left
    else:
        return None
    if any(isinstance(part, k.LocalRef) and part.var.name == var.name for part in walk_expressions(other)):
        return None
    if value.op == "add":
        return other
    while isinstance(other, k.Cast):
        other = other.operand
    return (
        k.Const(var.dtype if not is_unsigned(var.dtype) else "int64", -int(other.value))
        if isinstance(other, k.Const)
        else None
    )
