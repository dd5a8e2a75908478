"""Programs of one module each: the samples of torch's database of modules, traced.

Each module is traced in training and in evaluation, with its inputs by position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

from conformance.fusion.database import torch_database
from conformance.tracing.operators import Program

MOST_SAMPLES = 3


def programs(wanted: list[str], n: int = MOST_SAMPLES) -> Iterator[tuple[str, list[Program]]]:
    """Yield each module's name with its programs."""
    torch_database()  # which makes torch's tests importable
    from torch.testing._internal.common_modules import module_db

    for info in module_db:
        name = info.module_cls.__name__
        if not wanted or name in wanted:
            yield name, list(_programs_of(info, n))


def _programs_of(info: Any, n: int) -> Iterator[Program]:
    for training in (True, False):
        torch.manual_seed(0)
        try:
            samples = info.module_inputs_func(
                info, device="cpu", dtype=torch.float32, requires_grad=False, training=training
            )[:n]
        except Exception:  # the sample's own code fails on this machine
            continue
        for number, sample in enumerate(samples):
            given = sample.forward_input
            if given is not None and not given.kwargs:
                name = f"{info.module_cls.__name__} {'train' if training else 'eval'} {number}"
                make = _maker(info.module_cls, sample.constructor_input, training)
                yield Program(name, make, tuple(given.args))


def _maker(cls: Any, arguments: Any, training: bool) -> Callable[[], nn.Module]:
    def make() -> nn.Module:
        torch.manual_seed(0)
        module: nn.Module = cls(*arguments.args, **arguments.kwargs)
        return module.train(training)

    return make
