"""Tolerances for the results of a program, found by adding noise of the size of rounding.

A program is run several times with each floating result moved by a few units in the last place.
Where its results move, by so much two right implementations may differ; where they jump, as at the
edge of a comparison or of a rounding, nothing is known. So there is one tolerance for each element,
and none is chosen by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from conformance.fuzz.eager import (
    EXACT,
    HALVES,
    added_terms,
    at_nan,
    has_open_sign,
    is_beyond,
    is_flushed,
    vanished,
)
from minits.ir.constants import constant_value
from minits.ir.graph import Block, Graph, Node, Value
from minits.ops.evaluate import evaluator

UNITS = {torch.float32: 4.0, torch.float64: 4.0, torch.float16: 1.0, torch.bfloat16: 1.0}
"""Units in the last place that an operator may be off: kernels are within 4 of eager's."""
RUNS = 8
RUNS_IN_DOUBT = 64
"""Where two results that jump are subtracted, few runs tell how far the difference may jump."""
ACCUMULATING = frozenset(
    f"aten::{name}"
    for name in (
        "sum mean var std var_mean std_mean prod norm linalg_vector_norm logsumexp softmax "
        "log_softmax layer_norm group_norm batch_norm instance_norm rms_norm addcmul addcdiv lerp "
        "mse_loss l1_loss smooth_l1_loss huber_loss kl_div soft_margin_loss hinge_embedding_loss "
        "binary_cross_entropy binary_cross_entropy_with_logits lgamma digamma sinc logaddexp "
        "logaddexp2 logit nansum nanmean cosine_similarity pairwise_distance dist linalg_vecdot "
        "linalg_norm mvlgamma polygamma"
    ).split()
)
"""Operators whose results may be small for their operands, or for the slope at their zeros."""


SNAPPED = 3
"""The run in which numbers that are nearly whole are whole."""
SAFETY = 4.0


class Noise:
    """The noise on the results of one run. Runs are numbered."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._generator = torch.Generator().manual_seed(number)

    def like(self, tensor: Tensor) -> Tensor:
        """A number between -1 and 1 for each element; in some runs 1 or -1, the same for all
        elements, so that the errors of a sum do not cancel.
        """
        shape = tensor.shape
        if self.number % RUNS >= RUNS // 2:
            sign = 2.0 * int(torch.randint(2, (), generator=self._generator)) - 1.0
            return torch.full(shape, sign, dtype=torch.float64)
        return torch.rand(shape, generator=self._generator, dtype=torch.float64) * 2 - 1

    def of_operand(self, tensor: Tensor) -> Tensor:
        """The noise of `like`; in every second run with signs so that errors of a sum add up."""
        found = self.like(tensor)
        if self.number % 2 == 0:
            return found
        return found.abs() * tensor.detach().sign() * (1 if self.number % 4 == 1 else -1)


WITH_MEAN = ("aten::var_mean", "aten::std_mean")
"""Welford's method has a mean beside an infinity if that comes last, and has none otherwise."""


def run(graph: Graph, arguments: Sequence[Any], noise: Noise | None) -> list[Any]:
    """Run a graph, with noise if it is given. Return what it returns."""
    return _run_block(graph.block, arguments, {}, noise)


def _run_block(
    block: Block, inputs: Sequence[Any], known: dict[Value, Any], noise: Noise | None
) -> list[Any]:
    known.update(zip(block.inputs, inputs, strict=True))
    for node in block.nodes:
        values = [known[value] for value in node.inputs]
        results = _run_node(node, values, known, noise)
        known.update(zip(node.outputs, results, strict=True))
    return [known[value] for value in block.outputs]


def _run_node(
    node: Node, inputs: list[Any], known: dict[Value, Any], noise: Noise | None
) -> list[Any]:
    match node.kind:
        case "prim::Constant":
            return [constant_value(node)]
        case "prim::ListConstruct":
            return [inputs]
        case "prim::TupleConstruct":
            return [tuple(inputs)]
        case "aten::warn":
            return []
        case "prim::ListUnpack" | "prim::TupleUnpack":
            return list(inputs[0])
        case "prim::If":
            return _run_block(node.blocks[0 if inputs[0] else 1], (), known, noise)
        case "prim::Loop":
            most, goes_on, *carried = inputs
            for trip in range(most):
                if goes_on:
                    body = node.blocks[0]
                    goes_on, *carried = _run_block(body, [trip, *carried], known, noise)
            return carried
    made = evaluator(node)(*inputs)
    if noise is not None and node.kind in ACCUMULATING and noise.number != SNAPPED:
        made = _accumulated(evaluator(node), inputs, made, noise, _COMPARED.get(node.kind))
    results = [made] if len(node.outputs) == 1 else list(made or ())
    if noise is None:
        return results
    if node.kind in WITH_MEAN and not torch.isfinite(inputs[0]).all():
        mean = (torch.inf, torch.nan, -torch.inf, 0.0)[noise.number % 4]
        results[1] = torch.full_like(results[1], mean)
    return [_moved(result, node, inputs, noise) for result in results]


