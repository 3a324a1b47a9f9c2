"""How fast the language server answers, against a bare pygls server with one static action, in the same run.

    python bench/language_server.py [--requests N] [--starts N]

Both servers are real processes, spoken to over standard input and output by the same client, in turns. Each code action
follows an edit of a 5,000-line document. Exit code 1 if a limit is not kept.

The job keeps one processor busy. Where others keep the rest busy too, the scheduler is measured, not the server.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

ACTION_RATIO_LIMIT = 3.0
INITIALIZE_RATIO_LIMIT = 1.3
CANCEL_SECONDS_LIMIT = 2.0
WARM_UP = 10
URI = "file:///work/code.py"

BARE = """
import logging
from lsprotocol import types
from pygls.lsp.server import LanguageServer
logging.getLogger("pygls").setLevel(logging.ERROR)
server = LanguageServer("bare", "1")
@server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=["refactor.rewrite"]))
def code_action(ls, params):
    command = types.Command(title="Rewrite", command="rewrite", arguments=[params.text_document.uri])
    return [types.CodeAction(title="Rewrite", kind="refactor.rewrite", command=command)]
server.start_io()
"""
# Its child keeps a processor busy, as tests do; it reports progress twenty times a second, and lives until it is ended.
BUSY_WORKER = """
import json, os, signal, subprocess, sys, threading, time
def end():
    sys.stdin.read()
    os.killpg(0, signal.SIGKILL)
sys.stdin.readline()
threading.Thread(target=end, daemon=True).start()
child = subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"])
done = 0
while True:
    detail = f"{os.getpid()} {child.pid}"
    print(json.dumps({"event": "progress", "step": "tests", "detail": detail, "done": done, "total": 0}), flush=True)
    done += 1
    time.sleep(0.05)
"""
SERVE = "import sys; from burnish.lsp import serve; sys.exit(serve(worker_command=[sys.executable, '-c', sys.argv[1]]))"

PYTHON = [sys.executable, "-P"]
BARE_SERVER = [*PYTHON, "-c", BARE]
BURNISH = [*PYTHON, "-m", "burnish", "lsp"]
BURNISH_WITH_BUSY_WORKER = [*PYTHON, "-c", SERVE, BUSY_WORKER]


class Client:
    """A client that does as little as it can, so that what is measured is the server."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.notifications: list[dict[str, Any]] = []
        self._last_id = 0

    def request(self, method: str, params: Any = None) -> Any:
        """Send a request and give its result."""
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        while (message := self.receive()).get("id") != self._last_id or "method" in message:
            continue
        if "error" in message:
            raise RuntimeError(message["error"]["message"])
        return message["result"]

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def receive(self) -> dict[str, Any]:
        """The next message, after answering it if it is a request."""
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                length = int(value)
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        if "method" in message:
            self.notifications.append(message)
            if "id" in message:
                self._send({"id": message["id"], "result": None})
        return message

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()


@contextmanager
def server(command: Sequence[str]) -> Iterator[tuple[Client, float]]:
    """A running server, and the seconds from its start to its answer to `initialize`."""
    begin = time.perf_counter()
    client = Client(command)
    try:
        capabilities = {"window": {"workDoneProgress": True}}
        client.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        seconds = time.perf_counter() - begin
        client.notify("initialized", {})
        yield client, seconds
        client.request("shutdown")
        client.notify("exit")
    finally:
        if client.process.stdin is not None:
            client.process.stdin.close()
        client.process.wait()


def document(functions: int = 500) -> str:
    """5,000 lines: functions of ten lines each, some not in ASCII."""
    return "".join(
        f"def function_{number}(values: list[int], limit: int = {number}) -> int:\n"
        f'    """The sum of those values over {"the limit" if number % 10 else "límite 🎉"}, times {number}."""\n'
        "    total = 0\n"
        "    for value in values:\n"
        "        if value > limit:\n"
        f"            total += value * {number}\n"
        "    if not total:\n"
        "        return limit\n"
        "    return total\n"
        "\n"
        for number in range(functions)
    )


