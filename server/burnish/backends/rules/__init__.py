"""The embedded engine: rewrites that need no model, each proven before it is proposed."""

from burnish.backends.rules.backend import RulesBackend
from burnish.backends.rules.registry import all_rules, rules_for
from burnish.backends.rules.rule import Match, Rule

__all__ = ["Match", "Rule", "RulesBackend", "all_rules", "rules_for"]
