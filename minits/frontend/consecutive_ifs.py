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
    """Merge all such pairs in a block and those within it."""
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
        _append_copy(first, block, second.blocks[0 if truth else 1])
    for output in second.outputs:
        copy = copy_metadata(first.add_output(output.type), output)
        output.replace_all_uses_with(copy)
    second.destroy()
    return True


def _append_copy(first: Node, block: Block, added: Block) -> None:
    def lookup(value: Value) -> Value:
        return block.outputs[value.index] if value.node is first else value

    clone_block(added, block, lookup)
