"""The metrics of units and files."""

import argparse
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish_analyzers.metrics.measure import measure_file, measure_unit
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import UnitKind, units

TEXT = '''\
"""A module."""
import math

# What a circle is.
class Circle:
    def __init__(self, r):
        self.r = r  # in metres

    @property
    def area(self):
        """In square metres."""
        if self.r:
            return math.pi * self.r ** 2
        return 0.0


def total(circles):
    # One by one.
    s = 0
    for circle in circles:
        s += circle.area
    return s
'''


def test_file() -> None:
    found = measure_file(Snapshot.from_text(TEXT, Path("circle.py")))
    assert found.path == "circle.py"
    assert [(name.name, name.meaningful) for name in found.names] == [
        ("self", True),
        ("r", False),
        ("area", True),
        ("total", True),
        ("circles", True),
        ("s", False),
        ("circle", True),
    ]
    assert found.meaningful_ratio == pytest.approx(5 / 7)
    assert found.comment_ratio == pytest.approx(3 / 18)
    assert found.function_units == 3
    assert [measured.unit.qualname for measured in found.units] == ["Circle", "Circle.__init__", "Circle.area", "total"]


def test_unit() -> None:
    metrics = {measured.unit.name: measured.metrics for measured in measure_file(Snapshot.from_text(TEXT)).units}
    area, total = metrics["area"], metrics["total"]
    assert (area.cyclomatic, area.lines, area.nesting, area.parameters, area.function_units) == (2, 6, 1, 0, 1)
    assert (area.comment_ratio, area.meaningful_ratio) == (0.0, 1.0)
    assert area.halstead is not None
    assert area.halstead.volume > 0
    assert (total.lines, total.parameters, total.meaningful_ratio) == (5, 1, 0.75)
    assert total.comment_ratio == pytest.approx(1 / 6)
    assert (metrics["Circle"].cyclomatic, metrics["Circle"].function_units) == (4, 2)
    assert (
        set(total.as_dict())
        == set(total.as_document())
        == {
            "cyclomatic",
            "halstead_volume",
            "halstead_difficulty",
            "maintainability",
            "lines",
            "nesting",
            "parameters",
            "meaningful_ratio",
            "comment_ratio",
            "function_units",
            "readability",
        }
    )


def test_document() -> None:
    document = json.loads(json.dumps(measure_file(Snapshot.from_text(TEXT)).as_document(), allow_nan=False))
    assert list(document) == [
        "path",
        "error_line",
        "names",
        "meaningful_ratio",
        "comment_ratio",
        "function_units",
        "units",
    ]
    assert document["path"] is None
    assert document["names"][1] == {
        "name": "r",
        "kind": "parameter",
        "meaningful": False,
        "why": "single letter",
    }
    assert list(document["units"][2]) == ["qualname", "kind", "start_line", "end_line", "metrics"]
    assert (document["units"][2]["qualname"], document["units"][2]["kind"]) == ("Circle.area", "method")
    assert (document["units"][2]["start_line"], document["units"][2]["end_line"]) == (9, 14)


@pytest.mark.parametrize("text", [TEXT, Path(argparse.__file__).read_text(encoding="utf-8")], ids=["small", "argparse"])
def test_a_unit_alone_measures_as_in_its_file(text: str) -> None:
    for measured in measure_file(Snapshot.from_text(text)).units[::5]:
        assert measure_unit(measured.unit.span.of(text)) == measured.metrics, measured.unit.qualname


def test_a_file_with_errors_is_measured_and_its_sound_units_fully() -> None:
    found = measure_file(Snapshot.from_text(TEXT + "\ndef broken(:\n    if x: return (\n"))
    metrics = {measured.unit.name: measured.metrics for measured in found.units}
    assert metrics["total"] == measure_unit(TEXT[TEXT.index("def total") :].rstrip())
    assert metrics["area"].halstead is not None


def test_what_this_python_cannot_read_is_measured_without_halstead() -> None:
    metrics = measure_unit("def first(values):\n    if values:\n        return values[0]\n    return )\n")
    assert metrics.halstead is None
    assert metrics.cyclomatic == 2
    assert set(metrics.as_document()) - set(metrics.as_dict()) == {
        "halstead_volume",
        "halstead_difficulty",
        "maintainability",
    }


def test_a_script_is_the_first_unit() -> None:
    found = measure_file(Snapshot.from_text("def f(x):\n    return x\n\nfor i in range(3):\n    print(f(i))\n"))
    assert [measured.unit.kind for measured in found.units] == [UnitKind.SCRIPT, UnitKind.FUNCTION]
    script = found.units[0]
    assert (script.metrics.cyclomatic, script.metrics.lines, script.unit.end_line) == (2, 4, 5)


@pytest.mark.parametrize("text", ["", "\n\n", " \t", "# only\n", "\ufeffx = 1\n"])
def test_files_with_next_to_nothing_in_them(text: str) -> None:
    assert json.dumps(measure_file(Snapshot.from_text(text)).as_document())
    assert measure_unit(text).readability > 95


@given(st.text(alphabet="defclass @():\n\t #'\"ifx=1,*[]é😀\r", max_size=80))
def test_no_text_is_too_broken(text: str) -> None:
    snapshot = Snapshot.from_text(text)
    found = measure_file(snapshot)
    assert len([measured for measured in found.units if measured.unit.kind is not UnitKind.SCRIPT]) == len(
        units(snapshot)
    )
    assert 0 < measure_unit(text).readability <= 100
