"""Values and calls as a person would write them."""

from __future__ import annotations

import copy
import itertools
import re
from typing import Any

from .record import Call

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
SEQUENCE_ITERATORS: tuple[type, ...] = (type(iter([])), type(iter(())), type(iter("")), type(iter(range(0))))
MOST_SHOWN = 20
MOST_IN_CALL = 400


def shown_call(call: Call) -> str:
    """The call as one would write it, its arguments by name where they have one."""
    shown = {name: shown_value(value, MOST_IN_CALL) for name, value in call.copied_values().items()}
    shown.update(call.sources)
    return called(call, shown) + (f", then {call.ending} after its first item" if call.ending else "")


def called(call: Call, shown: dict[str, str]) -> str:
    """The call with its arguments written so."""
    name = call.target.key[0]
    arguments = []
    for parameter, kind in (call.target.kinds or dict.fromkeys(shown, "any")).items():
        text = shown[parameter]
        if kind == "receiver" and parameter in call.sources:
            name = f"{text}.{name.rpartition('.')[2]}"
        elif kind == "any":
            arguments.append(f"{parameter}={text}")
        elif kind in ("receiver", "positional"):
            arguments.append(text)
        elif text not in ("()", "{}"):
            arguments.append(("*" if kind == "starred" else "**") + text)
    return f"{name}({', '.join(arguments)})"


def shown_value(value: Any, most: int = 300) -> str:
    """A value's repr, cut short and without addresses; never raises."""
    try:
        return shortened(plain_repr(value), most)
    except Exception:  # noqa: BLE001 - a class of the user's may raise anything when shown
        return f"<{type(value).__name__}>"


def plain_repr(value: Any) -> str:
    """The repr, or the attributes of an object that has no repr of its own, or what an iterator would give."""
    if type(value) in SEQUENCE_ITERATORS:
        return f"iter({list(itertools.islice(copy.copy(value), MOST_SHOWN))!r})"
    if getattr(type(value), "__repr__", None) is object.__dict__["__repr__"] and hasattr(value, "__dict__"):
        attributes = ", ".join(f"{name}={item!r}" for name, item in vars(value).items())
        return ADDRESS.sub("", f"{type(value).__name__}({attributes})")
    return ADDRESS.sub("", repr(value))


def shortened(text: str, most: int) -> str:
    """Text with its middle left out where it is long."""
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"
