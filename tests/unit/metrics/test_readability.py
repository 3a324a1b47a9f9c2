"""What raises the readability score, and what must not."""

import textwrap
from dataclasses import dataclass, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish_analyzers.metrics.measure import UnitMetrics, measure_unit
from burnish_analyzers.metrics.readability import readability_score


def measured(text: str) -> UnitMetrics:
    return measure_unit(textwrap.dedent(text).strip("\n") + "\n")


def score(text: str) -> float:
    return measured(text).readability


IMPROVEMENTS = {
    "rename to a word": (
        """
        def area(w, height):
            return w * height
        """,
        """
        def area(width, height):
            return width * height
        """,
    ),
    "iterate directly": (
        """
        def total(prices):
            result = 0
            for i in range(len(prices)):
                result += prices[i]
            return result
        """,
        """
        def total(prices):
            result = 0
            for price in prices:
                result += price
            return result
        """,
    ),
    "iterate directly over a letter": (
        """
        def total(prices):
            result = 0
            for i in range(len(prices)):
                result += prices[i]
            return result
        """,
        """
        def total(prices):
            result = 0
            for p in prices:
                result += p
            return result
        """,
    ),
    "no else after return": (
        """
        def sign(number):
            if number < 0:
                return -1
            else:
                return 1
        """,
        """
        def sign(number):
            if number < 0:
                return -1
            return 1
        """,
    ),
    "merge nested ifs": (
        """
        def greet(user, morning):
            if user:
                if morning:
                    print(user)
        """,
        """
        def greet(user, morning):
            if user and morning:
                print(user)
        """,
    ),
    "return the condition": (
        """
        def is_adult(age):
            if age >= 18:
                return True
            else:
                return False
        """,
        """
        def is_adult(age):
            return age >= 18
        """,
    ),
    "comprehension for an append loop": (
        """
        def squares(numbers):
            result = []
            for number in numbers:
                if number > 0:
                    result.append(number * number)
            return result
        """,
        """
        def squares(numbers):
            return [number * number for number in numbers if number > 0]
        """,
    ),
    "guard clause": (
        """
        def price(order):
            if order is not None:
                if order.paid:
                    total = order.total
                    return total
            return 0
        """,
        """
        def price(order):
            if order is None or not order.paid:
                return 0
            total = order.total
            return total
        """,
    ),
    "break a long line": (
        f"""
        def longest(first):
            return {" + ".join(["first"] * 20)}
        """,
        f"""
        def longest(first):
            return (
                {" + ".join(["first"] * 10)}
                + {" + ".join(["first"] * 10)}
            )
        """,
    ),
}


@pytest.mark.parametrize("name", IMPROVEMENTS)
@pytest.mark.parametrize("context", ["", "    x1 = [y for y in data if y]\n    if x1:\n        return x1\n" * 8])
def test_improvements_raise_the_score_in_small_and_in_large_functions(name: str, context: str) -> None:
    before, after = (textwrap.dedent(text).strip("\n").split("\n", 1) for text in IMPROVEMENTS[name])
    longer_before, longer_after = (f"{header}\n{context}{body}\n" for header, body in (before, after))
    assert score(longer_after) > score(longer_before)


BASE = """
def spread(n, values):
    # The mean comes first.
    t = 0
    for i in range(n):
        t += values[i]
    return [value - t / n for value in values]
"""
PADDINGS = {
    "a comment": BASE.replace("    t = 0", "    # Start from nothing.\n    t = 0  # the total"),
    "a docstring": BASE.replace("    # The", '    """Take the mean off."""\n    # The'),
    "annotations": BASE.replace("(n, values)", "(n: int, values: list[float]) -> list[float]"),
    "blank lines": BASE.replace("\n    ", "\n\n    "),
    "statements on one line": BASE.replace("    t = 0\n", "    t = 0;\n"),
    "underscores": BASE.replace("t ", "t_ ").replace("(n", "(_n_").replace("/ n", "/ _n_"),
    "a digit": BASE.replace("t ", "t1 "),
    "a doubled letter": BASE.replace("t ", "tt "),
    "a filler word": BASE.replace("t ", "t_value "),
    "filler words": BASE.replace("t ", "the_new_t_data_value "),
    "an unused good name": BASE.replace("    t = 0", "    total_value = starting_point = 0\n    t = 0"),
    "an alias": BASE.replace("    t = 0", "    sample_count = n\n    t = 0"),
    "a needless function": BASE.replace("    t = 0", "    def nothing():\n        return 0\n    t = nothing()"),
    "a needless else": BASE.replace("    return", "    else:\n        pass\n    return"),
    "operands": BASE.replace("    t = 0", "    t = 0\n    first + second + third"),
    "parentheses": BASE.replace("t / n", "(t / n)"),
}


@pytest.mark.parametrize("name", PADDINGS)
def test_padding_does_not_raise_the_score(name: str) -> None:
    assert PADDINGS[name] != BASE
    assert score(PADDINGS[name]) <= score(BASE)


@pytest.mark.parametrize("name", ["a comment", "a docstring", "annotations", "blank lines", "underscores"])
def test_what_is_neither_good_nor_bad_leaves_the_score(name: str) -> None:
    assert score(PADDINGS[name]) == score(BASE)


@dataclass(frozen=True)
class Counts:
    tokens: int = 0
    statements: int = 0
    decisions: int = 0
    indentation: int = 0
    vague_names: float = 0.0
    excess_columns: int = 0


_counts = st.builds(Counts, *[st.integers(0, 10_000)] * 6)


@given(_counts, st.sampled_from(fields(Counts)), st.integers(1, 100))
def test_monotone_in_every_part(counts: Counts, part: object, more: int) -> None:
    name = part.name  # type: ignore[attr-defined]
    worse = replace(counts, **{name: getattr(counts, name) + more})
    assert readability_score(worse).score < readability_score(counts).score


@given(_counts)
def test_between_0_and_100_and_the_parts_make_up_the_rest(counts: Counts) -> None:
    found = readability_score(counts)
    assert 0 < found.score <= 100
    assert found.score + sum(found.lost.values()) == pytest.approx(100)


def test_indices_and_underscore_cost_nothing_and_letters_of_a_loop_little() -> None:
    for letter, vague in [("i", 0), ("_", 0), ("x", 0.15)]:
        assert measured(f"def show(items):\n    for {letter} in items: print({letter})\n").vague_names == vague
    assert measured("def show(items):\n    x = items\n    for x in items: print(x)\n").vague_names == 1
