"""Order the results of If and Loop by where they are used first.

Before:
    %a : int, %b : int = prim::If(%c)
      ...
    %x : int = aten::neg(%b)
    %y : int = aten::neg(%a)
After:
    %b : int, %a : int = prim::If(%c)
      ...

Source: torch/csrc/jit/passes/canonicalize.cpp (`CanonicalizeOutputs`).
"""

from __future__ import annotations

from functools import cmp_to_key

from minits.ir.graph import Block, Graph, Node, Use, Value


def canonicalize_outputs(graph: Graph) -> bool:
    """Return whether the graph changed."""
    return _visit(graph.block)


def _visit(block: Block) -> bool:
    changed = False
    for node in block.reversed_nodes:
        if len(node.outputs) > 1 and node.kind in ("prim::If", "prim::Loop"):
            changed |= _reorder(node)
        for inner in node.blocks:
            changed |= _visit(inner)
    return changed


def _reorder(node: Node) -> bool:
    uses = [_first_use(value) for value in node.outputs]

    def compare(first: int, second: int) -> int:
        a, b = uses[first], uses[second]
        if a is None or b is None:
            return (a is None) - (b is None) or first - second
        return -1 if _is_before(a, b) else 1

    order = sorted(range(len(uses)), key=cmp_to_key(compare))
    if order == list(range(len(uses))):
        return False
    _permute(node, order)
    return True


def _first_use(value: Value) -> Use | None:
    first: Use | None = None
    for use in value.uses:
        if first is None or _is_before(use, first):
            first = use
    return first


def _is_before(first: Use, second: Use) -> bool:
    if first.user is second.user:
        return first.offset < second.offset
    return first.user.is_before(second.user)


def _permute(node: Node, order: list[int]) -> None:
    """Permute outputs, and what stands for them in inputs and blocks."""
    node.outputs[:] = _permuted(node.outputs, order, 0)
    for index, value in enumerate(node.outputs):
        value.index = index
    offset = 0
    if node.kind == "prim::Loop":
        offset = 1
        node._set_inputs(_permuted(node.inputs, order, 2))
        params = node.blocks[0].param.outputs
        params[:] = _permuted(params, order, 1)
        for index, value in enumerate(params):
            value.index = index
    for block in node.blocks:
        block.end._set_inputs(_permuted(block.outputs, order, offset))


def _permuted(values: list[Value], order: list[int], offset: int) -> list[Value]:
    return [*values[:offset], *(values[offset + index] for index in order)]
