"""CUDA text: it compiles for real architectures, and computes what torch does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from conformance.on_device import moved
from minits.kernels.cuda import cuda_kernel
from minits.kernels.cuda.cuda_printer import print_cuda
from minits.kernels.cuda.forms import form_of
from minits.kernels.schedule.cuda import form_for
from minits.records import replace
from tests.support.cuda_emulator import (
    SHARED_MEMORY_OF_H100,
    build,
    emulated,
    emulated_kernel,
)
from tests.support.cuda_sweep import Sweep
from tests.support.kernel_samples import Sample, samples

SAMPLES = samples()
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
needs_device = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")


def text_of(sample: Sample, wide: bool = False, is_aligned: bool = True) -> str:
    """The text of the form that the sample's sizes ask for."""
    form = form_of(sample.kernel, sample.geometry, is_aligned, SHARED_MEMORY_OF_H100)
    form = replace(form, wide=wide)
    return print_cuda(sample.kernel, sample.geometry.layout, "kernel", form)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """All texts, compiled as C++ at once."""
    texts = sorted({text_of(each, is_aligned=x) for each in SAMPLES for x in (True, False)})
    return dict(zip(texts, build(texts, tmp_path_factory.mktemp("cuda")), strict=True))


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("is_aligned", [True, False], ids=["", "odd addresses"])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_values(
    sample: Sample,
    is_aligned: bool,
    built: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Also of inputs that begin at no multiple of 16 bytes, which are moved another way."""
    tensors = sample.tensors if is_aligned else [*map(shifted, sample.tensors)]
    with emulated(monkeypatch, tmp_path) as known:
        known.update(built)
        kernel = emulated_kernel(sample.kernel, sample.geometry.layout)
        found = kernel.bind(sample.lowered, sample.geometry)(*tensors, *sample.numbers)
        assert len(known) == len(built)
    for mine, theirs in zip(found, sample.expected, strict=True):
        torch.testing.assert_close(mine, theirs, equal_nan=True)
        assert mine.stride() == theirs.contiguous().stride() or sample.name == "strided"


def shifted(tensor: torch.Tensor) -> torch.Tensor:
    """A copy with the same strides, one element later in memory than tensors usually are."""
    count = tensor.untyped_storage().nbytes() // tensor.itemsize
    made = torch.empty(count + 1, dtype=tensor.dtype)[1:]
    made.copy_(tensor.as_strided((count,), (1,), 0))
    start = tensor.storage_offset() + 1
    return made.as_strided(tensor.shape, tensor.stride(), start)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("wide", [False, True])
def test_nvrtc_compiles_every_sample(wide: bool, cuda_sweep: Sweep, installed: None) -> None:
    """Those of 64-bit indices as well, which no test has the memory to run."""
    for sample in SAMPLES:
        cuda_sweep.add(text_of(sample, wide))


def test_forms() -> None:
    """Longer rows get more threads, then more chunks, then memory that the threads share."""
    forms, shared = {}, {}
    for sample in SAMPLES:
        geometry = sample.geometry
        form = form_of(sample.kernel, geometry, shared_memory=SHARED_MEMORY_OF_H100)
        forms[sample.name] = (form.threads, form.steps, form.splits)
        shared[sample.name] = (form.goes_on, form.shared)
    assert forms["centred 1"] == (1, 1, False)
    assert forms["centred 5"] == (2, 1, False)
    assert forms["centred 64"] == (16, 1, False)
    assert forms["centred 300"] == (32, 3, False)
    assert forms["centred 1000"] == (128, 2, False)
    assert forms["centred 9000"] == (1024, 3, False)
    assert forms["centred 40000"] == (1024, 8, False)
    assert forms["centred 120000"] == (1024, 8, False)
    assert forms["places split"] == (512, 0, True)
    assert shared["centred 9000"] == (False, 0)
    assert shared["centred 40000"] == (True, 2)
    assert shared["centred 120000"] == (True, 0)


def test_wide_indices() -> None:
    sample = SAMPLES[0]
    geometry = sample.geometry
    assert not form_for(sample.kernel, geometry.layout, geometry.sizes, (1 << 31) - 1).wide
    form = form_for(sample.kernel, geometry.layout, geometry.sizes, 1 << 31)
    assert form.wide
    text = print_cuda(sample.kernel, geometry.layout, "kernel", form)
    assert "typedef unsigned long long Index;" in text


def test_lines_are_named() -> None:
    sample = SAMPLES[0]
    text = print_cuda(sample.kernel, sample.geometry.layout, "kernel")
    lines = [line for line in text.splitlines() if "// model.py:12" in line]
    assert [line.split("//")[0].strip() for line in lines] == [
        "const double v3 = p0;",
        "const float v4 = (float)v3;",
        "const float v0 = x0.at[k];",
        "const float v1 = x1.at[k];",
        "const float v2 = v0 * v1;",
        "const float v5 = v2 - v4;",
        "const float v6 = v5 + v0;",
    ]
    assert "#include" not in text


@needs_compiler
@pytest.mark.parametrize("single", [False, True])
def test_single_output(single: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A group with one output may hand it over as it is."""
    sample = SAMPLES[0]
    with emulated(monkeypatch, tmp_path):
        kernel = emulated_kernel(sample.kernel, sample.geometry.layout)
        launch = kernel.bind(sample.lowered, sample.geometry, single)
        found = launch(*sample.tensors, *sample.numbers)
    torch.testing.assert_close(found if single else found[0], sample.expected[0])


# ---- On a GPU ----------------------------------------------------------------------------------


def on_device(sample: Sample) -> tuple[cuda_kernel.CudaKernel, list[torch.Tensor]]:
    kernel = cuda_kernel.CudaKernel(sample.kernel, sample.geometry.layout, 0)
    return kernel, moved(sample.tensors, "cuda")


@pytest.mark.cuda
@needs_device
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_values_on_a_device(sample: Sample) -> None:
    kernel, tensors = on_device(sample)
    found = kernel.bind(sample.lowered, sample.geometry)(*tensors, *sample.numbers)
    for mine, theirs in zip(found, sample.expected, strict=True):
        torch.testing.assert_close(mine.cpu(), theirs, equal_nan=True)


@pytest.mark.cuda
@needs_device
def test_captured_by_a_graph() -> None:
    sample = next(sample for sample in SAMPLES if sample.name == "softmax 200")
    kernel, tensors = on_device(sample)
    launch = kernel.bind(sample.lowered, sample.geometry)
    launch(*tensors, *sample.numbers)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        (found,) = launch(*tensors, *sample.numbers)
    tensors[0].zero_()
    graph.replay()
    expected = torch.softmax(sample.tensors[1].expand_as(sample.tensors[0]), -1)
    torch.testing.assert_close(found.cpu(), expected)


@pytest.mark.cuda
@needs_device
def test_current_stream() -> None:
    sample = SAMPLES[0]
    kernel, tensors = on_device(sample)
    launch = kernel.bind(sample.lowered, sample.geometry)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        torch.cuda._sleep(10_000_000)
        tensors[0].mul_(2)
        (found,) = launch(*tensors, *sample.numbers)
    stream.synchronize()
    a, b = sample.tensors
    torch.testing.assert_close(found.cpu(), 2 * a * b - 0.75 + 2 * a)
