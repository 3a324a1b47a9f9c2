"""The language server: what it registers, and what each message leads to. Everything longer than a lookup is a job."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcServerNotInitialized, PyglsError
from pygls.lsp.server import LanguageServer

from burnish import __version__
from burnish.lsp.capabilities import Capabilities
from burnish.lsp.client import Client
from burnish.lsp.code_actions import KINDS, UNTRUSTED, code_actions, title
from burnish.lsp.conversions import RefineArguments, job_of, path_of
from burnish.lsp.documents import Document, Documents
from burnish.lsp.extensions import ACCEPT, CANCEL_COMMAND, REFINE_COMMAND, REJECT, TRUST
from burnish.lsp.jobs import Jobs, Target
from burnish.lsp.proposals import Proposals
from burnish.lsp.protocol import BurnishProtocol, plain_converter
from burnish.lsp.settings import EditorSettings
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit, script_unit, units

logger = logging.getLogger(__name__)

# -P: the editor may have started us in the project's folder, whose modules are not to be imported here.
WORKER_COMMAND = (sys.executable, "-P", "-m", "burnish", "worker")


class Session:
    """What lives from `initialize` to the end: one client with its documents, jobs and proposals."""

    def __init__(
        self,
        *,
        capabilities: Capabilities,
        documents: Documents,
        protocol: BurnishProtocol,
        options: Mapping[str, Any],
        worker_command: Sequence[str],
    ) -> None:
        self.capabilities = capabilities
        self.documents = documents
        self.trusted = options.get("trusted") is not False
        self.client = Client(protocol, capabilities)
        self.settings = EditorSettings(self.client, options.get("settings"))
        self.proposals = Proposals(self.client, documents)
        self.jobs = Jobs(
            worker_command=worker_command,
            client=self.client,
            settings=self.settings,
            finish=self.proposals.finish,
        )

    def close_document(self, uri: str) -> None:
        """Cancel and forget whatever belongs to a document that was closed."""
        self.jobs.cancel_document(uri)
        self.proposals.forget_document(uri)


class BurnishServer(LanguageServer):
    """pygls' server with our session in it."""

    protocol: BurnishProtocol

    def __init__(self, worker_command: Sequence[str]) -> None:
        super().__init__(
            "burnish",
            __version__,
            # Without `notebook`, which the protocol allows, clients built on lsprotocol 2025.0.0 refuse to start.
            notebook_document_sync=types.NotebookDocumentSyncOptions(
                notebook_selector=[
                    types.NotebookDocumentFilterWithNotebook(
                        notebook="*", cells=[types.NotebookCellLanguage(language="python")]
                    )
                ]
            ),
            protocol_cls=BurnishProtocol,
            converter_factory=plain_converter,
        )
        self.was_shut_down = False
        self._worker_command = worker_command
        self._session: Session | None = None

    @property
    def session(self) -> Session:
        """The session. Raises JsonRpcServerNotInitialized before `initialize`."""
        if self._session is None:
            raise JsonRpcServerNotInitialized("The server is not initialized yet.")
        return self._session

    def open_session(self, params: types.InitializeParams) -> None:
        """Start the session, with our documents in place of pygls' own."""
        options = params.initialization_options
        self._session = Session(
            capabilities=Capabilities.of(params.capabilities),
            documents=self.protocol.use_own_documents(params.workspace_folders),
            protocol=self.protocol,
            options=options if isinstance(options, Mapping) else {},
            worker_command=self._worker_command,
        )

    def report_server_error(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """Log it; pygls would open a popup."""
        logger.error("%s: %s", source.__name__, error)


def create_language_server(worker_command: Sequence[str] = WORKER_COMMAND) -> BurnishServer:
    """A language server that is not connected yet; each refinement runs `worker_command`."""
    server = BurnishServer(worker_command)
    server.feature(types.INITIALIZE)(_initialize)
    server.feature(types.INITIALIZED)(_initialized)
    server.feature(types.SHUTDOWN)(_shutdown)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_did_change_configuration)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_did_close)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)(_notebook_did_change)
    server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)(_notebook_did_close)
    server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)(_progress_cancel)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=list(KINDS.values())))(
        _code_action
    )
    server.command(REFINE_COMMAND)(_refine)
    server.command(CANCEL_COMMAND)(_cancel)
    server.feature(ACCEPT)(_accept)
    server.feature(REJECT)(_reject)
    server.feature(TRUST)(_trust)
    return server


