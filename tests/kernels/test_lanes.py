"""Loops over float16 in strips: as eager for rows of all lengths, and what they look like."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

import minits
from minits.kernels.cpu.c_printer import print_c
from tests.kernels.lowered import graph_of, lower_for
from tests.kernels.test_c_printer import FLAT, needs_compiler

LENGTHS = [1, 5, 7, 8, 9, 16, 31, 33, 1000, 1031]


def rounded_twice(x: Tensor) -> Tensor:
    return (x + 1) * x


def extremes(x: Tensor) -> Tensor:
    return (x * 3).amax(-1) + (x * 2).amin(-1)


def any_and_all(x: Tensor) -> Tensor:
    return ((x * 2) > 1).any(-1) | ((x * 2) > 1).all(-1)


def widened(x: Tensor) -> Tensor:
    return (x.float() * 0.3).half() + x


def chosen(x: Tensor) -> Tensor:
    return torch.where(x > 0, x * 1000, x) * 1000


def summed(x: Tensor) -> Tensor:
    return (x * 0.5).sum(-1) * 2


def with_rare_operands(x: Tensor) -> Tensor:
    """Numbers above some size are rare, which the whole function is run again for."""
    return torch.remainder(x, 0.75) + torch.fmod(x * 2, x)


PROGRAMS = [rounded_twice, extremes, any_and_all, widened, chosen, summed, with_rare_operands]


def assert_like_eager(program: Callable[[Tensor], Tensor], x: Tensor) -> None:
    """Compare signs as well: of zeros, not of NaN."""
    compiled, wanted = minits.script(program), program(x)
    for _ in range(3):
        found = compiled(x)
    torch.testing.assert_close(found, wanted, rtol=0, atol=0, equal_nan=True)
    if found.is_floating_point():
        assert torch.equal(found.signbit() | found.isnan(), wanted.signbit() | wanted.isnan())


@pytest.mark.one_in(8)
@needs_compiler
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_rows_of_any_length(program: Callable[[Tensor], Tensor], length: int) -> None:
    x = torch.randn(20, length, generator=torch.Generator().manual_seed(0)).half()
    assert_like_eager(program, x)
    assert_like_eager(program, x.t().contiguous().t())
    assert_like_eager(program, torch.cat([x, x], 1)[:, ::2])


@needs_compiler
@pytest.mark.parametrize(
    "program", [rounded_twice, widened, chosen, with_rare_operands], ids=lambda e: e.__name__
)
def test_all_numbers(program: Callable[[Tensor], Tensor]) -> None:
    """All bits that float16 has: denormals, infinities, NaN and both zeros among them."""
    x = torch.arange(-(1 << 15), 1 << 15).to(torch.int16).view(torch.float16)
    assert_like_eager(program, x)


@needs_compiler
def test_processors_without_instructions_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_CFLAGS", "-U__F16C__")
    x = torch.arange(-(1 << 15), 1 << 15).to(torch.int16).view(torch.float16)
    assert_like_eager(rounded_twice, x)


def test_a_strip_is_converted_at_once() -> None:
    x = torch.zeros(64, dtype=torch.float16)
    kernel = lower_for(graph_of(rounded_twice), [x]).kernel
    text = print_c(kernel, FLAT, "twice")
    assert "mts_load_lanes_f16(lane_v0, &row_in0[i]);" in text
    assert text.count("mts_round_lanes_f16(lane_") == 2
    assert "mts_store_lanes_f16(&row_out0[i], lane_" in text


def test_a_strip_notes_rare_operands() -> None:
    x = torch.zeros(64, dtype=torch.float16)
    text = print_c(lower_for(graph_of(with_rare_operands), [x]).kernel, FLAT, "rare")
    usual = text.partition("static int rare_usual(")[2].partition("\n}\n")[0]
    assert "int rare_f32 = lane_rare_f32[lane];" in usual
    assert "rare_f32 |= found;" in usual


@needs_compiler
def test_an_extreme_of_nan_is_nan() -> None:
    for place in (0, 9, 39):
        x = torch.zeros(2, 40, dtype=torch.float16)
        x[1, place] = torch.nan
        assert_like_eager(extremes, x)
