"""Machine code of CUDA texts, built by NVRTC once per machine.

It is kept in the user's cache folder beside the libraries of the CPU's kernels, under the hash of
all that it is made of: the text without its comments, the architecture, the flags and NVRTC's
version. What is not whole, or could be another user's, is built again (`cpu/libraries.py`).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from minits.kernels.cpu import cache
from minits.kernels.cpu.c_compiler import without_comments
from minits.kernels.cpu.libraries import read_whole, store
from minits.kernels.cuda.nvrtc import FLAGS, compile_cubin, nvrtc_version


def cubin_of(text: str, arch: str) -> bytes:
    """Return the machine code (an ELF file) of a CUDA C++ text for a real architecture.

    Raises NvrtcMissing and NvrtcError.
    """
    text = without_comments(text)
    parts = "\0".join([text, arch, *FLAGS, str(nvrtc_version())])
    key = hashlib.sha256(parts.encode(errors="backslashreplace")).hexdigest()[:40]
    path = _path(key)
    stored = read_whole(path, key) if path is not None else None
    if path is not None and stored is not None and cache.use(path):
        return stored
    made = compile_cubin(text, arch)
    if path is not None:
        try:
            store(path, made, key)
            cache.note_built(path)
        except OSError:
            pass  # the folder cannot be written to, or the disk is full: it will be built again
    return made


def _path(key: str) -> Path | None:
    try:
        return cache.cache_folder() / f"{key}.cubin"
    except OSError:
        return None
