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
from minits.ir.copying import clone_block, copy_metadata
from minits.ir.graph import Block, Graph, Node, Value

Named = dict[Block, bool]
"""Whether blocks hold named values, as far as they were asked: a block is walked once."""


def inline_consecutive_ifs(graph: Graph) -> bool:
    """Merge all pairs of consecutive Ifs of a graph. Return whether there were any."""
    return _merge_all(graph.block, {})


def _merge_all(block: Block, named: Named) -> bool:
    changed = False
    node = block.end.next
    while node is not block.end:
        for inner in node.blocks:
            changed |= _merge_all(inner, named)
        if _merge_with_next(node, named):
            changed = True
        else:
            node = node.next
    return changed


def _merge_with_next(first: Node, named: Named) -> bool:
    second = first.next
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
        if _has_names(added, named):
            _append_copy(first, block, added)
            named[block] = True
        else:
            _append(first, block, added)
    for output in second.outputs:
        copy = copy_metadata(first.add_output(output.type), output)
        output.replace_all_uses_with(copy)
    second.destroy()
    return True


def _append_copy(first: Node, block: Block, added: Block) -> None:
    def lookup(value: Value) -> Value:
        return block.outputs[value.index] if value.node is first else value

    clone_block(added, block, lookup)


def _append(first: Node, block: Block, added: Block) -> None:
    """Move the nodes of `added` to the end of `block`, whose outputs replace those of `first`.

    Copying would repeat the rest of a program at each early return. Blocks with named values are
    copied nevertheless: torch gives new names to copies.
    """
    for value in first.outputs:
        for user, index in list(value.uses):
            if _is_inside(user, added):
                user.set_input(index, block.outputs[value.index])
    for node in added.nodes:
        node.move_before(block.end)
    for value in list(added.outputs):
        block.add_output(value)


def _has_names(block: Block, named: Named) -> bool:
    """Return whether values of a block, or of blocks in it, have names; merging keeps that so."""
    found = named.get(block)
    if found is None:
        values = [*block.inputs, *(value for node in block.nodes for value in node.outputs)]
        inner = (inner for node in block.nodes for inner in node.blocks)
        found = any(value.has_name for value in values) or any(
            _has_names(each, named) for each in inner
        )
        named[block] = found
    return found


def _is_inside(node: Node, block: Block) -> bool:
    """Return whether a node is in a block or deeper.

    The way up ends in the block around it: values of that one are used nowhere else.
    """
    around = block.owning_node and block.owning_node.block
    here = node.block
    while here is not None and here is not block and here is not around:
        here = None if here.owning_node is None else here.owning_node.block
    return here is block
