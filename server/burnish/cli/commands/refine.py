"""`burnish refine`: a better version of one unit, verified."""

from __future__ import annotations

import argparse
from pathlib import Path

from burnish.cli.arguments import UsageError
from burnish.cli.exit_codes import NONE, PROPOSAL
from burnish.cli.output import say, tell
from burnish.cli.progress import progress
from burnish.cli.receipt import show_nothing, show_proposal
from burnish.cli.saving import save, save_receipt
from burnish.cli.target import find_target, settings_for
from burnish.report.document import refine_document, to_json
from burnish_analyzers.goal import Goal


def run(arguments: argparse.Namespace) -> int:
    """Propose, and show or write or print it. Raises BurnishError."""
    target = find_target(arguments.target, arguments.lines)
    settings = settings_for(target.root, arguments)
    receipt: Path | None = arguments.receipt
    if receipt and not receipt.absolute().parent.is_dir():
        raise UsageError(f"There is no folder for the receipt {receipt}: name a file in one that there is.")
    from burnish.refinement import Request, refine

    request = Request(
        snapshot=target.snapshot,
        unit=target.unit,
        goal=Goal(arguments.goal),
        settings=settings,
        root=target.root,
    )
    with progress() as report:
        refinement = refine(request, report)
    proposed = refinement.status == "proposal"
    if proposed and receipt:
        save_receipt(receipt, refinement.receipt)
    written = save(target.snapshot, refinement.new_text) if proposed and arguments.apply else None
    if arguments.json:
        say(to_json(refine_document(refinement)))
    elif proposed:
        show_proposal(refinement)
    else:
        show_nothing(refinement)
    if proposed and receipt:
        tell(f"Receipt written to {receipt}.")
    if written:
        tell(f"Written to {written}.")
    return PROPOSAL if proposed else NONE
