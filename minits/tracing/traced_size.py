"""Shapes in a trace: tuples whose items are tensors without dimensions, or ints.

    x.shape[:-1] + (n,)                   keeps the sizes of x
    torch.Size([x.size(0), 3])            as well, while a trace runs
    torch.Size(x.shape).numel()           records the product

`torch.Size` is a class of C, which holds ints alone. While a trace runs, the name has a class of
this file, whose calls give shapes of the trace in the thread that traces.

Source: torch/csrc/Size.cpp, whose `torch.Size` holds tensors while torch's tracer runs.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from typing import Any
from unittest.mock import patch

import torch

from minits.tracing_state import active_recorder

_SIZE = torch.Size


class TracedSize(tuple[Any, ...]):
    """The shape of a traced tensor: each size is a tensor without dimensions, or an int.

    `torch.Size` takes no tensors, so this is only said to be one.
    """

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return _SIZE

    def numel(self) -> Any:
        """Return the product of the sizes, which is recorded."""
        return reduce(operator.mul, self) if self else 1

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return TracedSize(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> TracedSize:
        return TracedSize(super().__add__(tuple(other)))

    def __radd__(self, other: Any) -> TracedSize:
        return TracedSize((*other, *self))

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"


class _SizeType(type):
    """The class of `torch.Size` in a trace: its calls make shapes, its objects are torch's, too."""

    def __call__(cls, *args: Any) -> Any:
        return TracedSize(*args) if active_recorder() is not None else _SIZE(*args)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _SIZE)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _SIZE)


class Size(tuple[Any, ...], metaclass=_SizeType):
    """The class that stands for `torch.Size` while a trace runs."""


@contextmanager
def traced_sizes() -> Iterator[None]:
    """Let `torch.Size` make shapes of the trace meanwhile."""
    with patch.object(torch, "Size", Size):
        yield
