"""Runs the user's interpreter: the only package that starts processes."""
