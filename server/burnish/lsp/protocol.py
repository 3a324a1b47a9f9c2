"""pygls' protocol, corrected where an editor or its user would suffer."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage, MsgId

from burnish.lsp.documents import Documents

logger = logging.getLogger(__name__)


class BurnishProtocol(LanguageServerProtocol):
    """Every request is answered, malformed ones too; no answer holds a traceback; nothing grows with each keystroke."""

    _documents: Documents | None = None

    def use_own_documents(self, folders: Sequence[types.WorkspaceFolder] | None) -> Documents:
        """Put our documents in the place of those that pygls has just made, and give them."""
        plain = self.workspace
        self._workspace = self._documents = Documents(
            plain.root_uri, types.TextDocumentSyncKind.Incremental, folders, plain.position_encoding
        )
        return self._documents

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as cause:
            # pygls only logs it, so whoever waits, the client or a job of ours, would wait for ever.
            message = f"The message {data.get('method', 'response')} is not as the protocol wants it."
            error = JsonRpcException(message, code=cause.code)
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            elif (future := self._request_futures.pop(data.get("id", ""), None)) is not None:
                future.set_exception(error)
            raise error from cause

    def _send_response(
        self, msg_id: MsgId, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        if error is not None and isinstance(error.data, dict) and "traceback" in error.data:
            error = types.ResponseError(
                code=error.code, message="Burnish failed to answer; the log of the language server says why."
            )
        super()._send_response(msg_id, result, error)

    def _execute_handler(
        self,
        msg_id: MsgId,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:  # pygls forgets only those of requests, so each notification would leave one behind
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Bring an open document up to date, without the detour by a generator that pygls takes on each keystroke."""
        document = self._documents.find(params.text_document.uri) if self._documents is not None else None
        if document is None:
            logger.warning("A document was changed that is not open.")
            return
        for change in params.content_changes:
            document.apply_change(change)
        document.version = params.text_document.version
        document.freshen()


def plain_converter() -> Converter:
    """pygls' converter, except that the parameters of methods it does not know stay plain dictionaries."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    for message_type in (JsonRPCRequestMessage, JsonRPCNotification):
        converter.register_structure_hook(message_type, lambda message, cls: cls(**{"params": None, **message}))
    return converter
