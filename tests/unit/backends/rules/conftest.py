"""Rules run on a text, without a backend around them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from burnish.backends.rules.facts import ModuleFacts
from burnish.backends.rules.registry import all_rules
from burnish.backends.rules.rewriting import Rewrite, Surroundings, rewrite

Apply = Callable[..., Rewrite]


@pytest.fixture
def apply() -> Apply:
    """``apply("rule-name", text)``: one rule on a unit, or on a whole script, that is alone in its module."""

    def apply(name: str, text: str, *, script: bool = False, module: str | None = None, indent: str = "") -> Rewrite:
        rules = [rule for rule in all_rules() if rule.name == name]
        module_text = text if module is None else module
        offset = max(0, module_text.find(text))
        where = Surroundings(indent=indent, facts=ModuleFacts.of(module_text, offset), script=script)
        return rewrite(rules, text, where)

    return apply
