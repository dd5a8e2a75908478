"""The command `python -m conformance packages`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from conformance.options import console
from conformance.packages.catalogue import FILE, Package, packages
from conformance.packages.install import CannotInstall, installed, is_index_reached
from conformance.packages.runs import Limits, run
from conformance.packages.table import Row, compare, reaching, table

FOLDER = Path.home() / ".cache" / "minits-packages"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=run_packages)
    parser.add_argument("package", nargs="*", metavar="PACKAGE", help=f"of {FILE.name}; or all")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where packages are installed")
    parser.add_argument("--quick", action="store_true", help="only those that take a minute")
    parser.add_argument("--failures", action="store_true", help="show why tests fail here alone")
    parser.add_argument("--test", default="", metavar="TEXT", help="tests with TEXT in the name")
    parser.add_argument("--limit", type=int, default=Limits().test, help="seconds for a test")
    parser.add_argument(
        "--if-reached",
        action="store_true",
        help="do nothing where the index is not reached or lacks something",
    )


def run_packages(options: argparse.Namespace) -> int:
    """Return the exit status: 1 if a test fails here alone or a package has none, 2 for misuse."""
    told = console()
    known = packages()
    unknown = [name for name in options.package if name not in known]
    if unknown:
        told.print(f"error: {FILE.name} lacks {', '.join(unknown)}", markup=False)
        return 2
    if options.if_reached and not is_index_reached():
        told.print("the package index is not reached: nothing is tested")
        return 0
    chosen = [known[name] for name in options.package] or list(known.values())
    rows = []
    for package in chosen:
        if package.quick or not options.quick:
            rows.append(_row(package, options))
            _show(rows[-1], options.failures)
    told.print(table(rows))
    missed = any(not row.tests for row in rows if not (row.trouble and options.if_reached))
    return 1 if missed or any(row.here_alone_fail for row in rows) else 0


def _row(package: Package, options: argparse.Namespace) -> Row:
    """Test one package: all tests under torch.jit, those that reach it under the patch.

    What fails here alone runs again under both, so that tests of chance are not counted.
    """
    limits = replace(Limits(), test=options.limit)
    try:
        home = installed(package, options.folder)
    except CannotInstall as error:
        return Row(package, trouble=str(error))
    for old in ("torch.txt", "minits.txt"):
        (home / old).unlink(missing_ok=True)
    torch = run(package, home, False, None, limits)
    torch = {name: outcome for name, outcome in torch.items() if options.test in name}
    here = run(package, home, True, reaching(torch), limits)
    row = compare(package, torch, here)
    if row.here_alone_fail:
        again = list(row.here_alone_fail)
        torch |= run(package, home, False, again, limits)
        here |= run(package, home, True, again, limits)
        row = compare(package, torch, here)
    return row


def _show(row: Row, failures: bool) -> None:
    told = console()
    told.print(str(row), markup=False, highlight=False, soft_wrap=True)
    for name, outcome in row.here_alone_fail.items():
        text = outcome.text if failures else ""
        told.print(f"{row.package.name}: {name}\n{text}", markup=False, soft_wrap=True)
