"""`torch.cat` and `torch.stack`: tensors that a kernel writes part by part.

    rotated = torch.cat((-x2, x1), -1)      x1, x2: [B, n]
    y = x * cos + rotated * sin             y: [B, 2 n], a tensor that the kernel makes

The domain is that of one part, [B, n]. Each part of `y` is an output of the kernel and is
computed for itself, of the same part of `x`, `cos` and `sin`, and of one operand of `cat`:

    part 0 = x.chunk(2, 1)[0] * cos.chunk(2, 1)[0] + -x2 * sin.chunk(2, 1)[0]
    part 1 = x.chunk(2, 1)[1] * cos.chunk(2, 1)[1] +  x1 * sin.chunk(2, 1)[1]

So nothing is asked at each index, and nothing is copied. The operands must be of one size. Where
`stack` joins along one of two dimensions that are flattened, its operands are interleaved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.ir.graph import Value
from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering import stride_rules as rules
from minits.kernels.lowering.promotion import Operand, Shape, result_type
from minits.kernels.lowering.result import NotFusable, Parts, View
from minits.kernels.lowering.row import At, Lowering
from minits.records import replace
from minits.types import types as t

if TYPE_CHECKING:
    from minits.kernels.lowering.lowerer import Lowerer

MOST_PARTS = 8
"""Operands of `torch.cat` in a kernel, which computes all of them at each index."""
_JOINS = {"aten::cat": "cat", "aten::stack": "stack"}


def parts_of(lowerer: Lowerer, value: Value) -> Parts | None:
    """Return of which parts a value is made, if it is computed elementwise of such values.

    Raises NotFusable where they have unlike parts.
    """
    if value in lowerer.leaves or value.type != t.TENSOR or value.node.kind == "prim::Constant":
        return None
    node = value.node
    row = lowerer.row(node)
    if row.parts is not None:
        return row.parts(lowerer.at(node))
    if row.views is not None:
        viewed, views = lowerer.viewed(value)
        parts = parts_of(lowerer, viewed)
        if parts is None or not views:
            return parts
        return _flattened(parts, views, len(lowerer.shape(viewed))) if len(views) == 1 else None
    if lowerer.reduces(node):
        return None
    found = {parts_of(lowerer, operand) for operand in node.inputs} - {None}
    if len(found) > 1:
        raise NotFusable("parts", f"{node.kind} of tensors with unlike parts", node)
    return found.pop() if found else None


def _parts(at: At) -> Parts:
    rank = len(at.lowerer.shape(at.node.output))
    return Parts(_JOINS[at.node.kind], at.dim("dim", rank) - rank, len(_operands(at)))


def _operands(at: At) -> list[Value]:
    """The tensors that are joined. Raises NotFusable where they have no kernel."""
    maker = at.node.inputs[0].node
    if maker.kind != "prim::ListConstruct":
        raise at.refuse("not-constant", "joins a list whose length is not known")
    if not 2 <= len(maker.inputs) <= MOST_PARTS:
        raise at.refuse("parts", f"of {len(maker.inputs)} tensors (2 to {MOST_PARTS} have kernels)")
    return list(maker.inputs)


def _shape(at: At) -> Shape:
    shapes = [at.lowerer.shape(value) for value in _operands(at)]
    rank = len(shapes[0]) + (at.node.kind == "aten::stack")
    dim = at.dim("dim", rank)
    if any(shape != shapes[0] for shape in shapes):
        raise at.refuse("parts", "of tensors of unlike sizes")
    if not shapes[0] or 0 in shapes[0]:
        raise at.refuse("parts", "of no elements, or of tensors without dimensions")
    return Parts(_JOINS[at.node.kind], dim - rank, len(shapes)).whole(shapes[0])


def _join(at: At) -> Scalar:
    """The operand whose part is seen through this index map, in the dtype of all."""
    parts, lowerer, index_map = _parts(at), at.lowerer, at.index_map
    rank, seen = len(lowerer.shape(at.node.output)), index_map.views
    flat = _flattened(parts, seen[:1], rank)
    if flat is not None:
        parts, rank, seen = flat, rank - 1, seen[1:]
    number = _number(parts, seen, rank)
    if number is None:
        raise at.refuse("view", "is not read part by part")
    inner = replace(index_map, views=seen[1:])
    found = [lowerer.emit(value, inner) for value in _operands(at)]
    operands = [
        Operand(scalar.dtype, lowerer.shape(value), scalar)
        for value, scalar in zip(_operands(at), found, strict=True)
    ]
    return operands[number].to(at.k, result_type(operands))


def _flattened(parts: Parts, views: tuple[View, ...], rank: int) -> Parts | None:
    """Return of which parts a stack is made when two of its `rank` dimensions become one."""
    if parts.kind != "stack" or not views or views[0].kind != "aten::flatten":
        return None
    first, last = views[0].arguments
    stacked = rank + parts.dim
    if last != first + 1 or stacked not in (first, last):
        return None
    return Parts("cat" if stacked == first else "interleave", first - (rank - 1), parts.count)


def _number(parts: Parts, views: tuple[View, ...], rank: int) -> int | None:
    """Return the number of the part that the first view gives, or None if it gives no part."""
    for view in views[:1]:
        for number in range(parts.count):
            mine = parts.view(number, rank)
            if (view.kind, view.arguments, view.item) == (mine.kind, mine.arguments, mine.item):
                return number
        if (parts.kind, view.kind, view.arguments) == (
            "stack",
            "aten::unbind",
            (rank + parts.dim,),
        ):
            return view.item
    return None


JOINING: dict[str, Lowering] = {
    "aten::cat": Lowering(_join, _shape, parts=_parts, strides=rules.joined, laid_by_parts=True),
    "aten::stack": Lowering(_join, _shape, parts=_parts, strides=rules.stacked, laid_by_parts=True),
}
