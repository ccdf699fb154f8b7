"""All rules of every kind, for `migrate rules list` and `show`."""

from __future__ import annotations

from migrate.rules.base import Rule


def all_rules() -> tuple[Rule, ...]:
    """Every rule, by name."""
    from migrate.rules.lower.registry import all_rules as lowering_rules

    return lowering_rules()
