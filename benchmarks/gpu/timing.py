"""Time on a GPU, and a stand-in of it on the CPU that shows whether the commands run."""

from __future__ import annotations

import signal
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

Call = Callable[[], Any]
_SAMPLE = 2e-3
"""Seconds that a sample should take."""


@dataclass(frozen=True)
class Machine:
    """The device of the calls: `device` is `cuda`, or `cpu` where everything is only tried out.

    `large`, `small` and `checked` are numbers of elements, `copied` is a number of bytes.
    """

    device: str
    large: int
    small: int
    checked: tuple[int, ...]
    copied: int

    @property
    def is_gpu(self) -> bool:
        return self.device == "cuda"

    @property
    def name(self) -> str:
        return torch.cuda.get_device_name() if self.is_gpu else "dry run on the CPU"

    def wait(self) -> None:
        """Wait until the device has done its work."""
        if self.is_gpu:
            torch.cuda.synchronize()

    def free(self) -> None:
        """Give unused memory back, so that each pattern begins with all of it."""
        if self.is_gpu:
            torch.cuda.empty_cache()

    def device_seconds(self, call: Call, repeats: int) -> float:
        """Return the time between two events around some calls, by the number of calls."""
        if not self.is_gpu:
            return self.call_seconds(call, repeats)
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(repeats):
            call()
        end.record()
        end.synchronize()
        return float(start.elapsed_time(end)) / 1e3 / repeats

    def call_seconds(self, call: Call, repeats: int) -> float:
        """Return the time by the clock of one call, the device's work being hidden behind it."""
        self.wait()
        started = time.perf_counter()
        for _ in range(repeats):
            call()
        taken = time.perf_counter() - started
        self.wait()
        return taken / repeats

    def copy_bandwidth(self, rounds: int) -> float:
        """Return the bytes that a large copy reads and writes in a second."""
        source = torch.ones(self.copied // 4, device=self.device)
        target = torch.empty_like(source)
        found = measure({"copy": lambda: target.copy_(source)}, rounds, self.device_seconds)
        return 2 * self.copied / found["copy"]


GPU = Machine("cuda", large=1 << 26, small=1 << 10, checked=(1 << 12, 1 << 18), copied=1 << 30)
"""Large: 128 MiB a tensor in half precision, where L2 caches have about 50."""
DRY = Machine("cpu", large=1 << 13, small=1 << 12, checked=(1 << 12,), copied=1 << 20)


def measure(
    calls: dict[str, Call], rounds: int, seconds: Callable[[Call, int], float]
) -> dict[str, float]:
    """Return the median time of each call; a round has one sample of each."""
    repeats = {
        name: min(500, max(1, int(_SAMPLE / max(seconds(call, 2), 1e-7))))
        for name, call in calls.items()
    }
    samples: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            samples[name].append(seconds(call, repeats[name]))
    return {name: statistics.median(own) for name, own in samples.items()}


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in what takes longer. For the main thread of a Unix process."""

    def stop(number: int, frame: Any) -> None:
        raise TimeoutError(f"took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
