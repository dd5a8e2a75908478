"""Every kernel that the tests build for the CPU, compiled as CUDA text too.

`tests/conftest.py` puts a `Sweep` in place for the whole session. Kernels are built in one place,
`CpuKernel.bind`; each that passes there is printed as CUDA in the form that a GPU would get for the
same sizes, and NVRTC compiles it for the architectures below when the test ends, with as little
optimisation as it can: what counts is that it takes the text. A text is compiled once: what passed
is remembered, by hash, in a folder that later sessions and other workers share.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from minits.kernels.cpu.cpu_kernel import CpuKernel
from minits.kernels.cuda.cuda_kernel import CudaKernel
from minits.kernels.cuda.cuda_printer import print_cuda
from minits.kernels.cuda.forms import form_of
from minits.kernels.cuda.nvrtc import FLAGS, NvrtcError, NvrtcMissing, compile_cubin, nvrtc_version
from minits.kernels.launch.geometry import Geometry
from minits.kernels.schedule.cuda import Form

ARCHITECTURES = ("sm_80", "sm_90")
_QUICK = ("--Ofast-compile=max", "--minimal")
_COMMENT = re.compile(r"\s*//.*")


def quick_cubin(text: str, arch: str) -> bytes:
    """Return machine code that is not optimised. Raises NvrtcMissing and NvrtcError."""
    return compile_cubin(text, arch, _QUICK if nvrtc_version() >= (13, 0) else ())


class Sweep:
    """Texts that wait to be compiled, and those that have been.

    `folder` has an empty file for each text that all architectures take, named by its hash.
    """

    def __init__(self, folder: Path) -> None:
        self.waiting: dict[str, str] = {}
        self._folder = folder
        self._passed = {path.name for path in folder.iterdir()}

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """Note the kernels that are built from now on, for the CPU or for CUDA."""
        bind, functions = CpuKernel.bind, CudaKernel.functions

        def watched(
            kernel: CpuKernel, lowered: Any, geometry: Geometry, *rest: Any, **named: Any
        ) -> Any:
            launch = bind(kernel, lowered, geometry, *rest, **named)
            self.add(cuda_text(kernel, geometry))
            return launch

        def watched_functions(kernel: CudaKernel, form: Form) -> Any:
            found = functions(kernel, form)
            self.add(print_cuda(kernel.kernel, kernel.layout, "kernel", form))
            return found

        patch.setattr(CpuKernel, "bind", watched)
        patch.setattr(CudaKernel, "functions", watched_functions)

    def add(self, text: str) -> None:
        """Let a text wait, unless it has been compiled."""
        bare = _COMMENT.sub("", text)  # the same kernel of another line is the same
        key = hashlib.sha256(f"{_compiler()}\n{bare}".encode()).hexdigest()
        if key not in self._passed:
            self.waiting[key] = text

    def compile(self, build: Callable[[str, str], bytes] = quick_cubin) -> None:
        """Compile what waits. Raises NvrtcError, with the text, for the first that is refused."""
        waiting, self.waiting = self.waiting, {}
        for key, text in waiting.items():
            mark = self._folder / key
            if not mark.exists():  # another worker may have been faster
                compile_for_all(text, build)
                mark.touch()
            self._passed.add(key)


@cache
def _compiler() -> str:
    try:
        return f"{nvrtc_version()} {FLAGS} {ARCHITECTURES}"
    except NvrtcMissing:
        return "missing"


SWEEP = pytest.StashKey[Sweep]()
"""Where pytest's configuration has the one of the session, if NVRTC is installed."""


def cuda_text(kernel: CpuKernel, geometry: Geometry) -> str:
    """The text that a GPU would get for a launch."""
    form = form_of(kernel.kernel, geometry, shared_memory=227 << 10)
    return print_cuda(kernel.kernel, geometry.layout, "kernel", form)


def compile_for_all(text: str, build: Callable[[str, str], bytes] = quick_cubin) -> None:
    """Compile a text for each architecture. Raises NvrtcError, which says the text."""
    for arch in ARCHITECTURES:
        try:
            code = build(text, arch)
        except NvrtcError as fault:
            raise NvrtcError(f"{fault}\nfor {arch}, in\n{text}") from None
        assert code.startswith(b"\x7fELF")
