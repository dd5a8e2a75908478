"""CUDA text: it compiles for real architectures, and computes what torch does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from minits.kernels import cuda
from minits.kernels.cuda_printer import form_for, print_cuda
from minits.kernels.nvrtc import NvrtcMissing, compile_cubin, nvrtc_version
from tests.support.cuda_emulator import build, emulated
from tests.support.kernel_samples import Sample, samples

SAMPLES = samples()
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")


def text_of(sample: Sample) -> str:
    """The text of the form that the sample's sizes ask for."""
    geometry = sample.geometry
    form = form_for(sample.kernel, geometry.layout, geometry.sizes, geometry.count)
    return print_cuda(sample.kernel, geometry.layout, "kernel", form)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """All texts, compiled as C++ at once."""
    texts = sorted({text_of(sample) for sample in SAMPLES})
    return dict(zip(texts, build(texts, tmp_path_factory.mktemp("cuda")), strict=True))


@needs_compiler
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_values(
    sample: Sample,
    built: dict[str, object],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    with emulated(monkeypatch, tmp_path) as known:
        known.update(built)
        kernel = cuda.CudaKernel(sample.kernel, sample.geometry.layout)
        found = kernel.bind(sample.lowered, sample.geometry)(*sample.tensors, *sample.numbers)
    for mine, theirs in zip(found, sample.expected, strict=True):
        torch.testing.assert_close(mine, theirs, equal_nan=True)
        assert mine.stride() == theirs.contiguous().stride() or sample.name == "strided"


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_nvrtc_compiles_every_sample(arch: str) -> None:
    try:
        nvrtc_version()
    except NvrtcMissing as fault:
        pytest.skip(str(fault))
    for text in sorted({text_of(sample) for sample in SAMPLES}):
        assert compile_cubin(text, arch).startswith(b"\x7fELF")
