"""Which units there are, where they begin and end, and which one is meant."""

from __future__ import annotations

from textwrap import dedent

import pytest

from burnish_analyzers.errors import NoSuchUnitError
from burnish_analyzers.source.line_index import Position, PositionEncoding, Span
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit, UnitKind, find_unit, script_unit, unit_at, units

SHOP = dedent(
    '''\
    """Shop."""
    import functools
    from typing import overload

    @functools.cache  # once
    @functools.wraps(
        print,
    )
    def price(net, *, rate=0.2):
        """Gross."""
        def inner(x):
            return x
        return inner(net) * (1 + rate)
        # the end

    # about Cart
    class Cart:
        size = 0

        @property
        def total(self) -> int:
            return self._total

        # between

        @total.setter
        def total(self, value: int) -> None:
            self._total = value

        async def fetch(self):
            # first
            async for item in self.items():
                yield item

        class Row:
            def total(self): return 1  # one line

    if True:
        def pick(a): return [(yield) for _ in a]
    else:
        def pick(a): return lambda: (yield)
    try:
        def guarded(): pass
    except ImportError:
        async def guarded(): pass

    @overload
    def parse(x: int) -> int: ...
    @overload
    def parse(x: str) -> str: ...
    def parse(x):
        return x
    '''
)


def of(text: str) -> Snapshot:
    return Snapshot(path=None, text=text)


def named(text: str, qualname: str, occurrence: int = 0) -> Unit:
    return next(u for u in units(of(text)) if (u.qualname, u.occurrence) == (qualname, occurrence))


def at(text: str, start: int, end: int | None = None) -> Unit | None:
    return unit_at(of(text).tree, text, Span(start, start if end is None else end))


def at_mark(text: str) -> str | None:
    """The qualname of the unit at the place of "|", or between two of them."""
    start = text.index("|")
    text = text.replace("|", "", 1)
    end = text.find("|")
    text = text.replace("|", "", 1)
    unit = at(text, start, end if end >= 0 else None)
    return unit.qualname if unit else None


def test_all_units_in_source_order() -> None:
    assert [(u.qualname, str(u.kind), u.start_line, u.end_line, u.occurrence) for u in units(of(SHOP))] == [
        ("price", "function", 5, 14, 0),
        ("price.inner", "function", 11, 12, 0),
        ("Cart", "class", 17, 36, 0),
        ("Cart.total", "method", 20, 22, 0),
        ("Cart.total", "method", 26, 28, 1),
        ("Cart.fetch", "method", 30, 33, 0),
        ("Cart.Row", "class", 35, 36, 0),
        ("Cart.Row.total", "method", 36, 36, 0),
        ("pick", "function", 39, 39, 0),
        ("pick", "function", 41, 41, 1),
        ("guarded", "function", 43, 43, 0),
        ("guarded", "function", 45, 45, 1),
        ("parse", "function", 47, 48, 0),
        ("parse", "function", 49, 50, 1),
        ("parse", "function", 51, 52, 2),
    ]


def test_a_unit_goes_from_its_first_decorator_to_its_last_comment() -> None:
    price = named(SHOP, "price")
    text = price.span.of(SHOP)
    assert text.startswith("@functools.cache  # once\n@functools.wraps(")
    assert text.endswith("    # the end")
    assert price.decorators == ("@functools.cache", "@functools.wraps(\n    print,\n)")
    assert price.parameters_text == "(net, *, rate=0.2)"
    assert price.body_span.of(SHOP).startswith('"""Gross."""')
    assert price.body_span.end == price.span.end


def test_the_indentation_of_the_first_line_is_outside() -> None:
    fetch = named(SHOP, "Cart.fetch")
    assert fetch.span.of(SHOP).startswith("async def fetch(self):\n        # first")
    assert (fetch.indent, fetch.is_async, fetch.is_generator) == ("    ", True, True)
    assert fetch.body_span.of(SHOP).startswith("# first\n")


def test_a_one_line_unit_owns_its_line() -> None:
    row = named(SHOP, "Cart.Row.total")
    assert row.span.of(SHOP) == "def total(self): return 1  # one line"
    assert row.body_span.of(SHOP) == "return 1  # one line"


def test_only_its_own_yield_makes_a_generator() -> None:
    assert named(SHOP, "pick", 0).is_generator
    assert not named(SHOP, "pick", 1).is_generator
    assert not named("def f():\n    def g():\n        yield 1\n    return g\n", "f").is_generator
    assert not named("def f():\n    'no yield'\n", "f").is_generator


