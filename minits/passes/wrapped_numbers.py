"""Constants that operators take for numbers, which widen the dtype of no tensor.

A trace, or an archive of one, has the 2.5 of `x * 2.5` as a tensor. `unwrap_numbers` makes a number
of it for the passes of plans, where an operator takes numbers:

Before:
    %c : Tensor = prim::Constant[value={2.5}]()
    %y : Tensor = aten::mul(%x, %c)
After:
    %k : float = prim::Constant[value=2.5]()
    %y : Tensor = aten::mul(%x, %k)

Archives do not tell such a tensor from one that was captured. torch's executor takes constants
without dimensions for numbers where they are added, subtracted, multiplied with or divided by; in
the graphs of archives, `wrap_numbers` marks these.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/canonicalize_ops.cpp (`CanonicalizeOps`).
Differs: torch does the latter in all programs; here a tensor that a program has captured keeps its
dtype, as in eager, until it is saved.
"""

from __future__ import annotations

import torch

from minits.ir.constants import insert_constant
from minits.ir.graph import Graph, Node, Use
from minits.ops.properties import schema_of
from minits.types import types as t
from minits.types.wrapped_number import NUMBER_DTYPES, is_wrapped_number, number_of, wrapped_number

_WITH_NUMBERS = frozenset(("aten::add", "aten::sub", "aten::mul", "aten::div"))
_DTYPES = (NUMBER_DTYPES[int], NUMBER_DTYPES[float], NUMBER_DTYPES[complex])


def unwrap_numbers(graph: Graph) -> bool:
    """Return whether the graph changed."""
    changed = False
    for constant in graph.nodes_of_kind("prim::Constant"):
        tensor = _tensor_of(constant)
        if tensor is not None and is_wrapped_number(tensor):
            for use in list(constant.output.uses):
                changed |= _unwrap(use, tensor)
    return changed


def _unwrap(use: Use, tensor: torch.Tensor) -> bool:
    """Give a node the number, if it takes one there."""
    node, index = use
    if not node.kind.startswith("aten::"):
        return False
    wrapped = node.inputs[index]
    with node.graph.inserting_at(node):
        number = insert_constant(node.graph, number_of(tensor))
    node.set_input(index, number)
    if schema_of(node) is not None:
        return True
    node.set_input(index, wrapped)
    number.node.destroy()
    return False


def wrap_numbers(graph: Graph) -> None:
    """Mark the constants of a graph, and of those within it, that torch takes for numbers."""
    for node in graph.all_nodes():
        if node.kind == "prim::Constant":
            tensor = _tensor_of(node)
            if tensor is not None and all(map(_takes_number, node.output.uses)):
                node.set_attr("value", "t", wrapped_number(number_of(tensor)))
        elif "Subgraph" in node.attributes:
            wrap_numbers(node["Subgraph"])


def _tensor_of(constant: Node) -> torch.Tensor | None:
    """Return a constant that may be a number: a tensor without dimensions, of a number's dtype."""
    value = constant.get("value") if constant.output.type == t.TENSOR else None
    if not isinstance(value, torch.Tensor) or value.dim() or value.dtype not in _DTYPES:
        return None
    return value if value.device.type == "cpu" and not value.requires_grad else None


def _takes_number(use: Use) -> bool:
    user, index = use
    return user.kind in _WITH_NUMBERS and index == 1 and user.inputs[0].type == t.TENSOR
