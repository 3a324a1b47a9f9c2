"""`burnish time`: how much faster one unit is than another."""

from __future__ import annotations

import argparse

from burnish.cli.exit_codes import PROPOSAL
from burnish.cli.output import say
from burnish.cli.progress import progress
from burnish.cli.receipt import timing_details, timing_line
from burnish.cli.target import find_target, settings_for
from burnish.report.document import time_document, to_json


def run(arguments: argparse.Namespace) -> int:
    """Measure and show; the project is the old unit's. Raises BurnishError."""
    old, new = find_target(arguments.old), find_target(arguments.new)
    settings = settings_for(old.root, arguments)
    from burnish.refinement import compare_timing

    with progress() as report:
        timing = compare_timing((old.snapshot, old.unit), (new.snapshot, new.unit), settings, old.root, report)
    if arguments.json:
        say(to_json(time_document(timing)))
    else:
        say(timing_line(timing))
        for title, told in timing_details(timing):
            say(f"{title:<8}  {told}")
    return PROPOSAL
