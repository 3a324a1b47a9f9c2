"""The script that the project's interpreter is given: loads this folder as a package of its own name and runs the job.

python -X pycache_prefix=FRESH launch.py JOB.json
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys

NAME = "_burnish_runner"


def load() -> None:
    """Put the package into `sys.modules` without a path entry that could shadow the project's modules."""
    folder = os.path.dirname(os.path.abspath(__file__))
    spec = importlib.util.spec_from_file_location(
        NAME, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    if spec is None or spec.loader is None:
        raise ImportError(folder)
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)
    if sys.path and os.path.abspath(sys.path[0] or ".") == folder:
        del sys.path[0]


if __name__ == "__main__":
    load()
    importlib.import_module(NAME + ".main").main(sys.argv[1])
