"""Operators in place that may write to a tensor of an attribute: such calls take turns.

%w : Tensor = prim::GetAttr[name="weight"](%self)
%row : Tensor = aten::select(%w, %0, %0)
%1 : Tensor = aten::fill_(%row, %2)                     writes to the attribute
"""

from __future__ import annotations

from collections.abc import Mapping

import torch

from minits.codegen.uses import resolve
from minits.ir.graph import Graph, Node, Value
from minits.native.c_types import NotNative
from minits.native.tensor_calls import mutates
from minits.ops.properties import schema_of


def writes_to_weights(graph: Graph) -> bool:
    """Return whether an operator may write to a tensor that is not of this call alone."""
    return any(
        not _is_of_call(node.inputs[index], set())
        for node in graph.all_nodes()
        if mutates(node)
        for index in _written(node)
    )


def check_views(weights: Mapping[str, torch.Tensor], end: Node) -> None:
    """Check that no two tensors of attributes have one memory, as each is in the file of weights.

    Raises `NotNative`.
    """
    ranges = [(*_memory(tensor), path) for path, tensor in weights.items() if tensor.numel()]
    until, owner = 0, ""
    for start, stop, path in sorted(ranges):
        if start < until:
            said = f"{path}, which has memory of {owner}, while a method writes to attributes,"
            raise NotNative(end, said, "let the attributes be clones, or write to none in place")
        until, owner = max((until, owner), (stop, path))


def _memory(tensor: torch.Tensor) -> tuple[int, int]:
    """Return the addresses of a tensor's first byte, and of that after its last one."""
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    last = sum((size - 1) * stride for size, stride in steps)
    start = int(tensor.data_ptr())
    return start, start + (last + 1) * int(tensor.element_size())


def _written(node: Node) -> list[int]:
    schema = schema_of(node)
    arguments = () if schema is None else schema.arguments
    return [i for i, each in enumerate(arguments) if each.alias is not None and each.alias.is_write]


def _is_of_call(value: Value, known: set[Value]) -> bool:
    """Return whether a tensor is known to be no attribute, and no view of one.

    The caller's arguments are of the call, too. `known` are the values that have been asked about.
    """
    value = resolve(value)
    if value in known:
        return True
    known.add(value)
    node = value.node
    if node.kind == "prim::Param":
        return node.owner.owning_node is None
    if node.kind == "prim::If":
        index = node.outputs.index(value)
        return all(_is_of_call(block.outputs[index], known) for block in node.blocks)
    schema = schema_of(node) if node.kind.startswith("aten::") else None
    if schema is None:
        return False
    aliased = [
        given
        for given, argument in zip(node.inputs, schema.arguments, strict=False)
        if argument.alias is not None
    ]
    return all(_is_of_call(each, known) for each in aliased)
