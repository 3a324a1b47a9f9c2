"""Source code of values of each kind, from plain to nasty, as Hypothesis strategies."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

Source = SearchStrategy[str]
ALPHABET = "aabbcAB 01_-.,:/=\n\t\u00e9\u0130\u00df\U0001f600"
WORDS = ("", "a", "ab", "aab", "Hello World", "hello_world", "camelCase", "a,b,,c", "k=v", "  x ", "2024-02-29", "1.5")
SMALL = (0, 1, 2, 3, 4, 5, -1, -2, 7, 10, 12, 100)
HUGE = (1_000, 2**31, 2**63, 10**20, -(10**20))
FLOATS = (
    "0.0",
    "-0.0",
    "0.5",
    "1.0",
    "-1.5",
    "2.25",
    "1e-09",
    "1e+16",
    "float('nan')",
    "float('inf')",
    "-float('inf')",
)
CALLABLES = {
    "a test": ("lambda x: bool(x)", "lambda x: x > 1", "lambda x: x == 2", "lambda x: x in 'ab'", "bool", "callable"),
    "a key": ("lambda x: x", "lambda x: -x", "lambda x: x % 2", "len", "str", "lambda x: x[0]", "str.lower", "abs"),
    "a function of two": ("lambda x, y: x + y", "lambda x, y: x - y", "max", "lambda x, y: (x, y)", "lambda x, y: y"),
    "a function of any": ("lambda *a, **k: (a, k)", "lambda *a: len(a)", "lambda *a, **k: None", "print"),
    "a function of none": ("lambda: 0", "list", "dict", "lambda: 'made'"),
    "one that fails": ("lambda x: 1 // x", "lambda x: {}[x]", "lambda x: int(x)"),
}
MODULES = ("collections", "datetime", "decimal", "fractions", "pathlib", "uuid", "re", "io", "enum", "types", "numbers")
EQUAL_OTHERS = ("1", "True", "1.0", "0", "False", "0.0", "''", "None")


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One kind of value that a parameter may take, by name, and source code of such values."""

    label: str
    sources: Source