def test_overload_stubs_are_known() -> None:
    assert [u.is_overload for u in units(of(SHOP)) if u.name == "parse"] == [True, True, False]
    assert named("@overload  # noqa\ndef f(): ...\n", "f").is_overload
    assert named("@typing . overload\ndef f(): ...\n", "f").is_overload
    assert not named("@overloaded\ndef f(): ...\n", "f").is_overload


@pytest.mark.parametrize(
    ("comments", "last"),
    [
        ("    # body\n", 3),
        ("\n\n    # after blanks\n", 5),
        ("        # deeper\n", 3),
        ("    # body\n# own level\n    # late\n", 3),
        ("# own level\n", 2),
        ("  # between\n", 2),
        ("    # no newline at the end", 3),
    ],
)
def test_comments_after_the_last_statement(comments: str, last: int) -> None:
    assert named("def f():\n    pass\n" + comments, "f").end_line == last
    method = "class A:\n" + "".join(f"    {line}\n" for line in ("def f():\n    pass\n" + comments).split("\n"))
    assert named(method, "A.f").end_line in (last + 1, last + 1 + comments.count("\n\n"))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_and_spans_do_not_depend_on_the_newline(newline: str) -> None:
    text = SHOP.replace("\n", newline)
    there = [(u.qualname, u.start_line, u.end_line, u.span.of(text).replace(newline, "\n")) for u in units(of(text))]
    assert there == [(u.qualname, u.start_line, u.end_line, u.span.of(SHOP)) for u in units(of(SHOP))]


def test_spans_are_code_points() -> None:
    text = "# 😀 e\u0301\u2028\x0c still the comment\ndef größe(x):\n    return '👩\u200d👧'\n\ndef b(): pass\n"
    first, second = units(of(text))
    assert (first.qualname, first.start_line) == ("größe", 2)
    assert first.span.of(text) == "def größe(x):\n    return '👩\u200d👧'"
    assert second.span.of(text) == "def b(): pass"


@pytest.mark.parametrize("encoding", PositionEncoding)
def test_emoji_before_and_inside_a_selection(encoding: PositionEncoding) -> None:
    text = "a = '😀e\u0301'\ndef f(x='👩\u200d👧'): return x; '😀'\n"
    tree = of(text).tree
    start, end = text.index("x='"), text.index("; '😀'")
    positions = [tree.lines.position_at(offset, encoding) for offset in (start, end)]
    span = Span(*(tree.lines.offset_at(position, encoding) for position in positions))
    assert span == Span(start, end)
    unit = unit_at(tree, text, span)
    assert unit is not None
    assert unit.qualname == "f"
    assert tree.lines.offset_at(Position(0, 0), encoding) == 0


@pytest.mark.parametrize(
    ("text", "qualname"),
    [
        ("|def f():\n    pass\n", "f"),
        ("def f():|\n    pass\n", "f"),
        ("def f():\n    pass|\n", "f"),
        ("def f():\n    pass  # why|\n", "f"),
        ("def f():\n    return 1;|\n", "f"),
        ("def f():\n    a\n|\n    b\n", "f"),
        ("def f():\n    pass\n    |# end\n", "f"),
        ("def f():\n    pass\n|# end\n", None),
        ("|\n\ndef f():\n    pass\n", None),
        ("def f():\n    pass\n\n|x = 1\n", None),
        ("x = 1|", None),
        ("|", None),
        ("@a|\n@b\ndef f(): pass\n", "f"),
        ("@a\n@b  # |why\ndef f(): pass\n", "f"),
        ("class A:\n|    def f(self): pass\n", "A.f"),
        ("class A:\n  |  @a\n    def f(self): pass\n", "A.f"),
        ("class A:\n    def f(self): pass\n    |x = 1\n", "A"),
        ("class |A:\n    def f(self): pass\n", "A"),
        ("def f(\n    a,\n|):\n    pass\n", "f"),
        ("def f():\n    '''\n|text\n    '''\n", "f"),
        ("def f():\n    g = lambda x: |x\n", "f"),
        ("def f():\n    def g():\n        |pass\n    g()\n", "f.g"),
        # Selections: whole lines, with blanks at both ends, over several units.
        ("|def f():\n    pass\n|\ndef g(): pass\n", "f"),
        ("|\n\n  def f():\n    pass\n\n\n|", "f"),
        ("class A:\n|    def f(self): pass\n    def g(self): pass\n|", "A"),
        ("|def f(): pass\ndef g(): pass|\n", None),
        ("def f():\n    |a\n    def g(): pass|\n", "f"),
        ("def f(): pass\n|\n\n|def g(): pass\n", None),
    ],
)
def test_the_unit_at_a_cursor_or_selection(text: str, qualname: str | None) -> None:
    assert at_mark(text) == qualname
    assert at_mark(text.replace("\n", "\r\n")) == qualname


