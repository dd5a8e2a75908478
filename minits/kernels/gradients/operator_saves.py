"""The values of a group that its operators save for their gradients, and inputs behind them.

    t = x + y            AddBackward saves nothing
    z = sigmoid(t)       SigmoidBackward saves z
    w = z * y            MulBackward saves z and y

Who has z and y can have these operators compute gradients, without x. The operators run once with
tensors that have no memory, and their nodes are asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from minits.ir.graph import Graph, Value
from minits.kernels.gradients.eager_saves import recording, saved_tensors, without_hooks
from minits.kernels.gradients.group_again import run_operators
from minits.kernels.lowering.sizes import is_size
from minits.records import dataclass
from minits.torch_internals import storage_of


@dataclass(frozen=True, slots=True)
class OperatorSaves:
    """The values of a group that gradients by its operators read.

    `own` are the values that have memory of their own: they are no views.
    """

    read: tuple[Value, ...]
    own: frozenset[Value]

    def inputs_behind(self, known: Collection[Value]) -> set[Value]:
        """Return the group's inputs of which what gradients read is computed, but for `known`."""
        found: set[Value] = set()
        seen: set[Value] = set()
        waiting = list(self.read)
        while waiting:
            value = waiting.pop()
            if value in known or value in seen:
                continue
            seen.add(value)
            if value.node.kind == "prim::Param":
                found.add(value)
            elif not is_size(value.node):
                waiting += value.node.inputs
        return found


def operator_saves(
    graph: Graph, values: Sequence[Any], wanted: Collection[int]
) -> OperatorSaves | None:
    """Return the saves of a group's operators; None if they do not run without memory.

    `values` are inputs of a call, of which those in `wanted` require gradients.
    """
    with recording(), without_hooks():
        inputs = [
            _without_memory(value, index in wanted) if isinstance(value, Tensor) else value
            for index, value in enumerate(values)
        ]
        try:
            return _saves(graph, inputs)
        except Exception:  # each operator has its own
            return None


def _without_memory(tensor: Tensor, requires_grad: bool) -> Tensor:
    """Return a tensor of the same shape, strides and dtype that has no elements."""
    shape, strides = tensor.shape, tensor.stride()
    made = torch.empty_strided(shape, strides, dtype=tensor.dtype, device="meta")
    return made.requires_grad_(requires_grad)


def _saves(graph: Graph, inputs: Sequence[Any]) -> OperatorSaves:
    computed = run_operators(graph, inputs)
    by_storage: dict[int, list[Value]] = {}
    own: set[Value] = set()
    read: dict[Value, None] = {}
    nodes: set[Any] = set()
    for value, result in computed.items():
        if not isinstance(result, Tensor):
            continue
        sharing = by_storage.setdefault(storage_of(result), [])
        if not sharing:
            own.add(value)
        sharing.append(value)
        for saved in _saved_by(_new_nodes(result.grad_fn, nodes)):
            known = by_storage.get(storage_of(saved))
            read.update(dict.fromkeys(known or value.node.inputs))
    return OperatorSaves(tuple(read), frozenset(own))


def _new_nodes(last: Any, known: set[Any]) -> list[Any]:
    """Return the nodes of autograd behind one that are not `known` yet, and make them known."""
    found = []
    waiting = [last]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in known:
            known.add(node)
            found.append(node)
            waiting += [following for following, _ in node.next_functions]
    return found


def _saved_by(nodes: Iterable[Any]) -> list[Tensor]:
    return [tensor for node in nodes for tensor in saved_tensors(node)]