_COMPARED = {"aten::hinge_embedding_loss": 1}
"""The operand that an operator compares with 1 and -1: moved, it would be neither."""


def _accumulated(
    operator: Any, inputs: Sequence[Any], result: Any, noise: Noise, fixed: int | None
) -> Any:
    """Run an operator on operands that are moved, all but one: what it adds up may cancel."""
    tensors = [result] if isinstance(result, Tensor) else result
    if not tensors[0].dtype.is_floating_point:
        return result
    unit = 4.0 * torch.finfo(torch.promote_types(tensors[0].dtype, torch.float32)).eps / 2

    def moved(value: Any) -> Any:
        if not isinstance(value, Tensor) or not value.dtype.is_floating_point:
            return value
        return value.double() * (1 + noise.of_operand(value) * unit)

    made = operator(*[v if index == fixed else moved(v) for index, v in enumerate(inputs)])
    if isinstance(result, Tensor):
        return made.to(result.dtype)
    return [one.to(other.dtype) for one, other in zip(made, result, strict=True)]


def _moved(result: Any, node: Node, inputs: Sequence[Any], noise: Noise) -> Any:
    """Return a result moved by noise."""
    if not isinstance(result, Tensor) or not result.numel():
        return result
    if result.dtype not in UNITS:
        return result
    storage = result.untyped_storage()._cdata
    aliases = any(x.untyped_storage()._cdata == storage for x in _tensors(inputs))
    is_in_place = node.kind.endswith("_") and not node.kind.endswith("__")
    if aliases and not is_in_place:
        return result  # a view
    if node.kind in EXACT:
        return result
    if not is_in_place:
        result = at_nan(node.kind, result, inputs[0], noise.number)
    if node.kind in _CANCELLING and inputs[0].requires_grad:
        result = result + _cancelled(_CANCELLING[node.kind](result, inputs), inputs[0], noise)
    if is_in_place or result.requires_grad:  # gradients read results that were saved
        result.data.mul_(_factor(result, noise).to(result.dtype))
    if is_in_place:
        return _with_gradient_moved(result, noise)
    moved = result.double() * _factor(result, noise)
    if noise.number == SNAPPED:
        moved = _snapped(result)
    terms = added_terms(node.kind, result, inputs)
    if terms is not None:
        error = terms * _unit(result.dtype)
        moved = moved + error * noise.like(result)
        if noise.number % 2:  # all may cancel, as `x - mean` of one number
            moved = torch.where(result.double().abs() <= error, 0.0, moved)
    if noise.number % 2:
        other = 0.0 if noise.number % 4 == 1 else torch.nan
        moved = torch.where(is_beyond(node.kind, inputs), other, moved)
        moved = torch.where(has_open_sign(node.kind, inputs), -moved, moved)
        if noise.number % 4 == 1:
            moved = torch.where(is_flushed(node.kind, result), 0.0, moved)
        else:
            denormal = vanished(node.kind, result, inputs)
            moved = torch.where(denormal == 0, moved, denormal)
    return _with_gradient_moved(moved.to(result.dtype), noise)


def _with_gradient_moved(result: Tensor, noise: Noise) -> Tensor:
    """Return a result; the gradient that comes to one of a half type has noise, too.

    Eager rounds it to that type, kernels have it in float32.
    """
    if result.requires_grad and result.dtype in HALVES:
        unit = _unit(result.dtype)
        result.register_hook(lambda g: (g.double() * (1 + noise.like(g) * unit)).to(g.dtype))
    return result


def _cancelled(slope: Tensor, x: Tensor, noise: Noise) -> Tensor:
    """Return zeros, whose gradient by the operand is what may be left where terms of it cancel,
    which are as large as a slope.
    """
    return (x - x.detach()).nan_to_num(0, 0, 0) * slope * noise.like(x) * _unit(x.dtype)


def _steepest(result: Tensor, inputs: Sequence[Any]) -> Tensor:
    """The steepest slope in each row: next to nothing is left of it in rows of two, and nothing in
    rows of one, of which it is `weight / sqrt(eps)`.
    """
    x, _, weight, _, eps = inputs[:5]
    if x.shape[-1:] == (1,):
        scale = 1.0 if weight is None else weight.detach().abs().amax()
        return torch.as_tensor(scale * eps**-0.5)
    steps = (result.detach().diff(dim=-1) / x.detach().diff(dim=-1)).abs().nan_to_num(0, 0, 0)
    return steps.amax(-1, keepdim=True) if steps.numel() else torch.zeros(())


