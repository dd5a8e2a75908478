"""Grouping: operators of a region that become one kernel.

From the last operator upwards, a group takes in what its operators read, as far as it runs as one
and `lower` makes a kernel of it. Then groups that read the same tensors, or one what the other
gives, are joined.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from minits.ir.graph import Node, Value
from minits.kernels.lowering import LOWERINGS, Lowered, NotFusable
from minits.kernels.lowering.promotion import Shape
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.passes.fusion.dependences import DependenceGraph
from minits.passes.fusion.neighbours import Neighbours
from minits.passes.fusion.nested_effects import NestedEffects
from minits.passes.fusion.partition import Partition
from minits.passes.fusion.raising_gradients import Side
from minits.passes.fusion.subgraph import StraightLineRegion, is_operator
from minits.types import types as t

# ---- The limits of cost, all of them here --------------------------------------------------------

LARGEST = 96
"""Operators in a kernel: the compiler's time grows with them, and registers run out."""
MOST_LEAVES = 48
"""Inputs of a kernel."""
MOST_TRIALS = 4
"""Groups tried for each operator of a region of code; each trial lowers one."""
FEWEST_TRIALS = 400
"""Groups tried for any region."""
DEEPEST = 3
"""Views of what a kernel computes, one after the other: each may double what is computed."""
MOST_AGAIN = 1 << 15
"""Elements for which a costly value of a smaller tensor is computed over again."""
COSTLY = frozenset(
    ["aten::polygamma"]  # of several rows
    + [row.aten for row in SCALAR_OPS.values() if row.aten is not None and row.cost >= 10]
)
"""Operators that cost more than reading their result."""
FEWEST = 2
"""Loops over memory that eager takes for what a kernel computes."""


def pays(members: Iterable[Node]) -> bool:
    """Return whether a kernel of these operators is faster than running them one by one."""
    return sum(LOWERINGS[node.kind].loops for node in members) >= FEWEST


# --------------------------------------------------------------------------------------------------


