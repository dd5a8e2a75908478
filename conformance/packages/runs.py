"""Runs tests of a package in processes of their own, under torch.jit or minits' patch."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from conformance.packages import recorder
from conformance.packages.catalogue import Package

OWN_TESTS = Path(__file__).with_name("own_tests")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a test ended."""

    passed: bool
    skipped: bool
    uses: int
    """How often it compiled, traced or called a compiled program, where that was watched."""
    text: str


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for one test, and for one of a package's files or folders of tests."""

    test: int = 120
    path: int = 1800


def run(
    package: Package, home: Path, patched: bool, only: list[str] | None, limits: Limits
) -> dict[str, Outcome]:
    """Run all tests or those named `only`, under the patch in an empty cache; return their ends."""
    outcomes: dict[str, Outcome] = {}
    if package.conftest:
        (home / "source/conftest.py").write_text(package.conftest, "utf-8")
    with TemporaryDirectory(dir=home, prefix="run-") as scratch:
        for path in (*package.tests, *(str(OWN_TESTS / name) for name in package.own_tests)):
            outcomes |= _run_path(package, home, Path(scratch), path, patched, only, limits)
    return outcomes


def _run_path(
    package: Package,
    home: Path,
    scratch: Path,
    path: str,
    patched: bool,
    only: list[str] | None,
    limits: Limits,
) -> dict[str, Outcome]:
    """Run one file or folder of tests, and after a death of the process the rest of them."""
    outcomes: dict[str, Outcome] = {}
    log, order_file = scratch / "log", scratch / "order.json"
    while True:
        order: recorder.Order = {
            "log": str(log),
            "limit": limits.test,
            "watches": not patched,
            "only": only,
            "parts": list(package.only),
            "leave_out": list(package.leave_out),
            "done": list(outcomes),
        }
        order_file.write_text(json.dumps(order), "utf-8")
        log.write_text("", "utf-8")
        in_time = _process(package, home, scratch, path, patched, order_file, limits.path)
        died = _read(log, outcomes)
        if died is not None:
            outcomes[died] = Outcome(False, False, 1, "the process died or ran out of time")
        if died is None or not in_time:
            return outcomes


def _process(
    package: Package,
    home: Path,
    scratch: Path,
    path: str,
    patched: bool,
    order: Path,
    seconds: int,
) -> bool:
    """Run pytest; return whether it ended in time."""
    (scratch / "pytest.ini").write_text("[pytest]\n", "utf-8")
    runner = ["-m", "minits.patched", "-m", "pytest"] if patched else ["-m", "pytest"]
    command = [str(home / "environment/bin/python"), *runner]
    command += ["-q", "-p", "conformance.packages.recorder", "-p", "no:cacheprovider"]
    command += ["-c", str(scratch / "pytest.ini"), "--rootdir", str(home / "source")]
    command += ["--continue-on-collection-errors", "--basetemp", str(scratch / "temporary"), path]
    environment = {name: value for name, value in os.environ.items() if name != "MINITS_BUILD"}
    environment |= {
        recorder.VARIABLE: str(order),
        "MINITS_CACHE": str(scratch / "cache"),
        "OMP_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        **package.environment,
    }
    output = home / f"{'minits' if patched else 'torch'}.txt"
    with output.open("a", encoding="utf-8") as file:
        process = subprocess.Popen(
            command,
            cwd=home / "source",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return False
    return True


def _read(log: Path, outcomes: dict[str, Outcome]) -> str | None:
    """Add the outcomes that a process has written; return the test that it died of, or None."""
    started: str | None = None
    for line in log.read_text("utf-8").splitlines():
        told = json.loads(line)
        started = told["test"]
        if "outcome" in told:
            outcome = told["outcome"]
            outcomes[told["test"]] = Outcome(
                outcome == "passed", outcome == "skipped", told["uses"], told["text"]
            )
            started = None
    return started
