"""Turn in-place operators into those that give a new tensor, where nobody can tell.

Before:
    %y : Tensor = aten::mul(%x, %two)
    %z : Tensor = aten::add_(%y, %x, %one)
    return (%y)
After:
    %y : Tensor = aten::mul(%x, %two)
    %z : Tensor = aten::add[in_place=1](%y, %x, %one)
    return (%z)

A tensor is renamed at each operator that writes to it; the mark says that what the new one gives
lies in memory as the tensor did (`ir/in_place.py`). That is safe where the tensor is made in the
same region of code, and no other value is, or is a view of, the same memory. The operator must
give the dtype and the shape of what it writes to, so these must be known. Others stay, and get a
remark; so do writes to what eager has saved for gradients, since these must raise an error then:

    %r : Tensor = aten::elu(%y, ...)
    %z : Tensor = aten::add_(%y, %r, %one)      the gradient of elu reads %y

Source: torch/csrc/jit/passes/remove_mutation.cpp.
Differs: several writes, and reads in between, are renamed instead of being moved.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from minits.ir.alias import AliasAnalysis
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Graph, Node, Use, Value
from minits.ir.in_place import is_in_place, mark
from minits.ir.points_to import Memory
from minits.ops.properties import schema_of
from minits.passes.fusion.dependences import straight_line_regions
from minits.passes.remarks import Remark, missed, passed
from minits.passes.saved_values import (
    SavedValues,
    requiring_grad,
    tensors_of,
    tensors_read,
)
from minits.passes.shape_propagation.meta_execution import result_of
from minits.passes.shape_propagation.rules import RULES, as_it_is, elementwise, filled
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta

_CONTAINERS = ("prim::ListConstruct", "prim::TupleConstruct", "prim::DictConstruct")
_EXAMPLES: dict[t.Type, Any] = {t.INT: 2, t.FLOAT: 1.5, t.BOOL: True}

_REFUSING_COMPLEX_GRADIENTS = frozenset(("aten::silu",))
"""Operators that torch refuses of complex numbers that require gradients, but not in place."""


class _Unsafe(Exception):
    """The reason a write stays."""


def remove_mutation(graph: Graph, metas: dict[Value, TensorMeta], remarks: list[Remark]) -> bool:
    """Return whether the graph changed. Adds to `metas` those of new values, and to `remarks`."""
    alias = AliasAnalysis(graph)
    if not alias.writers:
        return False
    remover = _Remover(graph, metas, alias)
    left: dict[Node, str] = {}
    for node in list(alias.writers):
        if _writes_tensor(node) and node not in remover.done:
            try:
                remover.rename(node)
            except _Unsafe as reason:
                left[node] = str(reason)
    for node, made in remover.done.items():
        message = f"{node.kind} is computed as {made.kind}: nobody else sees the tensor"
        remarks.append(passed(made, "mutation-removed", message, operator=node.kind))
    for node, message in left.items():
        remarks.append(missed(node, "aliased-mutation", f"{node.kind} {message}"))
    return bool(remover.done)


def _writes_tensor(node: Node) -> bool:
    return (
        node.kind.startswith("aten::")
        and is_in_place(node.kind)
        and bool(node.inputs)
        and node.inputs[0].type == t.TENSOR
    )


class _Remover:
    """Renames tensors. `done` has for each node that wrote the one that it was replaced by."""

    def __init__(self, graph: Graph, metas: dict[Value, TensorMeta], alias: AliasAnalysis) -> None:
        self.graph = graph
        self.metas = metas
        self.alias = alias
        self.done: dict[Node, Node] = {}
        self.values = tensors_of(graph.block)
        self.indices: dict[Memory, list[int]] = defaultdict(list)
        """The indices in `values` of those that may point to each piece of memory."""
        for index, value in enumerate(self.values):
            for memory in alias.memory(value):
                self.indices[memory].append(index)
        self.sharing: dict[frozenset[Memory], list[Value]] = {}
        """The tensors that may share memory with one, by what that may point to."""
        self.saved = SavedValues(metas, requiring_grad(metas, alias, self.values))

    def rename(self, node: Node) -> None:
        """Rename the tensor that a node writes to. Raises `_Unsafe`, the graph unchanged."""
        same = self._same(node)
        writes = self._check_memory(node, same)
        for write in writes:
            self._check_result(write, self.metas.get(same[0]))
        position = {each: index for index, each in enumerate(same[0].node.owner.nodes)}
        uses = [use for value in same for use in value.uses]
        indices = [position[write] for write in writes]
        versions = [self._version(use, position, indices) for use in uses]
        found = list(zip(uses, versions, strict=True))
        self._check_saved(same, writes, found)
        self._replace(same[0], writes, found)

    def _same(self, node: Node) -> list[Value]:
        """Return the tensors that may share memory with what a node writes to, in order."""
        written = node.inputs[0]
        memory = frozenset(self.alias.memory(written))
        if memory not in self.sharing:
            indices = sorted({index for each in memory for index in self.indices[each]})
            self.sharing[memory] = [self.values[index] for index in indices]
        return self.sharing[memory]

    def _check_memory(self, node: Node, same: list[Value]) -> list[Node]:
        """Return the nodes that write to the memory, in order, if they are all that share it."""
        first = same[0].node
        if not first.kind.startswith("aten::") or any(v.node.kind == "prim::Param" for v in same):
            raise _Unsafe("writes to a tensor that was made elsewhere, and that others may hold")
        for value in same[1:]:
            if not (_writes_tensor(value.node) and value.node.inputs[0] in same):
                raise _Unsafe(f"writes to memory that the result of {value.node.kind} shares")
        writes = [value.node for value in same[1:]]
        self._check_writers(same, writes)
        regions = map(set, straight_line_regions(first.owner))
        if not next(nodes for nodes in regions if first in nodes).issuperset(writes):
            raise _Unsafe("writes to a tensor that was made outside this branch, loop or region")
        return writes

    def _check_writers(self, same: list[Value], writes: list[Node]) -> None:
        own = set(writes)
        for writer in self.alias.writers:
            if writer not in own and self.alias.writes_to(writer, same):
                raise _Unsafe(f"writes to a tensor that {writer.kind} may write to, too")
        if self.alias.writes_to_wildcard(writes[0]):
            raise _Unsafe("writes to a tensor that is kept in a container or an attribute")

    def _check_result(self, node: Node, written: TensorMeta | None) -> None:
        """Check that the form that gives a new tensor gives one of the same dtype and shape."""
        if written is None:
            raise _Unsafe("writes to a tensor of which too little is known")
        made = self.graph.create(node.kind.removesuffix("_"), node.inputs)
        try:
            schema = schema_of(made)
            if RULES.get(made.kind) not in (elementwise, as_it_is, filled) or schema is None:
                raise _Unsafe("has no form that gives a new tensor")
            try:
                result = result_of(made, schema, [self._example(value) for value in made.inputs])
            except Exception:
                raise _Unsafe("writes to a tensor of which too little is known") from None
            if (result.dtype, result.shape) != (written.dtype, written.shape):
                raise _Unsafe("casts what it writes, or broadcasts it")
            if result.dtype.is_complex and made.kind in _REFUSING_COMPLEX_GRADIENTS:
                raise _Unsafe("has gradients of complex numbers, as its other form has not")
        finally:
            made.destroy()

    def _example(self, value: Value) -> Any:
        if value in self.metas:
            return self.metas[value]
        constant = to_python(value)
        return constant if constant is not NOT_CONSTANT else _EXAMPLES[value.type]

    def _version(self, use: Use, position: dict[Node, int], indices: list[int]) -> int:
        """Return the number of writes, which are at these indices, that come before a use."""
        version = bisect_left(indices, _position_of(use.user, position))
        if use.user.kind in _CONTAINERS and version < len(indices):
            for value in use.user.outputs:
                if any(_position_of(user, position) > indices[version] for user, _ in value.uses):
                    raise _Unsafe("writes to a tensor that is in a list")
        return version

    def _check_saved(
        self, same: Sequence[Value], writes: Sequence[Node], uses: Sequence[tuple[Use, int]]
    ) -> None:
        """Check that nothing saves a version of the tensor that is changed later."""
        makers = [(value.node, value) for value in same[:-1]]
        shared = set(same)
        readers = [
            (node, value)
            for (user, offset), version in uses
            for node in _readers(user)
            if version < len(writes)
            for value in tensors_read(node)
            if value in shared
        ]
        for node, value in dict.fromkeys([*makers, *readers]):
            saved = self.saved.of(node)
            if saved is None or value in saved:
                raise _Unsafe(f"writes to a tensor that is saved for the gradient of {node.kind}")

    def _replace(self, first: Value, writes: list[Node], uses: list[tuple[Use, int]]) -> None:
        """Put new nodes in the place of those that write; the uses read the version they say."""
        made = [self._functional(write) for write in writes]
        for write, new in zip(writes, made, strict=True):
            new.insert_before(write)
            self.metas[new.output] = self.metas.get(write.output, self.metas[first])
            if write.output in self.saved.require_grad:
                self.saved.require_grad.add(new.output)
        replaced = dict(zip(writes, made, strict=True))
        versions = [first, *(new.output for new in made)]
        for (user, offset), version in uses:
            replaced.get(user, user).set_input(offset, versions[version])
        for write, new in reversed(replaced.items()):
            name = write.output.name if write.output.has_name else None
            write.destroy()
            new.output.set_name(name)
        self.done |= replaced

    def _functional(self, node: Node) -> Node:
        """Return a node, in no block yet, that gives what `node` writes."""
        made = self.graph.create(node.kind.removesuffix("_"), node.inputs)
        made.range, made.callstack = node.range, node.callstack
        mark(made)
        return made


def _readers(user: Node) -> Iterator[Node]:
    """Yield a node, or those that read the list or tuple that it makes."""
    if user.kind not in _CONTAINERS:
        yield user
        return
    for value in user.outputs:
        for reader, _ in value.uses:
            yield from _readers(reader)


def _position_of(node: Node, position: dict[Node, int]) -> int:
    """Return the position of the node, or of the one that it is inside of; of an end, the last."""
    here: Node | None = node
    while here is not None:
        if here in position:
            return position[here]
        here = here.owner.owning_node
    return len(position)
