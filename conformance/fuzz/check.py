"""Checks one program: four ways to run it, one result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

import minits
from conformance.fuzz.layouts import difference
from conformance.fuzz.noise import RUNS_IN_DOUBT, Expectation, expectations, outputs_of, run
from conformance.fuzz.programs import Program
from conformance.on_device import eager_there, is_on_device
from minits.codegen.groups import Group
from minits.ir.graph import Graph, Node
from minits.kernels.fused_kernel import FusedKernel
from minits.kernels.ir.evaluate import evaluate
from minits.kernels.launch.geometry import broadcast_domain
from minits.kernels.lowering import NotFusable
from minits.runtime import interpreter
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta


class Disagreement(AssertionError):
    """Two of the ways give different results."""


@dataclass(slots=True)
class Counts:
    """Numbers of programs, groups, kernels and operators that were checked."""

    programs: int = 0
    groups: int = 0
    kernels: int = 0
    """Groups that ran as kernels."""
    operators: int = 0
    texts: frozenset[bytes] = frozenset()
    """Digests of the programs' texts, and of how their arguments lie."""

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.programs + other.programs,
            self.groups + other.groups,
            self.kernels + other.kernels,
            self.operators + other.operators,
            self.texts | other.texts,
        )

    def __str__(self) -> str:
        return (
            f"{self.programs} programs ({len(self.texts)} different), {self.groups} groups, "
            f"{self.kernels} of them run as kernels of {self.operators} operators"
        )


def check(program: Program, counts: Counts) -> None:
    """Raises `Disagreement` where the ways to run a program differ."""
    function, arguments = program.function(), program.arguments
    expected = list(function(*arguments))
    compiled = minits.script(function)
    counts.programs += 1
    reference = interpreter.run(compiled.inlined_graph, *arguments)
    plan = compiled.plan_for(*arguments)
    wanted = _Wanted(plan.unfused, arguments, expected)
    exactly = _Exactly(expected)
    scales = any(map(_scales_in_place, compiled.inlined_graph.all_nodes()))
    _compare("the interpreter", reference, wanted if scales else exactly)
    calls = _recorded(plan.run, plan.groups, arguments)
    results = compiled(*arguments)
    _compare("the compiled program", results, wanted)
    given = [value for value in arguments if isinstance(value, Tensor)]
    for who, found in (("the interpreter", reference), ("the compiled program", results)):
        unlike = difference(_tensors(found), expected, given)
        if unlike:
            raise Disagreement(f"{who}: {unlike}")
    metas = {
        group: known
        for group in plan.groups
        for body, known in plan.kernels
        if body is group.body.graph
    }
    for group, values, results in calls:
        counts.groups += 1
        _check_group(group, metas[group], values, results, counts)


def _tensors(results: Any) -> list[Tensor]:
    """The results of a program, be they in a tuple."""
    if isinstance(results, (list, tuple)) and len(results) == 1 and isinstance(results[0], tuple):
        results = results[0]
    return list(results)


def _scales_in_place(node: Node) -> bool:
    """Whether a node is `x.mul_(2.0)`: in torch.jit an overload for numbers, which rounds half
    types another way than the overload for tensors that Python calls.
    """
    return node.kind == "aten::mul_" and node.inputs[1].type != t.TENSOR


def _recorded(run: Any, groups: Sequence[Group], arguments: Sequence[Any]) -> list[Any]:
    """Run a plan; return each group with its inputs and outputs."""
    calls: list[Any] = []
    names = {id(value): name for name, value in run.__globals__.items()}
    namespace = run.__globals__

    def recorder(group: Group) -> Any:
        def call(*values: Any) -> Any:
            before = [_copied(value) if isinstance(value, Tensor) else value for value in values]
            result = group.call(*values)
            outputs = result if isinstance(result, tuple) else (result,)
            calls.append((group, before, [output.clone() for output in outputs]))
            return result

        return call

    for group in groups:
        namespace[names[id(group.call)]] = recorder(group)
    try:
        run(*arguments)
    finally:
        for group in groups:
            namespace[names[id(group.call)]] = group.call
    return calls


