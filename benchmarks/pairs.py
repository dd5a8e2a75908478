"""Two states of minits against each other: the fused kernels on the CPU, in pairs.

    git worktree add /tmp/before COMMIT
    python -m benchmarks pairs /tmp/before

Each state has a process of its own. Both make the same calls (`cpu.py`), in turn and never at the
same time; a round is one sample of each, in processor time, and the ratio is the median over the
rounds of the earlier state's time by that of this one: above 1, this one is faster. Where tensors
lie in memory is a process's, and changes a ratio by a tenth; so the processes are started several
times, of which the table has the median.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

HERE = "."
"""The folder of this state: the one that this runs in."""
_SAMPLE = 2e-3
"""Seconds that a sample should take; a small call is repeated until it does."""


class Sample(NamedTuple):
    """Seconds of a call in two processes, one of each state, and the ratio of the two."""

    before: float
    now: float
    ratio: float


def run(folder: str, sizes: list[str], starts: int, rounds: int, only: str | None) -> int:
    """Measure all patterns in the state in `folder` and in this one, and print the ratios.

    `sizes` are names of `cpu.SIZES`. In each of so many `starts` both processes are started anew.
    """
    from benchmarks.patterns import PATTERNS

    if not (Path(folder) / "minits").is_dir():
        raise SystemExit(f"{folder} is no checkout of minits")
    names = [each.name for each in PATTERNS if only in (None, each.name, each.function)]
    rows = [(name, size) for name in names for size in sizes]
    found: dict[tuple[str, str], list[Sample]] = {row: [] for row in rows}
    for _ in range(starts):
        with _state(folder) as before, _state(HERE) as now:
            for row in rows:
                found[row].append(_measured(before, now, row, rounds))
    print(
        f"{'pattern':26}{'size':>6}{'before, µs':>12}{'now, µs':>10}{'ratio':>8}   lowest, highest"
    )
    ratios = [_report(*row, samples) for row, samples in found.items()]
    print(f"{'geometric mean':54}{statistics.geometric_mean(ratios):8.3f}")
    return 0


def _measured(before: Connection, now: Connection, row: Any, rounds: int) -> Sample:
    """Return the medians of one call. Which state is first changes from round to round."""
    for state in (before, now):
        state.send(row)
        state.recv()
    earlier, later = [], []
    for index in range(rounds):
        first, second = (before, now) if index % 2 else (now, before)
        seconds = {first: _sample(first), second: _sample(second)}
        earlier.append(seconds[before])
        later.append(seconds[now])
    ratio = statistics.median(one / other for one, other in zip(earlier, later, strict=True))
    return Sample(statistics.median(earlier), statistics.median(later), ratio)


def _sample(state: Connection) -> float:
    state.send(None)
    seconds: float = state.recv()
    return seconds


def _report(name: str, size: str, samples: list[Sample]) -> float:
    before, now, ratio = map(statistics.median, zip(*samples, strict=True))
    ratios = [each.ratio for each in samples]
    print(
        f"{name:26}{size:>6}{before * 1e6:12.1f}{now * 1e6:10.1f}{ratio:8.3f}"
        f"   {min(ratios):.3f}, {max(ratios):.3f}"
    )
    return ratio


@contextmanager
def _state(folder: str) -> Iterator[Connection]:
    """Start a process that imports minits from a folder."""
    context = get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, folder), daemon=True)
    process.start()
    yield mine
    process.terminate()


def _serve(driver: Connection, folder: str) -> None:
    """Answer for the state in a folder: a row with True, once its call is made; None with seconds.

    `benchmarks` and `examples` are those of this state for both.
    """
    sys.path.insert(0, folder)
    call, repeats = None, 0
    while True:
        row = driver.recv()
        if row is None:
            driver.send(_seconds(call, repeats))
        else:
            call = _prepared(*row)
            fastest = min(_seconds(call, 1) for _ in range(9))
            repeats = max(1, int(_SAMPLE / max(fastest, 1e-7)))
            driver.send(True)


def _prepared(name: str, size: str) -> Callable[[], Any]:
    """Return the call of a pattern, warmed up."""
    import torch

    from benchmarks.cpu import SIZES, variants  # which imports minits
    from benchmarks.patterns import PATTERNS

    torch.set_num_threads(1)
    torch.manual_seed(0)
    pattern = next(each for each in PATTERNS if each.name == name)
    return variants(pattern, pattern.arguments(SIZES[size], {}), [])["minits"]


def _seconds(call: Any, repeats: int) -> float:
    started = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - started) / repeats
