"""Alias analysis: values that may share memory, and the nodes that write to it.

`points_to.py` finds the memory of each value; here are the questions that passes ask about it.

Source: torch/csrc/jit/ir/alias_analysis.cpp (`AliasDb`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from minits.ir.constants import to_python
from minits.ir.graph import Graph, Node, Value
from minits.ir.points_to import UNDECLARED, Memory, PointsTo, is_mutable_type, reachable
from minits.ops.properties import schema_of
from minits.ops.registry import kept_by_operator, schemas_for

_WRITES_ANYTHING = (
    "prim::CallFunction", "prim::CallMethod", "prim::PythonOp", "prim::fork", "aten::wait",
    "prim::awaitable", "prim::awaitable_wait", "prim::Enter", "prim::Exit",
)  # fmt: skip
_UPDATES_STATISTICS = ("aten::batch_norm", "aten::instance_norm")
"""Operators that write to running mean and variance when training, unlike their schemas say."""
READERS_OF_FLAGS = frozenset((*_UPDATES_STATISTICS, *UNDECLARED))
"""Operators of which constant arguments tell what they write to, or whether they return one."""


class AliasAnalysis:
    """The aliases in one graph in its present state.

    If `lazily`, they are computed at the first query, which must come before the graph changes:
    most functions write to nothing, and are never queried. `modules_apart`: see `PointsTo`.
    """

    def __init__(self, graph: Graph, *, lazily: bool = False, modules_apart: bool = False) -> None:
        self._graph = graph
        self._modules_apart = modules_apart
        self.writers: dict[Node, None] = {}
        """The nodes that may write to anything, in order."""
        for node in graph.nodes_of_kind(*graph.kinds_with(may_write)):
            if modules_apart and node.kind == "aten::batch_norm":
                continue  # it is not trained
            if _writes_anything(node) or written_inputs(node):
                self.writers[node] = None
        self._end = graph.block.end
        if not lazily:
            _ = self._memory, self._written

    @cached_property
    def _memory(self) -> PointsTo:
        return PointsTo(self._graph, self._modules_apart)

    @cached_property
    def _written(self) -> dict[Node, set[Memory]]:
        """A mapping from each writer to the memory that it may write to."""
        return {writer: self._find_written(writer) for writer in self.writers}

    @cached_property
    def _all_written(self) -> set[Memory]:
        return {memory for found in self._written.values() for memory in found}

    @cached_property
    def _returned(self) -> set[Memory]:
        return reachable(
            target for value in self._end.inputs for target in self._memory.targets(value)
        )

    # ---- Questions -----------------------------------------------------------------------------

    def written(self, node: Node) -> set[Memory]:
        """Return the memory that `node` may write to."""
        return self._written.get(node, set())

    def reach(self, values: Iterable[Value]) -> set[Memory]:
        """Return the memory of values and all that it contains; none if no node writes."""
        return self._memory.reach(values) if self._written else set()

    def written_of(self, values: Iterable[Value]) -> set[Memory]:
        """Return the part of the values' memory, contents included, that some node may write to."""
        return self._all_written & self._memory.reach(values)

    def memory(self, value: Value) -> set[Memory]:
        """Return the memory that a value may point to, without what that contains."""
        return self._memory.targets(value)

    def may_alias(self, first: Value, second: Value) -> bool:
        """Return whether two values may be the same memory."""
        return not self._memory.targets(first).isdisjoint(self._memory.targets(second))

    def writes_to(self, node: Node, values: Iterable[Value]) -> bool:
        """Return whether `node` may write to memory of the values, or to what they contain."""
        return not self.written(node).isdisjoint(self.reach(values))

    def writes_to_wildcard(self, node: Node) -> bool:
        """Return whether `node` may write to memory that exists outside the graph."""
        return any(memory.wildcard for memory in self.written(node))

    def is_written(self, value: Value) -> bool:
        """Return whether the graph may write to the value itself, not to what it contains."""
        return not self._all_written.isdisjoint(self._memory.targets(value))

    def has_writers(self, node: Node) -> bool:
        """Return whether anything in the graph may write to the inputs or outputs of `node`."""
        values = (*node.inputs, *node.outputs)
        return bool(self.writers) and not self._all_written.isdisjoint(self.reach(values))

    def escapes(self, value: Value) -> bool:
        """Return whether others than the graph may see the value's memory, now or afterwards."""
        targets = self._memory.targets(value)
        return any(m.wildcard for m in targets) or not targets.isdisjoint(self._returned)

    def _find_written(self, node: Node) -> set[Memory]:
        memory = self._memory
        found: set[Memory] = set()
        for value in written_inputs(node):
            found |= memory.targets(value)
        if _writes_anything(node):
            found |= {wildcard.root() for wildcard in memory.wildcards.values()}
            for value in node.inputs:
                found |= memory.targets(value)
        return found


def _writes_anything(node: Node) -> bool:
    """Return whether a node may write to all that it can reach.

    Of a traced `torch.autograd.Function` the operators are known.
    """
    if node.kind == "prim::PythonOp" and "Subgraph" in node.attributes:
        body = node["Subgraph"].all_nodes()
        return any(_writes_anything(each) or written_inputs(each) for each in body)
    return node.kind in _WRITES_ANYTHING


def written_inputs(node: Node) -> list[Value]:
    """Return the inputs that the operator itself writes to, by its schema."""
    kind = node.kind
    if kind == "prim::SetAttr":
        return [node.inputs[0]]
    if kind == "aten::update":  # its schema says (a!) of both dicts, and it reads the second
        return [node.inputs[0]]
    if kind in _UPDATES_STATISTICS:
        statistics = [value for value in node.inputs[3:5] if is_mutable_type(value.type)]
        return statistics if to_python(node.inputs[5]) is not False else []
    schema = schema_of(node)
    if schema is None or not schema.has_alias_annotations:
        return []
    return [
        value
        for argument, value in zip(schema.arguments, node.inputs, strict=False)
        if argument.alias is not None and argument.alias.is_write and is_mutable_type(value.type)
    ]


@kept_by_operator
def may_write(kind: str) -> bool:
    """Return whether the operator writes to something, or an overload of it to an argument."""
    if kind in _WRITES_ANYTHING or kind in _UPDATES_STATISTICS or kind == "prim::SetAttr":
        return True
    return any(schema.is_mutable for schema in schemas_for(kind))
