"""Merge an If into the If before it that decides it.

Before:
    %exited : bool = prim::If(%c)
      block0():
        -> (%true)
      block1():
        -> (%false)
    = prim::If(%exited)
      block0(): A
      block1(): B
After:
    %exited : bool = prim::If(%c)
      block0(): A
        -> (%true)
      block1(): B
        -> (%false)

Source: torch/csrc/jit/frontend/exit_transforms.cpp (`inlineConsecutiveIfs`).
"""

from __future__ import annotations

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Block, Graph, Node
from minits.passes.emission.copied_names import NamesOfCopies, names_of_copies


def inline_consecutive_ifs(graph: Graph) -> bool:
    """Merge all pairs of consecutive Ifs of a graph. Return whether there were any."""
    names = names_of_copies(graph)
    merged: list[Node] = []
    _merge_all(graph.block, names, merged)
    names.settle()
    for node in merged:
        node.destroy()
    return bool(merged)


def _merge_all(block: Block, names: NamesOfCopies, merged: list[Node]) -> None:
    """Merge the Ifs in a block; add those that are merged into others to `merged`, detached."""
    node = block.end.next
    while node is not block.end:
        for inner in node.blocks:
            _merge_all(inner, names, merged)
        following = node.next
        if _merge(node, following, names):
            merged.append(following.detach())
        else:
            node = following


def _merge(first: Node, second: Node, names: NamesOfCopies) -> bool:
    """Merge the second of two nodes into the first. Return whether that was possible."""
    if first.kind != "prim::If" or second.kind != "prim::If":
        return False
    condition = second.inputs[0]
    if condition.node is not first:
        return False
    decided = [to_python(block.outputs[condition.index]) for block in first.blocks]
    if NOT_CONSTANT in decided or decided[0] == decided[1]:
        return False
    for block, truth in zip(first.blocks, decided, strict=True):
        added = second.blocks[0 if truth else 1]
        names.copied(added)
        _append(first, block, added)
    for output in second.outputs:
        copy = first.add_output(output.type)
        names.output(copy, output)
        output.replace_all_uses_with(copy)
    return True


def _append(first: Node, block: Block, added: Block) -> None:
    """Move the nodes of `added` to the end of `block`, whose outputs replace those of `first`.

    Copying, as torch does, would repeat the rest of a program at each early return.
    """
    for value in first.outputs:
        for user, index in list(value.uses):
            if _is_inside(user, added):
                user.set_input(index, block.outputs[value.index])
    for node in added.nodes:
        node.move_before(block.end)
    for value in list(added.outputs):
        block.add_output(value)


def _is_inside(node: Node, block: Block) -> bool:
    """Return whether a node is in a block or deeper.

    The way up ends in the block around it: values of that one are used nowhere else.
    """
    around = block.owning_node and block.owning_node.block
    here = node.block
    while here is not None and here is not block and here is not around:
        here = None if here.owning_node is None else here.owning_node.block
    return here is block
