"""Expression trees: nodes that are printed inside the expression that uses them.

Before (one statement a node):
    %a : int = aten::mul(%x, %y)
    %b : int = aten::add(%a, %z)
After, where %a may be inlined:
    b = torch.add(torch.mul(x, y), z)

A node may be inlined if its only result is used once, has no name of its own, and is computed where
reading the expression again would compute it: emitting an expression visits the tree left to right,
children first, so the nodes before a node, backwards, must be its inputs, right to left.

Source: torch/csrc/jit/serialization/python_print.cpp (`scanBlock`, `scanNode`, `scanValue`).
"""

from __future__ import annotations

from minits.ir.graph import Block, Node, Value

_CONCURRENT = (
    "prim::fork",
    "prim::awaitable",
    "prim::rpc_async",
    "prim::rpc_sync",
    "prim::rpc_remote",
)


def find_inlined(block: Block) -> set[Node]:
    """Return the nodes of a block, and of those within it, that are printed inside others."""
    inlined: set[Node] = set()
    _scan_block(block, inlined)
    return inlined


def _scan_block(block: Block, inlined: set[Node]) -> None:
    _scan_node(block.end, inlined)
    for node in block.reversed_nodes:
        _scan_node(node, inlined)


def _scan_node(node: Node, inlined: set[Node]) -> Node:
    """Scan the tree under a node; return the node before which the tree begins."""
    if node in inlined:
        return node
    for block in node.blocks:
        _scan_block(block, inlined)
    point = _previous(node)
    for value in reversed(node.inputs):
        point = _scan_value(point, value, inlined)
    return point


def _scan_value(point: Node, value: Value, inlined: set[Node]) -> Node:
    node = value.node
    if node is point and _may_inline(value):
        point = _scan_node(node, inlined)
        inlined.add(node)
    elif node.kind == "prim::Constant":  # it is pooled again when the code is read
        inlined.add(node)
    return point


def _previous(node: Node) -> Node:
    node = node.prev
    while node.kind == "prim::Constant":
        node = node.prev
    return node


def _may_inline(value: Value) -> bool:
    node = value.node
    if len(node.outputs) != 1 or len(value.uses) != 1 or node.blocks:
        return False
    (user, offset), *_ = value.uses
    if value.has_name and user.kind != "prim::Return":
        return False
    if user.kind == "prim::Loop" and offset >= 2:  # it is assigned before the loop
        return False
    # in a condition, isinstance would refine its operand a second time
    return user.kind not in _CONCURRENT and node.kind != "prim::isinstance"
