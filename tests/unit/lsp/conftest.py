"""A server that is connected to nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from burnish.lsp.capabilities import Capabilities
from burnish.lsp.client import Client
from burnish.lsp.server import BurnishServer, create_language_server


class Wire:
    """Takes what the server sends, and hands it what an editor would."""

    def __init__(self) -> None:
        self.server: BurnishServer = create_language_server(["no-worker"])
        self.server.protocol.set_writer(self, include_headers=False)
        self.sent: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        self.sent.append(json.loads(data))

    def close(self) -> None:
        """Nothing is open."""

    def receive(self, **message: Any) -> None:
        """Handle one message, as it would come from the client."""
        text = json.dumps({"jsonrpc": "2.0", **message})
        protocol = self.server.protocol
        protocol.handle_message(json.loads(text, object_hook=protocol.structure_message))

    def client(self, **capabilities: bool) -> Client:
        """What jobs have of the editor."""
        return Client(self.server.protocol, Capabilities(**capabilities))

    def initialize(self) -> None:
        """Start a session with one open document."""
        self.receive(id=1, method="initialize", params={"capabilities": {}, "processId": None, "rootUri": None})
        document = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": "def f(): ...\n"}
        self.receive(method="textDocument/didOpen", params={"textDocument": document})


@pytest.fixture
def wire() -> Wire:
    """A server before `initialize`."""
    return Wire()
