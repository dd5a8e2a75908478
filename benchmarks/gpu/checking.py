"""Whether fused programs compute on a device what eager does there: results and gradients."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

import minits
from benchmarks.gpu.timing import limited
from benchmarks.patterns import PATTERNS, ROWS, load_examples

DTYPES = (torch.float32, torch.float16, torch.bfloat16)
TOLERANCES = {torch.float32: 2e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}
"""Relative to the largest value. The halves: a few roundings, at each operation."""
_FLOOR = 1e-3
"""Gradients may cancel each other; what is smaller than this is compared with this. In long rows
each element is small."""
Options = dict[str, Any]


@dataclass(frozen=True)
class Check:
    """A program, and what it is called with for a number of elements.

    `arguments` has options as `torch.randn` takes them, dtype and device. `layers` follow each
    other, and pass on each other's roundings.
    """

    name: str
    program: Any
    arguments: Callable[[int, Options], tuple[Any, ...]]
    layers: int = 1
    floor: float = _FLOOR


def checks(only: str | None = None) -> list[Check]:
    """Return all programs of `benchmarks.patterns`, and those of the examples beside them."""
    examples = load_examples()
    found = [
        Check(pattern.name, getattr(examples, pattern.function), pattern.arguments)
        for pattern in PATTERNS
        if not pattern.backward
    ]
    found += [
        Check(row.name, getattr(examples, row.function), row.arguments, floor=2e-5) for row in ROWS
    ]
    found += [
        Check("rotary embedding", examples.rotary, _rotary),
        Check("softmax without a mask", examples.scale_mask_softmax, _scores),
        Check("custom LSTM", examples.LSTM(16, 16), _sequence),
        Check("transformer block", examples.PreNormBlock(32, 4), _tokens, layers=4),
    ]
    return [check for check in found if only in (None, check.name)]


def _rotary(n: int, o: Options) -> tuple[Tensor, ...]:
    angles = torch.rand(16, 16, **o)
    return torch.randn(n // 512, 16, 32, **o), angles.cos(), angles.sin()


def _scores(n: int, o: Options) -> tuple[Any, ...]:
    return torch.randn(n // 128, 128, **o), 8.0, None


def _sequence(n: int, o: Options) -> tuple[Any, ...]:
    batch = max(1, n // 256)
    states = torch.zeros(batch, 16, **o), torch.zeros(batch, 16, **o)
    return torch.randn(6, batch, 16, **o), states


def _tokens(n: int, o: Options) -> tuple[Tensor, ...]:
    return torch.randn(max(1, n // 512), 16, 32, **o), torch.randn(1, 1, 1, 16, **o)


# ---- Comparing ---------------------------------------------------------------------------------


def wrong_results(
    checked: Sequence[Check], device: str, sizes: Sequence[int], seconds: float = 60
) -> Iterator[str]:
    """Yield a line for each program whose results are not eager's."""
    for check in checked:
        for dtype in DTYPES:
            for elements in sizes:
                what = f"{check.name}, {str(dtype)[6:]}, {elements} elements"
                try:
                    with limited(seconds):
                        found = difference(check, elements, dtype, device)
                except Exception as fault:  # whatever it is, the others are checked
                    yield f"{what}: {type(fault).__name__}: {fault}"
                    continue
                if found > check.layers * TOLERANCES[dtype]:
                    yield f"{what}: differs from eager by {found:.2g}"


def difference(
    check: Check, elements: int, dtype: torch.dtype, device: str, scripted: Any = None
) -> float:
    """Return the largest difference from eager, relative to the largest value of each tensor.

    An element that is nearer to the exact result, computed in float64, is compared with that:
    eager rounds the halves in places of its own. It is right if it is no more than twice as far
    from that as eager is at its worst: where terms cancel, nothing is near. Infinite where dtypes
    or shapes are others. It is called three times: when it is built, and as later calls are.
    """
    program = check.program
    if isinstance(program, nn.Module):
        program = program.to(device=device, dtype=dtype)
    torch.manual_seed(0)
    arguments = check.arguments(elements, {"dtype": dtype, "device": device})
    expected, exact = _runs(program, arguments), _exact_runs(program, arguments)
    scripted = minits.script(program) if scripted is None else scripted
    found = [_runs(scripted, arguments, list(_parameters(program))) for _ in range(3)]
    return max(_largest(each, expected, exact, check.floor) for each in found)


def _exact_runs(program: Any, arguments: Sequence[Any]) -> list[Tensor]:
    doubled = copy.deepcopy(program).double() if isinstance(program, nn.Module) else program
    return _runs(doubled, _map_tensors(arguments, lambda x: x.double()))


def _map_tensors(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    if isinstance(value, tuple):
        return tuple([_map_tensors(each, change) for each in value])
    return change(value) if isinstance(value, Tensor) else value


def _parameters(program: Any) -> Iterator[Tensor]:
    return program.parameters() if isinstance(program, nn.Module) else iter(())


def _runs(
    program: Any, arguments: Sequence[Any], own: Sequence[Tensor] | None = None
) -> list[Tensor]:
    """Return results without gradients, then the gradients of arguments and parameters."""
    own = list(_parameters(program)) if own is None else own
    return [y for backward in (False, True) for y in results_of(program, arguments, own, backward)]


def results_of(
    program: Any, arguments: Sequence[Any], own: Sequence[Tensor], backward: bool
) -> list[Tensor]:
    """Return the results of a call; or the gradients of its arguments and some parameters."""
    if not backward:
        with torch.no_grad():
            return _tensors(program(*arguments))
    inputs = [x.detach().requires_grad_() if isinstance(x, Tensor) else x for x in arguments]
    results = _tensors(program(*inputs))
    given = [_ramp(result) for result in results]
    wanted = [x for x in inputs if isinstance(x, Tensor)] + list(own)
    gradients = torch.autograd.grad(results, wanted, given, allow_unused=True)
    return [gradient for gradient in gradients if gradient is not None]


def _ramp(like: Tensor) -> Tensor:
    """A gradient that is not the same everywhere."""
    ramp = torch.linspace(-1, 1, like.numel(), device=like.device)
    return ramp.view(like.shape).to(like.dtype)


def _tensors(result: Any) -> list[Tensor]:
    if isinstance(result, Tensor):
        return [result]
    return [tensor for part in result for tensor in _tensors(part)]


def _largest(
    found: list[Tensor], expected: list[Tensor], exact: list[Tensor], floor: float
) -> float:
    if len(found) != len(expected):
        return float("inf")
    worst = 0.0
    for mine, theirs, best in zip(found, expected, exact, strict=True):
        if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
            return float("inf")
        a, b = mine.double(), theirs.double()
        scale = best.abs().amax().clamp_min(floor)
        own = (b - best).abs().nan_to_num(0.0, 0.0).amax()
        off = torch.minimum((a - b).abs(), ((a - best).abs() - 2 * own).clamp_min(0)) / scale
        off = torch.where((a == b) | (a.isnan() & b.isnan()), 0.0, off)
        worst = max(worst, off.nan_to_num(nan=float("inf")).max().item())
    return worst
