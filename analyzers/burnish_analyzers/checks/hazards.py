"""Changes that no run can be trusted to notice, so they are refused on sight."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from burnish_analyzers.source.snapshot import Snapshot
from burnish_analyzers.source.units import Unit

_WORD = re.compile(r"[^\W\d]\w*")
# What was done one after the other is done at the same time: a replay sees the same results.
_CONCURRENCY = frozenset(
    {
        *("gather", "create_task", "TaskGroup", "ensure_future", "as_completed", "run_in_executor", "to_thread"),
        *("Thread", "Process", "ThreadPoolExecutor", "ProcessPoolExecutor", "start_new_thread"),
    }
)
# What reaches from the code under judgement to whoever judges it, in the same process.
_REFLECTION = frozenset(
    {
        *("_getframe", "_current_frames", "f_back", "f_globals", "f_locals", "tb_frame", "gi_frame", "cr_frame"),
        *("__globals__", "__code__", "__builtins__", "__subclasses__", "__closure__", "settrace", "setprofile"),
        *("ctypes", "gc", "inspect", "importlib", "__import__", "modules", "meta_path", "atexit"),
        *("pytest", "unittest", "mock", "monkeypatch", "_exit", "_burnish_runner", "exec", "addaudithook"),
    }
)
# What these do to others is no part of what a call gives.
_KEPT = frozenset({"super", "sleep", "acquire", "release", "flush", "fsync", "commit", "rollback", "notify"})


def hazard(old: Snapshot, old_unit: Unit, new: Snapshot, new_unit: Unit) -> str | None:
    """What makes a rewrite of a unit too dangerous to judge by running it, for people; None where nothing does."""
    before, after = (set(_WORD.findall(unit.span.of(text.text))) for text, unit in ((old, old_unit), (new, new_unit)))
    added = after - before
    if concurrent := added & _CONCURRENCY:
        return f"It does things at the same time, by {min(concurrent)}, that were done one after the other."
    if reaching := added & _REFLECTION:
        return f"It newly uses {min(reaching)}, by which code could reach the checks."
    if dropped := (before - after) & _KEPT:
        return f"It no longer uses {min(dropped)}, whose effect no result shows."
    if _count(old, old_unit, "async with") > _count(new, new_unit, "async with"):
        return "It enters fewer `async with` blocks, which may be locks."
    lost, found = [*_class_statements(old, old_unit)], [*_class_statements(new, new_unit)]
    if lost != found:
        changed = next((one for one in (*lost, *found) if one not in lost or one not in found), "their order")
        return f"What stands in a class beside its methods changes: {changed[:120]}."
    return None


def _count(snapshot: Snapshot, unit: Unit, words: str) -> int:
    return len(re.findall(rf"\b{words.replace(' ', chr(92) + 's+')}\b", unit.span.of(snapshot.text)))


def _class_statements(snapshot: Snapshot, unit: Unit) -> Iterator[str]:
    """The statements of every class in a unit that are neither functions, classes nor docstrings: fields, say."""
    try:
        tree = ast.parse(snapshot.text)
    except SyntaxError:  # newer than this Python, or broken elsewhere: left to the tests
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and unit.start_line <= node.lineno <= unit.end_line:
            for statement in node.body:
                is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
                if not is_text and not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    yield f"{node.name}: {ast.unparse(statement)}"
