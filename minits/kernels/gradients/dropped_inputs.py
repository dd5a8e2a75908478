"""Large inputs of a group that are not kept for its gradients.

    y = tanh(x - noise)      the gradient's kernel reads y, as eager's does, which saves y alone

Gradients of gradients run the operators again (`unfused_gradients`), and these read x and noise.
Who keeps them for that has three tensors where eager has one. So large ones are dropped where the
operators give eager's gradients without them (`group_again`, `operator_saves`).

Gradients of gradients go on to what made a dropped input. For that the node of the group has a
further result, a *stand-in*: a tensor of as many elements as the dropped inputs of a dtype have, of
which one is in memory. The gradient of a stand-in has the gradients of these inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from minits.ir.graph import Graph, Value
from minits.kernels.gradients.group_again import run_operators
from minits.records import dataclass

LEAST_BYTES = 1 << 17
"""Smaller inputs are kept: a stand-in takes some microseconds of a training step."""


def large(values: Sequence[Any]) -> frozenset[int]:
    """Return the positions of the inputs that may be dropped."""
    return frozenset(
        index
        for index, x in enumerate(values)
        if isinstance(x, Tensor)
        and x.is_floating_point()
        and x.numel() * x.element_size() >= LEAST_BYTES
    )


@dataclass(frozen=True, slots=True)
class Dropped:
    """The inputs of a group that are dropped, and for each stand-in those that it stands for.

    `known` are values of the group's graph that are kept, and which of the kept results each is.
    """

    graph: Graph
    inputs: tuple[int, ...] = ()
    stand_ins: tuple[tuple[int, ...], ...] = ()
    known: tuple[tuple[Value, int], ...] = ()

    def again(self, results: Sequence[Tensor]) -> Callable[..., list[Tensor]]:
        """Return a function that runs the operators; dropped inputs may be of any elements.

        `results` are those that were kept.
        """
        kept = {value: results[number] for value, number in self.known}

        def unfused(*inputs: Any) -> list[Tensor]:
            found = run_operators(self.graph, inputs, kept)
            return [found[value] for value in self.graph.outputs]

        return unfused


class DroppedInputs:
    """The dropped inputs of calls of certain shapes and strides."""

    def __init__(self, dropped: Dropped, values: Sequence[Any]) -> None:
        self.dropped = dropped
        self.likes = {index: _Like(values[index]) for index in dropped.inputs}
        self._layouts = [self._layout(indices) for indices in dropped.stand_ins]

    def _layout(self, indices: Sequence[int]) -> Callable[[], Tensor]:
        """Return a function that makes the stand-in of these inputs."""
        count = sum(self.likes[index].count for index in indices)
        like = self.likes[indices[0]]
        return partial(torch.empty_strided, (count,), (0,), dtype=like.dtype, device=like.device)

    def stand_ins(self) -> list[Tensor]:
        """Return new stand-ins: nobody reads their elements."""
        return [make() for make in self._layouts]

    def inputs(self, stand_ins: Sequence[Tensor]) -> Mapping[int, Tensor]:
        """Return tensors to run the operators with, by their positions among the inputs.

        If there are `stand_ins`, they depend on these.
        """
        found = {index: like.zeros() for index, like in self.likes.items()}
        with torch.enable_grad():
            for index in chain(*self.dropped.stand_ins):
                found[index].requires_grad_()
            for index, part in self.parts(stand_ins):
                found[index] = found[index].detach() + part
        return found

    def parts(self, stand_ins: Sequence[Tensor | None]) -> Iterator[tuple[int, Tensor]]:
        """Yield the part of each input that stand-ins, or their gradients, have, with its position.

        There is none of those that are None.
        """
        for indices, stand_in in zip(self.dropped.stand_ins, stand_ins, strict=False):
            if stand_in is None:
                continue
            first = 0
            for index in indices:
                like = self.likes[index]
                yield index, stand_in.narrow(0, first, like.count).view(like.shape)
                first += like.count


class _Like:
    """The form of a tensor."""

    __slots__ = ("count", "device", "dtype", "shape", "strides")

    def __init__(self, tensor: Tensor) -> None:
        self.shape, self.strides = tensor.shape, tensor.stride()
        self.count = tensor.numel()
        self.dtype, self.device = tensor.dtype, tensor.device

    def zeros(self) -> Tensor:
        """Return zeros of this form."""
        pairs = zip(self.shape, self.strides, strict=True)
        extent = 1 + sum((size - 1) * stride for size, stride in pairs)
        memory = torch.zeros(extent, dtype=self.dtype, device=self.device)
        return memory.as_strided(self.shape, self.strides)
