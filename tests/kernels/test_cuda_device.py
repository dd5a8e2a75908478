"""On a GPU: threads, devices, sizes and gradients."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import Tensor

import minits

pytestmark = [
    pytest.mark.cuda,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device"),
]


def scaled_tanh(x: Tensor, y: Tensor) -> Tensor:
    return torch.tanh(x * 2 + y)


def row_softmax(x: Tensor, y: Tensor) -> Tensor:
    return torch.softmax(x * y, -1)


def pair(*shape: int, device: str = "cuda") -> tuple[Tensor, Tensor]:
    return torch.randn(shape, device=device), torch.randn(shape, device=device)


@pytest.mark.parametrize("program", [scaled_tanh, row_softmax])
@pytest.mark.parametrize("shape", [(0, 8), (1, 1), (3, 5), (64, 64), (2, 5000), (1, 100_000)])
def test_gradients(program: object, shape: tuple[int, ...]) -> None:
    """They are computed in autograd's own thread, in which nothing may have run before."""
    x, y = pair(*shape)
    inputs = [x.requires_grad_(), y.requires_grad_()]
    weights = torch.randn(shape, device="cuda")
    found = torch.autograd.grad(minits.script(program)(*inputs), inputs, weights)
    expected = torch.autograd.grad(program(*inputs), inputs, weights)  # type: ignore[operator]
    torch.testing.assert_close(found, expected)


def test_a_new_thread() -> None:
    """It builds a kernel as the first thing that it does with the device; others launch it."""
    scripted = minits.script(scaled_tanh)
    x, y = pair(64, 64)
    expected = scaled_tanh(x, y)
    for _ in range(3):
        with ThreadPoolExecutor(1) as pool:
            torch.testing.assert_close(pool.submit(scripted, x, y).result(), expected)


def test_many_threads_at_once() -> None:
    """They share the arguments of a launch, one after the other."""
    scripted = minits.script(scaled_tanh)
    pairs = [pair(64, 64) for _ in range(64)]
    scripted(*pairs[0])
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda each: scripted(*each), pairs))
    for mine, each in zip(found, pairs, strict=True):
        torch.testing.assert_close(mine, scaled_tanh(*each))


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="there is one CUDA device")
def test_another_device() -> None:
    scripted = minits.script(scaled_tanh)
    for device in ("cuda:1", "cuda:0", "cuda:1"):
        x, y = pair(8, 8, device=device)
        found = scripted(x, y)
        assert found.device == x.device
        torch.testing.assert_close(found, scaled_tanh(x, y))


def test_64_bit_indices() -> None:
    """One element more than 32-bit indices are used for."""
    x = torch.zeros((1 << 31) + 1, dtype=torch.int8, device="cuda")
    x[-1] = 3

    def twice(x: Tensor) -> Tensor:
        return x * 2 + x

    found = minits.script(twice)(x)
    assert found[-1].item() == 9 and int(found.sum(dtype=torch.int64).item()) == 9


def test_tensors_on_two_devices_run_unfused() -> None:
    """A number in the memory of the CPU beside a tensor of the GPU, as eager allows."""
    x, number = torch.randn(4, 4, device="cuda"), torch.tensor(2.0)
    for first, second in ((x, number), (number, x)):
        torch.testing.assert_close(
            minits.script(scaled_tanh)(first, second), scaled_tanh(first, second)
        )
