"""What a rule is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import libcst as cst

from burnish.backends.rules.tree import Edit, UnitTree
from burnish_analyzers.goal import Goal


@dataclass(frozen=True, kw_only=True)
class Match:
    """One place where a rule applies: what is wrong, what to do, and the edit that does it.

    `imports` are the statements that the module needs for it.
    """

    node: cst.CSTNode
    problem: str
    change: str
    edit: Edit
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One kind of rewrite: `find` yields its matches with their preconditions met.

    `before` and `after` are an example that a test runs (a whole script where `script` is set). `risk` says what the
    preconditions cannot see and leave to the checks. Rules of a lower `order` run first.
    """

    name: str
    goals: tuple[Goal, ...]
    aspect: str
    why: str
    before: str
    after: str
    find: Callable[[UnitTree], Iterator[Match]]
    risk: str = ""
    script: bool = False
    order: int = 50