class Grouping:
    """The groups of a region of code.

    Operators with other values in `sides` are in no group together (`raising_gradients`).
    """

    def __init__(
        self,
        region: StraightLineRegion,
        nested: NestedEffects,
        sides: Mapping[Node, Side] | None = None,
    ) -> None:
        self.region = region
        self._sides = sides or {}
        self._groups = Partition(region.position)
        self.group_of = self._groups.of
        """The group of each member; members that none goes with are groups of their own."""
        self._members = set(region.members)
        self.dependences = DependenceGraph(region.nodes, nested, self._leaves, self._is_refused)
        self._trials = max(FEWEST_TRIALS, MOST_TRIALS * len(region.members))
        """The number of groups that may still be tried."""
        self._loop_shapes: dict[Node, Shape | None] = {}

    def _is_refused(self, node: Node) -> bool:
        """Return whether eager refuses tensors like these: the results have no metadata."""
        metas = self.region.metas
        if not is_operator(node) or any(value in metas for value in node.outputs):
            return False
        return all(value in metas for value in node.inputs if value.type == t.TENSOR)

    def _leaves(self, node: Node) -> Iterable[Value] | None:
        """Return the leaves of a member; what is copied into its group is in nobody's way."""
        return self.region.leaves_of(node) if node in self._members else None

    def run(self) -> list[set[Node]]:
        """Group all members. Return those groups that pay, in order of their last operators."""
        for member in reversed(self.region.members):
            if member not in self.group_of:
                self._groups.keep(self._grow(member))
        self._join_groups()
        found = {id(group): group for group in self.group_of.values() if pays(group)}
        return sorted(found.values(), key=self._last)

    def _last(self, group: set[Node]) -> int:
        return max(self.region.position[node] for node in group)

    # ---- Growing -------------------------------------------------------------------------------

    def _grow(self, seed: Node) -> set[Node]:
        """Return a group that ends with `seed`: the largest that can be if all goes well."""
        excluded: set[Node] = set()
        for _ in range(4):
            group = self._all_above(seed, excluded)
            if len(group) == 1:
                return group
            refusal = self._refusal(group)
            if refusal is None:
                return group
            if refusal.node is None or refusal.node is seed or refusal.node not in group:
                break
            excluded.add(refusal.node)
        return self._grow_by_one(seed)

    def _all_above(self, seed: Node, excluded: set[Node]) -> set[Node]:
        """Return the seed and the members above it that may run as one with it.

        The last ones are left out as long as they read too much.
        """
        group, fits = [seed], 1
        while len(group) <= LARGEST:
            leaves = self.region.trace(group)[0]
            if len(leaves) <= MOST_LEAVES:
                fits = len(group)
            producers = self._producers(leaves, excluded)
            found = next((node for node in producers if self._is_one({*group, node})), None)
            if found is None:
                break
            group.append(found)
        return set(group[:fits])

    def _grow_by_one(self, seed: Node) -> set[Node]:
        """Return a group that ends with `seed`, to which one operator was added at a time."""
        group: set[Node] = {seed}
        rejected: set[Node] = set()
        while len(group) < LARGEST:
            leaves = self.region.trace(group)[0]
            found = next(iter(self._producers(leaves, rejected)), None)
            if found is None:
                break
            larger = group | {found}
            if self._is_one(larger) and self._refusal(larger) is None:
                group = larger
                rejected.clear()
            else:
                rejected.add(found)
        return group

    def _producers(self, leaves: Iterable[Value], rejected: set[Node]) -> list[Node]:
        """Return members in no group whose results a group reads, the last ones first."""
        found = {leaf.node for leaf in leaves}
        free = found & self._members - rejected - self.group_of.keys()
        return self.region.sorted(free)[::-1]

    def _is_one(self, group: set[Node]) -> bool:
        return not (self.is_mixed(group) or self.dependences.cycle_through(group, self._groups))

    def is_mixed(self, group: set[Node]) -> bool:
        """Return whether some operators are to be apart from others of a group."""
        return bool(self._sides) and len({self._sides.get(node) for node in group}) > 1

    def _refusal(self, group: set[Node]) -> NotFusable | None:
        """Return the reason why a group is no kernel, or None if it is one."""
        self._trials -= 1
        if self._trials < 0:
            return NotFusable("shape", "too many groups were tried")
        large = self._too_large(group)
        if large is not None:
            return large
        if self.region.nesting(group) > DEEPEST:
            return NotFusable("view", "too many views of views of what is computed")
        try:
            lowered = self.region.lower(group)
        except NotFusable as refusal:
            return refusal
        return self._too_often(group, lowered)

    def _too_large(self, group: set[Node]) -> NotFusable | None:
        if len(group) > LARGEST or len(self.region.trace(group)[0]) > MOST_LEAVES:
            return NotFusable("shape", "the kernel would be too large")
        return None

    def _too_often(self, group: set[Node], lowered: Lowered) -> NotFusable | None:
        """Refuse a group that computes a costly value of a small tensor for each of many."""
        metas = self.region.metas
        shapes = {
            node: metas[node.output].shape
            for node in group
            if len(node.outputs) == 1 and node.output in metas
        }
        domain = max(shapes.values(), key=math.prod, default=())
        reduced = lowered.reduced
        rows = domain[: len(domain) - reduced]
        parts = max([len(made.outputs) for made in lowered.made])
        for node, shape in shapes.items():
            is_row = reduced > 0 and shape in (rows, rows + (1,) * reduced)
            again = math.prod(domain) // parts - math.prod(shape)
            if node.kind in COSTLY and not is_row and again > MOST_AGAIN:
                return NotFusable("shape", f"{node.kind} would be computed over and over", node)
        return None

    # ---- Joining -------------------------------------------------------------------------------

    def _join_groups(self) -> None:
        """Join groups that have something to do with each other, as long as any can be joined."""
        groups = Neighbours(self.region, self.group_of)
        for one, other in groups.pairs():
            if not self.is_mixed(one | other) and self.refusal_of_both(one, other) is None:
                self._groups.keep(one | other)
                groups.join(one, other)

    def refusal_of_both(self, one: set[Node], other: set[Node]) -> NotFusable | list[Node] | None:
        """Return the reason why two groups cannot be one: the way between them, or the kernel's."""
        both = one | other
        cycle = self.dependences.cycle_through(both, self._groups)
        if cycle:
            return cycle
        return self._too_large(both) if self._is_one_loop(both) else self._refusal(both)

    def _is_one_loop(self, group: set[Node]) -> bool:
        """Return whether a group is one loop over elements, so that nothing but its size matters.

        It need not be lowered, which would take the square of the time where each operator of a
        long list is joined with those before it.
        """
        shapes = {self._loop_shape(node) for node in group}
        return len(shapes) == 1 and None not in shapes

    def _loop_shape(self, node: Node) -> Shape | None:
        """Return the shape over which a member is one loop; None if it is not, or reads views."""
        if node not in self._loop_shapes:
            row, meta = LOWERINGS[node.kind], self.region.metas.get(node.outputs[0])
            is_loop = (
                len(node.outputs) == 1
                and not (row.reduces or row.parts or row.is_view or row.strides)
                and not self.region.trace([node])[1]
            )
            self._loop_shapes[node] = meta.shape if is_loop and meta is not None else None
        return self._loop_shapes[node]
