"""What lowering gives: a kernel and where each of its inputs comes from."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import torch

from minits.ir.graph import Graph, Node
from minits.kernels.kernel import Kernel, Level


class NotFusable(Exception):
    """A group, or an operator by itself, cannot be a kernel.

    `code` is one of
    `not-elementwise`  no kernel computes such an operator
    `unknown-type`     nothing is known of a tensor's dtype and rank
    `dtype`            a dtype that kernels do not compute with, or that eager refuses
    `device`           a device without kernels
    `multi-device`     tensors on several devices
    `not-constant`     an argument that must be known, such as a dimension, is not
    `random`           the operator draws random numbers
    `reduction`        a reduction that is not over the last dimensions of the group's domain
    `view`             a view that is not an index map of the group's inputs
    `shape`            a result that has neither the group's shape nor that of its rows
    """

    def __init__(self, code: str, message: str, node: Node | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.node = node


@dataclass(frozen=True, slots=True)
class View:
    """One of torch's operators from a tensor to a view of it.

    `arguments` are those after the tensor. Calling a view applies it, under autograd too. Of an
    operator that gives a list, `item` says which of it is the view, and `count` how many there
    must be. Raises RuntimeError or IndexError where a tensor has no such view.
    """

    kind: str
    arguments: tuple[Any, ...] = ()
    item: int | None = None
    count: int | None = None

    def __call__(self, tensor: torch.Tensor) -> torch.Tensor:
        operator = getattr(torch.ops.aten, self.kind.removeprefix("aten::"))
        viewed: Any = operator(tensor, *self.arguments)
        if self.item is None:
            return viewed
        if self.count not in (None, len(viewed)):
            raise RuntimeError(f"{self.kind} gives {len(viewed)} tensors, not {self.count}")
        return viewed[self.item]

    def shape_of(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of the view of a contiguous tensor. Raises RuntimeError."""
        return _shape_of(self, shape)


@lru_cache(maxsize=4096)
def _shape_of(view: View, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(view(torch.empty(shape, device="meta")).shape)


@dataclass(frozen=True, slots=True)
class Source:
    """Where an input of a kernel comes from.

    `index` says which input of the subgraph it is; `views` are applied to it in order. What they
    give broadcasts to the domain from the right. If `row_aligned`, it broadcasts to the domain's
    leading dimensions alone (it has none for those that are reduced over).

    `ones` tells which dimensions of the viewed tensor are of size one. The kernel relies on it:
    where a call's tensor differs (`x[1:]` of two elements), the kernel does not fit.
    """

    index: int
    views: tuple[View, ...]
    level: Level
    row_aligned: bool
    ones: tuple[bool, ...]

    def view(self, tensor: torch.Tensor) -> torch.Tensor:
        """Apply the views. Raises RuntimeError where the kernel does not fit the tensor."""
        try:
            for view in self.views:
                tensor = view(tensor)
        except IndexError as fault:
            raise RuntimeError(str(fault)) from None
        if tuple([size == 1 for size in tensor.shape]) != self.ones:
            raise RuntimeError(f"a tensor of shape {tuple(tensor.shape)} broadcasts otherwise")
        return tensor


_EXTREMES = ("max", "min", "argmax", "argmin")


@dataclass(eq=False, slots=True)
class Lowered:
    """A group as a kernel.

    `sources` has one entry for each input of the kernel, `parameters` the input of the subgraph
    (a float, int or bool) for each parameter, `outputs` the kernel's output for each output of the
    subgraph. The domain has `rank` dimensions: what the viewed sources broadcast to.
    """

    kernel: Kernel
    sources: list[Source]
    parameters: list[int]
    outputs: list[int]
    graph: Graph
    rank: int
    sizes: dict[int, int] = field(default_factory=dict)
    """Sizes that dimensions of the domain must have, by the dimension counted from the last, -1."""

    def check_domain(self, shape: tuple[int, ...]) -> None:
        """Raise RuntimeError for a domain on which eager may raise."""
        has_extremes = any(value.op in _EXTREMES for value in self.kernel.values)
        if has_extremes and 0 in shape[len(shape) - self.reduced :]:
            raise RuntimeError("the greatest or least of nothing")
        for dim, size in self.sizes.items():
            if shape[dim] != size:
                raise RuntimeError(f"a size of {shape[dim]} where the program says {size}")

    @property
    def reduced(self) -> int:
        """How many of the domain's last dimensions are reduced over."""
        return self.kernel.reduced
