"""`burnish verify`: judge somebody else's rewrite of a unit."""

from __future__ import annotations

import argparse

from burnish.cli.exit_codes import BAD_INPUT, NONE, PROPOSAL
from burnish.cli.output import console, say
from burnish.cli.progress import progress
from burnish.cli.receipt import show_receipt
from burnish.cli.target import find_target, settings_for
from burnish.report.document import to_json, verify_document
from burnish_analyzers.goal import Goal
from burnish_analyzers.source.snapshot import Snapshot


def run(arguments: argparse.Namespace) -> int:
    """Judge and show: 0 accepted, 1 rejected, 2 cannot tell. Raises BurnishError."""
    target = find_target(arguments.target, arguments.lines)
    candidate = Snapshot.read(arguments.candidate)
    settings = settings_for(target.root, arguments)
    from burnish.refinement import Request, verify

    request = Request(
        snapshot=target.snapshot,
        unit=target.unit,
        goal=Goal(arguments.goal or Goal.READABILITY),
        settings=settings,
        root=target.root,
    )
    with progress() as report:
        verification = verify(request, candidate.text, report, check_goal=arguments.goal is not None)
    if arguments.json:
        say(to_json(verify_document(verification.accepted, verification.message, verification.receipt)))
    else:
        opening = {True: "Accepted", False: "Rejected", None: "Cannot tell"}[verification.accepted]
        output = console()
        output.print(f"{opening}: {verification.message}")
        show_receipt(output, verification.receipt)
    return {True: PROPOSAL, False: NONE, None: BAD_INPUT}[verification.accepted]
