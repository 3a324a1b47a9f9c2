"""Each rule's own example."""

from __future__ import annotations

import pytest

from burnish.backends.rules.registry import all_rules
from burnish.backends.rules.rewriting import Surroundings, rewrite
from burnish.backends.rules.rule import Rule


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_turns_its_before_into_its_after(rule: Rule) -> None:
    where = Surroundings(script=rule.script)
    assert rewrite([rule], rule.before, where).text == rule.after


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_finds_nothing_in_its_after(rule: Rule) -> None:
    where = Surroundings(script=rule.script)
    assert rewrite([rule], rule.after, where).rules == ()
