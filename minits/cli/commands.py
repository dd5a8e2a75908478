"""The command `inspect`."""

from __future__ import annotations

import argparse

from minits.cli.errors import UsageError


def run_inspect(options: argparse.Namespace) -> int:
    """Print what is in an archive; the status is 1 if `minits.load` would refuse it.

    Raises `UsageError` where there is no file.
    """
    from minits.archive.inspecting.inspector import inspect_archive
    from minits.cli.inspection import print_inspection, print_json

    try:
        found = inspect_archive(options.file, module=options.module)
    except OSError as problem:
        raise UsageError(f"cannot read {options.file}: {problem.strerror}") from None
    if options.json:
        print_json(found, options.code)
    else:
        print_inspection(found, options.code)
    return 1 if found.is_refused else 0
