"""Launches of CUDA kernels with a driver that only takes notes of what it is called with."""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
import torch

import minits
from minits.kernels import fused_kernel
from minits.kernels.cpu.c_build import build
from minits.kernels.cuda import cuda_driver, cuda_kernel
from minits.kernels.cuda.nvrtc import NvrtcError
from minits.kernels.ir.builder import Builder
from tests.support.kernel_samples import Sample, samples

SAMPLES = {sample.name: sample for sample in samples()}
STREAM = 0x7F00_0000_1234


@dataclass
class FakeDriver:
    """Launches do nothing but return `statuses`, first to last, then zero."""

    statuses: list[int] = field(default_factory=list)
    launches: list[dict[str, Any]] = field(default_factory=list)
    built: list[tuple[str, int]] = field(default_factory=list)
    """Texts and devices."""
    contexts: list[int] = field(default_factory=list)
    """Devices whose contexts were bound to the thread."""
    device: int = 1
    """The one that is current."""

    def cuLaunchKernel(self, function: str, *given: Any) -> int:
        blocks, _, _, threads, _, _, shared, stream, arguments, extra = given
        assert shared == 0 and extra is None
        self.launches.append(
            {
                "function": function,
                "blocks": blocks,
                "threads": threads,
                "stream": stream.value,  # it is wider than the int that numbers become
                "arguments": list(arguments),
            }
        )
        return self.statuses.pop(0) if self.statuses else 0

    def load(self, text: str, names: list[str], device: int, shared: int = 0) -> list[Any]:
        self.built.append((text, device))
        return [SimpleNamespace(func=name) for name in names]

    def check(self, status: int) -> None:
        if status:
            raise RuntimeError(f"CUDA error {status}")

    @contextmanager
    def current(self, device: int) -> Iterator[None]:
        self.device, before = device, self.device
        yield
        self.device = before


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    """In place of the driver, with CPU tensors that stand for those of device 1."""
    fake = FakeDriver()
    monkeypatch.setattr(cuda_kernel, "driver", lambda: fake)
    monkeypatch.setattr(cuda_kernel, "load", fake.load)
    monkeypatch.setattr(cuda_kernel, "check", fake.check)
    monkeypatch.setattr(cuda_kernel, "bind_context", fake.contexts.append)
    monkeypatch.setattr(cuda_kernel, "most_shared_memory", lambda device: 0)
    monkeypatch.setattr(cuda_kernel.internals, "empty_strided_cuda", empty)
    monkeypatch.setattr(torch.cuda, "device", fake.current)
    monkeypatch.setattr(cuda_kernel.internals, "cuda_device", lambda: fake.device)
    monkeypatch.setattr(cuda_kernel.internals, "cuda_stream", lambda device: STREAM + device)
    monkeypatch.setattr(fused_kernel, "_backend", lambda device: kernel_on_device_1)
    return fake


def empty(shape: Any, strides: Any, dtype: torch.dtype) -> torch.Tensor:
    return torch.empty_strided(shape, strides, dtype=dtype)


def kernel_on_device_1(kernel: Any, layout: Any) -> cuda_kernel.CudaKernel:
    return cuda_kernel.CudaKernel(kernel, layout, 1)


def launch_of(sample: Sample) -> Any:
    kernel = kernel_on_device_1(sample.kernel, sample.geometry.layout)
    return kernel.bind(sample.lowered, sample.geometry)


def pointers(launch: dict[str, Any], count: int) -> list[int]:
    """The first arguments of a launch, which are addresses."""
    return [ctypes.c_ulonglong.from_address(place).value for place in launch["arguments"][:count]]


def test_one_launch(driver: FakeDriver) -> None:
    """It is built when it is bound, and launched on the current stream of its device."""
    sample = next(iter(SAMPLES.values()))
    launch = launch_of(sample)
    assert len(driver.built) == 1 and driver.built[0][1] == 1
    results = launch(*sample.tensors, *sample.numbers)
    (made,) = driver.launches
    assert made["function"] == "kernel" and made["stream"] == STREAM + 1
    assert pointers(made, 3) == [x.data_ptr() for x in [*sample.tensors, *results]]
    launch(*sample.tensors, *sample.numbers)
    assert len(driver.built) == 1


