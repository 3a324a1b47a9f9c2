"""A backend that says what a script says: for tests, and to run again what a model once said."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from burnish.backends.chat import Answer, estimated_tokens
from burnish.backends.model import ModelBackend
from burnish.engine.history import Usage
from burnish.engine.stopping import UnusableBackendError
from burnish_analyzers.errors import ConfigurationError
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit
from burnish_prompts import Message, Role

Turn = tuple[str, str]
"""What the model says as critic, and what it says as editor, word for word."""


class ScriptedBackend(ModelBackend):
    """Critic and editor of one unit whose replies are written down; all else is as with a model."""

    def __init__(
        self,
        turns: Sequence[Turn],
        *,
        goal: Goal,
        snapshot: Snapshot,
        unit: Unit,
        measurements: Sequence[str] = (),
    ) -> None:
        chat = ScriptedChat(turns)
        super().__init__(chat, name="scripted", goal=goal, snapshot=snapshot, unit=unit, measurements=measurements)
        self.asked = chat.asked


class ScriptedChat:
    """Gives each role its lines in order; after the last critique it says stop. `asked` holds what it was sent."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._lines = {
            "critique": iter([critique for critique, _ in turns]),
            "edit": iter([reply for _, reply in turns]),
        }
        self._usage = Usage()
        self.asked: list[tuple[Role, list[Message]]] = []

    @property
    def usage(self) -> Usage:
        """One request for each answer, with estimated tokens."""
        return self._usage

    def ask(
        self, role: Role, messages: Sequence[Message], *, temperature: float, schema: dict[str, Any] | None = None
    ) -> Answer:
        """The next line of this role. Raises UnusableBackendError where the script has no more code."""
        self.asked.append((role, list(messages)))
        text = next(self._lines[role], '{"stop": true}' if role == "critique" else None)
        if text is None:
            raise UnusableBackendError("The script has no reply left; add one, or allow fewer rounds.")
        tokens = estimated_tokens("\n".join([*(message["content"] for message in messages), text]))
        self._usage += Usage(requests=1, tokens=tokens)
        return Answer(text=text)


def read_script(path: Path) -> list[Turn]:
    """The turns in a JSON file: ``{"turns": [{"critique": TEXT or OBJECT, "reply": TEXT}, ...]}``.

    Raises ConfigurationError.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"The script {path} cannot be read ({error.strerror}); check the path.") from error
    except ValueError as error:
        raise ConfigurationError(f"The script {path} is not valid JSON in UTF-8 ({error}); correct it.") from error
    turns = data.get("turns") if isinstance(data, Mapping) else None
    if not isinstance(turns, list):
        raise ConfigurationError(f'The script {path} holds no list "turns"; add one.')
    return [_turn(turn, number, path) for number, turn in enumerate(turns, start=1)]


def _turn(turn: object, number: int, path: Path) -> Turn:
    critique = turn.get("critique") if isinstance(turn, Mapping) else None
    reply = turn.get("reply") if isinstance(turn, Mapping) else None
    if not isinstance(critique, str | Mapping) or not isinstance(reply, str):
        raise ConfigurationError(f'Turn {number} of the script {path} needs a "critique" and a "reply"; add them.')
    return critique if isinstance(critique, str) else json.dumps(critique), reply
