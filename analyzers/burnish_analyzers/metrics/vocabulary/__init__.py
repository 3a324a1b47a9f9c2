"""The words that names are made of, and how a name is split into them.

The lists are ours: common English words as programs use them, conventional abbreviations, and the terms of
programming and mathematics. They are kept small on purpose; what they lack, `is_prefix`, `is_skeleton` and
`is_pronounceable` make up for.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]+")
_VOWELS = frozenset("aeiouy")
_CONSONANT_RUN = re.compile(r"[^aeiouy]{5}")
_DOUBLED = re.compile(r"(.)\1+")
_INFLECTIONS = ("s", "es", "d", "ed", "ing", "r", "er", "ly", "able", "ness", "ion")
_LETTER_RUNS = ("abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_EXTENDABLE = frozenset({"dp", "mx", "mn", "id"})
"""What is known in two letters even with a third joined to it."""
_SHORTEST_ABBREVIATED = 5
"""A word of fewer letters is not shortened to its first three."""


def split(name: str) -> tuple[str, ...]:
    """The parts of an identifier in lower case: `maxHeight_2` gives "max" and "height". Digits are left out."""
    return tuple(part.lower() for part in _PARTS.findall(name))


@lru_cache(4096)
def kind_of(part: str) -> str | None:
    """What a part of two or more letters in lower case is: "word", "domain term" or "abbreviation"; None if
    unlisted."""
    listed = _listed().get(part)
    if listed is not None or len(part) < 4:
        return listed
    for ending in _INFLECTIONS:
        if part.endswith(ending):
            stem = part[: -len(ending)]
            listed = _listed().get(stem) or _listed().get(stem + "e")
            if listed is None and len(stem) > 3 and stem[-1] == stem[-2]:
                listed = _listed().get(stem[:-1])
            if listed is not None:
                return listed
    return _listed().get(part[:-3] + "y") if part.endswith("ies") else None


def is_placeholder(part: str) -> bool:
    """Whether it stands for any name, as `foo` does."""
    return part in _read("placeholders")


def is_filler(part: str) -> bool:
    """Whether it fits any name and makes none clearer, as `value` in `x_value`."""
    return part in _read("fillers")


def is_compound(part: str) -> bool:
    """Whether something known makes up most of the part: `errmsg`, `maxv`, `qsum`, `dpx`."""
    if len(part) == 3:
        return any(rest in _EXTENDABLE for rest in (part[1:], part[:-1]))
    shortest = max(3, len(part) // 2)
    return any(
        kind_of(part[:length]) is not None or kind_of(part[-length:]) is not None
        for length in range(len(part) - 1, shortest - 1, -1)
    )


def is_prefix(part: str) -> bool:
    """Whether three letters begin a longer word, as in `seg` for segment."""
    return part in _prefixes()


def is_skeleton(part: str) -> bool:
    """Whether these are the consonants of a word, as in `wrd`; four and more may leave some out, as in `strt`."""
    if any(letter in _VOWELS for letter in part[1:]):
        return False
    if part in _skeletons():
        return True
    return len(part) > 3 and any(_is_subsequence(part, word) for word in _by_initial().get(part[0], ()))


def is_letter_run(part: str) -> bool:
    """Whether the letters follow each other in the alphabet or on the keyboard."""
    return any(part in run for run in _LETTER_RUNS)


def is_pronounceable(part: str) -> bool:
    """Whether it reads like a word: some vowels, no long run of consonants, not the same letters again and again."""
    return len(set(part)) >= 3 and not _VOWELS.isdisjoint(part) and _CONSONANT_RUN.search(part) is None


def _is_subsequence(part: str, word: str) -> bool:
    letters = iter(word)
    return all(letter in letters for letter in part)


@cache
def _listed() -> dict[str, str]:
    kinds = {"abbreviations": "abbreviation", "terms": "domain term", "words": "word"}
    return {word: kind for name, kind in kinds.items() for word in _read(name)}


@cache
def _prefixes() -> frozenset[str]:
    return frozenset(word[:3] for word in _read("words") if len(word) >= _SHORTEST_ABBREVIATED)


@cache
def _skeletons() -> frozenset[str]:
    bare = (word[0] + "".join(letter for letter in word[1:] if letter not in _VOWELS) for word in _read("words"))
    return frozenset(_DOUBLED.sub(r"\1", skeleton) for skeleton in bare if len(skeleton) > 2)


@cache
def _by_initial() -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for word in _read("words"):
        grouped.setdefault(word[0], []).append(word)
    return grouped


@cache
def _read(name: str) -> tuple[str, ...]:
    return tuple(files(__name__).joinpath(f"{name}.txt").read_text(encoding="ascii").split())
