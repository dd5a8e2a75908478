"""Views of what a kernel computes, as views of what it reads.

    y = x + bias              x: [B, 4 H], bias: [4 H]
    z = y.select(1, k)        is   x.select(1, k) + bias.unsqueeze(0).select(1, k)

An operand that is broadcast along a dimension has only its one element there to select.
"""

from __future__ import annotations

from minits.kernels.lowering.promotion import Shape
from minits.kernels.lowering.result import NotFusable, View
from minits.records import replace

_AS_THEY_ARE = frozenset(
    "aten::unsqueeze aten::squeeze aten::permute aten::transpose aten::expand".split()
)
_DIM = {"aten::chunk": 1, "aten::split": 1, "aten::split_with_sizes": 1, "aten::tensor_split": 1}
"""The index of the argument that is a view's dimension, where it is not the first one."""
_ALONG = frozenset((*_DIM, "aten::select", "aten::unbind", "aten::slice", "aten::narrow"))
"""Views along one dimension, which leave the others as they are."""


def push(views: tuple[View, ...], operand: Shape, value: Shape) -> tuple[View, ...]:
    """Return the views of an operand that give the operand of the views of a value.

    `operand` broadcasts to `value`. Dimensions in `views` are counted from the first. Raises
    NotFusable.
    """
    if not views or operand == value:
        return views
    pushed: list[View] = []
    for view in views:
        pad = len(value) - len(operand)
        if pad and view.kind in _ALONG:
            mine = _along(view, operand, value)
        else:
            pushed += [View("aten::unsqueeze", (0,))] * pad
            operand = (1,) * pad + operand
            mine = view if operand == value else _pushed(view, operand, value)
        if mine is not None:
            pushed.append(mine)
            operand = mine.shape_of(operand)
        value = view.shape_of(value)
    return tuple(pushed)


def _along(view: View, operand: Shape, value: Shape) -> View | None:
    """Push a view along one dimension to an operand of fewer dimensions. None as for `_pushed`."""
    pad, index = len(value) - len(operand), _DIM.get(view.kind, 0)
    dim = view.arguments[index] - pad
    if dim < 0:
        return None
    arguments = (*view.arguments[:index], dim, *view.arguments[index + 1 :])
    return _pushed(replace(view, arguments=arguments), operand, value[pad:])


def _pushed(view: View, operand: Shape, value: Shape) -> View | None:
    """Push one view to an operand of the same rank. None: nothing is to be done."""
    if view.kind in _AS_THEY_ARE:
        return view
    if all(size == 1 for size in operand):
        return View("aten::view", ((1,) * len(view.shape_of(value)),))
    if view.kind == "aten::flatten":
        first, last = view.arguments
        parts = slice(first, last + 1)
        if operand[parts] == value[parts] or set(operand[parts]) == {1}:
            return view
    if view.kind in ("aten::view", "aten::flatten"):
        raise NotFusable("view", f"{view.kind} of what is broadcast is not an index map")
    dim = view.arguments[_DIM.get(view.kind, 0)]
    if operand[dim] == value[dim] or operand == value:
        return view
    if view.kind in ("aten::select", "aten::unbind"):
        return View("aten::select", (dim, 0))
    if view.kind == "aten::unflatten":
        return View(view.kind, (dim, (1,) * len(view.arguments[1])))
    return None


_TWO_DIMS = ("aten::transpose", "aten::flatten")


def beneath(view: View, count: int) -> View:
    """Return the view for a tensor with `count` more dimensions before its own.

    Raises `NotFusable`.
    """
    if view.kind == "aten::permute":
        dims = [count + dim for dim in view.arguments[0]]
        return View(view.kind, ((*range(count), *dims),))
    if view.kind == "aten::expand":
        sizes = view.arguments[0]
        return View(view.kind, ((-1,) * count + tuple(sizes),))
    if view.kind in _TWO_DIMS:
        return View(view.kind, tuple([count + dim for dim in view.arguments]))
    if view.kind in (*_ALONG, "aten::unsqueeze", "aten::squeeze", "aten::unflatten"):
        index = _DIM.get(view.kind, 0)
        arguments = list(view.arguments)
        arguments[index] += count
        return replace(view, arguments=tuple(arguments))
    raise NotFusable("view", f"{view.kind} of what is looked up is not an index map")


_PROBE = 1009
"""Sizes from here on stand for dimensions, so that it is seen where views put them."""


def lies_along(views: tuple[View, ...], shape: Shape, outer: int, rank: int) -> bool:
    """Return whether views of a reduction's result lie along the rows of the domain.

    `shape` is that of the result: `outer` dimensions and ones for what was reduced, if kept. The
    domain's rows have the same `outer` dimensions; the values that it is used with have `rank`.
    """
    probe = tuple([size if size == 1 else _PROBE + dim for dim, size in enumerate(shape)])
    try:
        for view in views:
            probe = view.shape_of(probe)
    except (RuntimeError, IndexError):
        return False
    wanted = [_PROBE + dim if dim < outer and shape[dim] != 1 else 1 for dim in range(rank)]
    given = (1,) * (rank - len(probe)) + probe
    return list(given) == wanted
