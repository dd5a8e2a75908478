"""A group of operators as a graph of its own.

A group consists of *members*: operators that compute. What it reads is followed back through
views (also chunks and lists) of the same region of code, which are copied into the group: they
cost nothing there. Where the trace ends are the group's *leaves*, its inputs. A view that others
need, too, stays where it is; a view of what the group computes then takes the group's output.

    %h = aten::mul(%x, %w)                    members: mul, add       leaves: %x, %w
    %t = aten::t(%h)                          outputs: %h, %y
    %y = aten::add(%t, %t)                    copied: t
    return (%t, %y)                           %t is taken of the output %h
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from minits.ir.alias import AliasAnalysis
from minits.ir.constants import is_constant_array
from minits.ir.copying import clone_node
from minits.ir.graph import Graph, Node, Value
from minits.ir.in_words import in_words
from minits.kernels.lowering import LOWERINGS, Lowered, NotFusable, can_fuse, is_size, lower
from minits.ops.properties import has_side_effects, is_nondeterministic
from minits.records import dataclass
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta

LEAVES = (t.TENSOR, t.FLOAT, t.INT, t.BOOL)
"""Types of a group's inputs."""
_LISTS = ("prim::ListConstruct", "prim::ListUnpack")
_MAY_COPY = frozenset(
    "aten::reshape aten::reshape_as aten::contiguous aten::flatten aten::to aten::view_as".split()
)
"""Views that are copies where the tensor does not allow a view."""


@dataclass(frozen=True, slots=True)
class Body:
    """A group as a graph.

    `leaves` and `outputs` are values of the graph that the group is in, in the order of the inputs
    and outputs of `graph`. `copied` are the views that are copied, `origin` tells for each node of
    `graph` which node it is a copy of.
    """

    graph: Graph
    leaves: list[Value]
    outputs: list[Value]
    copied: list[Node]
    origin: dict[Node, Node]


