"""Compute linear layers of one input, whose weights are on a GPU, as one.

Before (%a and %b are of 3 and 4 features):
    %y : Tensor = aten::linear(%x, %a, %bias_a)
    %z : Tensor = aten::linear(%x, %b, %bias_b)
After:
    %both : Tensor = aten::linear(%x, %a_and_b, %biases)
    %z : Tensor = aten::slice(%both, %minus_one, %three, %seven, %one)
    %y : Tensor = aten::slice(%both, %minus_one, %zero, %three, %one)

Only layers that are constant and have a bias. Nothing may write to %x in between.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/frozen_concat_linear.cpp.
Differs: layers are left alone where the graph writes to their input or to one of their results,
anywhere: the results are views of one tensor afterwards.
"""

from __future__ import annotations

import torch
from torch import Tensor

from minits.ir.alias import AliasAnalysis
from minits.ir.constants import insert_constant, to_python
from minits.ir.graph import Block, Graph, Node, Value
from minits.passes.freezing.weights import BIAS, WEIGHT, is_constant_layer
from minits.types import types as t


def concatenate_linears(graph: Graph) -> bool:
    """Return whether the graph changed."""
    if len(graph.nodes_of_kind("aten::linear")) < 2:
        return False
    return _visit(graph.block, AliasAnalysis(graph))


def _visit(block: Block, alias: AliasAnalysis) -> bool:
    changed = False
    by_input: dict[Value, list[Node]] = {}
    for node in block.nodes:
        for inner in node.blocks:
            changed |= _visit(inner, alias)
        if node.kind == "aten::linear" and _is_candidate(node, alias):
            by_input.setdefault(node.inputs[0], []).append(node)
    for layers in reversed(by_input.values()):
        changed |= _merge_alike(layers)
    return changed


def _is_candidate(node: Node, alias: AliasAnalysis) -> bool:
    weight, bias = to_python(node.inputs[WEIGHT]), to_python(node.inputs[BIAS])
    if not (is_constant_layer(node) and isinstance(weight, Tensor) and isinstance(bias, Tensor)):
        return False
    return is_on_gpu(weight) and not alias.has_writers(node)


def is_on_gpu(weight: Tensor) -> bool:
    return bool(weight.is_cuda)


def _merge_alike(layers: list[Node]) -> bool:
    """Merge the layers of one input that are alike but for their number of features."""
    alike: dict[object, list[Node]] = {}
    for node in layers:
        tensors = [to_python(node.inputs[index]) for index in (WEIGHT, BIAS)]
        alike.setdefault(str([(x.dtype, x.device, x.shape[1:]) for x in tensors]), []).append(node)
    groups = [group for group in alike.values() if len(group) > 1]
    for group in groups:
        _merge(group)
    return bool(groups)


def _merge(layers: list[Node]) -> None:
    first, graph = layers[0], layers[0].graph
    with graph.inserting_at(first):
        joined = [
            insert_constant(graph, torch.cat([to_python(node.inputs[index]) for node in layers]))
            for index in (WEIGHT, BIAS)
        ]
        last, one = insert_constant(graph, -1), insert_constant(graph, 1)
        start = insert_constant(graph, 0)
        merged = graph.emit("aten::linear", [first.inputs[0], *joined], [t.TENSOR])
    after = merged
    position = 0
    for node in layers:
        position += to_python(node.inputs[WEIGHT]).size(0)
        with graph.inserting_at(merged):
            end = insert_constant(graph, position)
        part = graph.create("aten::slice", [merged.output, last, start, end, one], [t.TENSOR])
        part.insert_after(after)
        node.output.replace_all_uses_with(part.output)
        node.destroy()
        start = end
