"""Critic and editor over any chat: prompts out, critiques and candidates back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from burnish.backends.chat import Answer, Chat
from burnish.backends.model_reply import Fitted, UnusableReplyError, read_code, read_critique
from burnish.backends.redaction import Redactor
from burnish.backends.transcript import shown_lines, transcript
from burnish.engine.history import Critique, History, Usage
from burnish_analyzers.candidate import Candidate
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.reply import fit_reply
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit, UnitKind
from burnish_prompts import ASPECTS, Message, Role, critique_schema, render, subject

_T = TypeVar("_T")

EDIT_TEMPERATURES = {Goal.PERFORMANCE: 0.7, Goal.READABILITY: 0.0}
HISTORY_TOKENS = 6000


class ModelBackend:
    """A model as critic and editor of one unit.

    `measurements` are measured facts about the user's code, a sentence each. A reply that cannot be used is asked for
    once more, with the fault told. `dropped_findings` counts remarks that pointed at lines that do not exist.
    """

    def __init__(
        self,
        chat: Chat,
        *,
        name: str,
        goal: Goal,
        snapshot: Snapshot,
        unit: Unit,
        measurements: Sequence[str] = (),
        history_tokens: int = HISTORY_TOKENS,
        secrets: Sequence[str] = (),
    ) -> None:
        self._chat = chat
        self._name = name
        self._goal = goal
        self._unit = unit
        self._fit = partial(fit_reply, snapshot, unit)
        self._measurements = tuple(measurements)
        self._history_tokens = history_tokens
        self._redactor = Redactor(*secrets)
        self.dropped_findings = 0

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def usage(self) -> Usage:
        """What the chat has cost."""
        return self._chat.usage

    def critique(self, history: History) -> Critique:
        """FEEDBACK on the latest candidate. Raises BackendError."""
        latest = history.latest
        line_count = max(1, len(shown_lines(latest.candidate.unit_text)))
        schema = critique_schema(self._goal)

        def read(text: str) -> Critique:
            critique, dropped = read_critique(text, ASPECTS[self._goal], line_count)
            self.dropped_findings += dropped
            return critique

        critique = self._ask("critique", history, read, temperature=0.0, schema=schema)
        # A critic that is content with rejected code contradicts what was measured.
        return replace(critique, stop=False) if latest.verdict.failure is not None else critique

    def edit(self, history: History) -> Candidate | None:
        """The next candidate. Raises BackendError, also where the model sends the code back unchanged."""
        latest = history.latest.candidate

        def read(text: str) -> Fitted:
            unit_text, imports = read_code(self._redactor.restore(text), self._fit)
            if unit_text == latest.unit_text and set(imports) <= set(latest.imports):
                raise UnusableReplyError("The model sent the code back unchanged.")
            return unit_text, imports

        unit_text, imports = self._ask("edit", history, read, temperature=EDIT_TEMPERATURES[self._goal])
        return Candidate(iteration=len(history.steps), origin=self._name, unit_text=unit_text, imports=imports)

    def _ask(
        self,
        role: Role,
        history: History,
        read: Callable[[str], _T],
        *,
        temperature: float,
        schema: dict[str, Any] | None = None,
    ) -> _T:
        messages = self._messages(role, history)
        try:
            return _read(self._chat.ask(role, messages, temperature=temperature, schema=schema), read)
        except UnusableReplyError as fault:
            messages = self._told(messages, str(fault))
        return _read(self._chat.ask(role, messages, temperature=temperature, schema=schema), read)

    def _messages(self, role: Role, history: History) -> list[Message]:
        shown = transcript(
            history,
            self._measurements,
            indent=self._unit.indent,
            numbered=role == "critique",
            tokens=self._history_tokens,
            hide=self._redactor.hide,
        )
        unit = "whole script" if self._unit.kind is UnitKind.SCRIPT else f"{self._unit.kind} `{self._unit.qualname}`"
        about = subject(history.latest.candidate.iteration)
        messages = render(role, self._goal, unit=unit, history=shown, subject=about)
        return [*messages[:-1], self._hidden(messages[-1])]

    def _told(self, messages: Sequence[Message], fault: str) -> list[Message]:
        """The same request with what was wrong with its first answer."""
        last = messages[-1]
        remark = f"Your last answer to this could not be used. {fault} Answer again, in the form asked for."
        return [*messages[:-1], self._hidden({"role": last["role"], "content": f"{last['content']}\n\n{remark}"})]

    def _hidden(self, message: Message) -> Message:
        return {"role": message["role"], "content": self._redactor.hide(message["content"])}


def _read(answer: Answer, read: Callable[[str], _T]) -> _T:
    if not answer.complete:
        raise UnusableReplyError(
            "The model's reply was cut off before its end; choose a model with a longer output, or a smaller unit."
        )
    return read(answer.text)
