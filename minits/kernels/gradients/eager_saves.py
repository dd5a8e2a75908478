"""Tensors that eager saves for the gradients of a group: they must not be changed.

    t = x * 2            MulBackward saves nothing of x: the other factor is a number
    y = exp(t)           ExpBackward saves y

Here x may be changed in place between the call and its gradient, and y may not. Operators' own
formulas decide, so the group's operators run once, and their nodes are asked. What they save of
intermediate tensors is no matter: nobody sees these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from minits import torch_internals as internals
from minits.kernels.gradients.gradient import NotDifferentiable
from minits.kernels.launch.observers import apart_from_its_node
from minits.records import dataclass
from minits.silence import without_warnings
from minits.torch_internals import storage_of


@dataclass(frozen=True, slots=True)
class SavingNode:
    """A node of eager's graph: it runs for gradients of outputs `after` by inputs `before`.

    `inputs` and `outputs` are those of the group that it saves, by their positions.
    """

    before: frozenset[int]
    after: frozenset[int]
    inputs: frozenset[int]
    outputs: frozenset[int]


@dataclass(frozen=True, slots=True)
class EagerSaves:
    """See the module's text. `reached` are the inputs to which gradients flow, `recorded` the
    outputs from which they do."""

    nodes: tuple[SavingNode, ...]
    reached: frozenset[int]
    recorded: frozenset[int]

    def inputs(self, wanted: frozenset[int], given: frozenset[int]) -> frozenset[int]:
        """Return the inputs that gradients of outputs `given` by inputs `wanted` read."""
        return frozenset().union(*[node.inputs for node in self._running(wanted, given)])

    def outputs(self, wanted: frozenset[int], given: frozenset[int]) -> frozenset[int]:
        """Return the outputs that gradients of outputs `given` by inputs `wanted` read."""
        return frozenset().union(*[node.outputs for node in self._running(wanted, given)])

    def _running(self, wanted: frozenset[int], given: frozenset[int]) -> list[SavingNode]:
        return [node for node in self.nodes if node.before & wanted and node.after & given]


def every_input(tensors: Iterable[int], outputs: Iterable[int]) -> EagerSaves:
    """Return the assumption where nothing is known: that every input is saved."""
    inputs, given = frozenset(tensors), frozenset(outputs)
    return EagerSaves((SavingNode(inputs, given, inputs, frozenset()),), inputs, frozenset())


_UNDERIVED = "NotImplemented"
"""The end of the name of nodes that raise an error when gradients come to them."""


def eager_saves(
    unfused: Callable[..., Sequence[Tensor]], values: Sequence[Any], wanted: frozenset[int]
) -> EagerSaves:
    """Run a group's operators for these values, and return what is saved of inputs and outputs.

    They get copies of the tensors, of the same shapes, strides and dtypes. `wanted` are the inputs
    that require gradients. Raises what the operators raise, and NotDifferentiable; what operators
    warn of is left to the call itself.
    """
    with recording(), without_hooks():
        inputs = [
            _copied(value).requires_grad_(index in wanted) if isinstance(value, Tensor) else value
            for index, value in enumerate(values)
        ]
        outputs = unfused(*inputs)
        return _found(inputs, outputs)


def _found(inputs: Sequence[Any], outputs: Sequence[Tensor]) -> EagerSaves:
    """Return the inputs and outputs that the nodes behind the outputs save."""
    leaves = {storage_of(x): i for i, x in enumerate(inputs) if isinstance(x, Tensor)}
    results: dict[int, set[int]] = {}
    for position, output in enumerate(outputs):
        results.setdefault(storage_of(output), set()).add(position)
    after = _outputs_after(outputs)
    before = _inputs_before(after, leaves)
    found = []
    for node, given in after.items():
        if node.name().endswith(_UNDERIVED):
            raise NotDifferentiable(_refusal(node))
        saved = [storage_of(tensor) for tensor in saved_tensors(node)]
        of_inputs = frozenset([leaves[storage] for storage in saved if storage in leaves])
        of_outputs = frozenset().union(*[results.get(storage, ()) for storage in saved])
        if of_inputs or of_outputs:
            found.append(SavingNode(before[node], frozenset(given), of_inputs, of_outputs))
    recorded = frozenset([position for position, x in enumerate(outputs) if x.requires_grad])
    return EagerSaves(tuple(found), frozenset().union(*before.values()), recorded)


def _refusal(node: Any) -> str:
    """Return the text of eager's error where it has no derivative; it names the operator."""
    try:
        node(torch.ones(()))
    except RuntimeError as error:
        return str(error)
    return "eager has no derivative of an operator"


def lies_as_saved(tensor: Tensor) -> tuple[bool, bool]:
    """Return whether a tensor is contiguous, and whether it is so in channels_last, `[N, C, H, W]`.

    It depends on these whether an operator saves the tensor, or a contiguous copy.
    """
    is_image = tensor.dim() == 4 and tensor.is_contiguous(memory_format=torch.channels_last)
    return tensor.is_contiguous(), is_image


def _copied(tensor: Tensor) -> Tensor:
    """Return a copy of a tensor's elements, with the same strides."""
    shape, strides = tensor.shape, tensor.stride()
    if 0 in shape:
        return torch.empty_strided(shape, strides, dtype=tensor.dtype, device=tensor.device)
    extent = 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    memory = tensor.detach().as_strided((extent,), (1,))
    return memory.clone().as_strided(shape, strides, 0)


@contextmanager
def recording() -> Iterator[None]:
    """Record gradients whatever the mode of the caller; drop what operators warn of."""
    with (
        torch.inference_mode(False),
        torch.enable_grad(),
        internals.without_autocast(),
        without_warnings(),
    ):
        yield


@contextmanager
def without_hooks() -> Iterator[None]:
    """Let no hooks of the caller see what is saved meanwhile."""
    hooks = torch.autograd.graph.saved_tensors_hooks(apart_from_its_node, lambda saved: saved)
    try:
        hooks.__enter__()
    except RuntimeError:  # hooks are disabled
        yield
        return
    try:
        yield
    finally:
        hooks.__exit__()


def saved_tensors(node: Any) -> list[Tensor]:
    """Return the tensors that a node of autograd has saved, those in lists among them."""
    flat = [
        item
        for value in internals.saved_by(node)
        for item in (value if type(value) is tuple else (value,))
    ]
    return [item for item in flat if isinstance(item, Tensor)]


def _outputs_after(outputs: Sequence[Tensor]) -> dict[Any, set[int]]:
    """Return all nodes, and of which outputs each computes gradients."""
    found: dict[Any, set[int]] = {}
    for position, output in enumerate(outputs):
        waiting = [output.grad_fn]
        while waiting:
            node = waiting.pop()
            if node is None or position in found.setdefault(node, set()):
                continue
            found[node].add(position)
            waiting += [following for following, _ in node.next_functions]
    return found


def _inputs_before(nodes: Iterable[Any], leaves: dict[int, int]) -> dict[Any, frozenset[int]]:
    """Return to the gradients of which inputs each node leads."""
    found: dict[Any, frozenset[int]] = {}
    waiting = list(nodes)
    while waiting:
        node = waiting[-1]
        following = [each for each, _ in node.next_functions if each is not None]
        missing = [each for each in following if each not in found]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        leaf = getattr(node, "variable", None)
        mine = () if leaf is None else (leaves[storage_of(leaf)],)
        found[node] = frozenset(mine).union(*[found[each] for each in following])
    return found
