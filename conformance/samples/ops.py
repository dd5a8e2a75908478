"""The command `python -m conformance ops`."""

from __future__ import annotations

import argparse

from conformance.samples.command import add_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_options(parser, "ops", "database", "schemas")
