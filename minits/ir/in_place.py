"""Functional replacements of in-place operators, whose results keep the old strides.

    v = a.t() * 2               strides (1, n)
    v.masked_fill_(m, 0.0)      strides (1, n) still, where masked_fill gives (n, 1)

`remove_mutation` marks the nodes that it puts in the place of others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch

from minits.ir.graph import Node
from minits.ops.properties import NodeLike

_MARK = "in_place"


def is_in_place(kind: str) -> bool:
    """Return whether operators of this kind write to their first input, as `aten::add_`."""
    return kind.endswith("_") and not kind.endswith("__")


def mark(node: Node) -> None:
    """Mark a node as the functional replacement of one that writes to its first input."""
    node.set_attr(_MARK, "i", 1)


def is_marked(node: NodeLike) -> bool:
    return _MARK in node.attributes


def lying_as_written(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose result has the strides of its first argument.

    Where only strides of dimensions of size one differ, the result is a view of the original one:
    an operator that saves its result for the gradient then saves this tensor, as an in-place one
    does, and not one that it is copied from.
    """

    @wraps(function)
    def computed(written: torch.Tensor, *arguments: Any, **keywords: Any) -> torch.Tensor:
        made: torch.Tensor = function(written, *arguments, **keywords)
        if made.stride() == written.stride():
            return made
        if _only_ones_differ(made, written):
            return made.as_strided(made.shape, written.stride())
        return torch.empty_like(written).copy_(made)

    computed.__dict__["lies_as_written"] = True
    return computed


def _only_ones_differ(made: torch.Tensor, written: torch.Tensor) -> bool:
    """Return whether two tensors lie alike but for strides along which there is one element."""
    strides = zip(made.shape, made.stride(), written.stride(), strict=True)
    return made.shape == written.shape and all(
        size == 1 or mine == theirs for size, mine, theirs in strides
    )


def wrapped(function: Any) -> Callable[..., Any] | None:
    """Return the function that `lying_as_written` wrapped; None for one that it did not return."""
    if not getattr(function, "lies_as_written", False):
        return None
    inner: Callable[..., Any] = function.__wrapped__
    return inner
