"""The names under which `torch.profiler` shows kernels and programs in C.

    with torch.profiler.profile() as profile:
        compiled(x)
    profile.key_averages()              # has "tanh, mul, add (model.py:12)"

The text of a launch has `entry_text("run")` where it calls a function of a library. That asks
whether a profiler runs, and calls nothing to know it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch.profiler import record_function

from minits.torch_internals import IS_PROFILED

PROFILER: dict[str, Any] = {"profiler": torch.autograd.profiler}
"""Names that the text of a launch needs, beside `seen`, which `recording` makes."""


def entry_text(entry: str) -> str:
    """Return the expression of a function to call, which is recorded while a profiler runs."""
    return f"({entry} if not {IS_PROFILED} else seen({entry}))"


def recording(label: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a function that wraps others, so that the profiler shows their calls by a label."""
    return partial(_Recorded, label)


class _Recorded:
    def __init__(self, label: str, entry: Callable[..., Any]) -> None:
        self.label = label
        self.entry = entry

    def __call__(self, *arguments: Any) -> Any:
        with record_function(self.label):
            return self.entry(*arguments)
