"""Points-to analysis: the memory behind tensors, lists, dicts and objects.

Every value of a mutable type points to memory: to its own if it is new, or to that of other values
by the alias annotations of operators' schemas (`Tensor(a!)`), by control flow and by casts. Values
that may be anything of their type (the graph's inputs, attributes, elements of containers) point to
the wildcard memory of their type, and so does what is put into a container, unless its only use is
to be joined (`aten::cat`) or returned. A container additionally contains values: writing to an
element is visible through the container.

Source: torch/csrc/jit/ir/alias_analysis.cpp (`AliasDb`), torch/csrc/jit/utils/memory_dag.h.
Differs: what a loop carries may also be what it was given, if it never runs, and what the last
iteration left, which torch forgets; operators that may return what they are given are known even
where their schemas do not say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Block, Graph, Node, Use, Value
from minits.ops.properties import schema_of
from minits.ops.schema import Schema
from minits.types import types as t
from minits.types.subtyping import union_members
from minits.types.type_parts import contained_types, distinct_parts
from minits.types.types import Type

_IMMUTABLE = frozenset(
    (
        t.INT, t.FLOAT, t.BOOL, t.COMPLEX, t.STR, t.NONE, t.NUMBER, t.DEVICE, t.GENERATOR,
        t.STREAM, t.STORAGE, t.QSCHEME, t.SYM_BOOL,
    )
)  # fmt: skip
_SAME = ("prim::unchecked_cast", "prim::unchecked_unwrap_optional", "aten::_unwrap_optional")
_CONTAINERS = ("prim::ListConstruct", "prim::TupleConstruct", "prim::DictConstruct")
JOINS = ("aten::cat", "aten::stack", "aten::vstack", "aten::hstack", "aten::dstack")
_EXTRACTORS = ("prim::TupleUnpack", "prim::TupleIndex", "prim::ListUnpack")
_FRESH = (
    "prim::Constant", "prim::Uninitialized", "prim::CreateObject", "prim::EmptyListLiteral",
    "prim::FusionGroup",
)  # fmt: skip
UNDECLARED = frozenset(
    f"aten::{name}"
    for name in "dropout feature_dropout alpha_dropout feature_alpha_dropout type_as "
    "broadcast_tensors meshgrid atleast_1d atleast_2d atleast_3d sum_to_size cartesian_prod "
    "conj_physical data lift set to_dense to_dense_backward to_mkldnn_backward dequantize "
    "unsafe_chunk unsafe_split unsafe_split_with_sizes _unsafe_view _saturate_weight_to_fp16 "
    "_cast_Byte _cast_Char _cast_Double _cast_Float _cast_Half _cast_Int _cast_Long "
    "_cast_Short".split()
)
"""Operators that may return an argument, or a view of it, which their schemas do not say."""


def is_mutable_type(type: Type) -> bool:
    """Return whether a value of the type has memory that others may see change."""
    if isinstance(type, t.SimpleType):
        return type not in _IMMUTABLE
    if isinstance(type, (t.EnumType, t.FunctionType)):
        return False
    if isinstance(type, (t.TupleType, t.OptionalType, t.UnionType)):
        return any(map(is_mutable_type, distinct_parts(type)))
    return True


class Memory:
    """An abstract piece of memory. If it may be a wildcard, it is merged with that (union-find)."""

    __slots__ = ("contained", "parent", "wildcard")

    def __init__(self, wildcard: bool = False) -> None:
        self.parent: Memory | None = None
        self.contained: list[Pointer] = []
        self.wildcard = wildcard

    def root(self) -> Memory:
        """Return the memory that this one was merged into, shortening the path (union-find)."""
        if self.parent is None:
            return self
        root = self.parent
        while root.parent is not None:
            root = root.parent
        here = self
        while here.parent is not None and here.parent is not root:
            here.parent, here = root, here.parent
        return root


class Pointer:
    """The memory of a value: its own, or that of the pointers in `others`."""

    __slots__ = ("memory", "others")

    def __init__(self, memory: Memory | None = None) -> None:
        self.memory = memory
        self.others: list[Pointer] = []

    def targets(self) -> set[Memory]:
        """Return the memory that this may point to."""
        if not self.others and self.memory is not None:
            return {self.memory.root()}
        found: set[Memory] = set()
        seen: set[Pointer] = set()
        waiting = [self]
        while waiting:
            pointer = waiting.pop()
            if pointer not in seen:
                seen.add(pointer)
                waiting += pointer.others
                if pointer.memory is not None:
                    found.add(pointer.memory.root())
        return found


def reachable(roots: Iterable[Memory]) -> set[Memory]:
    """Return the memories and, transitively, the memory that they contain."""
    seen: set[Memory] = set()
    stack = list(roots)
    while stack:
        memory = stack.pop()
        if memory not in seen:
            seen.add(memory)
            for inner in memory.contained:
                stack += inner.targets()
    return seen


class PointsTo:
    """The points-to sets of a graph's values, computed when this is made.

    A value that no node says anything about gets memory of its own on its first query. With
    `modules_apart`, so does each attribute that is read of a module: nobody else may hold it.
    """

    def __init__(self, graph: Graph, modules_apart: bool = False) -> None:
        self._modules_apart = modules_apart
        self.wildcards: dict[str, Memory] = {}
        """By type: the memory of all values whose origin is unknown."""
        self._pointers: dict[Value, Pointer] = {}
        self._reach: dict[Value, set[Memory]] = {}
        self._anything: list[Value] = list(graph.inputs)
        self._end = graph.block.end
        self._visit(graph.block)
        for value in self._anything:
            self._merge_with_wildcards(value)

    # ---- Questions -----------------------------------------------------------------------------

    def targets(self, value: Value) -> set[Memory]:
        """Return the memory that a value may point to; none if its type has no memory."""
        pointer = self._pointer(value)
        return set() if pointer is None else pointer.targets()

    def reach(self, values: Iterable[Value]) -> set[Memory]:
        """Return the memory that values point to, with all that it contains.

        Values without a points-to set yet are left out: only they themselves point to their memory.
        """
        found: set[Memory] = set()
        for value in values:
            if value in self._pointers:
                known = self._reach.get(value)
                if known is None:
                    known = self._reach[value] = reachable(self._pointers[value].targets())
                found |= known
        return found

    # ---- Construction --------------------------------------------------------------------------

    def _pointer(self, value: Value) -> Pointer | None:
        found = self._pointers.get(value)
        if found is None and is_mutable_type(value.type):
            found = self._pointers[value] = Pointer(Memory())
        return found

    def _point(self, value: Value, target: Value) -> None:
        """Add the memory of `target` to what `value` may point to."""
        if not is_mutable_type(value.type):
            return
        pointer = self._pointers.get(value)
        if pointer is None:
            pointer = self._pointers[value] = Pointer()
        known = self._pointer(target)
        if known is not None:
            pointer.others.append(known)
        elif pointer.memory is None:
            pointer.memory = Memory()

    def _share(self, value: Value, target: Value) -> None:
        """Give a node's output the pointer of `target`, which is all that it may point to.

        Thousands of writes to one tensor, or views of views, would make a chain as long.
        """
        pointer = self._pointer(target) if is_mutable_type(value.type) else None
        if pointer is None:
            self._point(value, target)
        else:
            self._pointers[value] = pointer

    def _merge_with_wildcards(self, value: Value) -> None:
        targets = self.targets(value)
        if not targets:
            return
        for member in union_members(value.type):
            if is_mutable_type(member):
                for memory in targets:
                    self._merge(self._wildcard(member), memory.root())

    def _merge(self, wildcard: Memory, memory: Memory) -> None:
        if wildcard is not memory:
            memory.parent = wildcard
            wildcard.contained += memory.contained
            wildcard.wildcard = True

    def _wildcard(self, type: Type) -> Memory:
        key = str(type)
        if key not in self.wildcards:
            self.wildcards[key] = memory = Memory(wildcard=True)
            memory.contained += [
                Pointer(self._wildcard(part))
                for part in contained_types(type)
                if is_mutable_type(part)
            ]
        return self.wildcards[key].root()

    def _visit(self, block: Block) -> None:
        for node in block.nodes:
            if node.kind not in _FRESH:
                self._visit_node(node)

    def _visit_node(self, node: Node) -> None:
        visit = VISITS.get(node.kind)
        if visit is not None:
            visit(self, node)
            return
        self._visit_operator(node)
        for block in node.blocks:
            self._visit(block)

    def _visit_if(self, node: Node) -> None:
        for block in node.blocks:
            self._visit(block)
            for value, output in zip(block.outputs, node.outputs, strict=True):
                self._point(output, value)

    def _visit_loop(self, node: Node) -> None:
        body = node.blocks[0]
        carried = zip(node.inputs[2:], body.inputs[1:], node.outputs, strict=True)
        for value, inner, output in carried:
            self._point(inner, value)
            self._point(output, inner)
        self._visit(body)
        for value, inner in zip(body.outputs[1:], body.inputs[1:], strict=True):
            self._point(inner, value)

    def _visit_same(self, node: Node) -> None:
        self._point(node.output, node.inputs[0])
        if node.inputs[0].type == t.ANY:  # it may also be any other value of that type
            self._anything.append(node.output)

    def _visit_extractor(self, node: Node) -> None:
        self._anything += node.outputs

    def _visit_read(self, node: Node) -> None:
        owner = node.inputs[0].type
        if not (self._modules_apart and isinstance(owner, t.ClassType) and owner.is_module):
            self._visit_extractor(node)

    def _visit_attribute(self, node: Node) -> None:
        self._anything.append(node.inputs[1])

    def _visit_container(self, node: Node) -> None:
        container = self._pointer(node.output)
        if container is None:
            return
        assert container.memory is not None
        uses = node.output.uses
        is_kept = len(uses) != 1 or not self._is_read_only(uses[0])
        for value in node.inputs:
            item = self._pointer(value)
            if item is not None:
                container.memory.contained.append(item)
                if is_kept:
                    self._anything.append(value)

    def _is_read_only(self, use: Use) -> bool:
        """Return whether a container's user neither keeps nor returns what is in the container."""
        user, container = use.user, use.user.inputs[use.offset].type
        if user is self._end:
            return not isinstance(container, t.DictType)
        return user.kind in JOINS and isinstance(container, t.ListType)

    def _visit_undeclared(self, node: Node) -> None:
        is_random = node.kind.endswith("dropout") and to_python(node.inputs[2]) is True
        if is_random and to_python(node.inputs[1]) not in (0, NOT_CONSTANT):
            return
        if node.output.type == t.TENSOR and node.inputs[0].type == t.TENSOR:
            self._point(node.output, node.inputs[0])
        else:
            self._anything += (*node.inputs, *node.outputs)

    def _visit_operator(self, node: Node) -> None:
        schema = schema_of(node)
        if schema is None:
            self._anything += (*node.inputs, *node.outputs)
        elif schema.has_alias_annotations:  # also one with `out=` of an undeclared name
            self._visit_declared(node, schema)
        elif node.kind in UNDECLARED:
            self._visit_undeclared(node)

    def _visit_declared(self, node: Node, schema: Schema) -> None:
        sets: dict[str, list[Value]] = {}
        for argument, value in zip(schema.arguments, node.inputs, strict=False):
            info = argument.alias
            if info is None or not is_mutable_type(value.type):
                continue
            if "*" in info.after:
                self._anything.append(value)
            for name in info.before - {"*"}:
                sets.setdefault(name.rpartition("::")[2], []).append(value)
        for result, value in zip(schema.returns, node.outputs, strict=False):
            names = set() if result.alias is None else result.alias.before | result.alias.after
            known = [
                found for name in sorted(names) for found in sets.get(name.rpartition("::")[2], ())
            ]
            if len(known) == 1:
                self._share(value, known[0])
            else:
                for found in known:
                    self._point(value, found)
            if any(name.rpartition("::")[2] not in sets for name in names):
                self._anything.append(value)


VISITS: dict[str, Callable[[PointsTo, Node], None]] = {
    "prim::If": PointsTo._visit_if,
    "prim::Loop": PointsTo._visit_loop,
    "prim::SetAttr": PointsTo._visit_attribute,
    **dict.fromkeys(_CONTAINERS, PointsTo._visit_container),
    **dict.fromkeys(_SAME, PointsTo._visit_same),
    **dict.fromkeys(_EXTRACTORS, PointsTo._visit_extractor),
    "prim::GetAttr": PointsTo._visit_read,
}
"""Visits of the nodes that are no operators with a schema."""
