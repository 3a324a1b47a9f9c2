"""Which names are found, and which of them are meaningful."""

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish_analyzers.metrics.bindings import NameKind
from burnish_analyzers.metrics.names import Name, names


def judged(text: str) -> dict[str, Name]:
    return {name.name: name for name in names(text)}


def test_each_name_once_by_its_first_binding_in_source_order() -> None:
    text = """
import os as system
class Shape:
    sides: int = 3
async def area(self, width, /, height=2, *rest, scale: float = 1.0, **options):
    for index, (row, *cells) in enumerate(rest):
        width = index
    with open(height) as stream, lock() as (first, second):
        total = [item for item in cells if (size := item)]
    try:
        key = lambda entry, *more: entry
    except (OSError, ValueError) as error:
        self.size = options["size"] = error
    global counter
    counter += 1
    a = b = __hidden = 0
"""
    found = [(name.name, name.kind.value) for name in names(text)]
    assert found == [
        ("sides", "variable"),
        ("area", "function"),
        ("self", "parameter"),
        ("width", "parameter"),
        ("height", "parameter"),
        ("rest", "parameter"),
        ("scale", "parameter"),
        ("options", "parameter"),
        ("index", "loop"),
        ("row", "loop"),
        ("cells", "loop"),
        ("stream", "variable"),
        ("first", "variable"),
        ("second", "variable"),
        ("total", "variable"),
        ("item", "loop"),
        ("size", "variable"),
        ("key", "variable"),
        ("entry", "parameter"),
        ("more", "parameter"),
        ("error", "variable"),
        ("counter", "variable"),
        ("a", "variable"),
        ("b", "variable"),
    ]


def test_patterns_bind_captures_and_no_values_or_classes() -> None:
    text = """
match command:
    case Point(x=0, y=height) | [Color.RED, *rest]: pass
    case {"key": value, **others}: pass
    case (1 | 2) as digit if digit: pass
    case _: pass
"""
    assert list(judged(text)) == ["height", "rest", "value", "others", "digit"]


def test_an_error_elsewhere_costs_only_what_is_broken() -> None:
    found = judged("def first(width):\n    return (\n\ndef second(height):\n    total = height\n    return total\n")
    assert {"first", "width", "second", "height", "total"} <= set(found)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("height", "word"),
        ("answers", "word"),
        ("_private", "word"),
        ("type_", "word"),
        ("is_", "word"),
        ("max_height", "combination"),
        ("rowCount", "combination"),
        ("x_mean", "combination"),
        ("qsum", "combination"),
        ("errmsg", "combination"),
        ("cnt", "abbreviation"),
        ("idx2", "abbreviation"),
        ("tmpc", "combination"),
        ("wrd", "abbreviation"),
        ("seg", "abbreviation"),
        ("self", "domain term"),
        ("dp", "domain term"),
        ("GCD", "domain term"),
        ("größe", "word"),
    ],
)
def test_meaningful(name: str, why: str) -> None:
    (found,) = names(f"{name} = read()")
    assert (found.meaningful, found.why) == (True, why)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("x", "single letter"),
        ("_", "placeholder"),
        ("foo", "placeholder"),
        ("x1", "letter+digit"),
        ("s_2", "letter+digit"),
        ("ss", "letter pair or mash"),
        ("xs", "letter pair or mash"),
        ("_a", "letter pair or mash"),
        ("l_r", "letter pair or mash"),
        ("IS", "letter pair or mash"),
        ("nV", "letter pair or mash"),
        ("xzq", "letter pair or mash"),
        ("LLI1", "letter pair or mash"),
        ("abcd", "letter pair or mash"),
        ("aaaa", "letter pair or mash"),
    ],
)
def test_not_meaningful(name: str, why: str) -> None:
    (found,) = names(f"{name} = read()")
    assert (found.meaningful, found.why) == (False, why)


@pytest.mark.parametrize(
    ("text", "name", "meaningful"),
    [
        ("sm = sum(row)", "sm", True),
        ("sm = 0\nfor cost in row: sm += cost", "sm", True),
        ("sm = small(row)", "sm", False),
        ("ct = 0\nfor cost in row: ct += 1", "ct", True),
        ("ma = np.max(row)", "ma", True),
        ("mi, ma = min(row), max(row)", "mi", True),
        ("li = list(row)", "li", False),
        ("for fr, to in edges: pass", "fr", True),
        ("for fr, by in edges: pass", "fr", False),
        ("dx = x2 - x1", "dx", True),
        ("for dx, dy in [(0, 1), (-1, 0)]: pass", "dy", True),
        ("steps = [1, 0, -1]\nfor dx in steps: pass", "dx", True),
        ("dx, dy = point", "dx", False),
        ("px, py = point", "px", False),
        ("A, B, C = row\nABC = [A, B, C]", "ABC", False),
        ("def rea(): return list(map(int, input().split()))", "rea", False),
        ("rea = lambda: sys.stdin.readline()", "rea", False),
    ],
)
def test_use_decides_what_letters_leave_open(text: str, name: str, meaningful: bool) -> None:
    assert judged(text)[name].meaningful is meaningful


def test_a_very_deep_expression_is_read() -> None:
    text = "sm = " + "+".join(["sum(row)"] * 3000)
    assert judged(text)["sm"].meaningful


_NO_NAMES = {*keyword.kwlist, "print", "exec"}  # the parser reads these two as statements
_identifiers = st.from_regex(r"_?[A-Za-z][A-Za-z0-9_]{0,12}", fullmatch=True).filter(lambda name: name not in _NO_NAMES)


@given(_identifiers)
def test_every_identifier_gets_one_verdict(name: str) -> None:
    (found,) = names(f"{name} = 1\n")
    meaningful = {"word", "combination", "abbreviation", "domain term"}
    assert found.name == name
    assert found.kind is NameKind.VARIABLE
    assert found.meaningful is (found.why in meaningful)


@given(_identifiers, st.sampled_from(["_", "__", "1", "_2"]))
def test_underscores_and_digits_make_no_name_meaningful(name: str, padding: str) -> None:
    (before,), (after,) = names(f"{name} = 1\n"), names(f"{name}{padding} = 1\n")
    assert before.meaningful or not after.meaningful or keyword.iskeyword(name.strip("_").lower())
