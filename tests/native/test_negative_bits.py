"""Tensors with the negative bit, whose memory has the negatives of their numbers, in plans as C."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from tests.support.native_loops import compiled
from tests.support.needs import need_c_interface

need_c_interface()


def changing(x: Tensor, n: int) -> list[Tensor]:
    """A group whose input has the bit in some rounds, and the same strides in all."""
    found = []
    for i in range(n):
        y = x.real
        if i > 2:
            y = x.conj().imag
        found.append(torch.sigmoid(y) * 2.0 + 1.0)
    return found


def told(x: Tensor) -> tuple[list[float], str, float]:
    """Numbers that C reads where they lie; torch.jit's `tolist` forgets the bit."""
    y = x.conj().imag
    items: list[float] = y.tolist()
    return items, f"{y}", float(y[1])


def summed(xs: list[Tensor]) -> Tensor:
    """A list of tensors that the caller has."""
    s = torch.zeros(4)
    for x in xs:
        s = torch.sigmoid(x) * 2.0 + s
    return s


def complex_numbers(dtype: torch.dtype = torch.complex64) -> Tensor:
    return torch.complex(torch.arange(4.0), torch.arange(4.0) + 1).to(dtype)


def test_groups_see_the_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    x = complex_numbers()
    ours = compiled(changing, "now", monkeypatch)
    for _ in range(3):
        found = ours(x, 6)
    for one, other in zip(found, changing(x, 6), strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
def test_numbers_that_are_read(dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    x = complex_numbers(dtype)
    ours, (_, text, number) = compiled(told, "now", monkeypatch), torch.jit.script(told)(x)
    for _ in range(3):
        assert ours(x) == ([-1.0, -2.0, -3.0, -4.0], text, number)


def test_arguments_with_the_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    x = complex_numbers()
    ours = compiled(summed, "now", monkeypatch)
    plain, negated = [x.real] * 3, [x.conj().imag] * 3
    for _ in range(3):
        torch.testing.assert_close(ours(plain), summed(plain))
    torch.testing.assert_close(ours(negated), summed(negated))
