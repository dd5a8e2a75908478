"""The wrapper of NVRTC: machine code without a GPU, and what is said where it fails."""

from __future__ import annotations

import _ctypes
import ctypes
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch

from minits.kernels.cpu.c_build import NoCompiler
from minits.kernels.cuda import cubins, cuda_kernel, nvrtc
from minits.kernels.ir.builder import Builder
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.schedule.cuda import Form

ADD_ONE = 'extern "C" __global__ void add_one(float *x) { x[threadIdx.x] += 1; }'


@pytest.fixture
def reloaded() -> Iterator[None]:
    nvrtc._found.cache_clear()
    yield
    nvrtc._found.cache_clear()


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_cubin(installed: None, arch: str) -> None:
    cubin = nvrtc.compile_cubin(ADD_ONE, arch)
    assert cubin.startswith(b"\x7fELF")
    assert b"add_one" in cubin


def test_machine_code_is_kept(
    installed: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is found by all that it is made of but comments, and built again where it is not whole."""
    built: list[str] = []

    def counted(text: str, arch: str) -> bytes:
        built.append(arch)
        return nvrtc.compile_cubin(text, arch)

    monkeypatch.setattr(cubins, "compile_cubin", counted)
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path))
    first = cubins.cubin_of(ADD_ONE, "sm_90")
    assert cubins.cubin_of(f"{ADD_ONE} // of line 3", "sm_90") == first
    assert built == ["sm_90"]
    cubins.cubin_of(ADD_ONE, "sm_80")
    cubins.cubin_of(ADD_ONE.replace("1", "2"), "sm_90")
    assert built == ["sm_90", "sm_80", "sm_90"]
    for stored in (tmp_path / "kernels").glob("*.cubin"):
        stored.write_bytes(stored.read_bytes()[:-1])
    assert cubins.cubin_of(ADD_ONE, "sm_90") == first
    assert len(built) == 4


def test_a_folder_that_cannot_be_written_to(
    installed: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*given: object) -> None:
        raise OSError("full")

    monkeypatch.setattr(cubins.cache, "store", refuse)
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path))
    assert cubins.cubin_of(ADD_ONE, "sm_90").startswith(b"\x7fELF")
    monkeypatch.setattr(cubins.cache, "cache_folder", refuse)
    assert cubins.cubin_of(ADD_ONE, "sm_90").startswith(b"\x7fELF")


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
        return SimpleNamespace(
            name=opened[-1],
            nvrtcGetErrorString=SimpleNamespace(),
            **dict.fromkeys(nvrtc._USED, print),
        )

    monkeypatch.setattr(nvrtc.ctypes, "CDLL", load)
    monkeypatch.setattr(nvrtc, "_folders", lambda: [folder])
    assert nvrtc._library().name == taken
    assert opened[:-1] == (["lib/libnvrtc-builtins.so.13.0"] if "lib/" in taken else [])


@pytest.mark.parametrize("content", [b"", b"not a library", b"\x7fELF" + bytes(60)])
@pytest.mark.parametrize("damaged", ["libnvrtc.so.13", "libnvrtc-builtins.so.13.0"])
def test_a_damaged_package_is_as_none(
    content: bytes, damaged: str, reloaded: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    load = nvrtc.ctypes.CDLL
    whole = Path(_ctypes.__file__).read_bytes()  # a library, but another one
    for name in ("libnvrtc.so.13", "libnvrtc-builtins.so.13.0"):
        (tmp_path / name).write_bytes(content if name == damaged else whole)
    tried: list[str] = []

    def noted(name: str, **options: int) -> ctypes.CDLL:
        tried.append(name)
        if not name.startswith(str(tmp_path)):
            raise OSError(name)
        return load(name, **options)

    monkeypatch.setattr(nvrtc.ctypes, "CDLL", noted)
    monkeypatch.setattr(nvrtc, "_folders", lambda: [tmp_path])
    for _ in range(3):
        with pytest.raises(nvrtc.NvrtcMissing):
            nvrtc.compile_cubin(ADD_ONE)
    assert len(tried) == len(set(tried)), "it is looked for once"
    assert any(damaged in name for name in tried)


def test_what_is_named_nvidia_is_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nvidia", ModuleType("nvidia"))
    assert nvrtc._folders() == []


def test_an_error_without_words() -> None:
    library: Any = SimpleNamespace(nvrtcGetErrorString=lambda status: None)
    with pytest.raises(nvrtc.NvrtcError, match=r"unknown error \(77\)"):
        nvrtc._check(library, 77)


def test_a_refused_text_is_not_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def refuse(text: str, names: list[str], device: int, shared: int) -> None:
        asked.append(text)
        raise nvrtc.NvrtcError("refused")

    monkeypatch.setattr(cuda_kernel, "load", refuse)
    builder = Builder()
    builder.output(builder("neg", builder.load(builder.input(torch.float32))))
    layout = Layout(outer=1, inner=0, inputs=((Stride.UNIT,),), outputs=((Stride.UNIT,),))
    kernel = cuda_kernel.CudaKernel(builder.finish(), layout, 0)
    form = Form()
    for _ in range(3):
        with pytest.raises(NoCompiler, match="refused"):
            kernel.functions(form)
    assert len(asked) == 1
