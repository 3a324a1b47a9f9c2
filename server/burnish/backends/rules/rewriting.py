"""Applies rules to a unit's text, and holds every rewrite to what no rule may break."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import libcst as cst

from burnish.backends.rules.facts import ModuleFacts
from burnish.backends.rules.imports import add_to_script
from burnish.backends.rules.rule import Match, Rule
from burnish.backends.rules.tree import UnitTree, comments_of

_SWITCH = re.compile(r"#\s*burnish:\s*off\b[ \t]*([\w, -]*)")
_MAX_REWRITES = 200


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """A unit's text, the rules that changed it in the order they did, and the imports that it needs since."""

    text: str
    rules: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """Where a unit stands: the blanks before its first line, its module, and whether it is a whole script."""

    indent: str = ""
    facts: ModuleFacts = field(default_factory=ModuleFacts)
    script: bool = False

    def parse(self, text: str) -> UnitTree:
        """The unit's tree. Raises `libcst.ParserSyntaxError`."""
        return UnitTree(text, indent=self.indent, facts=self.facts, script=self.script)

    def after(self, text: str, imports: tuple[str, ...]) -> Surroundings:
        """The same once the unit has become `text` and these statements were added to the module."""
        if self.script:
            return replace(self, facts=ModuleFacts.of(text))
        known = dict(self.facts.imports) | {statement.split()[-1]: statement for statement in imports}
        facts = replace(self.facts, imports=tuple(known.items()), bound=self.facts.bound | known.keys())
        return replace(self, facts=facts)


def matches(rule: Rule, unit: UnitTree) -> Iterator[tuple[Match, str]]:
    """Each match of `rule` with the text that it leads to.

    A match that would lose a comment, give no valid code or change nothing is left out, and so is one that would change
    the source that ``f"{name=}"`` prints.
    """
    if rule.script and not unit.script:
        return
    for match in rule.find(unit):
        if any(_is_printed(unit, node) for node in match.edit.replace):
            continue
        text = unit.edited(match.edit)
        if text != unit.text and _is_sound(unit, text):
            yield match, text


def rewrite(rules: Sequence[Rule], text: str, where: Surroundings) -> Rewrite:
    """All `rules` applied in turn, each until it finds nothing more, and again until none does."""
    done = Rewrite(text=text)
    seen = {text}
    unit = where.parse(text)
    progress = True
    while progress:
        progress = False
        for rule in rules:
            while (step := _first(rule, unit, seen)) is not None:
                match, new_text = step
                new_text = add_to_script(new_text, match.imports) if where.script else new_text
                done = Rewrite(
                    text=new_text,
                    rules=(*done.rules, *({rule.name} - {*done.rules})),
                    imports=done.imports if where.script else tuple(dict.fromkeys([*done.imports, *match.imports])),
                )
                seen.add(new_text)
                unit = where.after(new_text, done.imports).parse(new_text)
                progress = len(seen) < _MAX_REWRITES
                if not progress:
                    return done
    return done


def is_switched_off(rule: Rule, unit: UnitTree) -> bool:
    """Whether a comment of the unit says ``burnish: off``, alone or with this rule's name."""
    for comment in unit.comments:
        if found := _SWITCH.match(comment):
            names = found[1].replace(",", " ").split()
            if not names or rule.name in names:
                return True
    return False


def _first(rule: Rule, unit: UnitTree, seen: set[str]) -> tuple[Match, str] | None:
    return next(((match, text) for match, text in matches(rule, unit) if text not in seen), None)


def _is_printed(unit: UnitTree, node: cst.CSTNode) -> bool:
    """Whether an f-string prints the source of `node` along with its value."""
    return any(isinstance(each, cst.FormattedStringExpression) and each.equal for each in unit.ancestors(node))


def _is_sound(unit: UnitTree, text: str) -> bool:
    wrapped = unit.wrapped(text)
    try:
        cst.parse_module(wrapped)
    except cst.ParserSyntaxError:
        return False
    return not unit.comments - comments_of(wrapped)