def test_the_unit_at_a_place_is_the_one_of_the_list() -> None:
    snapshot = of(SHOP)
    for unit in units(snapshot):
        assert unit_at(snapshot.tree, SHOP, unit.span) == unit
        assert unit_at(snapshot.tree, SHOP, Span(unit.span.start, unit.span.start)) == unit


BELOW = "def f(a):\n    return a\n\nclass A:\n    def m(self):\n        return 1\n"
BROKEN = {
    "unclosed": "x = foo(1,\n\n@decorated\n" + BELOW,
    "half a loop": "for x in\n\n" + BELOW,
    "open string": "x = '''abc\n\n" + BELOW,
    "bad def": "def g(:\n    pass\n\n" + BELOW,
    "in another": "def g():\n    x = foo(1\n    return x\n\n" + BELOW,
    "below": BELOW + "\nx = = (\n",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_syntax_error_elsewhere_hides_no_unit(text: str) -> None:
    sound = {u.qualname: u.has_error for u in units(of(text)) if u.name != "g"}
    assert sound == {"f": False, "A": False, "A.m": False}
    unit = at(text, text.index("return 1"))
    assert unit is not None
    assert (unit.qualname, unit.kind, unit.occurrence) == ("A.m", UnitKind.METHOD, 0)


def test_a_syntax_error_inside_is_told() -> None:
    assert named("def f():\n    x = = 1\n", "f").has_error
    with pytest.raises(NoSuchUnitError, match="a syntax error in the file may hide it"):
        find_unit(of("def f():\n    x = (\n"), "f")


@pytest.mark.parametrize(
    "text", ["def", "def (", "class", "@", "class :", "def f", "\x00", "(" * 3000, "x = " + "-" * 3000]
)
def test_no_text_breaks_it(text: str) -> None:
    for start in (0, len(text)):
        at(text, start)
    units(of(text))


def test_very_deep_expressions_do_not_exhaust_the_stack() -> None:
    text = "def f(x):\n    return x" + " + x" * 5000 + " + (yield)\n"
    assert named(text, "f").is_generator


def test_the_script_ends_with_its_last_line() -> None:
    unit = script_unit(of("\nx = 1\n  # end  \n\n\n"))
    assert (unit.kind, unit.qualname, unit.span, unit.start_line, unit.end_line) == ("script", "", Span(0, 14), 1, 3)
    assert script_unit(of("")).span == Span(0, 0)


def test_find_by_name() -> None:
    shop = of(SHOP)
    assert find_unit(shop, "Cart.fetch").start_line == 30
    assert find_unit(shop, "price.<locals>.inner") == find_unit(shop, "price.inner")
    assert find_unit(shop, "parse").occurrence == 2
    assert find_unit(shop, "Cart.total").occurrence == 0  # the getter
    assert find_unit(shop, None).kind is UnitKind.SCRIPT


def test_find_by_lines() -> None:
    shop = of(SHOP)
    assert find_unit(shop, "Cart.total", (21, 22)).occurrence == 0
    assert find_unit(shop, "parse", (50, 50)).occurrence == 1
    assert find_unit(shop, None, (12, 12)).qualname == "price.inner"
    assert find_unit(shop, None, (10, 14)).qualname == "price"
    assert find_unit(shop, None, (20, 33)).qualname == "Cart"


@pytest.mark.parametrize(
    ("qualname", "lines", "message"),
    [
        ("prize", None, "did you mean `price` or `parse`? `burnish measure FILE` lists all units."),
        ("fetch", None, "did you mean `Cart.fetch`?"),
        ("nothing_like_it", None, "There is no unit `nothing_like_it` in the document: `burnish measure FILE`"),
        ("price", (20, 21), "`price` has no code in lines 20-21"),
        (None, (1, 2), "No function or class holds lines 1-2 of the document"),
        (None, (50, 99), "has no lines 50-99: give a first and a last line between 1 and 53"),
        (None, (3, 2), "has no lines 3-2"),
    ],
)
def test_a_unit_that_is_not_there(qualname: str | None, lines: tuple[int, int] | None, message: str) -> None:
    with pytest.raises(NoSuchUnitError) as caught:
        find_unit(of(SHOP), qualname, lines)
    assert message in str(caught.value)
