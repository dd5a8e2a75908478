"""The process that runs tests: `python -m conformance.upstream.worker ROOT IMPL TIMEOUT`.

Each line of its input is `{"file": …, "only": [names] or null}`. It imports torch once; a file is
imported in a fork, and each of its tests runs in a fork of that. Each line of the output is
`{"test": name, "outcome": …, "error": …}`, or `{"file": …, "end": …}` after a file's last test.
IMPL is torch, minits, a `module:Class` with `install`, or none: then nothing stands in the place of
torch.jit.
With a fourth argument, "recorded", for torch alone, the line has `"calls"` (`recording.py`), too.
Outcomes: passed, failed, skipped, timeout, crashed.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance import implementations
from conformance.upstream import stand_ins
from conformance.upstream.adapter import missing
from conformance.upstream.forks import Message, Send, fork
from conformance.upstream.recording import recording

IMPORT_SECONDS = 240.0
RECORDED_SLOWER = 2
"""How many times the time limit a test gets while it is recorded what it calls."""


def main() -> None:
    """Serve until the input ends."""
    root, implementation, timeout = sys.argv[1], sys.argv[2], float(sys.argv[3])
    is_recorded = sys.argv[4:] == ["recorded"]
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    _prepare(implementation)
    sys.path.insert(0, root)
    os.chdir(root)
    for line in sys.stdin:
        request = json.loads(line)
        for message in _run_file(request, timeout, is_recorded):
            replies.write(json.dumps(message) + "\n")


def _prepare(implementation: str) -> None:
    """Import the modules that all files need, before any fork."""
    stand_ins.install()
    import torch
    from torch.testing._internal import jit_utils  # noqa: F401

    torch.set_num_threads(1)
    if implementation == "none":
        from conformance.upstream.adapter.install import remove

        remove()
    else:
        implementations.implementation(implementation).install()


def _run_file(request: Message, timeout: float, is_recorded: bool) -> Iterator[Message]:
    def work(send: Send) -> None:
        _file_process(request, timeout, is_recorded, send)

    for message in fork(work, IMPORT_SECONDS + timeout):
        if "end" in message:
            yield {"file": request["file"], **message}
        else:
            yield message


def _file_process(request: Message, timeout: float, is_recorded: bool, send: Send) -> None:
    file, only = request["file"], request["only"]
    try:
        with missing.importing():
            module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
    except BaseException as error:
        send({"import": file, "error": first_line(error)})
        return
    for owner, method in tests_of(module):
        name = f"{file}::{owner.__name__}::{method}"
        if only is None or name in only:
            send({"test": name, **_run_test(owner, method, timeout, is_recorded)})


def tests_of(module: Any) -> Iterator[tuple[type[unittest.TestCase], str]]:
    """The test classes that a module defines itself, with the names of their tests."""
    for owner in vars(module).copy().values():
        if not (inspect.isclass(owner) and issubclass(owner, unittest.TestCase)):
            continue
        if owner.__module__ == module.__name__:
            for method in unittest.defaultTestLoader.getTestCaseNames(owner):
                yield owner, method


def _run_test(
    owner: type[unittest.TestCase], method: str, timeout: float, is_recorded: bool
) -> Message:
    """Run one test in a fork; say how it went, and if it is recorded, what it calls of torch."""

    def work(send: Send) -> None:
        if not is_recorded:
            send(outcome_of(owner(method)))
            return
        with recording(Path.cwd()) as calls:
            outcome = outcome_of(owner(method))
        send({**outcome, "calls": sorted(calls)})

    *sent, last = fork(work, timeout, limit=timeout * (RECORDED_SLOWER if is_recorded else 1))
    if sent:
        return sent[0]
    outcome = "timeout" if last["end"] == "timeout" else "crashed"
    text = "no end within the time limit" if outcome == "timeout" else last["end"]
    return {"outcome": outcome, "error": text}


def outcome_of(test: unittest.TestCase) -> Message:
    """Run a test in this process, with its class's fixtures."""
    result = _Result()
    unittest.TestSuite([test]).run(result)
    if missing.missed:
        return {"outcome": "failed", "error": f"MissingFeature: {missing.missed[0]}"}
    if result.caught:
        error = result.caught[0]
        return {"outcome": "failed", "error": first_line(error)}
    if result.skipped:
        return {"outcome": "skipped", "error": str(result.skipped[0][1])[:200]}
    if result.expectedFailures or not result.testsRun:
        return {"outcome": "skipped", "error": "expected to fail"}
    if result.unexpectedSuccesses:
        return {"outcome": "failed", "error": "expected to fail, but passed"}
    return {"outcome": "passed", "error": ""}


class _Result(unittest.TestResult):
    """Keeps the exceptions themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.caught: list[BaseException] = []

    def addError(self, test: Any, err: Any) -> None:
        self.caught.append(err[1])

    def addFailure(self, test: Any, err: Any) -> None:
        self.caught.append(err[1])

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        if err is not None:
            self.caught.append(err[1])


def first_line(error: BaseException) -> str:
    """`Type: message`, as far as one line goes."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300].rstrip()


if __name__ == "__main__":
    main()
