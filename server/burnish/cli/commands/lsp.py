"""`burnish lsp`: the language server."""

from __future__ import annotations

import argparse

from burnish.cli.arguments import UsageError


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor ends it. Raises UsageError."""
    from burnish.lsp import serve

    if arguments.tcp is None:
        return serve()
    try:
        return serve(parse_address(arguments.tcp))
    except OSError as error:
        raise UsageError(
            f"Cannot listen on {arguments.tcp} ({error.strerror or error}): choose another address."
        ) from error


def parse_address(text: str) -> tuple[str, int]:
    """The host and port of "HOST:PORT"; an IPv6 host is in brackets. Port 0 takes a free one."""
    host, _, port = text.rpartition(":")
    if not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise UsageError(f"`--tcp {text}` is no address: write HOST:PORT, as in --tcp 127.0.0.1:2087.")
    return host.removeprefix("[").removesuffix("]"), int(port)
