"""Errors of operators that got a device which this process does not have: the cause is told.

    RuntimeError: the code names the device cuda:0, which is not here: Torch not compiled with CUDA
    enabled

Back ends tell it in a dozen ways, some of them in 50 lines. So the texts are not read: an operator
has failed that takes an absent device from a constant of the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import torch

from minits.codegen.script_traceback import innermost
from minits.frontend.values.function import CompiledFunction
from minits.ir.graph import Graph
from minits.ir.named_devices import is_here, named_devices
from minits.ops.errors import ScriptError
from minits.source import SourceRange

_CURES = (
    "write the device of a tensor (device=x.device), or pass it in an argument",
    "minits.load(..., map_location='cpu', remap_devices=True) moves it",
)
"""Of a program, and of an archive."""


class AbsentDevices:
    """Tells of one function's errors whether an absent device is why an operator failed."""

    def __init__(self, function: CompiledFunction) -> None:
        self._function = function

    def told(self, error: Exception) -> Exception:
        """Return the error of a call, which names the absent device if that is the cause."""
        loc = innermost(error)
        device = None if loc is None else self._named.get(loc)
        if device is None or is_here(device):
            return error
        reason = str(error).strip().partition("\n")[0].partition(". ")[0]
        cure = _CURES[self._function.is_of_archive]
        told = f"the code names the device {device}, which is not here: {reason}\nhelp: {cure}"
        if not isinstance(error, RuntimeError):
            return ScriptError(told).with_traceback(error.__traceback__)
        error.args = (told,)
        return error

    @cached_property
    def _named(self) -> dict[SourceRange, torch.device]:
        """The devices that the program names, by the places of the operators that take them."""
        return {loc: device for device, loc in devices_of(self._function.graph)}


def devices_of(graph: Graph) -> Iterator[tuple[torch.device, SourceRange]]:
    """Yield the devices that a program names, with the places of the operators that take them.

    The functions that it calls, and those that it forks, are a part of it.
    """
    from minits.passes.preoptimize import inlined

    whole = inlined(graph)
    for device, node in named_devices(whole):
        if node.range is not None:
            yield device, node.range
    for node in whole.all_nodes():
        if (task := node.get("Subgraph")) is not None:
            yield from devices_of(task)
