"""One request to a model and its answer, whoever gives it: an endpoint or a script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from burnish.engine.history import Usage
from burnish_prompts import Message, Role


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came back. `complete` is False where the model was cut off."""

    text: str
    complete: bool = True


class Chat(Protocol):
    """Something that answers messages. The role lets an implementation choose a model for each."""

    @property
    def usage(self) -> Usage:
        """What all requests so far have cost."""
        ...

    def ask(
        self, role: Role, messages: Sequence[Message], *, temperature: float, schema: dict[str, Any] | None = None
    ) -> Answer:
        """The answer; as JSON of `schema` where that is possible. Raises BackendError."""
        ...


def estimated_tokens(text: str) -> int:
    """About how many tokens `text` takes; of code rather too many than too few, for any common tokenizer."""
    digits = sum(character.isdigit() for character in text)
    return math.ceil((len(text.encode("utf-8", "replace")) - digits) / 3) + digits
