"""NVRTC, NVIDIA's compiler of CUDA C++ text, through ctypes. It needs neither GPU nor driver.

The library comes from the package `nvidia-cuda-nvrtc` of PyPI, or from torch's own CUDA libraries.
It is given no header directory: the texts to compile must include nothing.

Source: https://docs.nvidia.com/cuda/nvrtc
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from minits.kernels.cpu.c_build import NoCompiler

FLAGS = ("--std=c++17", "--fmad=false")
"""No fused multiply-add where the program has two operators: eager rounds both."""
_USED = (
    "nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetCUBINSize", "nvrtcGetCUBIN",
    "nvrtcDestroyProgram", "nvrtcGetProgramLogSize", "nvrtcGetProgramLog", "nvrtcVersion",
)  # fmt: skip


class NvrtcMissing(NoCompiler):
    """There is no NVRTC library on this machine."""


class NvrtcError(NoCompiler):
    """NVRTC refuses a text; the message is its log, with the lines that it points to."""


def compile_cubin(text: str, arch: str = "sm_90", more_flags: Sequence[str] = ()) -> bytes:
    """Return the machine code (an ELF file) of a CUDA C++ text.

    `arch` is a real architecture such as `sm_80`. Raises NvrtcMissing and NvrtcError.
    """
    library = _library()
    program = ctypes.c_void_p()
    _check(
        library,
        library.nvrtcCreateProgram(
            ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None
        ),
    )
    try:
        options = [f"--gpu-architecture={arch}".encode(), *map(str.encode, (*FLAGS, *more_flags))]
        array = (ctypes.c_char_p * len(options))(*options)
        if library.nvrtcCompileProgram(program, len(options), array):
            raise NvrtcError(_log(library, program))
        size = ctypes.c_size_t()
        _check(library, library.nvrtcGetCUBINSize(program, ctypes.byref(size)))
        cubin = ctypes.create_string_buffer(size.value)
        _check(library, library.nvrtcGetCUBIN(program, cubin))
        return cubin.raw
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def nvrtc_version() -> tuple[int, int]:
    """Return the library's version, such as (13, 0). Raises NvrtcMissing."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    library = _library()
    _check(library, library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    return major.value, minor.value


def _library() -> ctypes.CDLL:
    """Load NVRTC. Raises NvrtcMissing."""
    library = _found()
    if library is None:
        raise NvrtcMissing("NVRTC is not installed: pip install nvidia-cuda-nvrtc")
    return library


@lru_cache(maxsize=1)
def _found() -> ctypes.CDLL | None:
    """Look for NVRTC once: the newest that is loaded already, that of a package, older ones."""
    library = _named("libnvrtc.so.13") or _packaged()
    return library or _named("libnvrtc.so.12") or _named("libnvrtc.so")


def _named(name: str) -> ctypes.CDLL | None:
    """Return a library that torch has loaded, or that the system knows; None if it is not whole."""
    try:
        library = ctypes.CDLL(name)
        library.nvrtcGetErrorString.restype = ctypes.c_char_p
        return library if all(getattr(library, each) for each in _USED) else None
    except (OSError, AttributeError):
        return None


def _packaged() -> ctypes.CDLL | None:
    """Return the library of a package, after that of its built-in functions.

    NVRTC opens this one by its name, which the system does not know.
    """
    for folder in _folders():
        found = sorted(folder.glob("libnvrtc.so.*"))
        builtins = [
            path for path in folder.glob("libnvrtc-builtins.so.*") if ".alt." not in path.name
        ]
        if found and builtins:
            try:
                ctypes.CDLL(str(builtins[0]), mode=ctypes.RTLD_GLOBAL)
            except OSError:
                continue
            library = _named(str(found[-1]))
            if library is not None:
                return library
    return None


def _folders() -> list[Path]:
    """Return the folders that may have the package's libraries: nvidia/cu13/lib, then others."""
    try:
        spec = find_spec("nvidia")
    except (ImportError, ValueError):  # what is imported under this name is no package
        return []
    if spec is None or spec.submodule_search_locations is None:
        return []
    roots = [Path(folder) for folder in spec.submodule_search_locations]
    return [folder for root in roots for folder in sorted(root.glob("*/lib"), reverse=True)]


def _log(library: ctypes.CDLL, program: ctypes.c_void_p) -> str:
    size = ctypes.c_size_t()
    _check(library, library.nvrtcGetProgramLogSize(program, ctypes.byref(size)))
    log = ctypes.create_string_buffer(size.value)
    _check(library, library.nvrtcGetProgramLog(program, log))
    return log.value.decode(errors="replace")


def _check(library: ctypes.CDLL, status: int) -> None:
    if status:
        message = library.nvrtcGetErrorString(status) or b"unknown error"
        raise NvrtcError(f"NVRTC: {message.decode(errors='replace')} ({status})")
