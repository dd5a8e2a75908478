"""Errors of the command line: the one for wrong options or inputs, and exceptions as text."""

from __future__ import annotations


class UsageError(Exception):
    """Raised for a wrong command line; shown as one line, and the exit status is 2."""


def told(class_name: str, message: str) -> str:
    """Return an exception as text: `IndexError: out of range`, or its class alone."""
    return f"{class_name}: {message}" if message else class_name
