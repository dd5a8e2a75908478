"""The programs of the examples with the kernels of a GPU, which the CPU runs: what they compute.

Each runs forward and backward and is compared with eager, in three dtypes, and for tensors that
lie in memory in several ways. NVRTC compiles each text as well (`tests/support/cuda_sweep.py`).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from examples import fused as programs
from examples import masked_softmax as masks
from tests.support.cuda_emulator import emulated

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")

TOLERANCES = {torch.float32: 2e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}
"""Relative to the largest value, or to 0.1 where gradients cancel each other.

The halves: a few roundings, at each operation."""

Make = Callable[[int, int], tuple[Any, ...]]
"""The arguments of a program, from a number of rows and a number of columns (even)."""

PROGRAMS: dict[str, Make] = {
    "chain": lambda r, c: tuple(torch.randn(r, c) for _ in range(4)),
    "bias_gelu": lambda r, c: (torch.randn(r, c), torch.randn(c)),
    "scale_mask_softmax": lambda r, c: (torch.randn(2, r, c), 8.0, torch.randn(2, 1, c)),
    "residual_layer_norm": lambda r, c: (*torch.randn(2, r, c), torch.randn(c), torch.randn(c)),
    "swiglu": lambda r, c: tuple(torch.randn(2, r, c)),
    "rotary": lambda r, c: (torch.randn(2, r, c), *torch.randn(2, r, c // 2)),
    "lstm_pointwise": lambda r, c: (torch.randn(r, 4 * c), torch.randn(r, c)),
    "gru_pointwise": lambda r, c: (*torch.randn(2, r, 3 * c), torch.randn(r, c)),
    "focal_loss": lambda r, c: (torch.randn(r, c), torch.rand(r, c)),
    "adam_step": lambda r, c: (*torch.randn(3, r, c), 0.1 + torch.rand(r, c), 10),
}
REDUCING = ("scale_mask_softmax", "residual_layer_norm")
MASK = torch.randn(3, 1, 10)


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """The texts that have been run, and what launches them."""
    with emulated(monkeypatch, tmp_path) as found:
        yield found


def compare(
    program: Any,
    arguments: tuple[Any, ...],
    dtype: torch.dtype = torch.float32,
    dialect: str = "torch",
) -> None:
    """Compare results, and the gradients of all inputs and parameters."""
    scripted = minits.script(program, dialect=dialect)
    own = list(program.parameters()) if isinstance(program, nn.Module) else []
    found, expected = both_ways(scripted, arguments, own), both_ways(program, arguments, own)
    for mine, theirs in zip(found, expected, strict=True):
        assert mine.dtype == theirs.dtype and mine.shape == theirs.shape
        scale = theirs.abs().max().item() if theirs.numel() else 0.0
        limit = TOLERANCES[dtype] * max(scale, 0.1)
        torch.testing.assert_close(mine, theirs, rtol=0, atol=limit)


def both_ways(program: Any, arguments: tuple[Any, ...], own: list[Tensor]) -> list[Tensor]:
    """What a call returns, then the gradients of its tensors and of some others."""
    inputs = [
        a.detach().requires_grad_() if isinstance(a, Tensor) and a.is_floating_point() else a
        for a in arguments
    ]
    results = flat(program(*inputs))
    weights = [torch.linspace(-1, 1, x.numel()).view(x.shape).to(x.dtype) for x in results]
    wanted = [a for a in inputs if isinstance(a, Tensor)] + own
    gradients = torch.autograd.grad(results, wanted, weights, allow_unused=True)
    return [x.detach() for x in results] + [x for x in gradients if x is not None]


def flat(result: Any) -> list[Tensor]:
    if isinstance(result, Tensor):
        return [result]
    return [tensor for part in result for tensor in flat(part)]


def moved(tensors: tuple[Any, ...], move: Callable[[Tensor], Tensor]) -> tuple[Any, ...]:
    return tuple([move(x) if isinstance(x, Tensor) else x for x in tensors])


def unaligned(x: Tensor) -> Tensor:
    """The same values, one element into their memory: no chunk begins at a multiple of 16 bytes."""
    return torch.cat([x.new_zeros(1), x.flatten()])[1:].view(x.shape)


def spread(x: Tensor) -> Tensor:
    """The same values, with gaps along the last dimension."""
    return torch.stack([x, x], -1)[..., 0]


def transposed(x: Tensor) -> Tensor:
    """The same values, the first dimension being the fastest in memory."""
    return x.transpose(0, -1).contiguous().transpose(0, -1)


# ---- The functions of examples/fused.py ---------------------------------------------------------


@pytest.mark.one_in(29, over="dtype")
@pytest.mark.parametrize("dtype", TOLERANCES, ids=lambda dtype: str(dtype)[6:])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, dtype: torch.dtype, texts: dict[str, Any]) -> None:
    """Whole chunks, then rows that end within one; one kernel forward and one backward at least."""
    torch.manual_seed(0)
    for rows, columns in ((8, 64), (3, 38)):
        arguments = moved(PROGRAMS[name](rows, columns), lambda x: x.to(dtype))
        compare(getattr(programs, name), arguments, dtype)
    assert len(texts) >= 2


@pytest.mark.one_in(18, over="move")
@pytest.mark.parametrize("move", [unaligned, spread, transposed], ids=lambda move: move.__name__)
@pytest.mark.parametrize("name", PROGRAMS)
def test_places_in_memory(
    name: str, move: Callable[[Tensor], Tensor], texts: dict[str, Any]
) -> None:
    torch.manual_seed(0)
    compare(getattr(programs, name), moved(PROGRAMS[name](5, 12), move))


@pytest.mark.one_in(15, over="columns rows")
@pytest.mark.parametrize(("rows", "columns"), [(0, 8), (1, 2), (1, 16), (4, 2)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_small_sizes(name: str, rows: int, columns: int, texts: dict[str, Any]) -> None:
    """No rows at all; one; and rows of fewer columns than a chunk has."""
    torch.manual_seed(0)
    compare(getattr(programs, name), PROGRAMS[name](rows, columns))
    assert texts or not rows


@pytest.mark.one_in(10, over="name")
@pytest.mark.parametrize("columns", [6, 100, 500, 3002, 20006])
@pytest.mark.parametrize("name", REDUCING)
def test_rows(name: str, columns: int, texts: dict[str, Any]) -> None:
    """Some threads of a warp have a row, or a warp, or a block; and the longest goes on in memory
    that the block shares.
    """
    torch.manual_seed(0)
    compare(getattr(programs, name), PROGRAMS[name](2, columns))
    threads = {6: 2, 100: 32, 500: 32, 3002: 256, 20006: 1024}[columns]
    assert any(f"#define THREADS {threads} " in text for text in texts)


# ---- Modules ------------------------------------------------------------------------------------


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("module", "mask"),
    [
        (masks.UntypedMask(64, 8), MASK),
        (masks.OptionalMask(64, 8), MASK),
        (masks.OptionalMask(64, 8), None),
        (masks.FlaggedMask(64, 8, False), None),
        (masks.AssertedMask(64, 8, True), MASK),
        (masks.EmptyMask(64, 8, True), MASK),
        (masks.CastMask(64, 8, True), MASK),
    ],
    ids=["untyped", "optional", "none", "flagged", "asserted", "empty", "cast"],
)
def test_masked_softmax(module: nn.Module, mask: Tensor | None, texts: dict[str, Any]) -> None:
    """One kernel forward, and one that gives all gradients."""
    dialect = "extended" if isinstance(module, masks.CastMask) else "torch"
    compare(module, (torch.randn(3, 4, 10), mask), dialect=dialect)
    assert len(texts) == 2


def test_a_layer_over_a_sequence(texts: dict[str, Any]) -> None:
    torch.manual_seed(0)
    states = torch.randn(2, 16), torch.randn(2, 16)
    compare(programs.LSTM(8, 16), (torch.randn(5, 2, 8), states))
    assert len(texts) >= 2


@pytest.mark.slow
def test_a_transformer_block(texts: dict[str, Any]) -> None:
    torch.manual_seed(0)
    compare(programs.PreNormBlock(32, 4), (torch.randn(2, 5, 32), torch.randn(2, 1, 1, 5)))
    assert len(texts) >= 4
