"""An endpoint on this machine that answers as it is told, and keeps what it was sent."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One HTTP answer. `missing_bytes` are announced but never sent; `hold` keeps the client waiting for ever."""

    body: bytes = b""
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    missing_bytes: int = 0
    hold: bool = False

    @classmethod
    def json(cls, data: object, status: int = 200, headers: dict[str, str] | None = None) -> Reply:
        return cls(body=json.dumps(data).encode(), status=status, headers=headers or {})

    @classmethod
    def completion(cls, text: str | None, finish_reason: str | None = "stop", tokens: int | None = 42) -> Reply:
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "finish_reason": finish_reason, "message": message}
        data: dict[str, Any] = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        if tokens is not None:
            data["usage"] = {"prompt_tokens": tokens - 1, "completion_tokens": 1, "total_tokens": tokens}
        return cls.json(data)

    @classmethod
    def error(cls, status: int, message: str = "no", headers: dict[str, str] | None = None) -> Reply:
        return cls.json({"error": {"message": message, "type": "invalid_request_error"}}, status, headers)


class Endpoint:
    """`replies` are given in order, the last again and again. `bodies` and `headers` are what came in."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.asked = threading.Event()
        self.hung_up = threading.Event()
        self.closing = threading.Event()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                endpoint.serve(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda request, address: None  # type: ignore[method-assign]
        self.base_url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def use_tls(self) -> Path:
        """Speak HTTPS from now on; gives the file of the authority that signed the certificate, known to nobody."""
        authority = Path(__file__).with_name("private_authority.pem")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(authority)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.base_url = self.base_url.replace("http:", "https:")
        return authority

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        self.bodies.append(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.headers.append({name.lower(): value for name, value in handler.headers.items()})
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        self.asked.set()
        if reply.hold:
            self._wait_for_hang_up(handler)
            return
        handler.send_response(reply.status)
        length = len(reply.body) + reply.missing_bytes
        for name, value in {"Content-Type": reply.content_type, "Content-Length": str(length), **reply.headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(reply.body)
        handler.close_connection = True

    def _wait_for_hang_up(self, handler: BaseHTTPRequestHandler) -> None:
        handler.connection.settimeout(0.05)
        while not self.closing.is_set():
            try:
                if handler.connection.recv(1) == b"":
                    self.hung_up.set()
                    return
            except TimeoutError:
                continue

    def answers(self, *replies: Reply) -> None:
        self.replies = list(replies)

    @property
    def requests(self) -> Sequence[dict[str, Any]]:
        return [json.loads(body) for body in self.bodies]


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    endpoint = Endpoint()
    thread = threading.Thread(target=endpoint.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield endpoint
    endpoint.closing.set()
    endpoint.server.shutdown()
    endpoint.server.server_close()
    thread.join()


@pytest.fixture
def reply() -> type[Reply]:
    return Reply
