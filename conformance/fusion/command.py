"""`python -m conformance fusion`: which of torch's operators fuse, as lines or as the page."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile

from conformance.fusion.database import operators
from conformance.fusion.page import MOST_SAMPLES, PAGE, fuses, line, lines_of, render
from conformance.fusion.sweep import DTYPES, Row, sweep
from conformance.fuzz.search import CHEAP_FLAGS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.set_defaults(command=run)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these operators")
    parser.add_argument("--write", action="store_true", help="write docs/operators.md")
    parser.add_argument("--classify", action="store_true", help="compare no results")
    parser.add_argument("-n", type=int, default=MOST_SAMPLES, metavar="N", help="samples of each")
    parser.add_argument("--dtypes", nargs="+", choices=DTYPES, default=list(DTYPES))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")


def run(options: argparse.Namespace) -> int:
    """Return 1 if a result is not eager's, else 0."""
    os.environ.setdefault("MINITS_CFLAGS", CHEAP_FLAGS)
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
    known = {operator.name: operator for operator in operators()}
    lines = lines_of(PAGE.read_text("utf-8")) if PAGE.exists() else {}
    fused = count = faults = 0
    with tempfile.TemporaryDirectory(prefix="minits-fusion-") as folder:
        tasks = (options.names, options.dtypes, options.n, options.jobs, folder)
        for name, row in sweep(*tasks, compares=not options.classify):
            lines.pop(name, None)
            text = line(known[name], row)
            if text is not None:
                lines[name] = text
                count, fused = count + 1, fused + fuses(text)
            faults += _show(name, text, row)
    if options.write:
        PAGE.write_text(render(lines, known.values()), "utf-8")
    print(f"{fused} of {count} operators fuse, {faults} faults")
    return 1 if faults or not count else 0


def _show(name: str, text: str | None, row: Row) -> int:
    """Print the findings on an operator; return the number of results that are not eager's."""
    found = [fault for each in row.values() for fault in each.faults]
    sys.stdout.write(text or f"{name}: no program\n")
    sys.stdout.write("".join([f"FAULT {fault}\n" for fault in found]))
    sys.stdout.flush()
    return len(found)
