"""`burnish doctor`: what Burnish finds in a project, and what is missing."""

from __future__ import annotations

import argparse

from burnish.cli.exit_codes import BAD_INPUT, PROPOSAL
from burnish.cli.output import console
from burnish.cli.target import settings_for
from burnish_analyzers.errors import SourceError
from burnish_analyzers.harness.project import find_root


def run(arguments: argparse.Namespace) -> int:
    """Diagnose and show: 0 all is well, 2 something is missing. Raises BurnishError."""
    path = arguments.path.absolute()
    if not path.exists():
        raise SourceError(f"There is no file or folder {path}: check the path.")
    root = find_root(path)
    settings = settings_for(root, arguments)
    from burnish.diagnosis import diagnose

    diagnoses = diagnose(settings, root)
    output = console()
    width = max((len(diagnosis.name) for diagnosis in diagnoses), default=0)
    for diagnosis in diagnoses:
        mark, style = ("ok     ", "green") if diagnosis.ok else ("missing", "red")
        output.print(mark, style=style, end="")
        output.print(f" {diagnosis.name:<{width}}  {diagnosis.detail}")
    return PROPOSAL if all(diagnosis.ok for diagnosis in diagnoses) else BAD_INPUT
