"""What can be seen of the values of numpy and pandas, without importing either."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

MOST_WRITTEN = 1_000
MISSING = ("NaTType", "NAType")


def is_array(value: Any) -> bool:
    """Whether this is an array, scalar, frame, series or index, known by its module."""
    root = type(value).__module__.partition(".")[0]
    seen = hasattr(value, "dtype") or hasattr(value, "equals") or type(value).__name__ in MISSING
    return root in ("numpy", "pandas") and seen


def array_parts(value: Any) -> Iterator[tuple[str, Any]]:
    """Labelled parts, with type, shape, labels and every element; NaN is NaN whatever its bits."""
    if hasattr(value, "columns"):
        yield "columns", value.columns
        yield "index", value.index
        yield "attrs", dict(value.attrs)
        for place in range(len(value.columns)):
            column = value.iloc[:, place]
            yield f"column {place}", (repr(column.dtype), column.to_list())
        return
    if type(value).__name__ in MISSING:
        return
    yield "dtype", repr(value.dtype)
    if hasattr(value, "equals"):
        for name in ("name", "names", "freq", "ordered"):
            yield name, written(getattr(value, name, None))
        if hasattr(value, "index"):
            yield "index", value.index
        yield "items", list(value.tolist())
        return
    yield "shape", list(value.shape)
    yield "masked", getattr(value, "mask", None) is not None and value.mask.tolist()
    if value.size > MOST_WRITTEN and value.dtype.kind in "biufcmM":
        yield "digest", digest(value)
    else:
        yield "items", value.tolist()


def written(value: Any) -> Any:
    """A label as plain data."""
    return list(value) if type(value).__name__ == "FrozenList" else str(value)


def digest(value: Any) -> str:
    """SHA-256 of the elements of a large numeric array, in order."""
    plain = value.copy(order="C")
    if plain.dtype.kind in "fc":
        plain[plain != plain] = float("nan")
    return hashlib.sha256(plain.tobytes()).hexdigest()
