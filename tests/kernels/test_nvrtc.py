"""The wrapper of NVRTC: machine code without a GPU, and what is said where it fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from minits.kernels import nvrtc
from minits.kernels.c_build import NoCompiler

ADD_ONE = 'extern "C" __global__ void add_one(float *x) { x[threadIdx.x] += 1; }'


@pytest.fixture
def reloaded() -> Iterator[None]:
    nvrtc._library.cache_clear()
    yield
    nvrtc._library.cache_clear()


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_cubin(installed: None, arch: str) -> None:
    cubin = nvrtc.compile_cubin(ADD_ONE, arch)
    assert cubin.startswith(b"\x7fELF")
    assert b"add_one" in cubin


def test_log_of_a_faulty_text(installed: None) -> None:
    with pytest.raises(nvrtc.NvrtcError, match=r'kernel.cu\(1\).*"unknown" is undefined'):
        nvrtc.compile_cubin(ADD_ONE.replace("+= 1", "+= unknown"))


def test_unknown_architecture(installed: None) -> None:
    with pytest.raises(nvrtc.NvrtcError, match="gpu-architecture"):
        nvrtc.compile_cubin(ADD_ONE, "sm_11")


def test_missing_library(reloaded: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, **options: object) -> None:
        raise OSError(name)

    monkeypatch.setattr(nvrtc.ctypes, "CDLL", refuse)
    monkeypatch.setattr(nvrtc, "_folders", list)
    with pytest.raises(nvrtc.NvrtcMissing, match="pip install nvidia-cuda-nvrtc") as caught:
        nvrtc.compile_cubin(ADD_ONE)
    assert isinstance(caught.value, NoCompiler)