@dataclass(frozen=True, kw_only=True)
class Values:
    """Values of each kind, with the literals that the unit compares with among them."""

    literals: frozenset[str] = frozenset()

    def literals_of(self, *kinds: type) -> list[str]:
        """Those of some types."""
        return sorted(text for text in self.literals if type(ast.literal_eval(text)) in kinds)

    @cached_property
    def integers(self) -> Source:
        """Small ones, those around the unit's own, and some between."""
        own = [int(text) for text in self.literals_of(int) if abs(int(text)) < 100_000]
        near = [number + step for number in own for step in (-1, 0, 1)]
        common = st.sampled_from([*SMALL, *near])
        return st.one_of(common, common, st.integers(-30, 30)).map(str)

    @cached_property
    def floats(self) -> Source:
        """Signed zeros, NaN, infinities, and numbers that do not add up exactly."""
        plain = st.integers(-1000, 1000).map(lambda number: repr(number / 10))
        return st.one_of(st.sampled_from([*FLOATS, *self.literals_of(float)]), plain)

    @cached_property
    def texts(self) -> Source:
        """Words, the unit's own strings and what is made of them, and odd characters."""
        own = [ast.literal_eval(text) for text in self.literals_of(str)]
        own = [text for text in own if len(text) <= 40]
        odd = st.text(st.sampled_from(ALPHABET), max_size=8)
        common = st.sampled_from([*WORDS, *own, *own])
        return st.one_of(common, odd, st.builds(lambda *parts: "".join(parts), odd, common, odd)).map(repr)

    @cached_property
    def byte_strings(self) -> Source:
        """Bytes, text and no text."""
        own = [ast.literal_eval(text) for text in self.literals_of(bytes)]
        return st.one_of(st.sampled_from([b"", b"ab", b"\xff\x00", b"a\r\nb", *own]), st.binary(max_size=6)).map(repr)

    def scalar(self, name: str) -> Source | None:
        """Values of a type without parts, by its name; None if it is no such type."""
        two = st.integers(1, 28)
        day = st.builds(
            "datetime.date({}, {}, {})".format, st.sampled_from([1, 1999, 2000, 2024, 9999]), st.integers(1, 12), two
        )
        moment = st.builds(
            "datetime.datetime({}, {}, {}, {}, {})".format,
            *(st.sampled_from([1970, 2024]), st.integers(1, 12), two, st.integers(0, 23), st.integers(0, 59)),
        )
        number = st.one_of(self.integers, st.sampled_from(["0.10", "-1.5", "NaN", "1E+3"]))
        return {
            "int": self.integers,
            "float": self.floats,
            "complex": st.builds("complex({}, {})".format, self.floats, self.floats),
            "str": self.texts,
            "bytes": self.byte_strings,
            "bytearray": self.byte_strings.map("bytearray({})".format),
            "bool": st.sampled_from(["True", "False"]),
            "None": st.just("None"),
            "date": day,
            "datetime": moment,
            "timedelta": st.builds("datetime.timedelta(days={}, seconds={})".format, self.integers, self.integers),
            "time": st.builds("datetime.time({}, {})".format, st.integers(0, 23), st.integers(0, 59)),
            "Decimal": number.map(lambda text: f"decimal.Decimal({text.strip(chr(39))!r})"),
            "Fraction": st.builds("fractions.Fraction({}, {})".format, self.integers, st.integers(1, 9)),
            "Path": st.sampled_from(["", ".", "a.txt", "a/b.tar.gz", "/a/../b", "~/x"]).map(
                "pathlib.Path({!r})".format
            ),
            "UUID": st.integers(0, 3).map("uuid.UUID(int={})".format),
            "Pattern": st.sampled_from([r"\w+", "a", "(a)|(b)", "", ","]).map("re.compile({!r})".format),
            "StringIO": self.texts.map("io.StringIO({})".format),
            "BytesIO": self.byte_strings.map("io.BytesIO({})".format),
            "slice": st.builds("slice({}, {})".format, self.integers, self.integers),
            "range": st.builds("range({}, {})".format, self.integers, self.integers),
        }.get(name)

    def choices(self, *names: str) -> tuple[Choice, ...]:
        """One choice for each type without parts."""
        found = ((name, self.scalar(name)) for name in names)
        return tuple(Choice(label=name, sources=sources) for name, sources in found if sources is not None)

    @cached_property
    def items(self) -> tuple[Choice, ...]:
        """What containers of nothing in particular hold."""
        few = st.integers(-2, 5).map(str)
        pairs = st.one_of(tuples(few, self.texts), tuples(self.texts, few), tuples(few, few))
        return (
            Choice(label="few ints", sources=few),
            *self.choices("int", "str", "float"),
            Choice(label="pairs", sources=pairs),
            Choice(label="letters", sources=st.sampled_from(["'a'", "'b'", "'c'", "'B'"])),
            Choice(label="lists", sources=listed(few, most=3)),
            Choice(label="equal but other", sources=st.sampled_from(EQUAL_OTHERS)),
            Choice(label="dicts", sources=mapped(st.sampled_from(["'a'", "'b'"]), few)),
        )

    @cached_property
    def numbers(self) -> tuple[Choice, ...]:
        """All that can be counted with."""
        return (*self.choices("int", "float", "bool"), Choice(label="huge", sources=st.sampled_from(HUGE).map(str)))

    @cached_property
    def callables(self) -> tuple[Choice, ...]:
        """Functions, by what they take."""
        return tuple(Choice(label=label, sources=st.sampled_from(texts)) for label, texts in CALLABLES.items())

    @cached_property
    def anything(self) -> tuple[Choice, ...]:
        """What a parameter may be of which nothing is known."""
        return (
            *self.choices("int", "str", "None", "float", "bool"),
            *containers("list", self.items[:5]),
            *containers("iterator", self.items[:1]),
            *self.callables[:3],
            Choice(label="dict", sources=mapped(self.texts, self.integers)),
        )


def tuples(*parts: Source) -> Source:
    """Tuples of so many parts."""
    return st.tuples(*parts).map(lambda texts: f"({', '.join(texts)}{',' if len(texts) == 1 else ''})")


def listed(items: Source, most: int = 6) -> Source:
    """Lists: mostly short, with repeats, some longer."""
    repeated = st.lists(items, min_size=1, max_size=3).flatmap(
        lambda few: st.lists(st.sampled_from(few), max_size=most + 2)
    )
    sizes = st.one_of(st.lists(items, max_size=most), repeated, st.lists(items, max_size=most * 3))
    return sizes.map(lambda texts: f"[{', '.join(texts)}]")


def mapped(keys: Source, values: Source) -> Source:
    """Dicts."""
    return st.lists(st.tuples(keys, values), max_size=5).map(
        lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
    )


FORMS = {
    "list": "{}",
    "tuple": "tuple({})",
    "set": "set({})",
    "frozenset": "frozenset({})",
    "iterator": "iter({})",
    "generator": "(item for item in {})",
    "deque": "collections.deque({})",
    "Counter": "collections.Counter({})",
}


def containers(form: str, items: Iterable[Choice]) -> tuple[Choice, ...]:
    """A container of each kind of item."""
    template = FORMS[form]
    return tuple(
        Choice(label=f"{form} of {choice.label}", sources=listed(choice.sources).map(template.format))
        for choice in items
    )


def one_of(choices: Sequence[Choice]) -> Source:
    """Values of any of these kinds."""
    return st.one_of(*(choice.sources for choice in choices))


def modules_in(source: str) -> dict[str, str]:
    """The standard modules that a source names, by the name it gives them."""
    named = set(re.findall(r"\b([a-z]+)\.", source))
    return {name: name for name in MODULES if name in named}
