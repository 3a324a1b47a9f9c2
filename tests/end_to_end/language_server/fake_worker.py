"""Stands in for `burnish worker`: it speaks the same protocol, and does what the setting `fake` in its job says.

- replace: [old, new], the proposal; without it nothing better is found
- status, message: of the `refine` document
- steps: how many progress events come first
- hold: the path of a named pipe; the result waits until the test has written to it
- hang: never end by itself; "stubborn": nor at SIGTERM; "burn": keep a processor busy meanwhile, in a child
- pids, request: paths of files for our process ids, and for the job as it was received
- error, crash: end with an error event, or with none at all
"""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path


def emit(event, **content):
    sys.stdout.write(json.dumps({"event": event, **content}) + "\n")
    sys.stdout.flush()


def die_with_the_server():
    sys.stdin.read()
    os.killpg(0, signal.SIGKILL)


def main():
    job = json.loads(sys.stdin.readline())
    fake = job["settings"].get("fake", {})
    threading.Thread(target=die_with_the_server, daemon=True).start()
    if fake.get("hang") == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    pids = [os.getpid()]
    if fake.get("hang") == "burn":
        pids.append(subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]).pid)
    if "pids" in fake:
        with Path(fake["pids"]).open("a") as file:
            file.write("".join(f"{pid}\n" for pid in pids))
    if "request" in fake:
        Path(fake["request"]).write_text(json.dumps(job))
    for step in range(1, fake.get("steps", 1) + 1):
        emit("progress", step="critique", detail="", done=step, total=4)
        emit("progress", step="tests", detail="", done=12, total=12)
        emit("progress", step="timing", detail="1.84× faster", done=0, total=0)
    if fake.get("hang"):
        while True:
            signal.pause()
    if "hold" in fake:
        Path(fake["hold"]).read_text()
    if fake.get("crash"):
        os._exit(3)
    if "error" in fake:
        emit("error", message=fake["error"])
    else:
        emit("result", document=document(job, fake))


def document(job, fake):
    old, new = fake.get("replace", ["", ""])
    return {
        "status": fake.get("status", "proposal" if old else "none"),
        "message": fake.get("message", "1.84× faster; 12 of 12 tests pass." if old else "Nothing better was found."),
        "new_text": job["text"].replace(old, new) if old else "",
        "diff": "--- a\n+++ b\n" if old else "",
        "usage": {"requests": 0, "tokens": 0, "cost": 0.0, "seconds": 0.1},
        "receipt": {
            "evidence": "strong",
            "checks": [
                {"name": "tests", "status": "passed", "detail": "12 of 12"},
                {"name": "timing", "status": "skipped", "detail": ""},
            ],
        },
    }


main()
