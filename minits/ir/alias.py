"""Which values may share memory, and which nodes write to it.

Every value of a mutable type points to memory: to its own if it is new, or to that of other values
by the aliasing facts of the operators' schemas (`Tensor(a!)`), by control flow and by casts. Values
that may be anything of their type (the graph's inputs, attributes, elements of containers) point to
the wildcard memory of their type, and so does what is put into a container, unless the container is
only read by one operator that keeps nothing of it, such as `aten::cat` its list. A container
additionally contains values: writing to an element is visible through the container.

Source: torch/csrc/jit/ir/alias_analysis.cpp (`AliasDb`).
Differs: what a loop carries may also be what it was given, if it never runs, and what the last
iteration left, which torch forgets; operators that may return what they are given are known even
where their schemas do not say so.
"""

from __future__ import annotations

from collections.abc import Iterable

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Block, Graph, Node, Use, Value
from minits.ops.facts import schema_of
from minits.ops.schema import Schema
from minits.types import types as t
from minits.types.subtyping import contained_types, union_members
from minits.types.types import Type

_IMMUTABLE = frozenset(
    (
        t.INT, t.FLOAT, t.BOOL, t.COMPLEX, t.STR, t.NONE, t.NUMBER, t.DEVICE, t.GENERATOR,
        t.STREAM, t.STORAGE, t.QSCHEME,
    )
)  # fmt: skip
_SAME = ("prim::unchecked_cast", "prim::unchecked_unwrap_optional", "aten::_unwrap_optional")
_CONTAINERS = ("prim::ListConstruct", "prim::TupleConstruct", "prim::DictConstruct")
_EXTRACTORS = ("prim::TupleUnpack", "prim::TupleIndex", "prim::ListUnpack", "prim::GetAttr")
_FRESH = (
    "prim::Constant", "prim::Uninitialized", "prim::CreateObject", "prim::EmptyListLiteral",
    "prim::FusionGroup",
)  # fmt: skip
_WRITES_ANYTHING = (
    "prim::CallFunction", "prim::CallMethod", "prim::PythonOp", "prim::fork", "prim::Enter",
    "prim::Exit",
)  # fmt: skip
_UPDATES_STATISTICS = ("aten::batch_norm", "aten::instance_norm")
"""They write to their running mean and variance when training, which their schemas do not say."""

_UNDECLARED = frozenset(
    f"aten::{name}"
    for name in "dropout feature_dropout alpha_dropout feature_alpha_dropout type_as "
    "broadcast_tensors meshgrid atleast_1d atleast_2d atleast_3d sum_to_size".split()
)
"""They may return what they are given, or views of it, which their schemas do not say."""


def is_mutable_type(type: Type) -> bool:
    """Whether a value of the type has memory that others may see change."""
    if isinstance(type, t.SimpleType):
        return type not in _IMMUTABLE
    if isinstance(type, (t.EnumType, t.FunctionType)):
        return False
    if isinstance(type, (t.TupleType, t.OptionalType, t.UnionType)):
        return any(is_mutable_type(part) for part in contained_types(type))
    return True


class _Memory:
    """A piece of memory; what turns out to be a wildcard is merged into it (union-find)."""

    __slots__ = ("contained", "parent", "wildcard")

    def __init__(self, wildcard: bool = False) -> None:
        self.parent: _Memory | None = None
        self.contained: list[_Pointer] = []
        self.wildcard = wildcard

    def root(self) -> _Memory:
        """The memory that this one was merged into; the way there is made short."""
        if self.parent is None:
            return self
        root = self.parent
        while root.parent is not None:
            root = root.parent
        here = self
        while here.parent is not None and here.parent is not root:
            here.parent, here = root, here.parent
        return root


class _Pointer:
    """Where a value's memory may be: in one place, or wherever other pointers point to."""

    __slots__ = ("memory", "others")

    def __init__(self, memory: _Memory | None = None) -> None:
        self.memory = memory
        self.others: list[_Pointer] = []

    def targets(self) -> set[_Memory]:
        """All the memory it may point to."""
        if not self.others and self.memory is not None:
            return {self.memory.root()}
        found: set[_Memory] = set()
        seen: set[_Pointer] = set()
        waiting = [self]
        while waiting:
            pointer = waiting.pop()
            if pointer not in seen:
                seen.add(pointer)
                waiting += pointer.others
                if pointer.memory is not None:
                    found.add(pointer.memory.root())
        return found


