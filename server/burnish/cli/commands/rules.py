"""`burnish rules`: the rules of the embedded engine."""

from __future__ import annotations

import argparse

from burnish.backends.rules.registry import rules_for
from burnish.cli.exit_codes import PROPOSAL
from burnish.cli.output import say
from burnish_analyzers.goal import Goal


def run(arguments: argparse.Namespace) -> int:
    """List them by goal; their names go into the setting disabled_rules."""
    for goal in Goal:
        say(f"{goal}:")
        rules = rules_for(goal)
        width = max((len(rule.name) for rule in rules), default=0)
        for rule in rules:
            say(f"  {rule.name:<{width}}  {rule.why}")
    return PROPOSAL
