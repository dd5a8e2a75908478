"""Every kernel that the tests build for the CPU, compiled as CUDA text too.

`tests/conftest.py` puts a `Sweep` in place for the whole session. Kernels are built in one place,
`CpuKernel.bind`; each that passes there is printed as CUDA in the form that a GPU would get for the
same sizes, and waits. What counts is that NVRTC takes the text: some dozen texts are put together
and compiled to PTX at once, which costs a tenth of each by itself; where NVRTC refuses them, each
is compiled alone to find the one at fault. One text in sixteen becomes machine code for each of the
architectures below as well, and all of them with `pytest --machine-code`. A text is compiled once:
what passed is remembered, by hash, in a folder that later sessions and other workers share.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from minits.kernels.cpu.cpu_kernel import CpuKernel
from minits.kernels.cuda.cuda_kernel import CudaKernel
from minits.kernels.cuda.cuda_printer import print_cuda
from minits.kernels.cuda.forms import form_of
from minits.kernels.cuda.nvrtc import FLAGS, NvrtcError, NvrtcMissing, compile_cubin, nvrtc_version
from minits.kernels.launch.geometry import Geometry
from minits.kernels.schedule.cuda import Form

PTX = "compute_80"
ARCHITECTURES = ("sm_80", "sm_90")
AT_ONCE = 24
_ONE_IN = 16
_QUICK = ("--Ofast-compile=max", "--minimal")
_COMMENT = re.compile(r"\s*//.*")
_MACRO = re.compile(r"(?m)^#define (\w+)")

Build = Callable[[str, str], bytes]
"""Compiles a text for an architecture. Raises NvrtcMissing and NvrtcError."""


class Waiting(NamedTuple):
    """A text, and the test that built its kernel."""

    text: str
    test: str


def quick_cubin(text: str, arch: str) -> bytes:
    """Return machine code that is not optimised, and nothing for a virtual architecture.

    Raises NvrtcMissing and NvrtcError.
    """
    return compile_cubin(text, arch, _QUICK if nvrtc_version() >= (13, 0) else ())


class Sweep:
    """Texts that wait to be compiled, and those that have been.

    `folder` has an empty file for each text that has been taken, named by its hash.
    """

    def __init__(self, folder: Path, is_whole: bool = False) -> None:
        self.waiting: dict[str, Waiting] = {}
        self.test = ""
        """The test that runs."""
        self._folder = folder
        self._is_whole = is_whole
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
        key = hashlib.sha256(f"{_compiler(self._is_whole)}\n{bare}".encode()).hexdigest()
        if key not in self._passed and key not in self.waiting:
            self.waiting[key] = Waiting(text, self.test)

    def compile(self, build: Build = quick_cubin) -> None:
        """Compile what waits. Raises NvrtcError, with the text, for the first that is refused."""
        waiting, self.waiting = self.waiting, {}
        # Another worker may have been faster.
        new = {key: each for key, each in waiting.items() if not (self._folder / key).exists()}
        self._passed.update(waiting.keys() - new.keys())
        if not new:
            return
        faults = []
        alone = () if _is_taken([each.text for each in new.values()], build) else (PTX,)
        for key, each in new.items():
            machines = ARCHITECTURES if self._is_whole or int(key, 16) % _ONE_IN == 0 else ()
            try:
                compile_for(each, (*alone, *machines), build)
            except NvrtcError as fault:
                faults.append(fault)
                continue
            (self._folder / key).touch()
            self._passed.add(key)
        if faults:
            raise faults[0]


def _is_taken(texts: Iterable[str], build: Build) -> bool:
    """Return whether texts compile to PTX together."""
    try:
        build(joined(texts), PTX)
    except NvrtcError:
        return False
    return True


@cache
def _compiler(is_whole: bool) -> str:
    try:
        return f"{nvrtc_version()} {FLAGS} {PTX} {ARCHITECTURES} {is_whole}"
    except NvrtcMissing:
        return "missing"


SWEEP = pytest.StashKey[Sweep]()
"""Where pytest's configuration has the one of the session, if NVRTC is installed."""


def cuda_text(kernel: CpuKernel, geometry: Geometry) -> str:
    """The text that a GPU would get for a launch."""
    form = form_of(kernel.kernel, geometry, shared_memory=227 << 10)
    return print_cuda(kernel.kernel, geometry.layout, "kernel", form)


def joined(texts: Iterable[str]) -> str:
    """Return one text of several: each in a namespace of its own, without its macros afterwards."""
    parts = []
    for number, text in enumerate(texts):
        body = text.replace('extern "C" ', "")
        ends = "".join(f"#undef {name}\n" for name in _MACRO.findall(text))
        parts.append(f"namespace text{number} {{\n{body}\n}}\n{ends}")
    return "\n".join(parts)


def compile_for(waiting: Waiting, architectures: Iterable[str], build: Build = quick_cubin) -> None:
    """Compile a text for each architecture. Raises NvrtcError, which says the text and the test."""
    for arch in architectures:
        try:
            code = build(waiting.text, arch)
        except NvrtcError as fault:
            told = f"{fault}\nfor {arch}, of {waiting.test}, in\n{waiting.text}"
            raise NvrtcError(told) from None
        assert arch == PTX or code.startswith(b"\x7fELF")
