"""Kernels on CUDA devices: CUDA text, built by NVRTC, launched through the driver.

A launch allocates the outputs from torch's allocator, writes their addresses into a block of
arguments that is made beforehand, and calls `cuLaunchKernel` on torch's current stream. It neither
waits nor allocates otherwise, so CUDA graphs can capture it; what is captured must have run once
before, with the same sizes, since kernels are built when they are bound.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from math import prod
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import torch

from minits import torch_internals as internals
from minits.bounded_cache import BoundedCache
from minits.kernels.cpu.c_build import NoCompiler
from minits.kernels.cuda.arguments import PART_BYTES, functions_of, geometry_numbers
from minits.kernels.cuda.checks import HostChecks
from minits.kernels.cuda.cuda_driver import (
    INVALID_CONTEXT,
    bind_context,
    check,
    driver,
    load,
    most_shared_memory,
)
from minits.kernels.cuda.cuda_printer import print_cuda
from minits.kernels.cuda.forms import ALIGNED, MOST_BLOCKS, blocks_of, form_of
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout
from minits.kernels.launch.geometry import Geometry
from minits.kernels.launch.launch import CheckFailed
from minits.kernels.lowering.result import Lowered
from minits.kernels.schedule.cuda import Form, parts_of, shared_bytes, workspace_bytes

_NAME = "kernel"
MOST_FORMS = 64
"""Forms of a kernel whose functions are kept; launches keep their own as well."""


class Built(NamedTuple):
    """A kernel built in one form: its text, and its functions or the reason why there are none."""

    text: str
    functions: list[Any] | NoCompiler


class CudaKernel:
    """A kernel for a layout and a device (its index), built when it is first bound."""

    def __init__(self, kernel: Kernel, layout: Layout, device: int) -> None:
        self.kernel = kernel
        self.layout = layout
        self.device = device
        self._built: BoundedCache[Form, Built] = BoundedCache(MOST_FORMS)

    @property
    def text(self) -> str:
        """The texts for the sizes met so far; before, that for short rows."""
        texts = [built.text for built in self._built.values()]
        return "\n".join(texts) or print_cuda(self.kernel, self.layout, _NAME)

    def functions(self, form: Form) -> list[Any]:
        """Return torch's handles of the functions. Raises NvrtcMissing and NvrtcError.

        A text that NVRTC refuses is not given to it again for other sizes.
        """
        built = self._built.get(form) or self._built.put(form, self._build(form))
        if isinstance(built.functions, NoCompiler):
            raise built.functions
        return built.functions

    def _build(self, form: Form) -> Built:
        text = print_cuda(self.kernel, self.layout, _NAME, form)
        try:
            shared = shared_bytes(form, self.kernel, self.layout)
            return Built(text, load(text, functions_of(_NAME, form), self.device, shared))
        except NoCompiler as fault:
            return Built(text, fault)

    def bind(
        self, lowered: Lowered, geometry: Geometry, single: bool = False
    ) -> Callable[..., Any]:
        """Return a launcher for these sizes: a function from the group's inputs to its outputs.

        They are a tuple, or the only output if `single`. The inputs must be on the device; nothing
        checks that. Raises NvrtcMissing and NvrtcError, which are NoCompiler.
        """
        return Binding(self, lowered, geometry, single).launch


class Binding:
    """A kernel with the sizes of its tensors: what a launch needs, but for the addresses.

    `launch(*inputs of the group)` returns the group's outputs, as `CudaKernel.bind` says. Where the
    form is `even` and an input lies at an odd address, another form is launched. `is_aligned`:
    whether inputs are expected not to.
    """

    def __init__(
        self,
        built: CudaKernel,
        lowered: Lowered,
        geometry: Geometry,
        single: bool,
        is_aligned: bool = True,
    ) -> None:
        self.built = built
        self.geometry = geometry
        shared_memory = most_shared_memory(built.device)
        self.form = form_of(built.kernel, geometry, is_aligned, shared_memory)
        self.shared = shared_bytes(self.form, built.kernel, geometry.layout)
        self._for_odd_addresses = partial(self._launch_at_odd_addresses, lowered, single)
        self._odd: Callable[..., Any] | None = None
        self.blocks = blocks_of(built.kernel, geometry, self.form)
        self.parts = parts_of(self.form, built.kernel, geometry.layout, geometry.sizes)
        self.workspace = self._workspace()
        self._loaded = built.functions(self.form) if self.blocks else []
        self._functions = [handle.func for handle in self._loaded]
        self._lock = Lock()  # the block of arguments serves one launch at a time
        self._prepare()
        self.launch = self._compile(lowered, single)

    def _workspace(self) -> int:
        """Return the number of bytes that a launch needs for itself."""
        kernel = self.built.kernel
        if self.form.splits:
            reductions = sum(value.is_reduction for value in kernel.values)
            return reductions * self.blocks * self.parts * PART_BYTES
        return workspace_bytes(kernel) * self.geometry.count

    def _prepare(self) -> None:
        """Make the block of arguments: addresses, the geometry, parameters."""
        kernel, geometry = self.built.kernel, self.geometry
        pointers = len(kernel.inputs) + len(kernel.outputs) + (self.workspace > 0)
        numbers = geometry_numbers(
            geometry.layout, geometry.sizes, [*geometry.input_strides, *geometry.output_strides]
        )
        numbers += [number for table in geometry.tables for number in table]
        numbers += [self.parts] if self.form.splits else []
        index = ctypes.c_ulonglong if self.form.wide else ctypes.c_uint
        self._addresses = (ctypes.c_ulonglong * pointers)()
        self._numbers = (index * len(numbers))(*numbers)
        self._parameters = [
            ctypes.c_double() if dtype.is_floating_point else ctypes.c_longlong()
            for dtype in kernel.parameters
        ]
        arguments = [ctypes.addressof(self._addresses) + 8 * index for index in range(pointers)]
        arguments.append(ctypes.addressof(self._numbers))
        arguments += [ctypes.addressof(parameter) for parameter in self._parameters]
        self._arguments = (ctypes.c_void_p * len(arguments))(*arguments)
        self._stream = ctypes.c_void_p()

    def _compile(self, lowered: Lowered, single: bool) -> Callable[..., Any]:
        """Return a function without loops, written for this kernel."""
        kernel, geometry = self.built.kernel, self.geometry
        device = self.built.device
        group = [f"i{index}" for index in range(len(lowered.graph.inputs))]
        given = ", ".join(group)
        checks = self._checks(lowered)
        lines = [f"if current_device() != {device}: return elsewhere({given})"]
        if self.blocks:
            lines += self._addresses_of_inputs(lowered, given)
        if checks.texts:
            lines.append("with quiet(all='ignore'):")
            lines += [f"    if not {text}: raise CheckFailed()" for text in checks.texts]
        for index, made in enumerate(lowered.made):
            shape, strides = geometry.output_shapes[index], geometry.allocated_strides[index]
            dtype = kernel.outputs[made.outputs[0]].value.dtype
            lines.append(f"o{index} = empty({shape}, {strides}, {dtype})")
        if self.blocks:
            lines += self._fill(lowered) + self._run()
        results = "".join([f"o{index}, " for index in lowered.outputs])
        lines.append(f"return {results.removesuffix(', ') if single else results}")
        namespace = {
            "torch": torch,
            "current_device": internals.cuda_device,
            "stream_of": internals.cuda_stream,
            "empty": internals.empty_strided_cuda or _empty,
            "elsewhere": self._elsewhere,
            "at_odd_addresses": self._for_odd_addresses,
            "lock": self._lock,
            "addresses": self._addresses,
            "arguments": self._arguments,
            "stream": self._stream,
            "run": driver().cuLaunchKernel,
            **{f"f{i}": function for i, function in enumerate(self._functions)},
            "again": self._again,
            **{f"p{i}": parameter for i, parameter in enumerate(self._parameters)},
            "quiet": np.errstate,
            "CheckFailed": CheckFailed,
            **checks.namespace,
        }
        text = "\n    ".join([f"def launch({given}):", *lines])
        exec(compile(text, "<launch>", "exec"), namespace)
        launch: Callable[..., Any] = namespace["launch"]
        return launch

    def _checks(self, lowered: Lowered) -> HostChecks:
        inner = self.geometry.sizes[self.geometry.layout.outer :]
        return HostChecks(self.built.kernel, lowered.parameters, prod(inner))

    def _addresses_of_inputs(self, lowered: Lowered, given: str) -> list[str]:
        """Lines that take them, and look whether whole chunks can be read there."""
        kernel, offsets = self.built.kernel, self.geometry.input_offsets
        lines = []
        for index, source in enumerate(lowered.sources):
            bytes_ = offsets[index] * kernel.inputs[index].dtype.itemsize
            plus = f" + {bytes_}" if bytes_ else ""
            lines.append(f"a{index} = i{source.index}.data_ptr(){plus}")
        if self.form.even:
            addresses = " | ".join([f"a{index}" for index in range(len(lowered.sources))])
            test = f"({addresses}) & {ALIGNED - 1}"
            lines.append(f"if {test}: return at_odd_addresses({given})")
        return lines

    def _fill(self, lowered: Lowered) -> list[str]:
        """Lines that fill in the arguments."""
        kernel, geometry = self.built.kernel, self.geometry
        lines, pointers = [], [f"a{index}" for index in range(len(lowered.sources))]
        writes = [(index, output) for index, made in enumerate(lowered.made)
                  for output in made.outputs]  # fmt: skip
        for index, output in sorted(writes, key=lambda each: each[1]):
            bytes_ = geometry.output_offsets[output] * kernel.outputs[output].value.dtype.itemsize
            pointers.append(f"o{index}.data_ptr()" + (f" + {bytes_}" if bytes_ else ""))
        if self.workspace:
            lines.append(f"workspace = empty(({self.workspace},), (1,), torch.uint8)")
            pointers.append("workspace.data_ptr()")
        lines.append("with lock:")
        for index, pointer in enumerate(pointers):
            lines.append(f"    addresses[{index}] = {pointer}")
        for number, index in enumerate(lowered.parameters):
            lines.append(f"    p{number}.value = i{index}")
        return lines

    def _run(self) -> list[str]:
        """Lines that launch, while the arguments are locked."""
        shape = f"1, 1, {self.form.block}, 1, 1"
        calls = [
            f"run(f{number}, {blocks}, {shape}, {self.shared}, stream, arguments, None)"
            for number, blocks in enumerate(self._grids())
        ]
        return [
            f"    stream.value = stream_of({self.built.device})",
            f"    status = {' or '.join(calls)}",
            "    if status: again(status)",
        ]

    def _grids(self) -> list[int]:
        """The numbers of blocks of each function."""
        if self.form.splits:
            return [min(self.blocks * self.parts, MOST_BLOCKS), self.blocks]
        return [self.blocks]

    def _elsewhere(self, *values: Any) -> Any:
        """Launch while another device is the current one."""
        with torch.cuda.device(self.built.device):
            return self.launch(*values)

    def _launch_at_odd_addresses(self, lowered: Lowered, single: bool, *values: Any) -> Any:
        """Launch the form that moves elements one by one where chunks are not aligned."""
        if self._odd is None:
            self._odd = Binding(self.built, lowered, self.geometry, single, False).launch
        return self._odd(*values)

    def _again(self, status: int) -> None:
        """Launch once more where the thread had no context yet. Raises RuntimeError otherwise.

        Threads that autograd starts for backward passes have none until torch needs one.
        """
        if status == INVALID_CONTEXT:
            bind_context(self.built.device)
            status = 0
            for function, blocks in zip(self._functions, self._grids(), strict=True):
                status = status or driver().cuLaunchKernel(
                    function, blocks, 1, 1, self.form.block, 1, 1, self.shared,
                    self._stream, self._arguments, None,
                )  # fmt: skip
        check(status)


def _empty(shape: tuple[int, ...], strides: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    return torch.empty_strided(shape, strides, dtype=dtype, device="cuda")
