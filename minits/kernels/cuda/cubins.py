"""Machine code of CUDA texts, built by NVRTC once per machine.

It is kept in the user's cache folder beside the libraries of the CPU's kernels, under the hash of
all that it is made of: the text without its comments, the architecture, the flags and NVRTC's
version. What is not whole, or could be another user's, is built again (`cpu/libraries.py`).
"""

from __future__ import annotations

from minits.kernels.cpu import cache
from minits.kernels.cpu.c_compiler import without_comments
from minits.kernels.cpu.libraries import key_of, read_whole
from minits.kernels.cuda.nvrtc import FLAGS, compile_cubin, nvrtc_version


def cubin_of(text: str, arch: str) -> bytes:
    """Return the machine code (an ELF file) of a CUDA C++ text for a real architecture.

    Raises NvrtcMissing and NvrtcError.
    """
    text = without_comments(text)
    key = key_of([text, arch, *FLAGS, str(nvrtc_version())])
    try:
        path = cache.cache_folder() / f"{key}.cubin"
    except OSError:  # there is no folder to keep it in
        return compile_cubin(text, arch)
    stored = read_whole(path, key)
    if stored is not None and cache.use(path):
        return stored
    made = compile_cubin(text, arch)
    cache.keep(path, made, key)
    return made
