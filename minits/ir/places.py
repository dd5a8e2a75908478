"""The source ranges that nodes are shown at: near ones where torch gives none, and the program's.

%scale : int = prim::GetAttr[name="scale"](%self)                  # none in torch
%scaled.1 : Tensor = aten::div(%scores.1, %scale) # model.py:43:17    so it is shown here
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.ir.graph import Node
from minits.library_files import is_library
from minits.source import SourceRange

_ENDS = ("prim::Param", "prim::Return")


def near_range(node: Node) -> SourceRange | None:
    """Return the range of a node, or of one near it.

    Those near it are nodes that read what it gives, or that give what it reads, the node whose
    block it is in, and those before it.
    """
    if node.range is not None or node.kind in _ENDS or node.block is None:
        return node.range
    readers = [use.user for value in node.outputs for use in value.uses]
    around = [node.block.owning_node] if node.block.owning_node is not None else []
    near = [*readers, *(value.node for value in node.inputs), *around]
    found = next((each.range for each in near if each.range is not None), None)
    before = node.prev
    while found is None and before.kind not in _ENDS:
        found, before = before.range, before.prev
    return found


def calls_of(node: Node) -> tuple[SourceRange, ...]:
    """Return the ranges of the calls through which a node was inlined, the outermost first."""
    return tuple(loc for _, loc in node.callstack if loc is not None)


def place_in_program(loc: SourceRange, calls: Sequence[SourceRange]) -> SourceRange:
    """Return a range, or that of the program's innermost call if the range is in a library."""
    if not is_library(loc.source.filename):
        return loc
    own = [call for call in calls if not is_library(call.source.filename)]
    return own[-1] if own else loc
