"""What the server asks of the editor, and tells it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

from burnish.lsp.capabilities import Capabilities

logger = logging.getLogger(__name__)

Progress = types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd

_LOOP_STEPS = frozenset({"critique", "edit", "verdict"})
_REPORT_SECONDS = 0.1
_ANSWER_SECONDS = 5.0


class ProgressLine:
    """Where one job is, "critique 2/4 · tests 12/12 · timing: 1.84× faster", sent at a pace that can be read."""

    def __init__(self, send: Callable[[Progress], None]) -> None:
        self._send = send
        self._steps: dict[str, str] = {}
        self._sent_at = 0.0

    def report(self, step: str, detail: str, done: int, total: int) -> None:
        """Show a step after those that said something; a step of the loop itself starts the line anew."""
        new = step not in self._steps
        if step in _LOOP_STEPS:
            self._steps = {}
        self._steps = {name: text for name, text in self._steps.items() if text != name}
        counted = f"{step} {done}/{total}" if total else f"{step} {done}" if done else step
        self._steps[step] = f"{counted}: {detail}" if detail else counted
        if new or (total and done == total) or time.monotonic() - self._sent_at >= _REPORT_SECONDS:
            self._sent_at = time.monotonic()
            self._send(types.WorkDoneProgressReport(message=" · ".join(self._steps.values())))


class Client:
    """The editor. A request that it never answers, or answers when nobody waits any longer, does no harm."""

    def __init__(self, protocol: LanguageServerProtocol, capabilities: Capabilities) -> None:
        self._protocol = protocol
        self.capabilities = capabilities

    def inform(self, message: str) -> None:
        """Show a sentence that asks nothing of the user."""
        self._show(message, types.MessageType.Info)

    def warn(self, message: str) -> None:
        """Show a sentence that says what went wrong and what to do."""
        self._show(message, types.MessageType.Warning)

    async def choose(self, message: str, options: Sequence[str]) -> str | None:
        """The option that the user takes; None if they dismiss the question, or the editor cannot ask it."""
        params = types.ShowMessageRequestParams(
            type=types.MessageType.Info,
            message=message,
            actions=[types.MessageActionItem(title=option) for option in options],
        )
        try:
            choice = await self._request(types.WINDOW_SHOW_MESSAGE_REQUEST, params)
        except JsonRpcException as error:
            logger.warning("The client cannot ask the user: %s", error.message)
            return None
        return choice.title if choice is not None else None

    async def apply(self, params: types.ApplyWorkspaceEditParams) -> str | None:
        """Have an edit applied. None if it was, else why not, which is "" where the client does not say."""
        try:
            result = await self._request(types.WORKSPACE_APPLY_EDIT, params)
        except JsonRpcException as error:
            return error.message
        return None if result.applied else result.failure_reason or ""

    async def configuration(self, uri: str, section: str) -> Any:
        """The client's settings of that section for that document. Raises JsonRpcException and TimeoutError."""
        params = types.ConfigurationParams([types.ConfigurationItem(scope_uri=uri, section=section)])
        values = await asyncio.wait_for(self._request(types.WORKSPACE_CONFIGURATION, params), _ANSWER_SECONDS)
        return values[0] if values else None

    async def register_configuration_changes(self) -> None:
        """Ask to be told when settings change, of a client that tells only on demand."""
        registration = types.Registration(id="burnish-configuration", method=types.WORKSPACE_DID_CHANGE_CONFIGURATION)
        with suppress(JsonRpcException):
            await self._request(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams([registration]))

    @asynccontextmanager
    async def showing_progress(self, token: str, title: str) -> AsyncIterator[ProgressLine]:
        """Show that work is done, until the block is left in whatever way."""
        shown = self.capabilities.work_done_progress and await self._created(token)

        def send(value: Progress) -> None:
            if shown:
                self.notify(types.PROGRESS, types.ProgressParams(token=token, value=value))

        send(types.WorkDoneProgressBegin(title=title, cancellable=True))
        try:
            yield ProgressLine(send)
        finally:
            send(types.WorkDoneProgressEnd())

    def notify(self, method: str, params: Any) -> None:
        """Tell the client something; one that is gone is noticed elsewhere, where its messages end."""
        with suppress(BrokenPipeError):
            self._protocol.notify(method, params)

    def _show(self, message: str, kind: types.MessageType) -> None:
        self.notify(types.WINDOW_SHOW_MESSAGE, types.ShowMessageParams(type=kind, message=message))

    async def _created(self, token: str) -> bool:
        """Whether the client lets us show progress under this token."""
        params = types.WorkDoneProgressCreateParams(token)
        try:
            await asyncio.wait_for(self._request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params), _ANSWER_SECONDS)
        except (JsonRpcException, TimeoutError) as error:
            logger.warning("The client shows no progress: %s", error)
            return False
        return True

    async def _request(self, method: str, params: Any) -> Any:
        # Shielded: were the future itself cancelled, a late reply would make pygls fail.
        return await asyncio.shield(self._protocol.send_request_async(method, params))
