"""Portraits of numpy's and pandas' values."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from burnish_analyzers.checks.comparison import difference
from burnish_analyzers.harness.runner.portrait import portrait

DAYS = pd.date_range("2024-01-01", periods=2)
LARGE = np.arange(5_000, dtype=float)
DIFFERENT: list[tuple[Any, Any]] = [
    (np.array([1, 2]), np.array([1, 3])),
    (np.array([1, 2]), np.array([1.0, 2.0])),
    (np.array([1, 2], dtype="int32"), np.array([1, 2], dtype="int64")),
    (np.array([1, 2]), np.array([[1, 2]])),
    (np.array([0.0]), np.array([-0.0])),
    (np.array([np.nan]), np.array([0.0])),
    (np.array([1]), [1]),
    (np.int64(1), 1),
    (np.float32(0.5), np.float64(0.5)),
    (LARGE, np.where(LARGE == 4_999, 0, LARGE)),
    (np.ma.array([1, 2], mask=[0, 1]), np.ma.array([1, 2], mask=[0, 0])),
    (np.array([(1, 2.0)], dtype="i4,f8"), np.array([(1, 3.0)], dtype="i4,f8")),
    (pd.Series([1, 2]), pd.Series([1, 3])),
    (pd.Series([1, 2]), pd.Series([1, 2], index=["a", "b"])),
    (pd.Series([1, 2], name="a"), pd.Series([1, 2], name="b")),
    (pd.Series([1, 2]), pd.Series([1.0, 2.0])),
    (pd.DataFrame({"a": [1], "b": [2]}), pd.DataFrame({"b": [2], "a": [1]})),
    (pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2]})),
    (pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [1]}, index=[1])),
    (pd.Index([1, 2]), pd.Index([1, 2], name="x")),
    (pd.Categorical(["a", "b"]), pd.Categorical(["a", "b"], categories=["b", "a"])),
    (DAYS, DAYS.tz_localize("UTC")),
    (pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-02")),
    (pd.NA, None),
]
SAME: list[tuple[Any, Any]] = [
    (np.array([1.0, np.nan]), np.array([1.0, np.nan])),
    (np.array([[1, 2], [3, 4]]), np.array([[1, 3], [2, 4]]).T),
    (LARGE, LARGE.copy()),
    (np.where(LARGE == 7, np.nan, LARGE), np.where(LARGE == 7, -np.nan, LARGE)),
    (pd.Series([1.0, None]), pd.Series([1.0, None])),
    (pd.DataFrame({"a": [1, 2], "b": ["x", None]}), pd.DataFrame({"a": [1, 2], "b": ["x", None]})),
    (pd.Series(["a", "b"], dtype="category"), pd.Series(["a", "b"], dtype="category")),
    (DAYS, pd.date_range("2024-01-01", periods=2)),
    (pd.NaT, pd.NaT),
]


@pytest.mark.parametrize(("old", "new"), DIFFERENT, ids=lambda value: repr(value)[:30])
def test_what_can_be_told_apart_differs(old: object, new: object) -> None:
    assert difference(portrait(old), portrait(new)) is not None
    assert difference(portrait([new]), portrait([old])) is not None


@pytest.mark.parametrize(("old", "new"), SAME, ids=lambda value: repr(value)[:30])
def test_what_cannot_be_told_apart_is_the_same(old: object, new: object) -> None:
    assert difference(portrait(old), portrait(new)) is None