_CANCELLING: dict[str, Callable[[Tensor, Sequence[Any]], Tensor]] = {
    "aten::layer_norm": _steepest,
    # 1 + erf(x / sqrt(2)), or the hyperbolic tangent, and what is added to it
    "aten::gelu": lambda result, inputs: 1 + inputs[0].detach().abs(),
}
"""Operators whose gradients may be small for what is added up: the slope that those terms have."""


def _snapped(result: Tensor) -> Tensor:
    """The result with integers in the place of numbers within rounding errors of them.

    Numbers on both sides of an integer are the same until somebody compares or truncates them.
    """
    exact = result.double()
    whole = exact.round()
    is_near = (exact - whole).abs() <= 2 * _unit(result.dtype) * whole.abs()
    return torch.where(is_near, whole, exact)


def _tensors(values: Sequence[Any]) -> Iterator[Tensor]:
    """The tensors among values, also those in lists."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)


def _factor(result: Tensor, noise: Noise) -> Tensor:
    is_moved = torch.isfinite(result) & (result != 0)
    return torch.where(is_moved, 1 + noise.like(result) * _unit(result.dtype), 1.0)


def _unit(dtype: torch.dtype) -> float:
    return UNITS[dtype] * torch.finfo(dtype).eps / 2


@dataclass(frozen=True, slots=True)
class Expectation:
    """A result and how far another may be from it; where `is_known` is False, anything goes."""

    result: Tensor
    tolerance: Tensor
    is_known: Tensor

    def difference(self, found: Tensor) -> str | None:
        """Return the difference of another result from the expected one, or None."""
        expected = self.result
        if found.shape != expected.shape or found.dtype != expected.dtype:
            return (
                f"{found.dtype} {tuple(found.shape)} for {expected.dtype} {tuple(expected.shape)}"
            )
        if not expected.dtype.is_floating_point:
            wrong = (found != expected) & self.is_known
        else:
            mine, theirs = found.double(), expected.double()
            is_same = (mine == theirs) | (mine.isnan() & theirs.isnan())
            is_close = (mine - theirs).abs() <= self.tolerance
            wrong = ~(is_same | is_close) & self.is_known
        if not wrong.any():
            return None
        place = tuple(wrong.nonzero()[0].tolist())
        return (
            f"{int(wrong.sum())} of {wrong.numel()} elements; at {place} {found[place].item()!r} "
            f"for {expected[place].item()!r}"
        )


def expectations(
    graph: Graph, arguments: Sequence[Any], results: Sequence[Tensor], runs: int = RUNS
) -> list[Expectation]:
    """Return the expectation for each of `results`, those of a graph's outputs that are tensors."""
    noisy = noisy_runs(graph, arguments, runs)
    return [
        expectation(result, [outputs[index] for outputs in noisy])
        for index, result in enumerate(results)
    ]


def noisy_runs(graph: Graph, arguments: Sequence[Any], runs: int = RUNS) -> list[list[Tensor]]:
    """Return the outputs of the graph in several runs with noise.

    A run tells nothing in which noise becomes an argument that an operator refuses.
    """
    found = []
    for number in range(runs):
        with suppress(RuntimeError, IndexError):
            found.append(outputs_of(run(graph, arguments, Noise(number))))
    return found


def outputs_of(values: list[Any]) -> list[Tensor]:
    """The tensors that a program returns, be it in a tuple."""
    return list(values[0]) if len(values) == 1 and isinstance(values[0], tuple) else values


def expectation(result: Tensor, noisy: Sequence[Tensor]) -> Expectation:
    """Return the expectation for a result, given the same result of runs with noise."""
    is_known = torch.ones(result.shape, dtype=torch.bool)
    if not result.dtype.is_floating_point:
        for other in noisy:
            is_known &= other == result
        return Expectation(result, torch.zeros(result.shape), is_known)
    wide = result.double()
    spread = torch.zeros_like(wide)
    for other in noisy:
        moved = other.double()
        is_known &= (moved.isnan() == wide.isnan()) & (moved.isinf() == wide.isinf())
        is_known &= ~wide.isinf() | (moved == wide)
        spread = torch.maximum(spread, (moved - wide).abs().nan_to_num(0.0, 0.0, 0.0))
    info = torch.finfo(result.dtype)
    own = wide.abs().nan_to_num(0.0, 0.0, 0.0) * UNITS[result.dtype] * info.eps
    flushed = info.smallest_normal  # what eager's vector functions may take for zero
    return Expectation(result, SAFETY * spread + own + flushed, is_known)
