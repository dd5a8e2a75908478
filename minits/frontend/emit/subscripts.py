"""Subscripts: items, slices, and the indices of tensors.

A tensor is indexed dimension by dimension: ints select, slices slice, None unsqueezes; tensors are
gathered into one `aten::index` at the end.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitSubscript`, `emitIntAndSliceIndexing`, ...).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from minits.diagnostics import CompileError, Faults, error
from minits.frontend.calls import hints
from minits.frontend.calls.schema_matching import NamedValue, convertible_to_list, make_list
from minits.frontend.python.uncompiled import PythonValue
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.iterables import Slice
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.frontend.values.when_failed import with_parts
from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.dtypes import enum_code
from minits.types.int64 import MIN_INT
from minits.types.subtyping import is_subtype
from minits.types.types import Type

_OPTIONAL_TENSOR = t.OptionalType(t.TENSOR)


def index_expressions(node: tree.Subscript) -> tuple[tree.expr, ...]:
    """Return the indices between the brackets."""
    return node.slice.elts if isinstance(node.slice, tree.Tuple) else (node.slice,)


def emit(emitter: Emitter, node: tree.Subscript, hint: Type | None) -> SugaredValue:
    """Emit `value[indices]`. Raises `CompileError` with the faults of all parts."""
    indices = index_expressions(node)
    loc, base_range = origin(node), origin(node.value)
    try:
        base = emitter.emit_sugared(node.value, 1)
        if base.is_virtual and len(indices) == 1:
            value = None
        elif base.is_module and isinstance(node.slice, tree.Slice):
            value = base.as_tuple_value(base_range, emitter).as_value(base_range, emitter)
        else:
            value = base.as_value(base_range, emitter)
    except CompileError as fault:
        raise with_parts(emitter, fault, *indices) from None
    if value is None:
        return base.getitem(loc, emitter, emitter.emit_expression(indices[0]))
    if len(indices) != 1:
        return SimpleValue(_index_tensor(emitter, loc, value, indices))
    (index,) = indices
    if isinstance(index, tree.Slice):
        if base.is_module:
            return SimpleValue(_slice(emitter, base_range, value, None, index))
        dim = insert_constant(emitter.graph, 0, loc=loc) if value.type == t.TENSOR else None
        return SimpleValue(_slice(emitter, loc, value, dim, index))
    return _item(emitter, node, base, value, index, hint)


def _item(
    emitter: Emitter,
    node: tree.Subscript,
    base: SugaredValue,
    value: Value,
    index: tree.expr,
    hint: Type | None,
) -> SugaredValue:
    loc, base_range = origin(node), origin(node.value)
    sugared = emitter.emit_sugared(index, 1)
    if isinstance(sugared, Slice):
        dim = None
        if value.type == t.TENSOR:
            dim = insert_constant(emitter.graph, 0, loc=base_range)
        bounds = (sugared.start, sugared.stop, sugared.step)
        return SimpleValue(_slice_at(emitter, base_range, value, dim, *bounds))
    position = sugared.as_value(base_range, emitter)
    if isinstance(value.type, t.TupleType):
        return SimpleValue(_tuple_item(emitter, loc, value, value.type, position))
    if value.type == t.TENSOR:
        return SimpleValue(_index_tensor(emitter, loc, value, (index,)))
    return base.getitem(loc, emitter, position, hint)


# ---- Tuples ------------------------------------------------------------------------------------


def _tuple_item(
    emitter: Emitter, loc: SourceRange, value: Value, type: t.TupleType, index: Value
) -> Value:
    if index.type != t.INT:
        message = f"tuple index must be an integer, not {index.type.annotation}"
        raise error(loc, "TS316", message, fix="use a literal index")
    position, size = to_python(index), len(type.elements)
    if position is NOT_CONSTANT:
        if not size or not convertible_to_list(type, t.ListType(type.elements[0])):
            raise error(
                loc,
                "TS316",
                f"Cannot index into a {type.annotation} with a non-integer literal because we "
                "cannot resolve the output type",
                fix="use a literal index, or a list",
            )
        element = type.elements[0]
    else:
        if not -size <= position < size:
            message = f"Tuple index out of range. Tuple is length {size} and index is {position}"
            raise error(loc, "TS309", message, fix=f"use an index from {-size} to {size - 1}")
        element = type.elements[position]
    return emitter.graph.emit("prim::TupleIndex", [value, index], [element]).output


def _tuple_slice(
    emitter: Emitter, loc: SourceRange, value: Value, bounds: Sequence[Value | None]
) -> Value:
    """A slice of a tuple picks its items one by one."""
    assert isinstance(value.type, t.TupleType)
    known = [None if bound is None else to_python(bound) for bound in bounds]
    if not all(bound is None or type(bound) is int for bound in known):
        message = "tuple slice indices must be integer constants"
        raise error(loc, "TS316", message, fix="write them as literals: x[0:2]")
    if known[2] == 0:
        message = "List slice should have non-zero step, also of a tuple"
        raise error(loc, "TS316", message, fix="use another step, or leave it out")
    if known[2] == MIN_INT:
        message = "List slice step is out of bounds"
        raise error(loc, "TS316", message, fix=f"use a step above {MIN_INT}")
    elements = value.type.elements
    positions = list(_positions(slice(*known), len(elements)))
    items = []
    for position in positions:
        index = insert_constant(emitter.graph, position)
        types = [elements[position]]
        items.append(emitter.graph.emit("prim::TupleIndex", [value, index], types).output)
    type_ = t.TupleType(tuple(item.type for item in items))
    return emitter.graph.emit("prim::TupleConstruct", items, [type_]).output


def _positions(bounds: slice, size: int) -> Any:
    return range(*bounds.indices(size))


# ---- Slices ------------------------------------------------------------------------------------


def _slice(
    emitter: Emitter, loc: SourceRange, value: Value, dim: Value | None, node: tree.Slice
) -> Value:
    bounds = (node.lower, node.upper, node.step)
    written = emitter.emit_each(*(bound for bound in bounds if bound is not None))
    values = iter(written)
    start, end, step = (None if bound is None else next(values) for bound in bounds)
    return _slice_at(emitter, loc, value, dim, start, end, step)


def _slice_at(
    emitter: Emitter,
    loc: SourceRange,
    value: Value,
    dim: Value | None,
    start: Value | None,
    end: Value | None,
    step: Value | None,
) -> Value:
    if isinstance(value.type, t.TupleType):
        return _tuple_slice(emitter, loc, value, (start, end, step))
    if step is None:
        step = insert_constant(emitter.graph, 1, loc=loc)
    args = [value, start, end, step] if dim is None else [value, dim, start, end, step]
    return emit_builtin_call(emitter.graph, loc, "aten::slice", args)


# ---- Tensors -----------------------------------------------------------------------------------


def _index_tensor(
    emitter: Emitter, loc: SourceRange, value: Value, indices: Sequence[tree.expr]
) -> Value:
    if value.type != t.TENSOR:
        wrong = error(
            loc,
            "TS317",
            "Unsupported operation: attempted to use multidimensional indexing on a non-tensor "
            f"type: {value.type.annotation}",
            fix="index it once for each level: x[i][j]",
        )
        raise with_parts(emitter, wrong, *indices)
    sliced, tensors = slice_tensor(emitter, loc, value, indices)
    return emit_index(emitter, loc, sliced, tensors) if tensors else sliced


def emit_index(emitter: Emitter, loc: SourceRange, value: Value, tensors: list[Value]) -> Value:
    """Emit `aten::index` with tensors (or None) for the first dimensions."""
    gathered = make_list(emitter.graph, _OPTIONAL_TENSOR, tensors)
    return emit_builtin_call(emitter.graph, loc, "aten::index", [value, gathered])


class _Index:
    """An index of a tensor: the dimension that it applies to, and its value; None for a slice."""

    def __init__(self, dim: int, value: Value | None) -> None:
        self.dim, self.value = dim, value


def slice_tensor(
    emitter: Emitter, loc: SourceRange, value: Value, indices: Sequence[tree.expr]
) -> tuple[Value, list[Value]]:
    """Emit the ints, slices and Nones among the indices.

    Return the sliced tensor and, for each of its first dimensions, the tensor index or None; no
    list where there is none. Raises `CompileError` with the faults of all indices.
    """
    graph = emitter.graph
    gathered: dict[int, Value] = {}
    faults = Faults()
    try:
        evaluated = _evaluate(emitter, loc, indices)
    except CompileError as fault:
        slices = (node for node in indices if isinstance(node, tree.Slice))
        raise with_parts(emitter, fault, *slices) from None
    for node, index in zip(indices, evaluated, strict=True):
        if index is None:  # the ellipsis
            continue
        if index.value is None:
            try:
                value = _slice_dim(emitter, loc, value, index.dim, node)
            except CompileError as fault:
                faults.add(fault)
        elif is_subtype(index.value.type, t.NONE):
            dim = insert_constant(graph, index.dim, loc=loc)
            value = emit_builtin_call(graph, loc, "aten::unsqueeze", [value, dim])
        elif index.value.type == t.INT:
            dim = insert_constant(graph, index.dim, loc=loc)
            value = emit_builtin_call(graph, loc, "aten::select", [value, dim, index.value])
        else:
            gathered[index.dim] = index.value
    faults.raise_all()
    tensors: list[Value] = []
    for dim_number in _positions(slice(None), max(gathered, default=-1) + 1):
        present = gathered.get(dim_number)
        tensors.append(insert_constant(graph, None) if present is None else present)
    return value, tensors


def _slice_dim(
    emitter: Emitter, loc: SourceRange, value: Value, dim: int, node: tree.expr
) -> Value:
    if isinstance(node, tree.Slice):
        number = insert_constant(emitter.graph, dim, loc=loc)
        return _slice(emitter, loc, value, number, node)
    sugared = emitter.emit_sugared(node, 1)
    assert isinstance(sugared, Slice)
    number = insert_constant(emitter.graph, dim, loc=loc)
    return _slice_at(emitter, loc, value, number, sugared.start, sugared.stop, sugared.step)


def _evaluate(
    emitter: Emitter, loc: SourceRange, indices: Sequence[tree.expr]
) -> list[_Index | None]:
    """Evaluate the indices: up to an ellipsis from the front, after it from the back.

    Raises `CompileError` with the faults of all of them.
    """
    found: list[_Index | None] = [None] * len(indices)
    faults = Faults()
    dim, position = 0, 0
    while position < len(indices) and not _is_ellipsis(emitter, indices[position]):
        try:
            index = _evaluate_one(emitter, loc, indices[position], dim)
            found[position] = index
            dim += 0 if _selects(index) else 1
        except CompileError as fault:
            faults.add(fault)
        position += 1
    dim = -1
    for back in reversed(_positions(slice(position + 1, None), len(indices))):
        try:
            index = _evaluate_behind(emitter, loc, indices[back], dim)
            found[back] = index
            dim -= 1 if index.value is None or _selects(index) else 0
        except CompileError as fault:
            faults.add(fault)
    faults.raise_all()
    return found


def _evaluate_behind(emitter: Emitter, loc: SourceRange, node: tree.expr, dim: int) -> _Index:
    """Evaluate an index behind an ellipsis."""
    if _is_ellipsis(emitter, node):
        message = "An index can only have a single ellipsis"
        raise error(loc, "TS318", message, fix="write : for each dimension of all but one")
    index = _evaluate_one(emitter, loc, node, dim)
    is_tensor = not (index.value is None or is_subtype(index.value.type, t.NONE) or _selects(index))
    if is_tensor:
        message = "Ellipses followed by tensor indexing is currently not supported"
        raise error(loc, "TS318", message, fix="write : for each dimension instead of ...")
    return index


def _is_ellipsis(emitter: Emitter, node: tree.expr) -> bool:
    """Return whether an index is `...`, also by its name."""
    if isinstance(node, tree.Name) and node.id == "Ellipsis":
        found = emitter.lookup(node.id, node.range)
        return isinstance(found, PythonValue) and found.value is Ellipsis
    return isinstance(node, tree.Constant) and node.value is Ellipsis


def _selects(index: _Index) -> bool:
    return index.value is not None and index.value.type == t.INT


def _evaluate_one(emitter: Emitter, loc: SourceRange, node: tree.expr, dim: int) -> _Index:
    if isinstance(node, tree.Slice) or isinstance(emitter.emit_sugared(node, 1), Slice):
        return _Index(dim, None)
    is_none = isinstance(node, tree.Constant) and node.value is None
    value = emitter.emit_expression(node, t.NONE if is_none else None)
    if isinstance(value.type, t.ListType):
        dtype = NamedValue(enum_code(torch.int64), "dtype")
        value = emit_builtin_call(emitter.graph, None, "aten::tensor", [value], [dtype])
    if value.type != t.INT and not is_subtype(value.type, _OPTIONAL_TENSOR):
        raise error(
            origin(node),
            "TS318",
            "Unsupported operation: indexing tensor with unsupported index type "
            f"'{value.type.annotation}'. Only ints, slices, lists and tensors are supported",
            fix="convert it: int(...)"
            if value.type in (t.FLOAT, t.NUMBER)
            else hints.for_abstract(value.type, "the index")
            or "index it with ints, slices, lists of ints, or tensors of ints or bools",
        )
    return _Index(dim, value)
