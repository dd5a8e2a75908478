"""The cost of a kernel's launch: the call of a group that has one, less that of a function.

A launch allocates the result and starts the kernel; it is what stays of a call when a plan has been
found. The tensors are so small that the kernel itself takes no time.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

import minits
from minits.kernels.fused_kernel import FusedKernel
from minits.kernels.lowering import lower
from minits.passes.pipeline import run_pipeline
from minits.types.tensor_meta import meta_of

MOST_MICROSECONDS = 2.5
_CALLS = 5_000


def scaled_tanh(x: Tensor, y: Tensor) -> Tensor:
    return torch.tanh(x * y) + x


def launch_of(program: Callable[..., Tensor], arguments: Sequence[Any]) -> Callable[..., Tensor]:
    """Return the launch of a program that is one group, bound to tensors like these."""
    graph = minits.script(program).inlined_graph
    run_pipeline(graph, "optimize")
    metas = [meta_of(value) if isinstance(value, Tensor) else None for value in arguments]
    return FusedKernel(lower(graph, metas)).bind(arguments, single=True)


def launch_seconds(device: str = "cpu", rounds: int = 7) -> float:
    """Return the median over the rounds of a launch's time, less that of an empty function."""
    x, y = torch.randn(2, 4, 4, device=device).unbind(0)
    launch = launch_of(scaled_tanh, [x, y])

    def empty(x: Tensor, y: Tensor) -> Tensor:
        return x

    launch(x, y)
    return statistics.median(
        _seconds(launch, x, y) - _seconds(empty, x, y) for _ in range(max(1, rounds))
    )


def _seconds(function: Callable[[Tensor, Tensor], Tensor], x: Tensor, y: Tensor) -> float:
    """Return the seconds of one call."""
    if x.is_cuda:
        torch.cuda.synchronize()
    started = time.perf_counter()
    for _ in range(_CALLS):
        function(x, y)
    return (time.perf_counter() - started) / _CALLS
