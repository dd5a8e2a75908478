"""Views, as index maps of what is viewed.

    z = y.select(1, k)      emits      y, seen through View("aten::select", (1, k))

Dimensions are counted from the first. Numbers may be a `Size`, which shapes tell. Sizes that a view
takes from the tensor, such as those of `chunk`, are left to torch's operator, which is applied to
the group's inputs in each call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from sys import maxsize
from typing import Any

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Use, Value
from minits.kernels.lowering.result import View
from minits.kernels.lowering.row import At, Lowering, is_complex
from minits.ops.properties import schema_of

Views = tuple[View, ...]


def view(find: Callable[[At], Sequence[View]], loops: int = 1) -> Lowering:
    """A view of the first argument."""
    return Lowering(views=lambda at, value: (at.node.inputs[0], tuple(find(at))), loops=loops)


def parts(find: Callable[[At], View]) -> Lowering:
    """A list of views of the first argument; `find` gives the view that makes the list."""

    def views(at: At, value: Value) -> tuple[Value, Views]:
        item, count = _which(value)
        whole = find(at)
        return at.node.inputs[0], (View(whole.kind, whole.arguments, item, count),)

    return Lowering(views=views)


def _which(value: Value) -> tuple[int, int | None]:
    """Return the position of a value in a list, and the length that the list must have."""
    if value.node.kind == "prim::ListUnpack":
        return value.index, len(value.node.outputs)
    if value.node.kind == "aten::__getitem__":
        return to_python(value.node.inputs[1]), None
    return 0, None


def _item(at: At, value: Value) -> tuple[Value, Views]:
    """An item of a list: what it is an item of, seen through what the maker of the list says."""
    maker = at.node.inputs[0].node
    if at.node.kind == "aten::__getitem__" and to_python(at.node.inputs[1]) is NOT_CONSTANT:
        raise at.refuse("not-constant", "has an index that is not a constant")
    if maker.kind == "prim::ListConstruct":
        if any(map(_may_change, maker.output.uses)):
            raise at.refuse("view", "takes from a list that is changed")
        index = _which(value)[0]
        if not -len(maker.inputs) <= index < len(maker.inputs):
            raise at.refuse("shape", "takes an item that the list does not have")
        return maker.inputs[index], ()
    row = at.lowerer.table.get(maker.kind)
    if row is None or row.views is None or row.views is _item:  # the last: a list out of a list
        raise at.refuse("view", "does not take from a list of views")
    return row.views(At(at.lowerer, maker, at.index_map), value)


def _may_change(use: Use) -> bool:
    """Return whether a use of a list may change it, or let others do so."""
    schema = schema_of(use.user)
    if schema is None:
        return use.user.kind != "prim::ListUnpack"
    alias = schema.arguments[use.offset].alias
    return alias is not None and (alias.is_write or "*" in alias.after)


def _broadcast_tensors(at: At, value: Value) -> tuple[Value, Views]:
    """Tensors of the same shape already; ones that differ are refused."""
    tensors = at.node.inputs[0].node.inputs
    chosen = tensors[_which(value)[0]]
    if at.lowerer.shape(chosen) != at.broadcast(list(tensors)):
        raise at.refuse("view", "expands tensors")
    return chosen, ()


# ---- Dimensions that come and go -----------------------------------------------------------------


def _unsqueeze(at: At) -> list[View]:
    return [View("aten::unsqueeze", (at.dim("dim", at.rank() + 1),))]


def _squeeze(at: At) -> list[View]:
    shape = at.shape("self")
    given = at.constant("dim", list(range(len(shape))))
    dims = [dim % max(len(shape), 1) for dim in ([given] if isinstance(given, int) else given)]
    ones = sorted((dim for dim in dims if shape and shape[dim] == 1), reverse=True)
    return [View("aten::squeeze", (dim,)) for dim in ones]


def _expand(at: At) -> list[View]:
    return [View("aten::expand", (tuple(at.size("size")),))]


def _view(at: At) -> list[View]:
    name = "size" if at.node.kind == "aten::view" else "shape"
    if at.argument(name) is None:
        raise at.refuse("dtype", "to another dtype has no kernel")
    return [View("aten::view", (tuple(at.size(name)),))]


def _flatten(at: At) -> list[View]:
    rank = at.rank()
    if rank == 0:
        return [View("aten::unsqueeze", (0,))]
    first, last = at.dim("start_dim", rank), at.dim("end_dim", rank)
    return [View("aten::flatten", (first, last))] if first < last else []


def _unflatten(at: At) -> list[View]:
    return [View("aten::unflatten", (at.dim("dim", at.rank()), tuple(at.size("sizes"))))]


# ---- Orders of dimensions ------------------------------------------------------------------------


def _permute(at: At) -> list[View]:
    rank = max(at.rank(), 1)
    return [View("aten::permute", (tuple([dim % rank for dim in at.constant("dims")]),))]


def _transpose(at: At) -> list[View]:
    rank = at.rank()
    return [View("aten::transpose", (at.dim("dim0", rank), at.dim("dim1", rank)))]


def _t(at: At) -> list[View]:
    rank = at.rank()
    if rank > 2:
        raise at.refuse("shape", f"of {rank} dimensions")
    return [View("aten::transpose", (0, 1))] if rank == 2 else []


def _reversed(at: At) -> list[View]:
    return [View("aten::permute", (tuple(reversed(range(at.rank()))),))]


def _matrix_transpose(at: At) -> list[View]:
    rank = at.rank()
    if rank < 2:
        raise at.refuse("shape", f"of {rank} dimensions")
    return [View("aten::transpose", (rank - 2, rank - 1))]


def _movedim(at: At) -> list[View]:
    rank = max(at.rank(), 1)
    source, destination = at.constant("source"), at.constant("destination")
    if isinstance(source, int):
        source, destination = [source], [destination]
    moved = {to % rank: dim % rank for dim, to in zip(source, destination, strict=True)}
    rest = iter([dim for dim in range(rank) if dim not in moved.values()])
    order = [moved[dim] if dim in moved else next(rest) for dim in range(rank)]
    return [View("aten::permute", (tuple(order),))]


# ---- Parts ---------------------------------------------------------------------------------------


def _slice(at: At) -> list[View]:
    start, end, step = at.size("start"), at.size("end"), at.constant("step", 1)
    dim = at.dim("dim", at.rank())
    if start in (None, 0) and (end is None or end >= maxsize) and step == 1:
        return []
    return [View("aten::slice", (dim, start, end, step))]


def _select(at: At) -> list[View]:
    return [View("aten::select", (at.dim("dim", at.rank()), at.size("index")))]


def _narrow(at: At) -> list[View]:
    return [View("aten::narrow", (at.dim("dim", at.rank()), *_numbers(at, "start", "length")))]


def _numbers(at: At, *names: str) -> tuple[Any, ...]:
    found = [at.size(name) for name in names]
    return tuple([tuple(value) if isinstance(value, list) else value for value in found])


def _splits(kind: str, argument: str) -> Lowering:
    """`kind(self, argument, dim)`."""

    def find(at: At) -> View:
        dim = at.dim("dim", at.rank())
        name = argument if at.argument(argument) is not None else f"{argument}s"
        (sizes,) = _numbers(at, name)
        if isinstance(sizes, tuple) and kind == "aten::split":
            return View("aten::split_with_sizes", (sizes, dim))
        return View(kind, (sizes, dim))

    return parts(find)


def _unbind(at: At) -> View:
    return View("aten::unbind", (at.dim("dim", at.rank()),))


# ---- Complex tensors -----------------------------------------------------------------------------


def _part(at: At) -> list[View]:
    """The real or imaginary part of each element, which lie in turns; a real tensor is its own."""
    if at.node.kind == "aten::real" and not is_complex(at.lowerer, at.node.inputs[0]):
        return []
    return [View(at.node.kind)]


_AS_IT_IS = (
    "aten::conj",
    "aten::conj_physical",
    "aten::resolve_conj",
    "aten::resolve_neg",
)
"""Operators that give a real tensor itself, or one like it."""

VIEWS: dict[str, Lowering] = {
    "aten::unsqueeze": view(_unsqueeze),
    "aten::squeeze": view(_squeeze),
    "aten::expand": view(_expand),
    "aten::view": view(_view),
    "aten::reshape": view(_view),
    "aten::flatten": view(_flatten),
    "aten::unflatten": view(_unflatten),
    "aten::permute": view(_permute),
    "aten::transpose": view(_transpose),
    "aten::t": view(_t),
    "aten::numpy_T": view(_reversed),
    "aten::mT": view(_matrix_transpose),
    "aten::movedim": view(_movedim),
    "aten::slice": view(_slice),
    "aten::select": view(_select),
    "aten::narrow": view(_narrow),
    **dict.fromkeys(("aten::real", "aten::imag", "aten::view_as_real"), view(_part)),
    "aten::alias": view(lambda at: [], loops=0),
    **dict.fromkeys(_AS_IT_IS, view(lambda at: [])),
    "aten::chunk": _splits("aten::chunk", "chunks"),
    "aten::split": _splits("aten::split", "split_size"),
    "aten::split_with_sizes": _splits("aten::split_with_sizes", "split_sizes"),
    "aten::tensor_split": _splits("aten::tensor_split", "sections"),
    "aten::unbind": parts(_unbind),
    "aten::broadcast_tensors": Lowering(views=_broadcast_tensors),
    "prim::ListUnpack": Lowering(views=_item),
    "aten::__getitem__": Lowering(views=_item),
    "prim::ListConstruct": Lowering(),
}
