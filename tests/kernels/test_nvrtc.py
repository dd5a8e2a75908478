"""The wrapper of NVRTC: machine code without a GPU, and what is said where it fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

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


@pytest.mark.parametrize(
    ("known", "packaged", "taken"),
    [
        (["libnvrtc.so.12", "libnvrtc.so.13"], True, "libnvrtc.so.13"),
        (["libnvrtc.so.12"], True, "lib/libnvrtc.so.13"),
        (["libnvrtc.so.12", "libnvrtc.so"], False, "libnvrtc.so.12"),
        (["libnvrtc.so"], False, "libnvrtc.so"),
    ],
)
def test_which_library_is_taken(
    known: list[str],
    packaged: bool,
    taken: str,
    reloaded: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """A package's, rather than an older one that the system has."""
    folder = tmp_path / "lib"
    folder.mkdir()
    names = ["libnvrtc.so.13", "libnvrtc-builtins.so.13.0", "libnvrtc-builtins.alt.so.13.0"]
    for name in names if packaged else []:
        (folder / name).touch()
    opened: list[str] = []

    def load(name: str, **options: object) -> SimpleNamespace:
        if name not in known and not name.startswith(str(tmp_path)):
            raise OSError(name)
        opened.append(name.removeprefix(f"{tmp_path}/"))
        return SimpleNamespace(name=opened[-1], nvrtcGetErrorString=SimpleNamespace())

    monkeypatch.setattr(nvrtc.ctypes, "CDLL", load)
    monkeypatch.setattr(nvrtc, "_folders", lambda: [folder])
    assert nvrtc._library().name == taken
    assert opened[:-1] == (["lib/libnvrtc-builtins.so.13.0"] if "lib/" in taken else [])
