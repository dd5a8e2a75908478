"""What is wrong with a command line or its inputs, not with the program that it names."""

from __future__ import annotations


class UsageError(Exception):
    """Raised for a wrong command line; shown as one line, and the exit status is 2."""
