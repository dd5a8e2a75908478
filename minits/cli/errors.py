"""The error of the command line: wrong options or inputs."""

from __future__ import annotations


class UsageError(Exception):
    """Raised for a wrong command line; shown as one line, and the exit status is 2."""
