"""The rule table: every rule is documented, named once and used by the zoo."""

from __future__ import annotations

from migrate.diagnostics import load_page
from migrate.rules.lower.lower_kernel import lower_kernel
from migrate.rules.registry import all_rules
from rules.zoo import ZOO


def test_rules_are_documented() -> None:
    rules = all_rules()
    assert len({rule.name for rule in rules}) == len(rules) >= 39
    for rule in rules:
        assert rule.apply.__doc__, rule.name
        assert rule.summary and rule.before and rule.after
        for code in rule.codes:
            assert load_page(code)["severity"] == "error"


def test_every_rule_fires_in_the_zoo() -> None:
    used = {name for kernel in ZOO.values() for name in lower_kernel(kernel).kernel.rules}
    names = {rule.name for rule in all_rules()}
    silent = {"comments", "shared_arrays", "dynamic_shared"}  # the first needs a source, the others are not dispatched
    assert names - used <= silent
