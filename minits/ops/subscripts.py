"""Subscripts of tensors by torch's binding of Python's `[]`, for operators that it stands for.

    aten::index(x, [i])           at_index(x, i)               x[i]
    aten::index(x, [None, i])     at_indices(x, (ALL, i))      x[:, i]
    aten::select(x, 0, n)         row(x, n)                    x[n]

`torch.ops.aten.index` takes 1.5 us more than the binding, and `torch.select` 0.2 us. The binding
reads a tensor without dimensions as a number, and words some errors otherwise: then the operator is
called.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor

from minits.ops.evaluate import Operation, evaluator_for
from minits.ops.registry import schemas_for

ALL = slice(None)
"""The subscript of a dimension that no tensor indexes."""


def _operator(name: str, overload: str) -> Operation:
    (schema,) = [each for each in schemas_for(name) if each.overload == overload]
    return evaluator_for(schema)


_index = _operator("aten::index", "Tensor")
_select = _operator("aten::select", "int")


def at_index(tensor: Tensor, index: Tensor) -> Any:
    """Return `aten::index(tensor, [index])`."""
    if index.ndim:
        try:
            return tensor[index]
        except IndexError:
            pass  # which the operator words
    return _index(tensor, [index])


def at_indices(tensor: Tensor, subscript: tuple[Any, ...]) -> Any:
    """Return the same for several indices, of which those that are slices are `ALL`."""
    for each in subscript:
        if type(each) is not slice and not each.ndim:
            break
    else:
        try:
            return tensor[subscript]
        except IndexError:
            pass
    return _index(tensor, [None if type(each) is slice else each for each in subscript])


def row(tensor: Tensor, index: int) -> Any:
    """Return `aten::select(tensor, 0, index)`."""
    try:
        return tensor[index]
    except IndexError:
        return _select(tensor, 0, index)
