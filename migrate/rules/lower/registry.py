"""Which rule lowers which node: one explicit table, also what `migrate rules list` shows."""

from __future__ import annotations

from migrate.analysis.ranges import is_float
from migrate.ir import kernel as k
from migrate.ir import port as p
from migrate.rules.base import Rule
from migrate.rules.lower import (
    arithmetic,
    atomics,
    barriers,
    bit_operations,
    branches,
    casts,
    comparisons,
    device_functions,
    integer_division,
    launch_indices,
    literals,
    locals,
    logic,
    loops,
    math_calls,
    memory_access,
    scalar_parameters,
    selects,
    shared_memory,
    tail_guards,
    warp_collectives,
    warp_synchronous,
)
from migrate.rules.lower.context import Lowering

_BINARY: dict[str, Rule] = {
    **dict.fromkeys(("truncdiv", "truncmod"), integer_division.lower_integer_division),
    **dict.fromkeys(("bitand", "bitor", "bitxor", "shl", "shr"), bit_operations.lower_bit_operation),
    **dict.fromkeys(("and", "or"), logic.lower_logic),
}
_COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
_EXPRESSIONS: dict[type, Rule] = {
    k.Const: literals.lower_constant,
    k.LocalRef: locals.lower_local,
    k.ParamRef: locals.lower_parameter,
    k.Builtin: launch_indices.lower_builtin,
    k.Load: memory_access.lower_load,
    k.Cast: casts.lower_cast,
    k.Bitcast: casts.lower_bitcast,
    k.Select: selects.lower_select,
    k.MathCall: math_calls.lower_math,
}
_STATEMENTS: dict[type, Rule] = {
    k.Declare: locals.lower_declare,
    k.DeclareArray: locals.lower_declare_array,
    k.Assign: locals.lower_assign,
    k.Store: memory_access.lower_store,
    k.If: branches.lower_if,
    k.Loop: loops.lower_loop,
    k.Break: loops.lower_break,
    k.Continue: loops.lower_continue,
    k.Return: branches.lower_return,
    k.Barrier: barriers.lower_barrier,
    k.SyncReduce: barriers.lower_sync_reduce,
    k.Shuffle: warp_collectives.lower_shuffle,
    k.Vote: warp_collectives.lower_vote,
    k.Atomic: atomics.lower_atomic,
    k.Fence: barriers.lower_fence,
    k.CallFunction: device_functions.lower_call,
    k.Comment: branches.lower_comment,
}
_BESIDE: tuple[Rule, ...] = (
    arithmetic.lower_integer_arithmetic,
    arithmetic.lower_float_arithmetic,
    arithmetic.lower_unary,
    comparisons.lower_integer_comparison,
    comparisons.lower_float_comparison,
    logic.lower_not,
    loops.WHILE_LOOPS,
    loops.DO_LOOPS,
    scalar_parameters.lower_scalar_parameter,
    shared_memory.lower_static_shared,
    shared_memory.lower_dynamic_shared,
    tail_guards.leave_at_tail_guards,
    warp_collectives.lower_reduction,
    warp_synchronous.lower_step,
)


def all_rules() -> tuple[Rule, ...]:
    """Every lowering rule, by name."""
    found = {rule.name: rule for rule in (*_BINARY.values(), *_EXPRESSIONS.values(), *_STATEMENTS.values(), *_BESIDE)}
    return tuple(found[name] for name in sorted(found))


def rule_for_expression(node: k.Expr) -> Rule:
    """The rule that lowers an expression node."""
    if isinstance(node, k.Unary):
        return logic.lower_not if node.op == "not" else arithmetic.lower_unary
    if isinstance(node, k.Binary):
        floats = is_float(node.left.dtype)
        if node.op in _COMPARISONS:
            return comparisons.lower_float_comparison if floats else comparisons.lower_integer_comparison
        if node.op in _BINARY:
            return _BINARY[node.op]
        return arithmetic.lower_float_arithmetic if floats else arithmetic.lower_integer_arithmetic
    return _EXPRESSIONS[type(node)]


def lower_expression(node: k.Expr, lowering: Lowering) -> p.PortExpr:
    """Dispatches an expression to its rule."""
    expr: p.PortExpr = rule_for_expression(node)(node, lowering)
    return expr


def lower_statement(node: k.Stmt, lowering: Lowering) -> None:
    """Dispatches a statement to its rule."""
    if isinstance(node, k.Store) and node.volatile:
        warp_synchronous.lower_step(node, lowering)
        return
    _STATEMENTS[type(node)](node, lowering)
