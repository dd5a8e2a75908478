"""Tensors that eager saves for the gradient of an operator: inputs, its result, or none.

    %r : Tensor = aten::elu(%v, ...)         the gradient reads %v
    %e : Tensor = aten::exp(%v)              the gradient reads %e
    %s : Tensor = aten::add(%v, %w, ...)     the gradient reads neither

Eager itself is asked: the operator runs, and hooks of autograd see what it saves. Tensors and
numbers of the run are made up, and some kernels of torch read out of bounds for sizes that do not
fit together (`aten::gru`). So the operators of `CHECKED` alone run on small tensors on the CPU;
all others run on meta tensors, which have no memory. (All on meta would be slow: many operators
are Python code there, which takes seconds to import.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.random import fork_rng

from minits.ir.alias import AliasAnalysis, written_inputs
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Block, Node, Value
from minits.ir.in_place import is_in_place, is_marked
from minits.ir.in_place_forms import in_place_form
from minits.kernels.launch.observers import apart_from_its_node, undisturbed
from minits.ops.evaluate import evaluator
from minits.ops.properties import is_nondeterministic
from minits.passes.shape_propagation.rules import RULES
from minits.torch_internals import storage_of, version_of
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta, can_require_grad

SMALL = 4
"""Larger sizes are made this one. Operators that do not take that run with the sizes they have."""
CHECKED = frozenset(RULES)
"""Operators that run with made-up sizes: their kernels compare all sizes before they read elements.

They are those whose shapes are known by rule, elementwise operators, reductions, products,
convolutions, pools, norms and losses; `tests/passes/test_values_saved_for_gradients.py` runs each
of them with sizes that do not fit together.
"""
_EXAMPLES: dict[t.Type, Any] = {t.INT: 2, t.FLOAT: 1.5, t.BOOL: True}


class SavedValues:
    """The values that the operators of a graph save for gradients of those that `require_grad`."""

    def __init__(self, metas: Mapping[Value, TensorMeta], require_grad: set[Value]) -> None:
        self.metas = metas
        self.require_grad = require_grad
        self._known: dict[Any, list[int] | None] = {}
        """By what is alike of nodes: which of their tensors are saved."""

    def of(self, node: Node) -> frozenset[Value] | None:
        """Return the values that an operator saves; None where that cannot be told.

        What it writes to counts as its input if it is saved as it was before, else as its result.
        None also stands for an in-place operator whose gradient raises an error.
        """
        if not node.blocks and not any(_holds_tensors(value.type) for value in node.outputs):
            return frozenset()
        read = list(tensors_read(node))
        if all(value in self.metas for value in read) and self.require_grad.isdisjoint(read):
            return frozenset()
        values = [*read, *node.outputs]
        key = self._key(node, read)
        if key not in self._known:
            found = self._ask(node)
            self._known[key] = None if found is None else [values.index(each) for each in found]
        positions = self._known[key]
        return None if positions is None else frozenset([values[each] for each in positions])

    def _key(self, node: Node, read: list[Value]) -> Any:
        """Return all that decides which of a node's tensors are saved."""
        tensors = [(self.metas.get(v), v in self.require_grad, read.index(v)) for v in read]
        others = [repr(to_python(v)) for v in node.inputs if v.type != t.TENSOR]
        return node.kind, is_marked(node), *tensors, *others

    def _ask(self, node: Node) -> frozenset[Value] | None:
        is_checked = node.kind.removesuffix("_") in CHECKED
        runs = [(SMALL, "cpu"), (None, "cpu")] if is_checked else [(None, "meta")]
        for most, device in runs:
            with suppress(Exception):  # it is left to raise when the program runs
                return _Run(self, node, most, torch.device(device)).saved()
        return None


