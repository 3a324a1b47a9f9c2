"""`burnish verify`: judge somebody else's rewrite of a unit, or check a saved receipt again."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from burnish.cli.arguments import UsageError
from burnish.cli.exit_codes import BAD_INPUT, NONE, PROPOSAL
from burnish.cli.output import console, say
from burnish.cli.progress import progress
from burnish.cli.receipt import show_receipt
from burnish.cli.target import find_target, require_path, settings_for
from burnish.report.document import recheck_document, to_json, verify_document
from burnish_analyzers.goal import Goal
from burnish_analyzers.harness.project import find_root
from burnish_analyzers.source.snapshot import Snapshot

_EXIT_CODES = {True: PROPOSAL, False: NONE, None: BAD_INPUT}


def run(arguments: argparse.Namespace) -> int:
    """Judge and show: 0 accepted, 1 rejected, 2 cannot tell. Raises BurnishError."""
    if arguments.receipt:
        return _check_receipt(arguments)
    if arguments.target is None:
        raise UsageError("There is nothing to judge: write FILE::QUALNAME --candidate NEWFILE, or --receipt FILE.")
    if arguments.root:
        raise UsageError("--root goes with --receipt: FILE::QUALNAME says where the project is.")
    return _judge_candidate(arguments)


def _judge_candidate(arguments: argparse.Namespace) -> int:
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
    return _EXIT_CODES[verification.accepted]


def _check_receipt(arguments: argparse.Namespace) -> int:
    if arguments.target or arguments.lines or arguments.goal:
        raise UsageError("A receipt says itself what it is about: write --receipt FILE alone, with --root at most.")
    from burnish.recheck import recheck
    from burnish.saved_receipt import read_receipt

    saved = read_receipt(arguments.receipt)
    root = arguments.root or find_root(Path.cwd())
    require_path(root)
    with progress() as report:
        found = recheck(saved, root.absolute(), settings_for(root, arguments), report)
    opening = {True: "Holds", False: "Does not hold", None: "Cannot tell"}[found.accepted]
    message = f"{'Void' if found.receipt is None else opening}: {found.message}"
    if arguments.json:
        changes = [asdict(change) for change in found.changes]
        say(to_json(recheck_document(found.accepted, message, found.receipt, applied=found.applied, changes=changes)))
        return _EXIT_CODES[found.accepted]
    output, claim, made = console(), saved.claim, saved.made
    about = f"{claim.path}::{claim.qualname}" if claim.qualname else claim.path
    output.print(f"The receipt of {about}, made {made.at} by Burnish {made.burnish}, is well-formed.")
    if found.receipt is not None:
        output.print(f"The file holds the {'proposal' if found.applied else 'original, without the proposal'}.")
        for change in found.changes:
            output.print(change.detail)
    output.print(message)
    if found.receipt is not None:
        show_receipt(output, found.receipt)
    return _EXIT_CODES[found.accepted]
