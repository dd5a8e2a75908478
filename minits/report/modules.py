"""The tree of a module: parameters and buffers with their shapes, and the time of each part.

Times are those of the module as plain Python, on a copy, so that nothing that it keeps changes. The
time of a module has that of the modules in it.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn

from minits.report.model import ModuleEntry

RUNS = 5


def module_tree(
    module: nn.Module, inputs: tuple[Sequence[Any], Mapping[str, Any]] | None
) -> list[ModuleEntry]:
    """Return a line for each module, with times if there are inputs for `forward`.

    Raises what the module raises.
    """
    entries = [
        ModuleEntry(path, _class_name(part), path.count(".") + bool(path), _tensors(part))
        for path, part in module.named_modules(remove_duplicate=False)
    ]
    if inputs is not None:
        seconds = _seconds(module, inputs)
        whole = seconds.get("", 0.0)
        for entry in entries:
            if entry.path in seconds:
                entry.milliseconds = seconds[entry.path] * 1000
                entry.share = seconds[entry.path] / whole if whole else None
    return entries


def _class_name(module: nn.Module) -> str:
    name = getattr(module, "original_name", None)
    return name if isinstance(name, str) else type(module).__name__


def _tensors(module: nn.Module) -> list[str]:
    parameters = [
        _tensor(name, value, "") for name, value in module.named_parameters(recurse=False)
    ]
    buffers = [
        _tensor(name, value, " buffer") for name, value in module.named_buffers(recurse=False)
    ]
    return parameters + buffers


def _tensor(name: str, value: torch.Tensor, role: str) -> str:
    dtype = str(value.dtype).removeprefix("torch.")
    return f"{name}: {dtype}[{', '.join(map(str, value.shape))}]{role}"


def _seconds(
    module: nn.Module, inputs: tuple[Sequence[Any], Mapping[str, Any]]
) -> dict[str, float]:
    """Return the least time, of a few calls, that each module took; of all its calls in one."""
    timed = copy.deepcopy(module)
    paths = {part: path for path, part in timed.named_modules()}
    begun: list[float] = []
    spent: dict[str, float] = {}

    def before(part: nn.Module, given: Any) -> None:
        begun.append(time.perf_counter())

    def after(part: nn.Module, given: Any, result: Any) -> None:
        seconds = time.perf_counter() - begun.pop()
        spent[paths[part]] = spent.get(paths[part], 0.0) + seconds

    for part in paths:
        part.register_forward_pre_hook(before)
        part.register_forward_hook(after)
    least: dict[str, float] = {}
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        for _ in range(RUNS):
            spent.clear()
            args, kwargs = copy.deepcopy(inputs)
            timed(*args, **kwargs)
            for path, seconds in spent.items():
                least[path] = min(seconds, least.get(path, seconds))
    return least