def test_a_split_kernel_is_two_launches(driver: FakeDriver) -> None:
    sample = SAMPLES["places split"]
    launch_of(sample)(*sample.tensors, *sample.numbers)
    assert [made["function"] for made in driver.launches] == ["kernel", "kernel_combined"]
    first, second = driver.launches
    assert first["blocks"] > second["blocks"]
    assert first["arguments"] == second["arguments"]


def test_another_device_is_current(driver: FakeDriver) -> None:
    """Results are allocated and work is queued on the device of the inputs."""
    sample = next(iter(SAMPLES.values()))
    launch = launch_of(sample)
    driver.device = 0
    launch(*sample.tensors, *sample.numbers)
    assert driver.launches[0]["stream"] == STREAM + 1
    assert driver.device == 0


def test_a_thread_without_a_context(driver: FakeDriver) -> None:
    """As autograd's threads are: it gets that of the device, and what failed is launched again."""
    for name, functions in (("softmax 200", ["kernel"]), ("places split", ["kernel", "kernel"])):
        sample = SAMPLES[name]
        driver.launches.clear()
        driver.contexts.clear()
        driver.statuses = [cuda_driver.INVALID_CONTEXT]
        launch_of(sample)(*sample.tensors, *sample.numbers)
        assert driver.contexts == [1]
        first, second, *rest = driver.launches
        assert first == second and len(rest) == len(functions) - 1


def test_a_launch_that_fails(driver: FakeDriver) -> None:
    sample = next(iter(SAMPLES.values()))
    launch = launch_of(sample)
    for statuses in ([700], [cuda_driver.INVALID_CONTEXT, 700]):
        driver.statuses = statuses
        with pytest.raises(RuntimeError, match="CUDA error 700"):
            launch(*sample.tensors, *sample.numbers)


def scaled_tanh(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x * 2 + y)


def row_sums(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.exp(x * y).sum(-1) * 2


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3)])
def test_nothing_is_launched_for_no_elements(driver: FakeDriver, shape: tuple[int, ...]) -> None:
    x = torch.empty(shape)
    found = minits.script(scaled_tanh)(x, x)
    assert found.shape == shape and not driver.built and not driver.launches


def test_no_rows(driver: FakeDriver) -> None:
    x = torch.empty(0, 5)
    assert minits.script(row_sums)(x, x).shape == (0,)
    assert not driver.launches


