"""Gradients that a kernel sums over its rows while it writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from minits.kernels.cpu.cpu_kernel import CpuKernel
from minits.kernels.gradients import column_sums


def bias_gelu(x: Tensor, bias: Tensor) -> Tensor:
    return F.gelu(x + bias)


def scaled(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return torch.tanh(torch.tanh(x) * weight + bias)


def two_biases(x: Tensor, first: Tensor, second: Tensor) -> Tensor:
    return torch.sigmoid(x + first + second)


def normalised(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return torch.tanh(F.layer_norm(x, [x.size(-1)], weight, bias))


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def assert_gradients(program: Callable[..., Tensor], *inputs: Tensor) -> None:
    """The gradients of all inputs are eager's; sums may be added up in another order."""
    compiled = minits.script(program)
    inputs = tuple(x.detach().requires_grad_() for x in inputs)
    gradient = torch.randn_like(program(*inputs))
    for _ in range(2):
        found = torch.autograd.grad(compiled(*inputs), inputs, gradient)
    wide = [x.detach().double().requires_grad_() for x in inputs]
    expected = torch.autograd.grad(program(*wide), wide, gradient.double())
    for mine, theirs, x in zip(found, expected, inputs, strict=True):
        assert mine.dtype == x.dtype
        assert mine.stride() == x.stride()
        torch.testing.assert_close(mine, theirs.to(x.dtype), rtol=2e-5, atol=2e-5)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("count", [1, 2], ids=["one thread", "two threads"])
@pytest.mark.parametrize(
    ("program", "parameters"), [(bias_gelu, 1), (scaled, 2), (two_biases, 2), (normalised, 2)]
)
@pytest.mark.parametrize("shape", [(5, 100), (3, 7, 33), (2000, 48), (1, 4096), (0, 40)], ids=str)
def test_gradients_are_eagers(
    program: Callable[..., Tensor], parameters: int, shape: tuple[int, ...], count: int
) -> None:
    torch.set_num_threads(count)
    given = [torch.randn(shape[-1:]) for _ in range(parameters)]
    assert_gradients(program, torch.randn(shape), *given)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16], ids=str)
def test_other_dtypes(dtype: torch.dtype) -> None:
    x, bias = torch.randn(6, 50, dtype=dtype), torch.randn(50, dtype=dtype)
    compiled = minits.script(scaled)
    inputs = [tensor.requires_grad_() for tensor in (x, bias, bias.clone())]
    found = torch.autograd.grad(compiled(*inputs).sum(), inputs)
    expected = torch.autograd.grad(scaled(*inputs).sum(), inputs)
    for mine, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=0.02 if dtype == torch.bfloat16 else 1e-12,
                                   atol=0.02 if dtype == torch.bfloat16 else 1e-12)  # fmt: skip


def test_biases_of_two_shapes() -> None:
    assert_gradients(two_biases, torch.randn(3, 4, 50), torch.randn(50), torch.randn(4, 50))


def test_transposed_inputs() -> None:
    assert_gradients(scaled, torch.randn(50, 40).t(), torch.randn(50), torch.randn(50))


def test_the_kernel_sums_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("summed in a pass of its own")

    made: list[int] = []
    bind = CpuKernel.bind

    def recorded(self: CpuKernel, *arguments: object, **keywords: object) -> object:
        made.append(len(keywords.get("sums", ())))  # type: ignore[arg-type]
        return bind(self, *arguments, **keywords)  # type: ignore[arg-type]

    monkeypatch.setattr(CpuKernel, "bind", recorded)
    monkeypatch.setattr(column_sums, "_function", fail)
    assert_gradients(normalised, torch.randn(64, 128), torch.randn(128), torch.randn(128))
    assert max(made) == 2