class _Run:
    """A run of an operator that saves tensors for its gradient; sizes are `most` at most."""

    def __init__(
        self, graph: SavedValues, node: Node, most: int | None, device: torch.device
    ) -> None:
        self.graph = graph
        self.node = node
        self.most = most
        self.device = device
        self.owners: dict[int, tuple[Value, Tensor]] = {}
        """By memory: the values that the operator reads, and the tensors that stand for them."""
        self.tensors: dict[Value, Tensor] = {}
        self.packed: list[tuple[int, int]] = []
        """The memory of what is saved, and its version then."""

    @undisturbed()
    def saved(self) -> frozenset[Value]:
        """Return the values that are saved. Raises what the operator or its gradient raises."""
        from minits.kernels.gradients.eager_saves import recording

        node = self.node
        run = in_place_form(node) if is_marked(node) else evaluator(node)
        with recording(), fork_rng(devices=(), enabled=is_nondeterministic(node)):
            arguments = [self._argument(value) for value in node.inputs]
            with saved_tensors_hooks(self._pack, lambda tensor: tensor):
                found = run(*arguments)
            if (is_marked(node) or is_in_place(node.kind)) and found.grad_fn is not None:
                found.grad_fn(torch.ones_like(found))
            results = dict(_results(node, found))
        made = {storage_of(tensor): value for value, tensor in results.items()}
        return frozenset(filter(None, [self._value(*each, made) for each in self.packed]))

    def _value(self, memory: int, version: int, made: Mapping[int, Value]) -> Value | None:
        """Return the value that was saved; None for what the operator keeps for itself."""
        value, tensor = self.owners.get(memory, (None, None))
        if tensor is None or version_of(tensor) == version:
            return made.get(memory, value)
        return value

    def _pack(self, tensor: Tensor) -> Tensor:
        memory = storage_of(tensor)
        _, owner = self.owners.get(memory, (None, tensor))
        self.packed.append((memory, version_of(owner)))
        return apart_from_its_node(tensor)

    def _argument(self, value: Value) -> Any:
        """Return an argument to run with. Raises LookupError where too little is known."""
        if value.node.kind == "prim::ListConstruct":
            return [self._argument(each) for each in value.node.inputs]
        if value.type == t.TENSOR:
            return self._tensor(value)
        constant = to_python(value)
        if isinstance(constant, torch.device):
            return self.device
        return _EXAMPLES[value.type] if constant is NOT_CONSTANT else constant

    def _tensor(self, value: Value) -> Tensor:
        if value not in self.tensors:
            tensor = _ones(self.graph.metas[value], self.most, self.device)
            if value in self.graph.require_grad:
                tensor = tensor.requires_grad_().clone()
            self.tensors[value] = tensor
            self.owners[storage_of(tensor)] = value, tensor
        return self.tensors[value]


def _ones(meta: TensorMeta, most: int | None, device: torch.device) -> Tensor:
    """Return ones (as indices: zeros) that lie in the same order, without gaps."""
    sizes = [size if most is None else min(size, most) for size in meta.shape]
    order = sorted(range(meta.rank), key=lambda dim: -meta.strides[dim])
    fill = 1 if meta.dtype.is_floating_point else 0
    made = torch.full([sizes[dim] for dim in order], fill, dtype=meta.dtype, device=device)
    return made.permute([order.index(dim) for dim in range(meta.rank)])


def requiring_grad(
    metas: Mapping[Value, TensorMeta], alias: AliasAnalysis, values: Sequence[Value]
) -> set[Value]:
    """Return the tensors among `values`, all of a graph, of which gradients may be recorded.

    A write to a view makes a program record those of the viewed tensor. Metadata does not say so:
    then they are assumed of all.
    """

    def is_doubtful(writer: Node) -> bool:
        """Return whether a written tensor has aliases with gradients unknown to metadata."""
        written = [metas.get(v) for v in written_inputs(writer) if v.type == t.TENSOR]
        if all(meta is not None and not meta.requires_grad for meta in written):
            return False
        same = [v for v in values if alias.writes_to(writer, [v])]
        return len({metas[v].requires_grad if v in metas else None for v in same}) > 1

    found = {value for value, meta in metas.items() if meta.requires_grad}
    if found and any(map(is_doubtful, alias.writers)):
        return found | {v for v, meta in metas.items() if can_require_grad(meta.dtype)}
    return found


def tensors_of(block: Block) -> list[Value]:
    """Return all tensors in a block, in order."""
    found = [value for value in block.inputs if value.type == t.TENSOR]
    for node in block.nodes:
        for inner in node.blocks:
            found += tensors_of(inner)
        found += [value for value in node.outputs if value.type == t.TENSOR]
    return found


def tensors_read(node: Node) -> Iterator[Value]:
    """Yield the tensors among a node's arguments, those in lists that it is given among them."""
    for value in node.inputs:
        if value.type == t.TENSOR:
            yield value
        elif value.node.kind == "prim::ListConstruct":
            yield from tensors_read(value.node)


def _holds_tensors(type: t.Type) -> bool:
    return t.TENSOR in (type, getattr(type, "element", None))


def _results(node: Node, found: Any) -> Iterator[tuple[Value, Tensor]]:
    """Yield the tensors that a node gives, each with its output, which may be a list of them."""
    for value, result in zip(
        node.outputs, found if len(node.outputs) > 1 else [found], strict=True
    ):
        for tensor in result if type(result) in (list, tuple) else (result,):
            if isinstance(tensor, Tensor):
                yield value, tensor
