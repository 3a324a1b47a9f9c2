"""The part of Burnish that runs inside the project's interpreter: standard library only, Python 3.9 or newer.

It is handed over as files (`launch.py`), never installed, and imports nothing of Burnish outside this folder.
"""