def answer_seconds(clients: Sequence[Client], requests: int) -> list[list[float]]:
    """For each client the seconds from sending an edit and a request to the answer, in turns, without the first few."""
    seconds: list[list[float]] = [[] for _ in clients]
    for number in range(requests + WARM_UP):
        line = 10 * (number * 37 % 500) + 2
        place = {"line": line, "character": 9}
        change = {"range": {"start": place, "end": place}, "text": "_"}
        for client, own in zip(clients, seconds, strict=True):
            begin = time.perf_counter()
            client.notify(
                "textDocument/didChange",
                {"textDocument": {"uri": URI, "version": number + 2}, "contentChanges": [change]},
            )
            actions = client.request(
                "textDocument/codeAction",
                {
                    "textDocument": {"uri": URI},
                    "range": {"start": place, "end": place},
                    "context": {"diagnostics": []},
                },
            )
            own.append(time.perf_counter() - begin)
            assert actions
    return [own[WARM_UP:] for own in seconds]


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that `percent` of 100 do not exceed."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def compare_actions(title: str, bare: Client, ours: Client, requests: int) -> bool:
    """Measure both, print the figures, and tell whether the limit is kept."""
    results = answer_seconds([bare, ours], requests)
    for name, values in zip(("bare", "burnish"), results, strict=True):
        p50, p95 = (1000 * percentile(values, percent) for percent in (50, 95))
        print(f"{title}, {name}: p50 {p50:.2f} ms, p95 {p95:.2f} ms ({len(values)} requests)")
    ratio = percentile(results[1], 95) / percentile(results[0], 95)
    return judge(f"{title}, ratio at p95", ratio, ACTION_RATIO_LIMIT)


def compare_initialize(starts: int) -> bool:
    """The same for the answer to `initialize`, from the start of the process."""
    seconds: dict[str, list[float]] = {"bare": [], "burnish": []}
    for _ in range(starts):
        for name, command in (("bare", BARE_SERVER), ("burnish", BURNISH)):
            with server(command) as (_client, own):
                seconds[name].append(own)
    for name, values in seconds.items():
        print(f"initialize, {name}: median {1000 * statistics.median(values):.0f} ms ({starts} starts)")
    ratio = statistics.median(seconds["burnish"]) / statistics.median(seconds["bare"])
    return judge("initialize, ratio of medians", ratio, INITIALIZE_RATIO_LIMIT)


def start_job(client: Client) -> tuple[str, list[int]]:
    """Refine the first function; the job, and the process ids of its worker and the worker's child."""
    place = {"line": 1, "character": 0}
    [action, _] = client.request(
        "textDocument/codeAction",
        {"textDocument": {"uri": URI}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}},
    )
    job = client.request("workspace/executeCommand", action["command"])["job"]
    while (message := client.receive())["method"] != "$/progress" or message["params"]["value"]["kind"] != "report":
        continue
    return job, [int(word) for word in message["params"]["value"]["message"].split()[-2:]]


def cancel_seconds(client: Client, job: str, processes: Sequence[int]) -> float:
    """The seconds from the cancellation to the end of the last process."""
    begin = time.perf_counter()
    client.notify("window/workDoneProgress/cancel", {"token": job})
    while any(runs(pid) for pid in processes):
        time.sleep(0.001)
    return time.perf_counter() - begin


def runs(pid: int) -> bool:
    """Whether a process runs; a dead one that nobody reaped does not."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def judge(title: str, value: float, limit: float) -> bool:
    """Print a figure with its limit, and tell whether it is kept."""
    print(f"{title}: {value:.2f} (limit {limit}){'' if value <= limit else '  <-- TOO MUCH'}")
    return value <= limit


def main() -> int:
    """Measure everything; 1 if a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--starts", type=int, default=12)
    arguments = parser.parse_args()
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    kept = [compare_initialize(arguments.starts)]
    with ExitStack() as stack:
        bare, ours = (stack.enter_context(server(command))[0] for command in (BARE_SERVER, BURNISH_WITH_BUSY_WORKER))
        text = document()
        for client in (bare, ours):
            item = {"uri": URI, "languageId": "python", "version": 1, "text": text}
            client.notify("textDocument/didOpen", {"textDocument": item})
        kept.append(compare_actions("code action", bare, ours, arguments.requests))
        job, processes = start_job(ours)
        kept.append(compare_actions("code action during a job", bare, ours, arguments.requests))
        kept.append(judge("cancel to no process, s", cancel_seconds(ours, job, processes), CANCEL_SECONDS_LIMIT))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
