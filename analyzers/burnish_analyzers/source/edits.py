"""Changes to a text: put a unit in, find the smallest edits, carry them over to a newer text, show them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from burnish_analyzers.errors import StaleDocumentError
from burnish_analyzers.source.imports import add_imports
from burnish_analyzers.source.line_index import Span, newline_of, split_lines, without_newline
from burnish_analyzers.source.matching import common_affixes, common_prefix, common_suffix, matching_blocks
from burnish_analyzers.source.snapshot import Snapshot, dominant_newline
from burnish_analyzers.source.units import Unit


@dataclass(frozen=True)
class TextEdit:
    """`new_text` in place of what `span` covers."""

    span: Span
    new_text: str


def replace_unit(snapshot: Snapshot, unit: Unit, unit_text: str, imports: Sequence[str] = ()) -> str:
    """The whole text with `unit_text` in place of the unit, and those `imports` that the module lacks.

    New lines get the newline of the unit's other lines, unchanged lines keep theirs; outside of the unit and the added
    import lines every character stays as it is.
    """
    own = unit.span.of(snapshot.text)
    fitted = with_newlines_of(own, unit_text, unit_newline(snapshot, unit))
    text = snapshot.text[: unit.span.start] + fitted + snapshot.text[unit.span.end :]
    return add_imports(text, imports, snapshot.newline)


def unit_newline(snapshot: Snapshot, unit: Unit) -> str:
    """The newline that ends most lines of the unit."""
    end = snapshot.lines.line_start(unit.end_line)
    return dominant_newline(snapshot.text[unit.span.start : end], default=snapshot.newline)


def with_newlines_of(old: str, new: str, newline: str) -> str:
    """`new`, in which lines that `old` has too end as they do there, and all others with `newline`."""
    old_lines, new_lines = split_lines(old), split_lines(new)
    contents = [without_newline(line) for line in new_lines]
    endings = [newline] * len(new_lines)
    for a, b, size in matching_blocks([without_newline(line) for line in old_lines], contents):
        for index in range(size):
            endings[b + index] = newline_of(old_lines[a + index]) or newline
    if new_lines and not newline_of(new_lines[-1]):
        endings[-1] = ""
    return "".join(content + ending for content, ending in zip(contents, endings, strict=True))


def minimal_edits(old: str, new: str) -> tuple[TextEdit, ...]:
    """The edits from `old` to `new`, in order: one for each run of changed lines, without their common ends."""
    old_lines, new_lines = split_lines(old), split_lines(new)
    edits = []
    offset = line = new_line = 0
    for a, b, size in matching_blocks(old_lines, new_lines):
        before, after = "".join(old_lines[line:a]), "".join(new_lines[new_line:b])
        if before != after:
            edits.append(_trimmed(before, after, offset))
        offset += len(before) + sum(map(len, old_lines[a : a + size]))
        line, new_line = a + size, b + size
    return tuple(edits)


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """`text` after all `edits`, whose spans are places in `text` as it is. Raises ValueError where two overlap."""
    parts = []
    offset = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.start < offset:
            raise ValueError(f"two edits overlap at {edit.span.start}")
        parts += [text[offset : edit.span.start], edit.new_text]
        offset = edit.span.end
    return "".join([*parts, text[offset:]])


def rebase(edits: Sequence[TextEdit], old: str, new: str, *, guarded: Span | None = None) -> tuple[TextEdit, ...]:
    """The same edits for `new`, where `old`, for which they were made, has meanwhile changed outside of their range.

    Their range goes from the first to the last edit, and includes `guarded`, such as the unit that was verified. Raises
    StaleDocumentError if the change touches it: nobody has verified what would come of that.
    """
    spans = [edit.span for edit in edits] + ([guarded] if guarded is not None else [])
    if not spans or old == new:
        return tuple(edits)
    # Among equal characters one change can be seen at several places: the last starts after the common prefix, and the
    # first ends before the common suffix.
    if common_prefix(old, new) > max(span.end for span in spans):
        return tuple(edits)
    if len(old) - common_suffix(old, new) < min(span.start for span in spans):
        return _shifted(edits, len(new) - len(old))
    start, end = min(span.start for span in spans), max(span.end for span in spans)
    if (at := _only_place(old, new, Span(start, end))) is not None:
        return _shifted(edits, at - start)
    raise StaleDocumentError("The document has changed where the proposal applies: refine the function again.")


def _shifted(edits: Sequence[TextEdit], shift: int) -> tuple[TextEdit, ...]:
    return tuple(TextEdit(Span(edit.span.start + shift, edit.span.end + shift), edit.new_text) for edit in edits)


def _only_place(old: str, new: str, span: Span) -> int | None:
    """Where the text of `span` now begins, if both documents hold it once, at the same indentation and undecorated."""
    text = span.of(old)
    if old.count(text) != 1 or new.count(text) != 1:
        return None
    at = new.index(text)
    (above, before), (new_above, new_before) = _leading(old, span.start), _leading(new, at)
    return at if before == new_before and (above == new_above or not new_above.lstrip().startswith("@")) else None


def _leading(text: str, offset: int) -> tuple[str, str]:
    """The last line above an offset that is not blank, and what stands before it on its own line."""
    *above, before = text[:offset].split("\n")
    return next((line for line in reversed(above) if line.strip()), ""), before


def unified_diff(old: str, new: str, path: str) -> str:
    r"""The change as a unified diff that `git apply` and `patch` take; "" where there is none.

    Lines end at LF only, as those tools have it; a CR before it is shown as part of the line.
    """
    name = path.replace("\\", "/").lstrip("/")
    lines = difflib.unified_diff(_lf_lines(old), _lf_lines(new), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lf_lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _trimmed(before: str, after: str, offset: int) -> TextEdit:
    """The edit from `before` to `after` without their common ends; no end of it falls between a CR and its LF."""
    prefix, suffix = common_affixes(before, after)
    if before[prefix - 1 : prefix + 1] == "\r\n":
        prefix -= 1
    end = len(before) - suffix
    if before[end - 1 : end + 1] == "\r\n" and suffix:
        suffix -= 1
    return TextEdit(Span(offset + prefix, offset + len(before) - suffix), after[prefix : len(after) - suffix])
