"""On a GPU: threads, devices, sizes and gradients."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from benchmarks.gpu.calls import kernels_of

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


# ---- Kernels that ran --------------------------------------------------------------------------


def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = scores / 8
    if mask is not None:
        scores = scores + mask
    return F.softmax(scores, dim=-1)


@pytest.mark.parametrize("is_masked", [False, True])
def test_a_masked_softmax_is_one_kernel(is_masked: bool) -> None:
    scores = torch.randn(2, 4, 64, 64, device="cuda", requires_grad=True)
    mask = torch.zeros(2, 1, 1, 64, device="cuda") if is_masked else None
    scripted = minits.script(masked_softmax)
    gradient = torch.randn(2, 4, 64, 64, device="cuda")
    for _ in range(2):
        result = scripted(scores, mask)
        torch.autograd.grad(result, scores, gradient)
    assert kernels_of(lambda: scripted(scores, mask)) == ["kernel"]
    result = scripted(scores, mask)
    backward = partial(torch.autograd.grad, result, scores, gradient, retain_graph=True)
    assert kernels_of(backward) == ["kernel"]


# ---- Sizes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(3, 1 << 30), ((1 << 25) + 1, 128)])
def test_reductions_of_more_than_32_bits_count(shape: tuple[int, ...]) -> None:
    """Rows that are longer than a block has registers for, and many rows."""
    x = torch.zeros(shape, dtype=torch.int8, device="cuda")
    x[-1, -3:] = 5

    def largest(x: Tensor) -> Tensor:
        return (x + x).amax(-1)

    found = minits.script(largest)(x)
    assert found[-1].item() == 10 and found.sum().item() == 10


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, torch.int32])
@pytest.mark.parametrize("shape", [(), (1,), (7,), (1, 8), (0, 3), (33, 129)])
def test_dtypes(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    x, y = [(10 * each).to(dtype) for each in pair(*shape)]

    def mixed(x: Tensor, y: Tensor) -> Tensor:
        return torch.maximum(x * 2, y) - x

    torch.testing.assert_close(minits.script(mixed)(x, y), mixed(x, y))


# ---- Halves ------------------------------------------------------------------------------------

OF_HALVES: dict[str, Callable[[Tensor], Tensor]] = {
    "exp": torch.exp,
    "exp2": torch.exp2,
    "log1p": torch.log1p,
    "log_sigmoid": F.logsigmoid,
    "sigmoid": torch.sigmoid,
    "silu": F.silu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "sqrt": torch.sqrt,
    "tanh": torch.tanh,
    "reciprocal": torch.reciprocal,
    "div": lambda x: x / (x.flip(0) * 1),
    "softmax": lambda x: torch.softmax(x.view(-1, 64), -1),
}


EXACTLY: dict[str, Callable[[Tensor], Tensor]] = {
    "gelu_tanh": lambda x: x * torch.sigmoid(1.5957691216057308 * (x + 0.044715 * x**3)),
}
"""Where what eager computes in float64 cancels."""


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", OF_HALVES)
def test_every_half(name: str, dtype: torch.dtype) -> None:
    """Results are those of eager, or the next half: what rounds otherwise is rare."""
    x = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int32, device="cuda").to(torch.int16)
    x = x.view(dtype)
    function = OF_HALVES[name]

    def program(x: Tensor) -> Tensor:
        return function(x * 1) * 1

    found, eager = traced(program, x), program(x)
    exact = EXACTLY.get(name, program)(x.double()).to(dtype)
    is_near = near(found, eager) | near(found, exact)
    assert is_near.all(), x.view(found.shape)[~is_near][:8]
    same = (found == eager) | (found.isnan() & eager.isnan())
    assert same.float().mean().item() > 0.95


def near(found: Tensor, expected: Tensor) -> Tensor:
    """Where halves are the same or next to each other; those below all normal numbers are zero."""
    smallest = torch.finfo(torch.float32).smallest_normal
    found, expected = [torch.where(x.abs() < smallest, x * 0, x) for x in (found, expected)]
    steps = found.view(torch.int16).int() - expected.view(torch.int16).int()
    return (found == expected) | (found.isnan() & expected.isnan()) | (steps.abs() <= 1)


def traced(program: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """The result of a program, of which the graph is made by running it."""
    return minits.trace(program, (x,), check_trace=False)(x)


# ---- Streams and graphs ------------------------------------------------------------------------


def test_many_streams() -> None:
    """Each call works on the stream that is the current one of its thread."""
    scripted = minits.script(scaled_tanh)
    streams = [torch.cuda.Stream() for _ in range(4)]
    pairs = [pair(512, 512) for _ in range(32)]
    scripted(*pairs[0])
    torch.cuda.synchronize()

    def on_stream(number: int) -> Tensor:
        with torch.cuda.stream(streams[number % 4]):
            torch.cuda._sleep(100_000)
            return scripted(pairs[number][0] * 1, pairs[number][1])

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(on_stream, range(32)))
    torch.cuda.synchronize()
    for mine, each in zip(found, pairs, strict=True):
        torch.testing.assert_close(mine, scaled_tanh(*each))


def test_a_graph_of_a_program_and_its_gradient() -> None:
    """What has run before with the same sizes can be captured."""
    scripted = minits.script(row_softmax)
    x, y = pair(64, 64)
    x.requires_grad_()
    weights = torch.randn(64, 64, device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            torch.autograd.grad(scripted(x, y), x, weights)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = scripted(x, y)
        (gradient,) = torch.autograd.grad(found, x, weights)
    with torch.no_grad():
        x.copy_(torch.randn(64, 64))
    graph.replay()
    fresh = x.detach().requires_grad_()  # its node is of this stream, not of that of the graph
    expected = row_softmax(fresh, y)
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(gradient, torch.autograd.grad(expected, fresh, weights)[0])
