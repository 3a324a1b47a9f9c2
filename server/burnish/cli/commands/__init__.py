"""One module for each command; `run` does it and gives the exit code."""
