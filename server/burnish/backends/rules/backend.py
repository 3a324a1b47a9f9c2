"""The embedded critic and editor: rules, no model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from burnish.backends.rules.facts import ModuleFacts
from burnish.backends.rules.registry import rules_for
from burnish.backends.rules.rewriting import Rewrite, Surroundings, is_switched_off, matches, rewrite
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import UnitTree
from burnish.engine.history import Critique, Finding, History, Step, Usage
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.units import Unit, UnitKind

_ORIGIN = "rules:"
_MAX_TRIES = 2  # of one rule alone: what failed on the original may hold on what was accepted since


@dataclass(frozen=True, kw_only=True)
class _Base:
    """The best text so far, and the rules that find something in it."""

    step: Step
    where: Surroundings
    found: dict[Rule, tuple[Match, ...]]
    unit: UnitTree | None


class RulesBackend:
    """`engine.protocols.Backend` over the rules of one goal, for one unit of one module.

    The first candidate has every rule applied. If it is rejected, each rule is tried alone on the best text so far, and
    what is accepted is kept. It is exhausted after at most twice as many candidates as rules match, and one.
    """

    def __init__(self, *, goal: Goal, unit: Unit, module_text: str, disabled: frozenset[str] = frozenset()) -> None:
        self._rules = rules_for(goal, disabled)
        self._script = unit.kind is UnitKind.SCRIPT
        self._indent = unit.indent
        self._facts = ModuleFacts.of(module_text, unit.span.start)
        self._last: tuple[object, _Base, Candidate | None] | None = None

    @property
    def name(self) -> str:
        """How receipts name this backend."""
        return "rules"

    @property
    def usage(self) -> Usage:
        """Nothing: it asks nobody."""
        return Usage()

    def critique(self, history: History) -> Critique:
        """The matches on the best text so far, from which the next edit starts; lines are counted in that text."""
        base, candidate = self._plan(history)
        findings = tuple(_finding(rule, match, base) for rule, found in base.found.items() for match in found)
        aspects = sorted({rule.aspect for rule in self._rules})
        counts = {aspect: sum(finding.aspect == aspect for finding in findings) for aspect in aspects}
        return Critique(
            findings=findings,
            scores=tuple((aspect, max(0.0, 10.0 - 2 * count)) for aspect, count in counts.items()),
            stop=candidate is None,
        )

    def edit(self, history: History) -> Candidate | None:
        """The next untried combination of rules, or None."""
        return self._plan(history)[1]

    def _plan(self, history: History) -> tuple[_Base, Candidate | None]:
        """What to start from, and the next candidate; worked out once for a critique and the edit that follows it."""
        key = tuple((step.candidate.unit_text, step.verdict.accepted) for step in history.steps)
        if self._last is None or self._last[0] != key:
            base = self._base(history.best)
            candidate = next(self._candidates(history, base), None)
            self._last = (key, base, candidate)
        return self._last[1:]

    def _base(self, step: Step) -> _Base:
        where = Surroundings(indent=self._indent, facts=self._facts, script=self._script)
        where = where.after(step.candidate.unit_text, step.candidate.imports)
        try:
            unit = where.parse(step.candidate.unit_text)
            rules = [rule for rule in self._rules if not is_switched_off(rule, unit)]
            found = {rule: tuple(match for match, _ in matches(rule, unit)) for rule in rules}
        except (cst.ParserSyntaxError, RecursionError):
            # Newer syntax than LibCST reads, or nested too deeply for it: nothing that a rule could understand.
            return _Base(step=step, where=where, found={}, unit=None)
        return _Base(step=step, where=where, found={rule: each for rule, each in found.items() if each}, unit=unit)

    def _candidates(self, history: History, base: _Base) -> Iterator[Candidate]:
        """What has not been tried yet: all rules at once first, then each alone."""
        known = {step.candidate.unit_text for step in history.steps}
        together = [self._enabled(base)] if len(history.steps) == 1 else []
        tried = [step.candidate.origin for step in history.steps]
        alone = [[rule] for rule in base.found if tried.count(_ORIGIN + rule.name) < _MAX_TRIES]
        # Rules that were never tried alone go first.
        alone.sort(key=lambda rules: tried.count(_ORIGIN + rules[0].name))
        for rules in [*together, *alone]:
            done = rewrite(rules, base.step.candidate.unit_text, base.where) if rules else None
            if done is not None and done.rules and done.text not in known:
                yield _candidate(history, base.step, done)

    def _enabled(self, base: _Base) -> list[Rule]:
        return [rule for rule in self._rules if base.unit and base.found and not is_switched_off(rule, base.unit)]


def _candidate(history: History, start: Step, done: Rewrite) -> Candidate:
    return Candidate(
        iteration=len(history.steps),
        origin=_ORIGIN + "+".join(done.rules),
        unit_text=done.text,
        imports=tuple(dict.fromkeys([*start.candidate.imports, *done.imports])),
    )


def _finding(rule: Rule, match: Match, base: _Base) -> Finding:
    start, end = base.unit.lines(match.node) if base.unit else (1, 1)
    return Finding(
        aspect=rule.aspect,
        start_line=start,
        end_line=end,
        problem=match.problem,
        change=match.change,
        evidence=rule.name,
    )
