"""Reasons why operators are in no kernel, and kernels are not one: the remarks of `fuse`.

An operator that blocks has a reason of its own, such as `not-elementwise`. One that could have been
fused with its neighbours is told apart: the reason is between them, or it is cut off by a neighbour
that blocks. Where it has no neighbours it is `too-small`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from minits.ir.alias import written_inputs
from minits.ir.graph import Node, Value
from minits.ir.in_words import in_words
from minits.ir.places import calls_of
from minits.kernels.lowering import LOWERINGS, NotFusable
from minits.passes.fusion.causes import OF_OPERANDS, Causes
from minits.passes.fusion.dependences import is_barrier, with_inner
from minits.passes.fusion.grouping import Grouping
from minits.passes.fusion.subgraph import is_operator
from minits.passes.remarks import Remark, fix_for, missed, passed
from minits.records import dataclass, replace
from minits.types import types as t

_HOLDERS = (
    "prim::Param",
    "prim::Return",
    "prim::Constant",
    "prim::GetAttr",
    "prim::TupleConstruct",
)
"""Nodes that compute nothing: what is given by one, or to one, has no neighbour there."""
_GIVES, _READS = "gives its operand", "reads its result"
"""The relations of a neighbour to a node."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason two operators are not in one kernel. `blocker` is the node in the way."""

    code: str
    text: str
    blocker: Node | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an operator. `group` are the members of the kernel that it is in."""

    node: Node
    remark: Remark
    group: int | None = None


def explain(grouping: Grouping, groups: Sequence[set[Node]]) -> Iterator[Outcome]:
    """Yield the outcomes of the operators of a region; `group` is an index of `groups`."""
    region, causes = grouping.region, Causes(grouping.region)
    kernel_of = {node: index for index, group in enumerate(groups) for node in group}
    for index, group in enumerate(groups):
        for view in region.trace(group)[1]:
            if view.kind.startswith("aten::") and view in region.views:
                text = f"{view.kind} is done by the indices of kernel {{kernel}}"
                yield Outcome(view, passed(view, "index-map", text), index)
    for node in region.nodes:
        if node in kernel_of:
            text = f"{node.kind} is in kernel {{kernel}}"
            yield Outcome(node, passed(node, "fused", text), kernel_of[node])
        elif node in grouping.group_of:
            yield Outcome(node, _remark(node, _why_alone(grouping, node)))
        elif is_operator(node) and written_inputs(node):
            text = f"{node.kind} writes to a tensor that others may see"
            yield Outcome(node, missed(node, "aliased-mutation", text))
        elif node in region.refusals and not _is_beside(grouping, node):
            yield Outcome(node, _refused(grouping, causes, node))
    yield from _between_groups(grouping, groups)


def _is_beside(grouping: Grouping, node: Node) -> bool:
    """Return whether a node only passes tensors on, and not to or from one that could be fused."""
    row = LOWERINGS.get(node.kind)
    if node.kind != "aten::__getitem__" and (row is None or row.views is None):
        return False
    around = [value.node for value in node.inputs]
    around += [user for value in node.outputs for user in _readers(grouping, value)]
    return not any(neighbour in grouping.group_of for neighbour in around)


def _remark(node: Node, reason: Reason) -> Remark:
    blocked_by = None if reason.blocker is None else reason.blocker.kind
    return missed(node, reason.code, f"{node.kind} {reason.text}", blocked_by)


def _refused(grouping: Grouping, causes: Causes, node: Node) -> Remark:
    """An operator that blocks. The cause that it shares with others is named."""
    region = grouping.region
    refusal = region.refusals[node]
    if refusal.code != "unknown-type":
        made = missed(node, refusal.code, refusal.message)
        if refusal.code not in OF_OPERANDS:
            return made
        first = causes.first_refused(node, refusal.code)
        return replace(made, cause=first.outputs[0].name)
    unknown = [v for v in node.inputs if v.type == t.TENSOR and v not in region.metas]
    if not unknown:
        return missed(node, refusal.code, refusal.message)
    root = causes.first_unknown(unknown[0])
    kind = root.node.kind
    text = f"nothing is known of {in_words(root)}, neither its dtype nor how many dimensions it has"
    made = missed(node, refusal.code, text, kind if kind not in _HOLDERS else None)
    return replace(made, cause=root.name)


def _between_groups(grouping: Grouping, groups: Sequence[set[Node]]) -> Iterator[Outcome]:
    """Yield why kernels of which one reads what the other gives are two."""
    kernel_of = {node: index for index, group in enumerate(groups) for node in group}
    for index, group in enumerate(groups):
        nodes = {leaf.node for leaf in grouping.region.trace(group)[0]}
        for earlier in sorted({kernel_of[node] for node in nodes if node in kernel_of} - {index}):
            reason = _why_apart(grouping, groups[earlier], group)
            if reason is not None:
                last = grouping.region.sorted(group)[0]
                yield Outcome(last, _apart(last, reason), index)


def _apart(node: Node, reason: Reason) -> Remark:
    blocked_by = None if reason.blocker is None else reason.blocker.kind
    text = f"kernel {{kernel}} does not go on with what it reads: it {reason.text}"
    fix = fix_for(reason.code, blocked_by or node.kind)
    return Remark("analysis", reason.code, text, node.kind, node.range, None, blocked_by, fix,
                  calls_of(node))  # fmt: skip


# ---- One operator ------------------------------------------------------------------------------


def _why_alone(grouping: Grouping, node: Node) -> Reason:
    """Return the reason why a member is in no kernel: the one that says most."""
    reasons = list(_reasons(grouping, node))
    reasons.sort(key=lambda reason: reason.code.startswith("cut-off-by"))
    if reasons:
        return reasons[0]
    return Reason("too-small", "has no neighbour that it could be in one kernel with")


def _reasons(grouping: Grouping, node: Node) -> Iterator[Reason]:
    for leaf in grouping.region.leaves_of(node):
        if leaf.type == t.TENSOR:
            yield from _from_neighbour(grouping, node, leaf.node, _GIVES)
    for value in node.outputs:
        for user in _readers(grouping, value):
            yield from _from_neighbour(grouping, node, user, _READS)


def _readers(grouping: Grouping, value: Value) -> Iterator[Node]:
    """Yield the nodes that read a value, through views."""
    for user, _ in value.uses:
        if user in grouping.region.views:
            for output in user.outputs:
                yield from _readers(grouping, output)
        else:
            yield user


def _from_neighbour(grouping: Grouping, node: Node, other: Node, relation: str) -> Iterator[Reason]:
    """Yield why a member is not in one kernel with a node that it reads from, or that reads it."""
    if other in grouping.group_of:
        own, theirs = grouping.group_of[node], grouping.group_of[other]
        reason = None if own is theirs else _why_apart(grouping, own, theirs)
        if reason is not None:
            yield reason
    elif other is node.owner.end and node.owner.owning_node is not None:
        text = "could be in a kernel, but its block ends after it"
        yield Reason("control-flow", text, node.owner.owning_node)
    elif other.owner is not node.owner:
        around = _around(other, node)
        if around is not None:
            text = f"is separated from {other.kind} by {around.kind}"
            yield Reason("control-flow", text, around)
    elif other.blocks:
        text = f"could be in a kernel, but {other.kind} {relation}"
        yield Reason("control-flow", text, other)
    elif other not in grouping.region.position:
        first, second = (other, node) if relation == _GIVES else (node, other)
        barrier = _barrier(first, second) if other.kind not in _HOLDERS else None
        if barrier is not None:
            text = f"cannot be moved across {barrier.kind} to {other.kind}"
            yield Reason("side-effect-between", text, barrier)
    elif is_operator(other):
        text = f"could be in a kernel, but {other.kind}, which {relation}, is in none"
        yield Reason(f"cut-off-by({other.kind})", text, other)


def _around(first: Node, second: Node) -> Node | None:
    """Return the If or Loop that one of two nodes is in and the other is not."""
    outer = set(_owners(first)) ^ set(_owners(second))
    found = [node for node in (*_owners(first), *_owners(second)) if node in outer]
    if first.kind in _HOLDERS and first.owner.owning_node is None:
        return None  # an argument
    return found[-1] if found else None


def _owners(node: Node) -> list[Node]:
    found = []
    owner = node.owner.owning_node
    while owner is not None:
        found.append(owner)
        owner = owner.owner.owning_node
    return found


def _barrier(first: Node, second: Node) -> Node | None:
    """Return the first barrier between two nodes of a block, if there is any."""
    here = first.next
    while here is not second and here is not first.owner.end:
        if is_barrier(here):
            return here
        here = here.next
    return None


# ---- Two groups ----------------------------------------------------------------------------------


def _why_apart(grouping: Grouping, one: set[Node], other: set[Node]) -> Reason | None:
    """Return the reason why two groups are not one."""
    neighbour = grouping.region.sorted(other)[0]
    if grouping.is_mixed(one | other):
        text = (
            f"cannot be in one kernel with {neighbour.kind}: gradients through one of them are an "
            "error, since a tensor that is saved for them is written to"
        )
        return Reason("aliased-mutation", text, neighbour)
    refusal = grouping.refusal_of_both(one, other)
    if isinstance(refusal, NotFusable):
        text = f"cannot be in one kernel with {neighbour.kind}: {refusal.message}"
        return Reason(refusal.code, text, neighbour)
    if refusal is None:
        return None
    return _of_way(grouping, one | other, refusal)


def _of_way(grouping: Grouping, group: set[Node], way: list[Node]) -> Reason:
    """Return the reason why a way leads out of a group and back into it."""
    dependences = grouping.dependences
    steps = [
        *((node, way[0]) for node in group if way[0] in dependences.after[node]),
        *pairwise(way),
        *((way[-1], node) for node in dependences.after[way[-1]] if node in group),
    ]
    writers = grouping.region.alias.writers
    for pair in steps:
        if dependences.cause(*pair) == "memory":
            writer = next(n for n in pair if any(inner in writers for inner in with_inner(n)))
            text = f"cannot be moved across {writer.kind}, which writes to a tensor that is read"
            return Reason("aliased-mutation", text, writer)
    for first, second in steps:
        if dependences.cause(first, second) == "effect":
            text = f"cannot be moved across {second.kind}, which has side effects"
            return Reason("side-effect-between", text, second)
    for node in way:
        if node.blocks:
            text = f"cannot be moved across {node.kind}, which reads or gives what it needs"
            return Reason("control-flow", text, node)
    blocker = next((node for node in way if node not in grouping.group_of), way[0])
    text = f"could be in a kernel with others, but {blocker.kind} stands between them"
    return Reason(f"cut-off-by({blocker.kind})", text, blocker)
