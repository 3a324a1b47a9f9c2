"""Asks CrossHair's diffbehavior and the Hypothesis ghostwriter whether a rewrite differs from its original."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from burnish_analyzers.candidate import Candidate
from burnish_analyzers.source.edits import replace_unit
from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit

CROSSHAIR = ("-m", "crosshair", "diffbehavior", "--per_condition_timeout", "10", "--per_path_timeout", "2")
CROSSHAIR_SECONDS = 60.0
GHOSTWRITER_SECONDS = 60.0
DIFFERS = 1
GHOSTWRITER = """
import sys
from hypothesis.extra import ghostwriter
from {old} import {name} as old
from {new} import {name} as new
open("test_equivalent.py", "w").write(ghostwriter.equivalent(old, new))
"""


def judged(python: str, folder: Path, snapshot: Snapshot, unit: Unit, candidate: Candidate) -> tuple[str, str]:
    """What each of the two says of one rewrite: why it is rejected, "" where it is not or cannot be judged."""
    assert snapshot.path is not None
    relative = snapshot.path.relative_to(folder)
    parts = list(relative.with_suffix("").parts)
    root = Path(parts.pop(0)) if parts[0] == "src" else Path()
    module = ".".join(parts)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        shutil.copytree(folder / root, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".venv", ".git"))
        path = place / relative.relative_to(root)
        text = replace_unit(snapshot, unit, candidate.unit_text, candidate.imports)
        path.with_name(f"{path.stem}_rewritten.py").write_bytes(snapshot.encode(text))
        names = [f"{one}.{unit.qualname}" for one in (module, f"{module}_rewritten")]
        crosshair = ran(python, (*CROSSHAIR, *names), place, CROSSHAIR_SECONDS)
        (place / "write.py").write_text(
            GHOSTWRITER.format(old=module, new=f"{module}_rewritten", name=unit.qualname.partition(".")[0])
        )
        ghostwriter = ""
        if "." not in unit.qualname and ran(python, ("write.py",), place, GHOSTWRITER_SECONDS) == "0":
            arguments = (
                "-m",
                "pytest",
                "-q",
                "-x",
                "--noconftest",
                "-c",
                os.devnull,
                "--rootdir",
                ".",
                "test_equivalent.py",
            )
            ghostwriter = ran(python, arguments, place, GHOSTWRITER_SECONDS)
    return tuple("differs" if code == str(DIFFERS) else "" for code in (crosshair, ghostwriter))  # type: ignore[return-value]


def ran(python: str, arguments: tuple[str, ...], folder: Path, seconds: float) -> str:
    """How a command ended: its exit code, or "" if it took too long."""
    try:
        finished = subprocess.run(
            [python, *arguments],
            cwd=folder,
            capture_output=True,
            timeout=seconds,
            check=False,
            env={**os.environ, "PYTHONPATH": "."},
        )
    except subprocess.TimeoutExpired:
        return ""
    return str(finished.returncode)
