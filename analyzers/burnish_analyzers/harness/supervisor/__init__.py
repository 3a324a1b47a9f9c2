"""Runs one command confined, bounded and watched: a process of its own that needs the standard library only."""
