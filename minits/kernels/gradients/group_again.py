"""The operators of a group, run one by one: without some of its inputs, from what was kept.

    y = tanh(x - noise / 2)      kept: y

    x' - noise' / 2, of zeros    nobody reads what this gives
    y' = tanh(..)                its memory is overwritten with y

The operators' nodes save what they saved in eager, so that they give eager's gradients, and those
of these (`operator_saves` tells which values must be kept for that).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from minits.ir.constants import constant_value
from minits.ir.graph import Graph, Node, Value
from minits.ops.copies import copied
from minits.ops.evaluate import evaluator


def run_operators(
    graph: Graph, inputs: Sequence[Any], kept: Mapping[Value, Tensor] | None = None
) -> dict[Value, Any]:
    """Return all values of a group's graph, those of its inputs first.

    The results of which there is a `kept` tensor have its elements. Raises what operators raise.
    """
    kept = kept or {}
    found: dict[Value, Any] = dict(zip(graph.inputs, inputs, strict=True))
    for node in graph.nodes:
        results = _results(node, [found[value] for value in node.inputs])
        for value, result in zip(node.outputs, results, strict=True):
            if value in kept:
                result.data.copy_(kept[value].detach())
            found[value] = result
    return found


def _results(node: Node, inputs: Sequence[Any]) -> Sequence[Any]:
    if node.kind == "prim::Constant":
        return (copied(constant_value(node)),)
    result = evaluator(node)(*inputs)
    return (result,) if len(node.outputs) == 1 else tuple(result)
