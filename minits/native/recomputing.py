"""Numbers that one call computes for another, computed in each: what passes have shared.

Before, where `step(x, mask)` and `step(y, mask)` were inlined:
    %given : bool = aten::__isnot__(%mask, %none)       in the first call
    %x : Tensor = prim::If(%given) ...                  in the first call
    %y : Tensor = prim::If(%given) ...                  in the second one
After:
    %x : Tensor = prim::If(%given) ...
    %too : bool = aten::__isnot__(%mask, %none)         in the second call
    %y : Tensor = prim::If(%too) ...

So both calls have equal nodes, and may share a function. It holds for operators of numbers, for
whether something is None, and for its type: C's compiler sees what is equal in one function.
"""

from __future__ import annotations

from minits.ir.copying import clone_node
from minits.ir.graph import Graph, Node, Use, Value
from minits.native.c_types import HELD, c_type_of
from minits.native.rows_of_nodes import row_of
from minits.native.text_operators import IDENTITY_OPERATORS

_Frames = tuple[int, ...]
"""The calls that lead to a node, each by its identity."""


def recompute_in_calls(graph: Graph) -> None:
    """Let calls compute numbers that they share with others of the same function."""
    nodes = list(graph.all_nodes())
    by_frames: dict[_Frames, list[Node]] = {}
    for node in nodes:
        by_frames.setdefault(_frames(node), []).append(node)
    for node in reversed(nodes):  # so that what a copy is computed from is seen to as well
        if node.callstack and _is_cheap(node):
            for frames, uses in _elsewhere(node).items():
                _compute_at(node, by_frames, frames, uses)


def _frames(node: Node) -> _Frames:
    return tuple(map(id, node.callstack))


def _is_cheap(node: Node) -> bool:
    """Return whether a node computes a number of numbers, and never raises."""
    if node.blocks or len(node.outputs) != 1 or node.kind == "prim::Constant":
        return False
    if node.kind == "prim::isinstance":
        return True
    row = row_of(node)
    if row is None or row.raises or row.reads or row.writes or row.allocates:
        return False
    given = () if node.kind in IDENTITY_OPERATORS else node.inputs
    return all(map(_is_number, (*given, node.output)))


def _is_number(value: Value) -> bool:
    return c_type_of(value.type) not in (None, HELD)


def _elsewhere(node: Node) -> dict[_Frames, list[Use]]:
    """Return the uses of a node's output in other calls of the same functions, by the calls."""
    found: dict[_Frames, list[Use]] = {}
    names = [name for name, _ in node.callstack]
    for use in node.output.uses:
        frames = _frames(use.user)
        if frames != _frames(node) and [name for name, _ in use.user.callstack] == names:
            found.setdefault(frames, []).append(use)
    return found


def _compute_at(
    node: Node, by_frames: dict[_Frames, list[Node]], frames: _Frames, uses: list[Use]
) -> None:
    """Compute a node in another call, before what follows it in its own."""
    places = {(each.kind, each.range): each for each in reversed(by_frames[frames])}
    follower = node.next
    while follower.kind != "prim::Return" and (follower.kind, follower.range) not in places:
        follower = follower.next
    if follower.kind == "prim::Return":
        return
    place = places[follower.kind, follower.range]
    if not all(_comes_before(place, use.user) for use in uses):
        return
    copy = clone_node(node.graph, node).insert_before(place)
    copy.callstack = uses[0].user.callstack
    by_frames[frames].insert(0, copy)
    for user, index in uses:
        user.set_input(index, copy.output)


def _comes_before(place: Node, user: Node) -> bool:
    """Return whether a node has run, or is running, whenever another one is."""
    while user.owner is not place.owner:
        owner = user.owner.owning_node
        if owner is None:
            return False
        user = owner
    return place is user or place.is_before(user)
