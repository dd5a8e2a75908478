"""Slices of tensors as Python's subscripts: `x[1:3, :n]` for one slice of each dimension.

Torch's binding of a subscript makes all views in one call, and takes a third of the time of
`torch.ops.aten.slice.Tensor`, which is no binding of its own.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from minits.codegen.expressions import LOAD, Location
from minits.codegen.uses import resolve
from minits.ir.graph import Node
from minits.types.int64 import MAX_INT

if TYPE_CHECKING:
    from minits.codegen.templates import Site

_MOST_DIMS = 16


def slice_of_tensor(s: Site) -> ast.expr | None:
    """Return `x[:, start:end:step]`; None where a dimension or step is not known, or wrong."""
    dim, step = s.constant(1), s.constant(4)
    if not (_is_int(dim) and 0 <= dim < _MOST_DIMS and _is_int(step) and step > 0):
        return None
    tensor, items = _sliced(s)
    items += [_whole(s.location) for _ in range(len(items), dim + 1)]
    if not _is_whole(items[dim]):
        tensor, items = s.tree(0), [_whole(s.location) for _ in range(dim + 1)]
    start, end = s.constant(2), s.constant(3)
    items[dim] = ast.Slice(
        None if start is None or _is_literal(start, 0) else s.tree(2),
        None if end is None or _is_literal(end, MAX_INT) else s.tree(3),
        None if step == 1 else s.tree(4),
        **s.location,
    )
    index = items[0] if len(items) == 1 else ast.Tuple(items, LOAD, **s.location)
    return ast.Subscript(tensor, index, LOAD, **s.location)


def _sliced(s: Site) -> tuple[ast.expr, list[ast.expr]]:
    """Return the tensor and the slices of the operand, if that is a subscript of the same line.

    Its bounds are evaluated before those of `s`, whose slice is of a later dimension.
    """
    inner = resolve(s.node.inputs[0]).node
    tree = s.tree(0)
    if not (isinstance(tree, ast.Subscript) and _is_of_one_call(inner, s.node)):
        return tree, []
    is_slices = inner.kind == "aten::slice" and tree.lineno == s.location["lineno"]
    items = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
    if not is_slices or len(items) > s.constant(1):
        return tree, []
    return tree.value, list(items)


def _is_of_one_call(first: Node, second: Node) -> bool:
    return first.callstack == second.callstack


def _whole(location: Location) -> ast.expr:
    return ast.Slice(None, None, None, **location)


def _is_whole(item: ast.expr) -> bool:
    return isinstance(item, ast.Slice) and not (item.lower or item.upper or item.step)


def _is_int(value: Any) -> bool:
    return type(value) is int


def _is_literal(value: Any, number: int) -> bool:
    return _is_int(value) and bool(value == number)
