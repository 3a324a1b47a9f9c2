"""An editor without a screen, connected to a real server process over its standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Union

import pytest
from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCRequestMessage, JsonRPCResponseMessage

from burnish.lsp.protocol import plain_converter

FAKE_WORKER = Path(__file__).with_name("fake_worker.py")
SERVE = "import sys; from burnish.lsp import serve; sys.exit(serve(worker_command=sys.argv[1:] or None))"
FAKE_SERVER = (sys.executable, "-P", "-c", SERVE, sys.executable, str(FAKE_WORKER))
PATIENCE_SECONDS = 20

Range = tuple[int, int, int, int]
Start = Callable[..., Awaitable["Editor"]]


def capabilities(
    *,
    encodings: Sequence[str] = ("utf-16",),
    proposals: bool = False,
    annotations: bool = False,
    document_changes: bool = True,
    disabled: bool = True,
    progress: bool = True,
    configuration: bool = True,
) -> types.ClientCapabilities:
    """What an editor can do; by default as much as most, without our extension."""
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=list(encodings)),
        window=types.WindowClientCapabilities(work_done_progress=progress),
        workspace=types.WorkspaceClientCapabilities(
            configuration=configuration,
            workspace_edit=types.WorkspaceEditClientCapabilities(
                document_changes=document_changes,
                change_annotation_support=types.ChangeAnnotationsSupportOptions() if annotations else None,
            ),
        ),
        text_document=types.TextDocumentClientCapabilities(
            code_action=types.CodeActionClientCapabilities(disabled_support=disabled)
        ),
        notebook_document=types.NotebookDocumentClientCapabilities(types.NotebookDocumentSyncClientCapabilities()),
        experimental={"burnish": {"proposal": True}} if proposals else None,
    )


def editor_converter() -> Converter:
    """The server's converter, which also leaves results plain, and does not take an action for a bare command."""
    converter = plain_converter()

    def structure(item: dict[str, Any], _: Any) -> types.Command | types.CodeAction:
        return converter.structure(item, types.Command if isinstance(item.get("command"), str) else types.CodeAction)

    converter.register_structure_hook(JsonRPCResponseMessage, lambda message, cls: cls(**message))
    converter.register_structure_hook(types.Command | types.CodeAction, structure)
    converter.register_structure_hook(Union[types.Command, types.CodeAction], structure)  # noqa: UP007 - as lsprotocol has it
    return converter


