"""Subscripts of tensors as Python's: `x[1:3, :n]` for one slice of each dimension, `x[:, i]`.

Torch's binding of a subscript makes all views in one call, and takes a third of the time of
`torch.ops.aten.slice.Tensor`, which is no binding of its own. Subscripts by tensors and numbers go
to it through `minits/ops/subscripts.py`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minits import torch_internals as internals
from minits.codegen.expressions import LOAD, call
from minits.codegen.uses import resolve
from minits.ir.constants import to_python
from minits.ir.graph import Value
from minits.ir.in_place import is_marked
from minits.ops.subscripts import ALL, at_index, at_indices, row
from minits.types import types as t
from minits.types.int64 import MAX_INT

if TYPE_CHECKING:
    from minits.codegen.templates import Site

_MOST_DIMS = 16


def slice_of_tensor(s: Site) -> ast.expr | None:
    """Return `x[:, start:end:step]`; None where a dimension or step is not known, or wrong."""
    dim, step = s.constant(1), s.constant(4)
    if not (_is_int(dim) and 0 <= dim < _MOST_DIMS and _is_int(step) and step > 0):
        return None
    tensor, items = _sliced(s, dim)
    items += [ast.Slice(None, None, None, **s.location) for _ in range(len(items), dim)]
    start, end = s.constant(2), s.constant(3)
    items.append(
        ast.Slice(
            None if start is None or start == 0 else s.tree(2),
            None if end is None or end == MAX_INT else s.tree(3),
            None if step == 1 else s.tree(4),
            **s.location,
        )
    )
    index = items[0] if len(items) == 1 else ast.Tuple(items, LOAD, **s.location)
    return ast.Subscript(tensor, index, LOAD, **s.location)


def _sliced(s: Site, dim: int) -> tuple[ast.expr, list[ast.expr]]:
    """Return the tensor that `s` is a slice of, and slices of its dimensions before `dim`.

    The slices are those of the operand, if it is a subscript of the same line. Their bounds are
    evaluated first, as those of `s` come behind them.
    """
    inner = resolve(s.node.inputs[0]).node
    tree = s.tree(0)
    if not (isinstance(tree, ast.Subscript) and inner.callstack == s.node.callstack):
        return tree, []
    is_slices = inner.kind == "aten::slice" and tree.lineno == s.location["lineno"]
    items = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
    return (tree.value, list(items)) if is_slices and len(items) <= dim else (tree, [])


def index_of_tensor(s: Site) -> ast.expr | None:
    """Return `x[:, i]` by tensors; None where the indices are not written in place, or optional."""
    made = resolve(s.node.inputs[1]).node
    tree = s.tree(1)
    if made.kind != "prim::ListConstruct" or not isinstance(tree, ast.List) or is_marked(s.node):
        return None
    indices = [resolve(value) for value in made.inputs]
    if not (any(map(_is_tensor, indices)) and all(map(_is_index, indices))):
        return None
    if len(indices) == 1:
        return call(s.name(at_index, "at_index"), [s.tree(0), tree.elts[0]], s.location)
    items = [
        each if _is_tensor(value) else s.name(ALL, "all")
        for value, each in zip(indices, tree.elts, strict=True)
    ]
    subscript = ast.Tuple(items, LOAD, **s.location)
    return call(s.name(at_indices, "at_indices"), [s.tree(0), subscript], s.location)


def _is_tensor(value: Value) -> bool:
    return value.type == t.TENSOR


def _is_index(value: Value) -> bool:
    """Return whether a value is a tensor, or the constant None."""
    return _is_tensor(value) or (value.type == t.NONE and value.node.kind == "prim::Constant")


def row_of_tensor(s: Site) -> ast.expr | None:
    """Return `x[n]`; None for a row of another dimension than the first."""
    dim = s.constant(1)
    if not (_is_int(dim) and dim == 0):
        return None
    return call(s.name(row, "row"), [s.tree(0), s.tree(2)], s.location)


def fill_of_tensor(s: Site) -> ast.expr | None:
    """Return `fill_(view, number)` for `x[:, 0] = number`, which IR writes as a copy of a tensor.

        %n : Tensor = aten::tensor(%number, dtype of %view, device of %view, False)
        %r : Tensor = aten::copy_(%view, %n, False)

    None unless the number is the same in all dtypes, and the tensor has no other use.
    """
    view, made = resolve(s.node.inputs[0]), resolve(s.node.inputs[1]).node
    if made.kind != "aten::tensor" or not isinstance(s.tree(1), ast.Call) or is_marked(s.node):
        return None
    number, dtype, device, requires_grad = map(resolve, made.inputs)
    content = to_python(number)
    is_of_view = _asks("prim::dtype", dtype, view) and _asks("prim::device", device, view)
    if not (is_of_view and _is_small(content) and to_python(requires_grad) is False):
        return None
    fill = s.name(internals.FUNCTIONS.fill_, "torch_fill_")
    return call(fill, [s.tree(0), ast.Constant(content, **s.location)], s.location)


def _asks(kind: str, value: Value, tensor: Value) -> bool:
    node = value.node
    return node.kind == kind and resolve(node.inputs[0]) is tensor


def _is_small(number: Any) -> bool:
    """Return whether a number is an integer that tensors of all dtypes can hold, but bools."""
    return isinstance(number, (bool, int, float)) and 0 <= number <= 127 and number == int(number)


def _is_int(value: Any) -> bool:
    return type(value) is int
