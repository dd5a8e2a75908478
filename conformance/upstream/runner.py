"""Running tests in worker processes, and what came of each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from conformance.pool import Send, run_tasks

REPOSITORY = Path(__file__).parent.parent.parent
TIMEOUT = 20.0
"""Seconds of the processor that one test may take, or of waiting for nothing."""


SECONDS_OF_A_FILE = 600.0
"""Seconds without a result after which a cluster's process is killed."""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one test.

    outcome: passed, failed, skipped, excluded, timeout, crashed, or unimportable (then `name` is
        that of the file).
    error: the first line of its error.
    calls: names of the functions of torch that it calls (`recording.py`), in a run that is
        recorded.
    """

    name: str
    outcome: str
    error: str = ""
    calls: tuple[str, ...] = ()


@dataclass(slots=True)
class Run:
    """One run of files of PyTorch's `test` folder."""

    root: Path
    implementation: str
    timeout: float = TIMEOUT
    jobs: int = 1
    is_recorded: bool = False
    """Whether results tell what the tests call, with torch.jit itself."""
    scheduler: str | None = None
    """The address of a Dask scheduler, whose workers then run the files; `root` is theirs, too."""


def find_files(root: Path) -> list[str]:
    """The files that hold PyTorch's TorchScript tests, relative to its `test` folder."""
    found = [root / name for name in ("test_jit.py", "test_jit_string.py")]
    found = [path for path in found if path.exists()]
    found += sorted((root / "jit").glob("test_*.py"))
    return [path.relative_to(root).as_posix() for path in found]


def run_files(run: Run, files: dict[str, list[str] | None]) -> Iterator[Result]:
    """Run the named tests of each file, or all that are in scope; yield as they end."""
    if run.scheduler is not None:
        yield from _run_on_cluster(run, files)
        return
    waiting: Queue[tuple[str, list[str] | None]] = Queue()
    for item in files.items():
        waiting.put(item)
    done: Queue[Result | BaseException | None] = Queue()
    workers = min(run.jobs, len(files))
    for _ in range(workers):
        threading.Thread(target=_serve, args=(run, waiting, done), daemon=True).start()
    while workers:
        item = done.get()
        if isinstance(item, BaseException):
            raise item
        if item is None:
            workers -= 1
        else:
            yield item


def _run_on_cluster(run: Run, files: dict[str, list[str] | None]) -> Iterator[Result]:
    tasks = list(files.items())
    work = partial(_work, run)
    for ended in run_tasks(work, tasks, 1, SECONDS_OF_A_FILE, (), run.scheduler):
        yield from ended.sent
        if ended.lost:
            file, only = ended.task
            reported = {result.name for result in ended.sent}
            yield from _not_run(only or [file], reported, "crashed", ended.lost)


def _work(run: Run, task: tuple[str, list[str] | None], send: Send) -> None:
    with _start(run) as worker:
        for result in _run_file(worker, *task):
            send(result)
        assert worker.stdin is not None
        worker.stdin.close()


def _serve(run: Run, waiting: Queue[Any], done: Queue[Any]) -> None:
    """Feed one worker, file by file."""
    try:
        with _start(run) as worker:
            while True:
                try:
                    file, only = waiting.get_nowait()
                except Empty:
                    break
                for result in _run_file(worker, file, only):
                    done.put(result)
            assert worker.stdin is not None
            worker.stdin.close()
    except BaseException as error:
        done.put(error)
    done.put(None)


def _start(run: Run) -> subprocess.Popen[str]:
    path = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH")]))
    quiet = {"TORCH_CPP_LOG_LEVEL": "ERROR", "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "conformance.upstream.worker"),
            *(str(run.root.resolve()), run.implementation, str(run.timeout)),
            *(("recorded",) if run.is_recorded else ()),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **quiet, "PYTHONPATH": path},
    )


def _run_file(worker: Any, file: str, only: list[str] | None) -> Iterator[Result]:
    worker.stdin.write(json.dumps({"file": file, "only": only}) + "\n")
    worker.stdin.flush()
    reported: set[str] = set()
    for line in worker.stdout:
        message = json.loads(line)
        if "test" in message:
            reported.add(message["test"])
            calls = tuple(message.pop("calls", ()))
            yield Result(message.pop("test"), **message, calls=calls)
        elif "import" in message:
            yield from _not_run(only or [file], reported, "unimportable", message["error"])
            reported.update(only or [file])
        else:
            ended = message["end"] or "the test is not there"
            yield from _not_run(only or [], reported, "crashed", ended)
            if only is None and message["end"]:
                yield Result(file, "unimportable", message["end"])
            return
    raise RuntimeError(f"the worker died at {file}: exit status {worker.wait()}")


def _not_run(names: list[str], reported: set[str], outcome: str, why: str) -> Iterator[Result]:
    for name in names:
        if name not in reported:
            yield Result(name, outcome, why)