def test_what_cannot_be_built_runs_unfused(
    driver: FakeDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call computes what it should, and a remark says what NVRTC said."""

    def refuse(*given: Any) -> Any:
        raise NvrtcError("kernel.cu(1): error: no such thing")

    monkeypatch.setattr(cuda_kernel, "load", refuse)
    scripted = minits.script(scaled_tanh)
    x, y = torch.randn(2, 4, 5)
    for _ in range(2):
        torch.testing.assert_close(scripted(x, y), scaled_tanh(x, y))
    remarks = [remark for remark in scripted.remarks(x, y) if remark.code == "no-compiler"]
    assert any("no such thing" in remark.message for remark in remarks)


# ---- The driver itself -------------------------------------------------------------------------


class FakeLibrary:
    """The functions of libcuda that are called, and the order of calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def cuDeviceGet(self, handle: Any, device: int) -> int:
        self.calls.append("get")
        handle._obj.value = 70 + device
        return 0

    def cuDevicePrimaryCtxRetain(self, context: Any, handle: Any) -> int:
        self.calls.append("retain")
        context._obj.value = 1000 + handle.value
        return 0

    def cuCtxSetCurrent(self, context: Any) -> int:
        self.calls.append(f"set {context.value}")
        return 0


def test_bind_context(monkeypatch: pytest.MonkeyPatch) -> None:
    """The device's primary context is retained once, and made current each time."""
    library = FakeLibrary()
    monkeypatch.setattr(cuda_driver, "driver", lambda: library)
    cuda_driver._primary_context.cache_clear()
    try:
        cuda_driver.bind_context(3)
        cuda_driver.bind_context(3)
    finally:
        cuda_driver._primary_context.cache_clear()
    assert library.calls == ["get", "retain", "set 1073", "set 1073"]


LIBRARY = """
static unsigned long long seen[12];
int cuLaunchKernel(
    void *function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned y1, unsigned z1,
    unsigned shared, void *stream, void **arguments, void **extra)
{
    unsigned long long given[] = {
        (unsigned long long)function, x, y, z, threads, y1, z1, shared,
        (unsigned long long)stream, *(unsigned long long *)arguments[0],
        *(unsigned long long *)arguments[1], (unsigned long long)extra};
    for (int i = 0; i < 12; ++i) seen[i] = given[i];
    return 0;
}
unsigned long long at(int i) { return seen[i]; }
"""


@pytest.mark.skipif(
    not any(map(shutil.which, ("gcc", "cc", "clang"))), reason="there is no C compiler"
)
def test_what_the_driver_is_handed_over(
    driver: FakeDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By ctypes, to a function with the driver's signature."""
    library = build(LIBRARY)
    library.at.restype = ctypes.c_ulonglong
    function = ctypes.c_void_p(0x7E00_0000_5678)
    monkeypatch.setattr(cuda_kernel, "driver", lambda: library)
    monkeypatch.setattr(cuda_kernel, "load", lambda *given: [SimpleNamespace(func=function)])
    sample = next(iter(SAMPLES.values()))
    launch_of(sample)(*sample.tensors, *sample.numbers)
    x, y = sample.tensors[:2]
    blocks = library.at(1)
    assert 0 < blocks < 100
    assert [library.at(i) for i in range(12)] == [
        function.value, blocks, 1, 1, 256, 1, 1, 0, STREAM + 1, x.data_ptr(), y.data_ptr(), 0,
    ]  # fmt: skip


# ---- 64-bit indices ----------------------------------------------------------------------------


def far_apart(count: int, step: int) -> torch.Tensor:
    """A tensor without memory."""
    return torch.empty_strided((count,), (step,), device="meta")


@pytest.mark.parametrize(
    ("x", "y", "wide"),
    [
        (far_apart((1 << 31) - 1, 1), far_apart(1, 1), False),
        (far_apart(1 << 31, 1), far_apart(1, 1), True),
        (far_apart(1 << 16, 1 << 15), far_apart(1 << 16, 1), False),
        (far_apart(1 << 16, 1 << 15), far_apart(1 << 16, (1 << 15) + 1), True),
        (torch.empty(1 << 16, 1, device="meta"), torch.empty(1 << 15, device="meta"), True),
        (torch.empty(1 << 32, device="meta")[1 << 31 :][:8], far_apart(8, 1), False),
    ],
    ids=["largest", "larger", "reach", "further", "broadcast", "offset"],
)
def test_width_of_indices(driver: FakeDriver, x: torch.Tensor, y: torch.Tensor, wide: bool) -> None:
    """64 bits where there are 2^31 indices, or where a tensor reaches as far in memory."""
    k = Builder()
    k.output(k("mul", k.load(k.input(torch.float32)), k.load(k.input(torch.float32))))
    sample = Sample("", k.finish(), [x, y], [])
    bound = cuda_kernel.Binding(
        kernel_on_device_1(sample.kernel, sample.geometry.layout),
        sample.lowered, sample.geometry, single=False,
    )  # fmt: skip
    assert bound.form.wide == wide
    assert ctypes.sizeof(bound._numbers) == len(bound._numbers) * (8 if wide else 4)
    assert bound._numbers[0] == sample.geometry.sizes[0]
    assert ("typedef unsigned long long Index;" in driver.built[0][0]) == wide
    assert 0 < bound.blocks < 1 << 31