class Editor(LanguageClient):
    """Holds documents, remembers what it is told, and answers what it is asked as the test has set."""

    def __init__(self) -> None:
        super().__init__("editor", "1", LanguageServerProtocol, editor_converter)
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.settings: Callable[[str], Any] = lambda uri: {}
        self.choice: str | None = "Apply"
        self.questions: list[str] = []
        self.messages: list[str] = []
        self.progress: dict[str, list[Any]] = defaultdict(list)
        self.proposals: list[Mapping[str, Any]] = []
        self.edits: list[types.ApplyWorkspaceEditParams] = []
        self.encoding = "utf-16"
        self.sent = 0
        self._news = asyncio.Condition()
        self._listen()

    def _listen(self) -> None:
        def on(method: str) -> Callable[[Callable[[Any], Any]], None]:
            def register(answer: Callable[[Any], Any]) -> None:
                async def handle(params: Any) -> Any:
                    result = answer(params)
                    if isinstance(result, Awaitable):
                        result = await result
                    async with self._news:
                        self._news.notify_all()
                    return result

                self.feature(method)(handle)

            return register

        on(types.WORKSPACE_CONFIGURATION)(lambda params: [self.settings(item.scope_uri) for item in params.items])
        on(types.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda params: self.progress.update({params.token: []}))
        on(types.PROGRESS)(lambda params: self.progress[params.token].append(params.value))
        on(types.WINDOW_SHOW_MESSAGE)(lambda params: self.messages.append(params.message))
        on("burnish/proposal")(lambda params: self.proposals.append(params))
        on(types.WINDOW_SHOW_MESSAGE_REQUEST)(self._choose)
        on(types.WORKSPACE_APPLY_EDIT)(self._apply)

    def _choose(self, params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        self.questions.append(params.message)
        return types.MessageActionItem(self.choice) if self.choice else None

    def _apply(self, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        self.edits.append(params)
        for uri, version, edits in _changes(params.edit):
            if version is not None and version != self.versions[uri]:
                return types.ApplyWorkspaceEditResult(applied=False, failure_reason="another version")
            self.texts[uri] = edited(self.texts[uri], edits, self.encoding)
        return types.ApplyWorkspaceEditResult(applied=True)

    async def until(self, condition: Callable[[], Any], seconds: float = PATIENCE_SECONDS) -> Any:
        """What `condition` gives once it is true; it is looked at again after each message of the server."""
        async with asyncio.timeout(seconds), self._news:
            await self._news.wait_for(condition)
        return condition()

    async def open_session(
        self,
        client: types.ClientCapabilities,
        folders: Sequence[Path] = (),
        options: Any = None,
    ) -> types.InitializeResult:
        """Initialize the server."""
        params = types.InitializeParams(
            capabilities=client,
            workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders],
            initialization_options=options,
        )
        result = await asyncio.wait_for(self.initialize_async(params), PATIENCE_SECONDS)
        self.encoding = str(result.capabilities.position_encoding or "utf-16")
        self.initialized(types.InitializedParams())
        return result

    def open(self, uri: str, text: str, language: str = "python") -> str:
        """Open a document."""
        self.texts[uri], self.versions[uri] = text, 1
        self.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, version=1, text=text))
        )
        return uri

    def type(self, uri: str, place: Range, new_text: str) -> None:
        """Replace a range, given in the units of the connection."""
        range_ = types.Range(types.Position(*place[:2]), types.Position(*place[2:]))
        self.texts[uri] = edited(self.texts[uri], [types.TextEdit(range_, new_text)], self.encoding)
        self.versions[uri] += 1
        change = types.TextDocumentContentChangePartial(range=range_, text=new_text)
        self.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version=self.versions[uri], uri=uri), [change]
            )
        )

    async def actions(
        self, uri: str, place: tuple[int, int] | Range, only: list[str] | None = None
    ) -> list[types.CodeAction]:
        """The code actions at a cursor or for a selection."""
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(uri),
            types.Range(types.Position(*place[:2]), types.Position(*place[-2:])),
            types.CodeActionContext(diagnostics=[], only=only),  # type: ignore[arg-type]
        )
        result = await asyncio.wait_for(self.text_document_code_action_async(params), PATIENCE_SECONDS)
        return [action for action in result or [] if isinstance(action, types.CodeAction)]

    async def click(self, action: types.CodeAction) -> str:
        """Run the action's command; the id of the job."""
        assert action.command is not None
        params = types.ExecuteCommandParams(command=action.command.command, arguments=action.command.arguments)
        answer = await self.workspace_execute_command_async(params)
        assert isinstance(answer, dict)
        return str(answer["job"])

    async def refine(self, uri: str, place: tuple[int, int], goal: str = "performance") -> str:
        """Choose the action for the unit at the cursor; the id of the job."""
        [action] = await self.actions(uri, place, only=[f"refactor.rewrite.burnish.{goal}"])
        return await self.click(action)

    async def request(self, method: str, params: Any) -> Any:
        """Send any request, also one that the protocol's types would not let through."""
        return await asyncio.wait_for(self.send(method, params), PATIENCE_SECONDS)

    def send(self, method: str, params: Any) -> asyncio.Future[Any]:
        """The answer to come."""
        answer: Future[Any] = Future()
        self.sent += 1
        self.protocol._request_futures[self.sent] = answer
        self.protocol._send_data(JsonRPCRequestMessage(self.sent, method, "2.0", params))
        return asyncio.wrap_future(answer)

    def ended(self, job: str) -> bool:
        """Whether the job's progress has ended."""
        return any(value["kind"] == "end" for value in self.progress[job])

    @property
    def server(self) -> asyncio.subprocess.Process:
        """The server's process."""
        assert self._server is not None
        return self._server

    async def close(self) -> None:
        """Shut the server down, and reap it if the test has killed it."""
        if self.server.returncode is None:
            with suppress(JsonRpcException, RuntimeError):
                await asyncio.wait_for(self.shutdown_async(None), PATIENCE_SECONDS)
                self.exit(None)
        await asyncio.wait_for(self.server.wait(), PATIENCE_SECONDS)
        await self.stop()


def edited(text: str, edits: Sequence[Any], encoding: str) -> str:
    """`text` after `edits`, counted without any code of ours."""
    codec, width = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[encoding]
    lines = text.split("\n")

    def offset(position: types.Position) -> int:
        before = lines[position.line].encode(codec)[: position.character * width].decode(codec)
        return sum(len(line) + 1 for line in lines[: position.line]) + len(before)

    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def _changes(edit: types.WorkspaceEdit) -> list[tuple[str, int | None, Sequence[Any]]]:
    if edit.document_changes is None:
        return [(uri, None, edits) for uri, edits in (edit.changes or {}).items()]
    return [
        (change.text_document.uri, change.text_document.version, change.edits)
        for change in edit.document_changes
        if isinstance(change, types.TextDocumentEdit)
    ]


def is_running(pid: int) -> bool:
    """Whether a process runs; one that is dead but that nobody has reaped does not."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Starts servers with the fake worker, each with an editor; ends them after the test."""
    editors: list[Editor] = []

    async def start(
        client: types.ClientCapabilities | None = None,
        *,
        folders: Sequence[Path] = (),
        options: Any = None,
        command: Sequence[str] = FAKE_SERVER,
    ) -> Editor:
        editor = Editor()
        editors.append(editor)
        await editor.start_io(*command, cwd=tmp_path, env=dict(os.environ))
        await editor.open_session(client or capabilities(), folders, options)
        return editor

    yield start
    for editor in editors:
        await editor.close()
