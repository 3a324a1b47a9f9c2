"""A folder that is like another one, and is made so again after each run that may have changed it."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from pathlib import Path

Stamp = tuple[int, ...]


class WorkingCopy:
    """A copy of `base` at `folder`. Its owner may change anything in it; `restore` puts all of it back."""

    def __init__(self, base: Path, folder: Path) -> None:
        self.base = base
        self.folder = folder
        shutil.copytree(base, folder, symlinks=True)
        self.stamps = stamps(folder)
        self.written = 0

    def write(self, relative: Path, content: bytes) -> None:
        """Give one file other content until the next `restore`."""
        path = self.folder / relative
        path.unlink(missing_ok=True)  # it may be a link, or write-protected
        path.write_bytes(content)
        self.written += 1
        # Cached bytecode is known by the source's size and second: no two contents may share one.
        second = self.base.stat().st_mtime + 2 * self.written
        os.utime(path, (second, second))

    def restore(self) -> None:
        """Make the folder what its base is, by size, time and status change, which nobody can set back."""
        now = stamps(self.folder)
        changed = {path for path in now.keys() | self.stamps.keys() if now.get(path) != self.stamps.get(path)}
        for path in sorted(changed & now.keys(), reverse=True):  # what lies in a folder comes before it
            if path not in self.stamps or kind(now[path]) != kind(self.stamps[path]):
                remove(self.folder / path)
        for path in sorted(changed & self.stamps.keys()):
            self.put_back(path)
        if changed:
            after = stamps(self.folder)
            self.stamps = {path: after[path] for path in self.stamps}

    def put_back(self, relative: str) -> None:
        """Copy one file, folder or link from the base again."""
        source, target = self.base / relative, self.folder / relative
        if source.is_dir() and not source.is_symlink():
            target.mkdir(parents=True, exist_ok=True)
            shutil.copystat(source, target)
            return
        remove(target)
        shutil.copy2(source, target, follow_symlinks=False)


def stamps(folder: Path) -> dict[str, Stamp]:
    """What would change of each path below a folder if it were written to; of a folder only whether it is one."""
    found: dict[str, Stamp] = {}
    waiting = [""]
    while waiting:
        with contextlib.suppress(PermissionError), os.scandir(folder / (top := waiting.pop())) as entries:
            for entry in entries:
                path = f"{top}/{entry.name}" if top else entry.name
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode):
                    found[path] = (status.st_mode,)
                    waiting.append(path)
                else:
                    found[path] = (
                        status.st_mode,
                        status.st_size,
                        status.st_mtime_ns,
                        status.st_ctime_ns,
                        status.st_ino,
                    )
    return found


def kind(stamp: Stamp) -> int:
    """File, folder or link."""
    return stat.S_IFMT(stamp[0])


def remove(path: Path) -> None:
    """Remove a file, link or folder with all in it, whatever its permissions."""
    if path.is_dir() and not path.is_symlink():
        path.chmod(0o700)
        for inner in path.iterdir():
            remove(inner)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
