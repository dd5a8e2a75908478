"""How far the results of a program may lie apart: what rounding does to it.

A program is run several times with each floating result moved by a few units in the last place.
Where its results move, by so much two right implementations may differ; where they jump, as at the
edge of a comparison or of a rounding, nothing is known. So there is one tolerance for each element,
and none is chosen by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from minits.ir.constants import constant_value
from minits.ir.graph import Graph, Value
from minits.ops.evaluate import evaluator

UNITS = {torch.float32: 4.0, torch.float64: 4.0, torch.float16: 1.0, torch.bfloat16: 1.0}
"""Units in the last place that an operator may be off: kernels are within 4 of eager's."""
RUNS = 6
ACCUMULATING = frozenset(
    "aten::sum aten::mean aten::var aten::std aten::prod aten::layer_norm aten::softmax "
    "aten::log_softmax aten::logsumexp aten::addcmul aten::addcdiv aten::lerp "
    "aten::lgamma aten::digamma".split()
)
"""Operators whose results may be small for their operands, or for the slope at their zeros."""
SAFETY = 4.0


def run(graph: Graph, arguments: Sequence[Any], generator: torch.Generator | None) -> list[Any]:
    """Run straight-line code, with noise if a generator is given. Return what it returns."""
    known: dict[Value, Any] = dict(zip(graph.inputs, arguments, strict=True))
    for node in graph.block.nodes:
        inputs = [known[value] for value in node.inputs]
        match node.kind:
            case "prim::Constant":
                known[node.output] = constant_value(node)
                continue
            case "prim::ListConstruct":
                known[node.output] = inputs
                continue
            case "prim::TupleConstruct":
                known[node.output] = tuple(inputs)
                continue
            case "prim::ListUnpack" | "prim::TupleUnpack":
                results = list(inputs[0])
            case _:
                made = evaluator(node)(*inputs)
                if generator is not None and node.kind in ACCUMULATING:
                    made = _accumulated(evaluator(node), inputs, made, generator)
                results = [made] if len(node.outputs) == 1 else list(made)
                if generator is not None:
                    results = [_moved(result, inputs, generator) for result in results]
        known.update(zip(node.outputs, results, strict=True))
    return [known[value] for value in graph.outputs]


def _accumulated(
    operator: Any, inputs: Sequence[Any], result: Any, generator: torch.Generator
) -> Any:
    """Run an operator on operands that are moved: what it adds up may cancel."""
    if not isinstance(result, Tensor) or not result.dtype.is_floating_point:
        return result
    unit = 4.0 * torch.finfo(torch.promote_types(result.dtype, torch.float32)).eps / 2

    def moved(value: Any) -> Any:
        if not isinstance(value, Tensor) or not value.dtype.is_floating_point:
            return value
        noise = torch.rand(value.shape, generator=generator, dtype=torch.float64) * 2 - 1
        return value.double() * (1 + noise * unit)

    made: Tensor = operator(*[moved(value) for value in inputs])
    return made.to(result.dtype)


def _moved(result: Any, inputs: Sequence[Any], generator: torch.Generator) -> Any:
    if not isinstance(result, Tensor) or result.dtype not in UNITS or not result.numel():
        return result
    storage = result.untyped_storage()._cdata
    if any(isinstance(x, Tensor) and x.untyped_storage()._cdata == storage for x in inputs):
        return result  # a view
    unit = UNITS[result.dtype] * torch.finfo(result.dtype).eps / 2
    noise = (torch.rand(result.shape, generator=generator, dtype=torch.float64) * 2 - 1) * unit
    wide = result.double()
    moved = torch.where(torch.isfinite(wide) & (wide != 0), wide * (1 + noise), wide)
    return moved.to(result.dtype)


@dataclass(frozen=True, slots=True)
class Expectation:
    """A result and how far another may be from it; where `is_known` is False, anything goes."""

    result: Tensor
    tolerance: Tensor
    is_known: Tensor

    def difference(self, found: Tensor) -> str | None:
        """Return what is wrong with another result, or None."""
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
    graph: Graph, arguments: Sequence[Any], results: Sequence[Tensor]
) -> list[Expectation]:
    """Return what may come out instead of `results`, of a graph's outputs that are tensors."""
    generator = torch.Generator().manual_seed(0)
    noisy = [_outputs(run(graph, arguments, generator)) for _ in range(RUNS)]
    return [
        _expectation(result, [outputs[index] for outputs in noisy])
        for index, result in enumerate(results)
    ]


def _outputs(values: list[Any]) -> list[Tensor]:
    """The tensors that a program returns, be it in a tuple."""
    return list(values[0]) if len(values) == 1 and isinstance(values[0], tuple) else values


def _expectation(result: Tensor, noisy: Sequence[Tensor]) -> Expectation:
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
        spread = torch.maximum(spread, (moved - wide).abs().nan_to_num(0.0, 0.0, 0.0))
    info = torch.finfo(result.dtype)
    own = wide.abs().nan_to_num(0.0, 0.0, 0.0) * UNITS[result.dtype] * info.eps
    return Expectation(
        result, SAFETY * spread + own + info.smallest_normal * info.eps * 4, is_known
    )