def _copied(value: Tensor) -> Tensor:
    """A copy of a tensor with the same storage size, offset, shape and strides."""
    storage = value.detach().untyped_storage().clone()
    made = torch.empty(0, dtype=value.dtype)
    return made.set_(storage, value.storage_offset(), value.size(), value.stride())


def _check_group(
    group: Group,
    metas: Sequence[TensorMeta | None],
    values: Sequence[Any],
    results: list[Tensor],
    counts: Counts,
) -> None:
    """Compare a group's kernel with the oracle, and what was known of its inputs with these."""
    for value, meta in zip(values, metas, strict=True):
        if meta is not None and meta.dtype != value.dtype:
            raise Disagreement(f"the metadata: {meta.dtype} for {value.dtype}")
    wanted = _Wanted(group.body.graph, values, run(group.body.graph, values, None))
    try:
        oracle = _oracle(group.made.kernel_for(values), values)
    except NotFusable:
        return
    if oracle is None:
        return
    counts.kernels += 1
    counts.operators += sum(1 for _ in group.body.graph.block.nodes)
    _compare("the numpy oracle", oracle, wanted)
    _compare("the kernel", results, wanted)


def _oracle(kernel: FusedKernel, values: Sequence[Any]) -> list[Tensor] | None:
    lowered = kernel.lowered.given(values)
    try:
        tensors = [source.view(values[source.index]) for source in lowered.sources]
    except RuntimeError:
        return None  # what lies so cannot be viewed: the operators ran
    domain = broadcast_domain(lowered, tensors)
    if 0 in domain[len(domain) - lowered.reduced :]:
        return None
    numbers = [values[index] for index in lowered.parameters]
    inputs = [
        source.rows(tensor, lowered.reduced)
        for tensor, source in zip(tensors, lowered.sources, strict=True)
    ]
    try:
        arrays = evaluate(lowered.kernel, inputs, numbers, domain)
    except ValueError as fault:
        if str(fault) != "a check fails":
            raise
        return None  # the operators ran, and said what is wrong
    outputs = [
        torch.as_tensor(array).to(output.value.dtype)
        for array, output in zip(arrays, lowered.kernel.outputs, strict=True)
    ]
    return lowered.tensors(outputs)


class _Wanted:
    """The results that a graph may give. A result that seems wrong is judged by more runs.

    Where kernels run on a GPU, a result may also be near that of eager's operators there.
    """

    def __init__(self, graph: Graph, arguments: Sequence[Any], results: Sequence[Tensor]) -> None:
        self.count = len(results)
        self._given = graph, arguments, results
        self._expectations = expectations(*self._given)

    def difference(self, number: int, found: Tensor) -> str | None:
        """Return the difference of a result from those that it may be, or None."""
        if self._expectations[number].difference(found) is None:
            return None
        in_doubt = expectations(*self._given, RUNS_IN_DOUBT)[number]
        difference = in_doubt.difference(found)
        if difference is None or not is_on_device():
            return difference
        graph, arguments, _ = self._given
        there = outputs_of(eager_there(graph, arguments))[number]
        return difference if replace(in_doubt, result=there).difference(found) else None


class _Exactly:
    """The same results, to the bit but for NaN."""

    def __init__(self, results: Sequence[Tensor]) -> None:
        self.count = len(results)
        self._results = results

    def difference(self, number: int, found: Tensor) -> str | None:
        """Return the difference of a result from the same one, or None."""
        result = self._results[number]
        everywhere = torch.ones(result.shape, dtype=torch.bool)
        nothing = torch.zeros(result.shape, dtype=torch.float64)
        return Expectation(result, nothing, everywhere).difference(found)


def _compare(who: str, found: Sequence[Tensor], wanted: _Wanted | _Exactly) -> None:
    if len(found) != wanted.count:
        raise Disagreement(f"{who}: {len(found)} results for {wanted.count}")
    for number, mine in enumerate(found):
        difference = wanted.difference(number, mine)
        if difference is not None:
            raise Disagreement(f"{who}, result {number}: {difference}")
