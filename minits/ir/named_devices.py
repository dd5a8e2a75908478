"""The devices that the constants of a graph name, and how these are moved to others.

Before, of `zeros(3, device="cuda:0") + x.cuda()`, where all is moved to the CPU:
    %d : Device = prim::Constant[value="cuda:0"]()
    %z : Tensor = aten::zeros(%size, %none, %none, %d, %none)
    %y : Tensor = aten::cuda(%x)
After:
    %d : Device = prim::Constant[value="cpu"]()
    %z : Tensor = aten::zeros(%size, %none, %none, %d, %none)
    %e : Device = prim::Constant[value="cpu"]()
    %n : NoneType = prim::Constant()
    %f : bool = prim::Constant[value=0]()
    %y : Tensor = aten::to(%x, %e, %n, %f, %f)

A device that a program computes (`torch.device(name)`) or gets in an argument is none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch

from minits.ir.constants import constant_value, insert_constant
from minits.ir.graph import Graph, Node, Value
from minits.types import types as t

Moved = Callable[[torch.device], torch.device]
"""Returns the device that is to stand in place of another one."""
CUDA = torch.device("cuda")
_TO_CUDA = "aten::cuda"


def is_here(device: torch.device) -> bool:
    """Return whether this process can make tensors on a device."""
    if device.type in ("cpu", "meta"):
        return True
    if device.type == "cuda":  # which need not be initialized for the answer
        return (device.index or 0) < int(torch.cuda.device_count())
    try:
        torch.empty(0, device=device)
    except Exception:  # each back end, and each that is not built in, has an error of its own
        return False
    return True


def named_devices(
    graph: Graph, given: Mapping[int, Sequence[torch.device]]
) -> Iterator[tuple[torch.device, Node, int]]:
    """Yield each device that a constant names with each node outside tasks that takes it.

    The number is that of the node's input. By its number, an input of the graph may be given
    devices, too: those that a program names where it starts a task.
    """
    for number, devices in given.items():
        yield from _uses(devices, graph.inputs[number])
    for node in graph.all_nodes():
        if node.kind == _TO_CUDA:
            yield CUDA, node, 0
        elif node.kind == "prim::Constant" and node.outputs:
            yield from _uses(_parts(constant_value(node)), node.output)


def _uses(
    devices: Iterable[torch.device], value: Value
) -> Iterator[tuple[torch.device, Node, int]]:
    for device in devices:
        yield from ((device, *use) for use in value.uses)


def _parts(value: Any) -> Iterator[torch.device]:
    if isinstance(value, torch.device):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _parts(item)


def move_devices(graph: Graph, moved: Moved) -> None:
    """Put other devices in place of those that constants name."""
    for node in list(graph.all_nodes()):
        if node.kind == _TO_CUDA:
            _move_by_to(node, moved(CUDA))
        elif node.kind == "prim::Constant" and node.outputs:
            _move_constant(node, moved)
        elif (inner := node.get("Subgraph")) is not None:
            move_devices(inner, moved)


def moved_value(value: Any, moved: Moved) -> Any:
    """Return a device, or a tuple of devices and others, with other devices in their place."""
    if isinstance(value, torch.device):
        return moved(value)
    if isinstance(value, tuple) and any(True for _ in _parts(value)):
        items = [moved_value(item, moved) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def _move_constant(node: Node, moved: Moved) -> None:
    value = constant_value(node)
    other = moved_value(value, moved)
    if other is value:
        return
    if isinstance(other, torch.device):
        node.set_attr("value", "s", str(other))
    else:
        node.set_attr("value", "ival", other)


def _move_by_to(node: Node, device: torch.device) -> None:
    graph = node.graph
    with graph.inserting_at(node):
        given = [
            insert_constant(graph, value, loc=node.range) for value in (device, None, False, False)
        ]
        made = graph.create("aten::to", [node.inputs[0], *given], [t.TENSOR])
        made.range = node.range
        graph.insert(made)
    node.output.replace_all_uses_with(made.output)
    node.destroy()
