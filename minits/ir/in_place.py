"""Operators in the place of ones that write: what they give lies in memory as what was written to.

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
from minits.ops.facts import NodeLike

_MARK = "in_place"


def mark(node: Node) -> None:
    """Say that a node stands in the place of one that writes to its first input."""
    node.set_attr(_MARK, "i", 1)


def is_marked(node: NodeLike) -> bool:
    return _MARK in node.attributes


def lying_as_written(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose result lies as its first argument does."""

    @wraps(function)
    def computed(written: torch.Tensor, *arguments: Any, **keywords: Any) -> torch.Tensor:
        made: torch.Tensor = function(written, *arguments, **keywords)
        if made.stride() == written.stride():
            return made
        return torch.empty_like(written).copy_(made)

    computed.__dict__["lies_as_written"] = True
    return computed


def wrapped(function: Any) -> Callable[..., Any] | None:
    """Return what `lying_as_written` was given for a function; None if it has not made it."""
    if not getattr(function, "lies_as_written", False):
        return None
    inner: Callable[..., Any] = function.__wrapped__
    return inner
