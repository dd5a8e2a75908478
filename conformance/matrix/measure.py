"""The suite on the interpreter that runs this: `PYTHON -m conformance.matrix.measure`.

It writes one line of JSON to stdout, a `Result`, and the names of programs at fault to stderr.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import sys
import warnings

import torch

from conformance.case import Case, find_cases
from conformance.matrix.results import Result, Tally
from conformance.suite import check


def main() -> None:
    """Run the programs with each implementation, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--implementations", nargs="+", default=["minits", "torch"])
    options = parser.parse_args()
    os.environ.setdefault("MINITS_BUILD", "now")
    cases = find_cases(pattern=options.case)
    tallies = {name: _tally(cases, name, options.jobs) for name in options.implementations}
    result = Result(
        platform.python_version(),
        str(torch.__version__),
        datetime.date.today().isoformat(),
        platform.machine(),
        _warning(),
        tallies,
    )
    json.dump(result.to_data(), sys.stdout)


def _tally(cases: list[Case], name: str, jobs: int) -> Tally:
    done = 0

    def progress(case: Case) -> None:
        nonlocal done
        done += 1
        if done % 100 == 0 or done == len(cases):
            print(f"{name}: {done} of {len(cases)}", file=sys.stderr, flush=True)

    verdicts = check(cases, name, jobs=jobs, progress=progress)
    tally = Tally.of(verdicts)
    for verdict in verdicts:
        for measure in tally.wrong.get(verdict.case, ()):
            reason = verdict.reasons[measure].strip().splitlines() or [""]
            print(f"{name}: {verdict.case}: {measure}: {reason[-1]}", file=sys.stderr)
    return tally


def _double(x: int) -> int:
    return 2 * x


def _warning() -> str:
    """Return the first warning of `torch.jit.script`, or its error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            torch.jit.script(_double)
        except Exception as error:
            return f"{type(error).__name__}: {error}".partition("\n")[0]
    return str(caught[0].message).partition("\n")[0] if caught else ""


if __name__ == "__main__":
    main()