class StraightLineRegion:
    """The nodes of a block between two that nothing may be moved across."""

    def __init__(
        self,
        nodes: Sequence[Node],
        metas: dict[Value, TensorMeta],
        alias: AliasAnalysis,
        apart: Collection[str] = (),
    ) -> None:
        self.nodes = list(nodes)
        self.apart = apart
        """Kinds of operators that are no members."""
        self.metas = metas
        self.alias = alias
        self.position = {node: index for index, node in enumerate(nodes)}
        self.refusals: dict[Node, NotFusable] = {}
        """Reasons why operators are no members."""
        self.views: set[Node] = {node for node in nodes if self._is_view(node)}
        self.sizes: set[Node] = {node for node in nodes if self._is_size(node)}
        """Nodes that ask for sizes and compute with them: views may take these from the leaves."""
        self.members = [node for node in nodes if self._is_member(node)]
        self._settle_views()

    # ---- What nodes are ------------------------------------------------------------------------

    def _is_view(self, node: Node) -> bool:
        """Return whether the node may be copied into the groups that read what it gives."""
        row = LOWERINGS.get(node.kind)
        is_view = row is not None and row.views is not None and not is_size(node)
        is_list = node.kind in _LISTS and not is_size(node)
        if not (is_view or is_list or node.kind == "aten::detach"):
            return False
        if self.alias.has_writers(node) and (node.kind in _MAY_COPY or node.kind in _LISTS):
            return False
        if is_list:
            return True
        return can_fuse(node, self.metas.get) is None

    def _is_size(self, node: Node) -> bool:
        if not is_size(node):
            return False
        is_list = any(value.type != t.INT for value in node.outputs) or node.kind in _LISTS
        return not (is_list and self.alias.has_writers(node))

    def _is_member(self, node: Node) -> bool:
        if node in self.views or node.kind in self.apart or not is_operator(node):
            return False
        if has_side_effects(node) or node in self.alias.writers:
            return False
        refusal = can_fuse(node, self.metas.get)
        if refusal is None and is_nondeterministic(node):
            refusal = NotFusable("random", f"{node.kind} draws random numbers", node)
        if refusal is None:
            refusal = self._check_leaves(node)
        if refusal is not None:
            self.refusals[node] = refusal
        return refusal is None

    def _check_leaves(self, node: Node) -> NotFusable | None:
        for leaf in self.leaves_of(node):
            if leaf.type not in LEAVES:
                message = f"{node.kind} has an argument of type {leaf.type} that is not a constant"
                return NotFusable("not-constant", message, node)
        return None

    def _settle_views(self) -> None:
        """Leave views where they are that kernels do not read through."""
        for member in self.members:
            copied = self.trace([member])[1]
            if not copied:
                continue
            try:
                self.lower([member])
            except NotFusable as refusal:
                if refusal.code == "view":
                    self.views.difference_update(n for n in copied if n.kind not in _LISTS)

    # ---- Groups --------------------------------------------------------------------------------

    def leaves_of(self, member: Node) -> list[Value]:
        return self.trace([member])[0]

    def trace(self, members: Iterable[Node]) -> tuple[list[Value], list[Node]]:
        """Return the values that members read and none of them gives, and the views on the way."""
        inside = set(members)
        asked: set[Value] = set()
        while True:
            leaves, copied = self._trace(inside, asked)
            more = {node.inputs[0] for node in copied if node.kind == "aten::size"}
            more = {value for value in more - asked if value.node in copied}
            if not more:
                return leaves, copied
            asked |= more

    def _trace(self, inside: set[Node], asked: set[Value]) -> tuple[list[Value], list[Node]]:
        """Do one round of `trace`. Views in `asked` are leaves, as an `aten::size` reads them."""
        leaves: dict[Value, None] = {}
        copied: dict[Node, None] = {}
        read = [value for member in self.sorted(inside) for value in member.inputs]
        stack = [(value, False) for value in read[::-1]]
        while stack:
            value, is_of_view = stack.pop()
            node = value.node
            if node in inside or node in copied or _is_known(value):
                continue
            is_asked = is_of_view and node in self.sizes
            is_view = node in self.views and value not in asked
            if is_view or is_asked or self._is_list_of_constants(node):
                copied[node] = None
                stack += [(each, True) for each in node.inputs[::-1]]
            else:
                leaves[value] = None
        return list(leaves), list(copied)

    def _is_list_of_constants(self, node: Node) -> bool:
        if node.kind != "prim::ListConstruct" or self.alias.has_writers(node):
            return False
        return all(value.node.kind == "prim::Constant" for value in node.inputs)

    def sorted(self, nodes: Iterable[Node]) -> list[Node]:
        return sorted(nodes, key=lambda node: self.position.get(node, -1))

    def outputs(self, members: set[Node]) -> list[Value]:
        """Return the values that members give to others, larger tensors first."""
        found = [
            value
            for member in self.sorted(members)
            for value in member.outputs
            if self._is_needed(value, members)
        ]
        return sorted(found, key=self._size, reverse=True)

    def _is_needed(self, value: Value, members: set[Node]) -> bool:
        for user, _ in value.uses:
            if user in members and value.node not in self.sizes:
                continue
            if user not in self.views and user not in self.sizes:
                return True
            if any(self._is_needed(output, members) for output in user.outputs):
                return True
        return False

    def _size(self, value: Value) -> int:
        meta = self.metas.get(value)
        size = 1
        for extent in meta.shape if meta is not None else ():
            size *= extent
        return size

    def body(self, members: Iterable[Node]) -> Body:
        """Return the members, and all that they read through, as a graph."""
        inside = set(members)
        leaves, copied = self.trace(inside)
        graph = Graph()
        local: dict[Value, Value] = {}
        for leaf in leaves:
            local[leaf] = graph.add_input(leaf.name if leaf.has_name else None, leaf.type)
        origin: dict[Node, Node] = {}

        def copy(node: Node) -> None:
            made = graph.insert(clone_node(graph, node, look_up))
            origin[made] = node
            local.update(zip(node.outputs, made.outputs, strict=True))

        def look_up(value: Value) -> Value:
            if value not in local:
                copy(value.node)
            return local[value]

        for node in self.sorted(inside):
            for value in node.inputs:
                look_up(value)
            copy(node)
        outputs = self.outputs(inside)
        for value in outputs:
            graph.block.add_output(local[value])
        return Body(graph, leaves, outputs, copied, origin)

    def nesting(self, members: Iterable[Node]) -> int:
        """Return the number of views of its own results that a group takes one after the other.

        What is seen through different views is computed for each; so that multiplies.
        """
        inside = set(members)
        copied = set(self.trace(inside)[1])
        depths: dict[Node, int | None] = {}

        def depth(node: Node) -> int | None:
            if node in self.sizes or (node not in inside and node not in copied):
                return None
            if node not in depths:
                known = [found for v in node.inputs if (found := depth(v.node)) is not None]
                is_view = node in copied and node.kind not in _LISTS
                below = 0 if node in inside else None
                depths[node] = max(known) + is_view if known else below
            return depths[node]

        return max([depth(node) or 0 for node in self.sorted(inside)], default=0)

    def lower(self, members: Iterable[Node]) -> Lowered:
        """Return the group as a kernel. Raises NotFusable, with the node of this region."""
        body = self.body(members)
        try:
            if not body.outputs:
                raise NotFusable("shape", "nobody reads what the group computes")
            for leaf in body.leaves:
                if leaf.type not in LEAVES:
                    raise NotFusable("not-constant", f"{in_words(leaf)} is of type {leaf.type}")
            return lower(body.graph, [self.metas.get(leaf) for leaf in body.leaves])
        except NotFusable as refusal:
            if refusal.node is not None:
                refusal.node = body.origin.get(refusal.node, refusal.node)
            raise


def _is_known(value: Value) -> bool:
    """Return whether a value is a constant that a kernel has in it. Tensors are its inputs."""
    return value.node.kind == "prim::Constant" and not is_constant_array(value)


def is_operator(node: Node) -> bool:
    """Return whether the node is an operator that gives tensors."""
    return (
        node.kind.startswith("aten::")
        and not node.blocks
        and bool(node.outputs)
        and all(value.type == t.TENSOR for value in node.outputs)
    )