def _initialize(ls: BurnishServer, params: types.InitializeParams) -> None:
    ls.open_session(params)


async def _initialized(ls: BurnishServer, params: types.InitializedParams) -> None:
    if ls.session.capabilities.dynamic_configuration:
        await ls.session.client.register_configuration_changes()


async def _shutdown(ls: BurnishServer, *_: object) -> None:
    ls.was_shut_down = True
    await ls.session.jobs.close()


def _did_change_configuration(ls: BurnishServer, params: types.DidChangeConfigurationParams) -> None:
    ls.session.settings.changed(params.settings)


def _did_close(ls: BurnishServer, params: types.DidCloseTextDocumentParams) -> None:
    ls.session.close_document(params.text_document.uri)


def _notebook_did_change(ls: BurnishServer, params: types.DidChangeNotebookDocumentParams) -> None:
    cells = params.change.cells
    if cells is not None and cells.structure is not None:
        for cell in cells.structure.did_close or ():
            ls.session.close_document(cell.uri)


def _notebook_did_close(ls: BurnishServer, params: types.DidCloseNotebookDocumentParams) -> None:
    for cell in params.cell_text_documents:
        ls.session.close_document(cell.uri)


def _code_action(ls: BurnishServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    session = ls.session
    document = session.documents.find(params.text_document.uri)
    if document is None:
        return []
    return code_actions(document, params, trusted=session.trusted, can_disable=session.capabilities.disabled_actions)


def _refine(ls: BurnishServer, *arguments: Any) -> dict[str, str]:
    session, wanted = ls.session, RefineArguments.of(arguments)
    if not session.trusted:
        raise _failure(UNTRUSTED)
    document = session.documents.find(wanted.uri)
    if document is None:
        raise _failure("The document is not open in this server; open it and try again.")
    unit = _current_unit(document, wanted)
    if unit is None:
        raise _failure(f"There is no `{wanted.qualname}` in the document any more; choose the action again.")
    target = Target(
        uri=document.uri,
        version=document.version,
        text=document.source,
        path=path_of(document.uri),
        root=session.documents.root_of(document.uri),
        unit=unit,
        goal=wanted.goal,
        title=title(unit, wanted.goal),
    )
    return {"job": session.jobs.start(target)}


def _current_unit(document: Document, wanted: RefineArguments) -> Unit | None:
    """The unit that was offered, where it is by now; of several with its name the one nearest to where it was."""
    if not wanted.qualname:
        return script_unit(Snapshot(path=None, text=document.source))
    named = [unit for unit in units(document.tree) if unit.qualname == wanted.qualname]
    return min(named, key=lambda unit: abs(unit.start_line - wanted.start_line), default=None)


def _cancel(ls: BurnishServer, *arguments: Any) -> None:
    ls.session.jobs.cancel(job_of(arguments[0] if arguments else None, CANCEL_COMMAND))


def _progress_cancel(ls: BurnishServer, params: types.WorkDoneProgressCancelParams) -> None:
    ls.session.jobs.cancel(str(params.token))


async def _accept(ls: BurnishServer, params: Any) -> dict[str, Any]:
    return await ls.session.proposals.accept(job_of(params, ACCEPT))


def _reject(ls: BurnishServer, params: Any) -> None:
    ls.session.proposals.reject(job_of(params, REJECT))


def _trust(ls: BurnishServer, params: Any) -> None:
    session = ls.session
    session.trusted = isinstance(params, Mapping) and params.get("trusted") is True
    if not session.trusted:
        session.jobs.cancel_all()


def _failure(message: str) -> JsonRpcException:
    return JsonRpcException(message, code=types.LSPErrorCodes.RequestFailed)
