"""What is wrong with a command line or its inputs, not with the program that it names."""

from __future__ import annotations


class UsageError(Exception):
    """Told to the user as one line; the exit status is 2."""
