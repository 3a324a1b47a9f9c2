"""The arguments of every command. A flag that is a setting has that setting's dotted name as its destination."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from burnish import __version__
from burnish_analyzers.errors import BurnishError
from burnish_analyzers.goal import Goal

_GOALS = [str(goal) for goal in Goal]


class UsageError(BurnishError):
    """The words on the command line fit no command."""


class _Parser(argparse.ArgumentParser):
    """Raises where argparse would print its usage and exit, so that every error goes one way."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}; see `{self.prog} --help`.")


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The parsed words; `command` names the module that runs them. Raises UsageError."""
    return create_parser().parse_args(words)


def create_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = _Parser(
        prog="burnish",
        description="Refine a Python function, and prove that it still does the same.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"burnish {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, summary: str, epilog: str | None = None) -> argparse.ArgumentParser:
        description = f"{summary[:1].upper()}{summary[1:]}."
        return commands.add_parser(name, help=summary, description=description, epilog=epilog, allow_abbrev=False)

    _refine(command("refine", "propose a better version of a function, verified"))
    _verify(command("verify", "judge a rewrite of a function, or check a receipt again", epilog=_VERIFY_EXITS))
    _measure(command("measure", "show the metrics of each function"))
    _time(command("time", "measure how much faster one function is than another"))
    _doctor(command("doctor", "tell what Burnish finds in a project, and what is missing"))
    _lsp(command("lsp", "start the language server"))
    command("rules", "list the rules of the embedded engine")
    commands.add_parser("worker")  # for the language server; without a summary, the help does not list it
    return parser


_VERIFY_EXITS = "Exit code: 0 accepted, or the receipt holds; 1 rejected, or it does not; 2 cannot tell."


def _refine(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    parser.add_argument("--goal", choices=_GOALS, required=True, help="what to better")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--diff", action="store_true", help="print the diff and its receipt (default)")
    _json(output)
    parser.add_argument("--apply", action="store_true", help="also write it to the file")
    parser.add_argument("--receipt", type=Path, metavar="FILE", help="write the proposal's receipt there")
    engine = parser.add_argument_group("engine")
    engine.add_argument("--engine", metavar="auto|rules|model", help="who proposes: rules, then the model, by default")
    engine.add_argument("--model-url", dest="model.base_url", metavar="URL", help="an OpenAI-compatible endpoint")
    engine.add_argument("--model", dest="model.name", metavar="NAME", help="the model to ask there")
    engine.add_argument("--rounds", type=int, metavar="N", help="critiques and edits by the model, at most")
    engine.add_argument("--budget-seconds", type=float, metavar="SECONDS", help="time for it all, at most")
    proof = _proof(parser)
    proof.add_argument(
        "--allow-unverified",
        action="store_const",
        const=True,
        help="propose even where no test or recorded call reaches the function",
    )


def _verify(parser: argparse.ArgumentParser) -> None:
    _target(parser, nargs="?")
    subject = parser.add_mutually_exclusive_group(required=True)
    subject.add_argument(
        "--candidate", type=Path, metavar="NEWFILE", help="the rewrite: the new file, or only the function"
    )
    subject.add_argument("--receipt", type=Path, metavar="FILE", help="what `refine --receipt` wrote, or --json")
    parser.add_argument("--root", type=Path, metavar="DIR", help="the receipt's project; that of the current folder")
    parser.add_argument("--goal", choices=_GOALS, help="what it must better too, not only do the same")
    _json(parser)
    _proof(parser)


def _measure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a Python file, or a folder of them")
    _json(parser)


def _time(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="FILE::OLD", help="the function as it was")
    parser.add_argument("new", metavar="FILE::NEW", help="the function to compare with it")
    _json(parser)
    _proof(parser)


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", nargs="?", type=Path, default=Path(), metavar="PATH", help="a file or folder of the project"
    )
    _json(parser)
    _proof(parser)


def _lsp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tcp", metavar="HOST:PORT", help="listen there instead of using standard input and output")
    # Editors' client libraries add this flag; standard input and output is the default anyway.
    parser.add_argument("--stdio", action="store_true", help=argparse.SUPPRESS)


def _target(parser: argparse.ArgumentParser, nargs: str | None = None) -> None:
    parser.add_argument(
        "target",
        nargs=nargs,
        metavar="FILE[::QUALNAME]",
        help="the function, method or class; without a name, the whole script",
    )
    parser.add_argument("--lines", metavar="A-B", help="the function at these lines, counted from 1")


def _json(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _proof(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    group = parser.add_argument_group("proof")
    group.add_argument("--interpreter", type=_command, metavar="PATH", help="the project's Python")
    group.add_argument(
        "--examples", type=_path, metavar="DIR", help="*.in files, with *.out files or without, for a script"
    )
    return group


def _path(text: str) -> str:
    """A path as the user means it: from the current folder, where a setting counts from the project's root."""
    return str(Path(text).absolute())


def _command(text: str) -> str:
    return _path(text) if Path(text).exists() else text
