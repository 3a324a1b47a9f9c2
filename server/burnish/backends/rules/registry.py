"""All rules: one module each in `performance` and `readability`, found by looking there."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

from burnish.backends.rules import performance, readability
from burnish.backends.rules.rule import Rule
from burnish_analyzers.goal import Goal


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, in the order in which they run."""
    rules = [_rule_of(package, name) for package in (performance, readability) for name in _modules(package)]
    return tuple(sorted(rules, key=lambda rule: (rule.order, rule.name)))


def rules_for(goal: Goal, disabled: frozenset[str] = frozenset()) -> tuple[Rule, ...]:
    """The rules of one goal without the `disabled` ones."""
    return tuple(rule for rule in all_rules() if goal in rule.goals and rule.name not in disabled)


def _modules(package: ModuleType) -> list[str]:
    return [module.name for module in pkgutil.iter_modules(package.__path__)]


def _rule_of(package: ModuleType, name: str) -> Rule:
    rule = importlib.import_module(f"{package.__name__}.{name}").RULE
    if not isinstance(rule, Rule):
        raise TypeError(f"RULE in {package.__name__}.{name} must be a Rule.")
    return rule
