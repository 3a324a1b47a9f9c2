"""The names that a text binds, and whether each tells its reader something.

A name is meaningful if a part of it is a word, a term, or an abbreviation: one by convention, or one that its use
shows. Single letters, letters with digits, pairs and plurals of letters, mashes and placeholders are not. Decided by
rules alone.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from burnish_analyzers.metrics import vocabulary
from burnish_analyzers.metrics.bindings import Binding, NameKind, bindings
from burnish_analyzers.metrics.use import Use
from burnish_analyzers.source.tree import SyntaxTree

_BRIEF_ORIGINS = frozenset({"for_in_clause", "lambda", "for_statement"})
_BRIEF_VAGUENESS = 0.15
_INDICES = frozenset("ijk")


@dataclass(frozen=True, kw_only=True)
class Name:
    """One name of a text.

    `why` says what it is: "word", "combination", "abbreviation" or "domain term", all meaningful; or "single letter",
    "letter+digit", "letter pair or mash", "placeholder" or "random".
    """

    name: str
    kind: NameKind
    meaningful: bool
    why: str


def names(source: str | SyntaxTree) -> tuple[Name, ...]:
    """Each name that the text binds once, in the order of its first binding.

    Variables, parameters, loop targets and functions; no attributes, imports or classes, and none that begins with two
    underscores. An error in the text leaves out what the parser could not make out.
    """
    tree = SyntaxTree.parse(source) if isinstance(source, str) else source
    return judge(tree.text, bindings(tree))


def judge(text: str, found: Iterable[Binding]) -> tuple[Name, ...]:
    """The names of these bindings of `text`, judged by their parts and by their use."""
    by_name: dict[str, list[Binding]] = {}
    for binding in found:
        if not binding.name.startswith("__"):
            by_name.setdefault(binding.name, []).append(binding)
    use = Use(text, by_name)
    return tuple(
        Name(name=name, kind=bound[0].kind, meaningful=meaningful, why=why)
        for name, bound in by_name.items()
        for meaningful, why in [_judge(name, use)]
    )


def meaningful_ratio(judged: Sequence[Name]) -> float:
    """The share of meaningful names; 1.0 where there are none to judge."""
    return sum(name.meaningful for name in judged) / len(judged) if judged else 1.0


def vagueness(name: Name, found: Iterable[Binding]) -> float:
    """How much a name keeps from its reader, 0 to 1.

    0 for one that is meaningful in more than form, for `_`, and for the indices i, j, k of a loop; little for a letter
    that only stands for the items of a loop, or for a lambda's parameter. A letter padded with words that fit anything
    (`x_value`) is as vague as the letter.
    """
    if name.meaningful:
        return 1.0 if _is_padded(name.name) else 0.0
    if name.name.strip("_") in ("", *_INDICES) and name.kind is NameKind.LOOP:
        return 0.0
    if len(name.name) == 1 and all(bound.origin.type in _BRIEF_ORIGINS for bound in found if bound.name == name.name):
        return _BRIEF_VAGUENESS
    return 0.0 if not name.name.strip("_") else 1.0


def _is_padded(name: str) -> bool:
    """Whether nothing but letters and words that fit anything make up a name, at least one of each."""
    parts = vocabulary.split(name)
    return any(len(part) == 1 for part in parts) and all(len(part) == 1 or vocabulary.is_filler(part) for part in parts)


def _judge(name: str, use: Use) -> tuple[bool, str]:
    stem = name.strip("_")
    if not stem or vocabulary.is_placeholder(stem.lower()):
        return False, "placeholder"
    if len(stem) == 1:
        return False, "single letter" if stem == name else "letter pair or mash"
    if use.is_delta(name):
        return True, "domain term"
    if use.is_coordinate(name):
        return False, "letter pair or mash"
    kind = _kind_of_whole(name, stem.lower())
    if kind is not None:
        return True, kind
    parts = vocabulary.split(stem)
    kinds = [kind for part in parts if (kind := _kind_of_part(part, len(parts), name, use))]
    if kinds:
        return True, kinds[0] if len(parts) == 1 else "combination"
    if len(parts) == 1 and use.explains(name, parts[0]):
        return True, "abbreviation"
    if any(character.isdigit() for character in stem) and all(len(part) == 1 for part in parts):
        return False, "letter+digit"
    if any(vocabulary.is_pronounceable(part) and not vocabulary.is_letter_run(part) for part in parts):
        return False, "random"
    return False, "letter pair or mash"


def _kind_of_whole(name: str, whole: str) -> str | None:
    """What a name is as it stands. `is_` avoids a keyword, but `IS` are letters, as are plurals of a letter."""
    if len(whole) == 2 and (whole[1] == "s" or keyword.iskeyword(whole)) and name != whole + "_":
        return None
    return vocabulary.kind_of(whole)


def _kind_of_part(part: str, part_count: int, name: str, use: Use) -> str | None:
    """What makes a part meaningful by itself, or None."""
    if not part.isascii():
        return "word" if len(part) > 1 else None
    if len(part) < 3:
        return vocabulary.kind_of(part) if part_count > 1 else _kind_of_whole(name, part)
    kind = vocabulary.kind_of(part)
    if kind is not None or vocabulary.is_placeholder(part):
        return kind
    if vocabulary.is_letter_run(part):
        return None
    if vocabulary.is_compound(part):
        return "combination"
    if use.is_letter_row(part) or (len(part) == 3 and use.is_reader(name)):
        return None
    if vocabulary.is_skeleton(part):
        return "abbreviation"
    if len(part) == 3:
        return "abbreviation" if vocabulary.is_prefix(part) else None
    return "word" if vocabulary.is_pronounceable(part) else None
