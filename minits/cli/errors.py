"""The error for a wrong command line or wrong inputs, as opposed to a wrong program."""

from __future__ import annotations


class UsageError(Exception):
    """Raised for a wrong command line; shown as one line, and the exit status is 2."""
