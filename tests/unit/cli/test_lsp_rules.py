"""`burnish lsp` and `burnish rules`."""

from __future__ import annotations

import io
import socket
import sys

import pytest

from burnish.backends.rules.registry import all_rules
from burnish.cli.arguments import UsageError
from burnish.cli.commands.lsp import parse_address
from burnish.cli.main import main


@pytest.mark.parametrize(
    ("text", "address"),
    [("127.0.0.1:2087", ("127.0.0.1", 2087)), ("localhost:0", ("localhost", 0)), ("[::1]:1", ("::1", 1))],
)
def test_an_address(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["", "2087", ":2087", "host:", "host:x", "host:-1", "host:65536", "host:²"])
def test_no_address(text: str) -> None:
    with pytest.raises(UsageError, match="HOST:PORT"):
        parse_address(text)


def test_a_port_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["lsp", "--tcp", f"127.0.0.1:{port}"]) == 2
    assert f"Cannot listen on 127.0.0.1:{port}" in capsys.readouterr().err


def test_stdio_is_accepted_and_calls_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[object] = []

    def serve(*tcp: object) -> int:
        served.append(tcp)
        return 0

    monkeypatch.setattr("burnish.lsp.serve", serve)
    assert main(["lsp", "--stdio"]) == 0
    assert main(["lsp", "--tcp", "127.0.0.1:0"]) == 0
    assert served == [(), (("127.0.0.1", 0),)]


def test_rules_are_listed_by_goal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == ["readability:", "performance:"]
    assert {line.split()[0] for line in lines if line.startswith(" ")} == {rule.name for rule in all_rules()}


def test_a_server_that_closed_its_output_ends_well(monkeypatch: pytest.MonkeyPatch) -> None:
    output = io.StringIO()
    monkeypatch.setattr(sys, "stdout", output)

    def serve() -> int:
        output.close()
        return 0

    monkeypatch.setattr("burnish.lsp.serve", serve)
    assert main(["lsp"]) == 0