def _reachable(roots: Iterable[_Memory], seen: set[_Memory] | None = None) -> set[_Memory]:
    """Add the memories and what they contain to `seen`, and return it."""
    seen = set() if seen is None else seen
    stack = list(roots)
    while stack:
        memory = stack.pop()
        if memory not in seen:
            seen.add(memory)
            for inner in memory.contained:
                stack += inner.targets()
    return seen


class AliasAnalysis:
    """The aliasing facts of one graph as it is now."""

    def __init__(self, graph: Graph) -> None:
        self._pointers: dict[Value, _Pointer] = {}
        self._anything: list[Value] = []
        self._wildcards: dict[str, _Memory] = {}
        self._writes: dict[Node, list[Value]] = {}
        self.writers: dict[Node, None] = {}
        """The nodes that may write to anything, in order."""
        self._all_written: set[_Memory] | None = None
        self._end = graph.block.end
        self._returned: set[_Memory] | None = None
        for value in graph.inputs:
            self._to_wildcard(value)
        self._visit(graph.block)
        for value in self._anything:
            self._merge_with_wildcards(value)

    # ---- Questions -----------------------------------------------------------------------------

    def may_alias(self, first: Value, second: Value) -> bool:
        """Whether two values may be the same memory."""
        if first not in self._pointers or second not in self._pointers:
            return False
        return not self._pointers[first].targets().isdisjoint(self._pointers[second].targets())

    def writes_to(self, node: Node, values: Iterable[Value]) -> bool:
        """Whether `node` may write to memory of the values, or to what they contain."""
        written = self._written(node)
        if not written:
            return False
        seen: set[_Memory] = set()
        return any(self._reaches(value, written, seen) for value in values)

    def writes_to_wildcard(self, node: Node) -> bool:
        """Whether `node` may write to memory that exists outside the graph."""
        return any(memory.wildcard for memory in self._written(node))

    def has_writers(self, node: Node) -> bool:
        """Whether anything in the graph may write to the inputs or outputs of `node`."""
        if self._all_written is None:
            self._all_written = {
                memory for writer in self.writers for memory in self._written(writer)
            }
        seen: set[_Memory] = set()
        values = (*node.inputs, *node.outputs)
        return any(self._reaches(value, self._all_written, seen) for value in values)

    def escapes(self, value: Value) -> bool:
        """Whether others than the graph may see the value's memory, now or after it has run."""
        pointer = self._pointers.get(value)
        if pointer is None:
            return False
        if self._returned is None:
            returned = [self._pointers[v] for v in self._end.inputs if v in self._pointers]
            self._returned = _reachable([m for found in returned for m in found.targets()])
        targets = pointer.targets()
        return any(m.wildcard for m in targets) or not targets.isdisjoint(self._returned)

    def _written(self, node: Node) -> set[_Memory]:
        values = self._writes.get(node, ())
        found: set[_Memory] = set()
        if node.kind in _WRITES_ANYTHING:
            found |= {memory.root() for memory in self._wildcards.values()}
            values = (*values, *node.inputs)
        for value in values:
            if value in self._pointers:
                found |= self._pointers[value].targets()
        return found

    def _reaches(self, value: Value, targets: set[_Memory], seen: set[_Memory]) -> bool:
        """Whether a value, or what it contains, is among `targets`; `seen` is known not to be."""
        pointer = self._pointers.get(value)
        if pointer is None:
            return False
        roots = pointer.targets() - seen
        return bool(roots) and not targets.isdisjoint(_reachable(roots, seen))

    # ---- Construction --------------------------------------------------------------------------

    def _fresh(self, value: Value) -> None:
        """The value is new."""
        if is_mutable_type(value.type):
            self._pointers.setdefault(value, _Pointer(_Memory()))

    def _point(self, value: Value, target: Value) -> None:
        """The value may be what `target` is."""
        if not is_mutable_type(value.type):
            return
        pointer = self._pointers.setdefault(value, _Pointer())
        if is_mutable_type(target.type):
            pointer.others.append(self._pointers.setdefault(target, _Pointer()))
        elif pointer.memory is None:
            pointer.memory = _Memory()

    def _to_wildcard(self, value: Value) -> None:
        """The value may be anything of its type."""
        self._fresh(value)
        self._anything.append(value)

    def _merge_with_wildcards(self, value: Value) -> None:
        if value not in self._pointers:
            return
        for member in union_members(value.type):
            if is_mutable_type(member):
                for memory in self._pointers[value].targets():
                    self._merge(self._wildcard(member), memory.root())

    def _merge(self, wildcard: _Memory, memory: _Memory) -> None:
        if wildcard is not memory:
            memory.parent = wildcard
            wildcard.contained += memory.contained
            wildcard.wildcard = True

    def _wildcard(self, type: Type) -> _Memory:
        key = str(type)
        if key not in self._wildcards:
            self._wildcards[key] = memory = _Memory(wildcard=True)
            memory.contained += [
                _Pointer(self._wildcard(part))
                for part in contained_types(type)
                if is_mutable_type(part)
            ]
        return self._wildcards[key].root()

    def _visit(self, block: Block) -> None:
        for node in block.nodes:
            self._visit_node(node)

    def _visit_node(self, node: Node) -> None:
        match node.kind:
            case "prim::If":
                self._visit_if(node)
            case "prim::Loop":
                self._visit_loop(node)
            case kind if kind in _CONTAINERS:
                self._contain(node)
            case kind if kind in _SAME:
                self._point(node.output, node.inputs[0])
                if node.inputs[0].type == t.ANY:  # it may also be any other value of that type
                    self._to_wildcard(node.output)
            case kind if kind in _FRESH:
                for value in node.outputs:
                    self._fresh(value)
            case kind if kind in _EXTRACTORS:
                for value in node.outputs:
                    self._to_wildcard(value)
            case "prim::SetAttr":
                self._writes[node] = [node.inputs[0]]
                self.writers[node] = None
                self._to_wildcard(node.inputs[1])
            case _:
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

    def _contain(self, node: Node) -> None:
        self._fresh(node.output)
        container = self._pointers.get(node.output)
        uses = node.output.uses
        is_kept = len(uses) != 1 or not self._is_read_only(uses[0])
        for value in node.inputs:
            if container is None or not is_mutable_type(value.type):
                continue
            self._fresh(value)
            assert container.memory is not None
            container.memory.contained.append(self._pointers[value])
            if is_kept:
                self._to_wildcard(value)

    def _is_read_only(self, use: Use) -> bool:
        """Whether a container's user neither keeps nor returns what is in the container."""
        user, container = use.user, use.user.inputs[use.offset].type
        if isinstance(container, t.DictType):
            return False
        if user is self._end:
            return True
        schema = schema_of(user) if user.kind.startswith("aten::") else None
        if schema is None or use.offset >= len(schema.arguments):
            return False
        if schema.arguments[use.offset].alias is not None:
            return False
        return all(v.type == t.TENSOR or not is_mutable_type(v.type) for v in user.outputs)

    def _visit_undeclared(self, node: Node) -> None:
        is_random = node.kind.endswith("dropout") and to_python(node.inputs[2]) is True
        if is_random and to_python(node.inputs[1]) not in (0, NOT_CONSTANT):
            self._fresh(node.output)
        elif node.output.type == t.TENSOR and node.inputs[0].type == t.TENSOR:
            self._point(node.output, node.inputs[0])
        else:
            for value in (*node.inputs, *node.outputs):
                self._to_wildcard(value)

    def _visit_operator(self, node: Node) -> None:
        schema = schema_of(node)
        if node.kind in _WRITES_ANYTHING:
            self.writers[node] = None
        if schema is None:
            for value in (*node.inputs, *node.outputs):
                self._to_wildcard(value)
            return
        if node.kind in _UNDECLARED:
            self._visit_undeclared(node)
            return
        if not schema.has_alias_facts and node.kind not in _UPDATES_STATISTICS:
            for value in node.outputs:
                self._fresh(value)
            return
        self._visit_declared(node, schema)

    def _visit_declared(self, node: Node, schema: Schema) -> None:
        sets: dict[str, list[Value]] = {}
        for argument, value in zip(schema.arguments, node.inputs, strict=False):
            info = argument.alias
            if info is None or not is_mutable_type(value.type):
                continue
            self._fresh(value)
            if info.is_write:
                self._writes.setdefault(node, []).append(value)
                self.writers[node] = None
            if "*" in info.after:
                self._to_wildcard(value)
            for name in info.before - {"*"}:
                sets.setdefault(name.rpartition("::")[2], []).append(value)
        if node.kind in _UPDATES_STATISTICS and to_python(node.inputs[5]) is not False:
            self._writes.setdefault(node, []).extend(node.inputs[3:5])
            self.writers[node] = None
        for result, value in zip(schema.returns, node.outputs, strict=False):
            names = set() if result.alias is None else result.alias.before | result.alias.after
            known = [
                found for name in sorted(names) for found in sets.get(name.rpartition("::")[2], ())
            ]
            for found in known:
                self._point(value, found)
            self._fresh(value)
            if any(name.rpartition("::")[2] not in sets for name in names):
                self._to_wildcard(value)
