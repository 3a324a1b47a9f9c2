"""JSON documents, one a line, over a file descriptor that both sides read and write."""

from __future__ import annotations

import json
import os
from typing import Any


class Channel:
    """One end of a stream socket."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.waiting = b""

    def send(self, document: Any) -> None:
        """Write one document."""
        left = json.dumps(document).encode() + b"\n"
        while left:
            left = left[os.write(self.descriptor, left) :]

    def receive(self) -> Any:
        """The next document; None once the other side is gone."""
        while b"\n" not in self.waiting:
            more = os.read(self.descriptor, 1 << 16)
            if not more:
                return None
            self.waiting += more
        line, _, self.waiting = self.waiting.partition(b"\n")
        return json.loads(line)

    def close(self) -> None:
        """Close this end."""
        os.close(self.descriptor)
