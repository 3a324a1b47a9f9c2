"""`burnish doctor`: what Burnish finds in a project, and what is missing."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from burnish.cli.exit_codes import BAD_INPUT, PROPOSAL
from burnish.cli.output import console, say
from burnish.cli.target import require_path, settings_for
from burnish.report.document import doctor_document, to_json
from burnish_analyzers.harness.project import find_root

if TYPE_CHECKING:
    from burnish.diagnosis import Diagnosis


def run(arguments: argparse.Namespace) -> int:
    """Diagnose and show: 0 all is well, 2 something is missing. Raises BurnishError."""
    require_path(arguments.path)
    root = find_root(arguments.path.absolute())
    settings = settings_for(root, arguments)
    from burnish.diagnosis import diagnose

    diagnoses = diagnose(settings, root)
    if arguments.json:
        say(to_json(doctor_document([asdict(diagnosis) for diagnosis in diagnoses])))
    else:
        _show(diagnoses)
    return PROPOSAL if all(diagnosis.ok for diagnosis in diagnoses) else BAD_INPUT


def _show(diagnoses: Sequence[Diagnosis]) -> None:
    output = console()
    width = max((len(diagnosis.name) for diagnosis in diagnoses), default=0)
    for diagnosis in diagnoses:
        mark, style = ("ok     ", "green") if diagnosis.ok else ("missing", "red")
        output.print(mark, style=style, end="")
        output.print(f" {diagnosis.name:<{width}}  {diagnosis.detail}")
