"""Burnish: refine the Python function under the cursor, and prove that it still does the same."""

__version__ = "0.1.0"
