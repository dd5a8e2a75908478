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
from minits.ir.graph import Graph, Node
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
        named = () if loc is None else self._named.get(loc, ())
        device = next((each for each in named if not is_here(each)), None)
        if device is None:
            return error
        reason = str(error).strip().partition("\n")[0].partition(". ")[0]
        cure = _CURES[self._function.is_of_archive]
        told = f"the code names the device {device}, which is not here: {reason}\nhelp: {cure}"
        if not isinstance(error, RuntimeError):
            return ScriptError(told).with_traceback(error.__traceback__)
        error.args = (told,)
        return error

    @cached_property
    def _named(self) -> dict[SourceRange, list[torch.device]]:
        """The devices that the program names, by the places of the operators that take them."""
        found: dict[SourceRange, list[torch.device]] = {}
        for device, loc in devices_of(self._function.graph):
            found.setdefault(loc, []).append(device)
        return found


Given = dict[int, list[torch.device]]
"""Devices that a task is given, by the number of its input."""


def devices_of(
    graph: Graph, given: Given | None = None
) -> Iterator[tuple[torch.device, SourceRange]]:
    """Yield the devices that a program names, with the places of the operators that take them.

    The functions that it calls, and those that it forks, are a part of it.
    """
    from minits.passes.preoptimize import inlined

    whole = inlined(graph)
    tasks: dict[Node, Given] = {
        node: {} for node in whole.all_nodes() if node.get("Subgraph") is not None
    }
    for device, node, index in named_devices(whole, given or {}):
        if node in tasks:
            tasks[node].setdefault(index, []).append(device)
        elif node.range is not None:
            yield device, node.range
    for node, devices in tasks.items():
        yield from devices_of(node["Subgraph"], devices)
