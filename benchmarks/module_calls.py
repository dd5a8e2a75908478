"""Time of calls of small modules, beside torch.jit: graph networks and blocks.

    python -m benchmarks modules [--rounds N] [--native now]

A call takes some ten operators on tensors of some hundred numbers: what counts is what lies between
the operators. Where there are several calls, they take turns. No gradients are recorded; the
modules are in `eval` mode. Targets: 1.1 times torch.jit's time, in the median over the modules, and
1.5 for each.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import torch

import minits
from benchmarks.beside_torch_jit import begin, measured, report
from benchmarks.small_modules import MODULES


def run(rounds: int, native: str, only: str | None, file: str | None) -> int:
    """Print the table. Return 0 if the targets are met.

    native: the value of MINITS_NATIVE
    """
    begin()
    os.environ["MINITS_NATIVE"] = native
    rows = [
        _measured(make, arguments(), rounds)
        for make, arguments in MODULES
        if only in (None, make.__name__)
    ]
    return report(rows, "module", file)


def _measured(make: Callable[[], Any], calls: list[tuple[Any, ...]], rounds: int) -> dict[str, Any]:
    torch.manual_seed(0)
    module = make().eval()
    compiled = minits.script(module)
    times = measured(module, compiled, [(call, {}) for call in calls], rounds)
    with torch.no_grad():
        plan = compiled.forward.plan_for(*calls[0])
    return {"module": make.__name__, **times, "native": plan.native is not None}
