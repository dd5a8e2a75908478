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
from minits.ir.graph import Block, Node, Value


def inline_consecutive_ifs(block: Block) -> None:
    """Merge all pairs of consecutive Ifs in a block and its nested blocks."""
    node = block.end.next
    while node is not block.end:
        for inner in node.blocks:
            inline_consecutive_ifs(inner)
        if not _merge_with_next(node):
            node = node.next


def _merge_with_next(first: Node) -> bool:
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
        (_append_copy if _has_names(added) else _append)(first, block, added)
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


def _has_names(block: Block) -> bool:
    stack = [block]
    while stack:
        block = stack.pop()
        if any(value.has_name for value in block.inputs):
            return True
        for node in block.nodes:
            if any(value.has_name for value in node.outputs):
                return True
            stack += node.blocks
    return False


def _is_inside(node: Node, block: Block) -> bool:
    here = node.block
    while here is not None and here is not block:
        here = None if here.owning_node is None else here.owning_node.block
    return here is not None
