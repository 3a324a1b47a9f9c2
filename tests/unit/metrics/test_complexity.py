"""radon's measures, and how a unit is made readable for it."""

import subprocess
import sys

import pytest
from radon.metrics import h_visit, mi_compute

from burnish_analyzers.metrics.complexity import HalsteadReader, as_module, maintainability_index

FUNCTION = "def area(width, height):\n    return width * height + width * 2\n"


def test_halstead_measures_are_radons() -> None:
    reader = HalsteadReader(f"x = 1 + 2\n\n{FUNCTION}")
    theirs = h_visit(FUNCTION).total
    ours = reader.of_definition(3)
    assert ours is not None
    assert (ours.volume, ours.difficulty, ours.effort) == (theirs.volume, theirs.difficulty, theirs.effort)
    assert ours == reader.of_definition()
    whole = reader.of_text()
    assert whole is not None
    assert whole.volume > ours.volume


@pytest.mark.parametrize("text", ["def f(:\n", "x = '\0'", "x = " + "(" * 500 + ")" * 500])
def test_what_this_python_cannot_read_has_no_halstead_measures(text: str) -> None:
    reader = HalsteadReader(text)
    assert not reader.can_read
    assert reader.of_text() is None
    assert reader.of_definition() is None


def test_an_expression_too_deep_for_radon_has_no_halstead_measures() -> None:
    assert HalsteadReader("x = " + "+".join(["y"] * 2000)).of_text() is None


def test_reading_warns_of_nothing() -> None:
    assert HalsteadReader('def f():\n    return "\\d" is 1\n').of_definition() is not None


def test_maintainability_index_is_radons() -> None:
    assert maintainability_index(100.0, 5, 20, 0.25) == mi_compute(100.0, 5, 20, 25)


@pytest.mark.parametrize(
    "text",
    [
        FUNCTION,
        "    def area(self):\n        return '''\n    x'''\n",
        "def area(self):\n        return '''\n    x'''\n",
        "@cache\n    @wraps(\n  lambda x: x)\n    async def area(self):\n        return '''\nx'''\n",
        "@cache\n\tclass Area:\n\t\tsides = 4\n",
        "@cache\ndef area():\n    def inner(): pass\n",
    ],
)
def test_a_unit_is_read_with_and_without_its_indentation(text: str) -> None:
    module, start = as_module(text)
    assert module[start:] == text
    assert HalsteadReader(module).of_definition() is not None


def test_radon_is_not_imported_with_the_package() -> None:
    code = "import sys, burnish_analyzers.metrics.measure; print('radon' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False"
