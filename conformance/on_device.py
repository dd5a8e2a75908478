"""Fused groups of programs on the CPU, run by the kernels that a GPU gets, on a GPU.

    run_kernels_on_device()

A group's inputs are copied to the device with the strides and the storage that they have, the CUDA
kernel runs, and its outputs are copied back. All else runs on the CPU, so that whatever compares a
program with eager (the fuzzer, the suite) then compares the device's kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from conformance.fuzz.noise import run
from conformance.minits_implementation import Minits
from minits.ir.graph import Graph
from minits.kernels import fused_kernel
from minits.kernels.cuda.cuda_kernel import CudaKernel
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout
from minits.kernels.launch.geometry import Geometry
from minits.kernels.lowering.result import Lowered

DEVICE = "cuda:0"


class DeviceKernel:
    """A kernel of the first device, for tensors of the CPU."""

    def __init__(self, kernel: Kernel, layout: Layout) -> None:
        self._inner = CudaKernel(kernel, layout, 0)

    @property
    def text(self) -> str:
        return self._inner.text

    def bind(
        self, lowered: Lowered, geometry: Geometry, single: bool = False
    ) -> Callable[..., Any]:
        """Return a launcher, as that of the kernel itself. Raises NvrtcMissing and NvrtcError."""
        launch = self._inner.bind(lowered, geometry, single)

        def launch_there(*values: Any) -> Any:
            results = launch(*moved(values, DEVICE))
            if isinstance(results, Tensor):
                return _back(results)
            copies = {id(each): _back(each) for each in results}  # a tensor may be there twice
            return tuple([copies[id(each)] for each in results])

        return launch_there


def _backend(device: torch.device) -> type[DeviceKernel]:
    return DeviceKernel


def run_kernels_on_device() -> None:
    """Let fused groups of CPU tensors run on the device, as long as the process lives."""
    fused_kernel._backend = _backend


def is_on_device() -> bool:
    """Return whether they run there."""
    return fused_kernel._backend is _backend


def _back(result: Tensor) -> Tensor:
    """Return a result of the device on the CPU: no view and unchanged, as those of kernels are."""
    made = torch.empty_strided(result.shape, result.stride(), dtype=result.dtype)
    return made.copy_(result).data


class MinitsOnDevice(Minits):
    """minits, the kernels of which run on the device."""

    def __init__(self) -> None:
        run_kernels_on_device()


def eager_there(graph: Graph, values: Sequence[Any]) -> list[Any]:
    """Return what a graph returns, its operators run one by one on the device."""
    return [
        each.cpu() if isinstance(each, Tensor) else each
        for each in run(graph, moved(values, DEVICE), None)
    ]


def moved(values: Sequence[Any], device: str) -> list[Any]:
    """Return values with the tensors among them on a device."""
    return [placed(value, device) if isinstance(value, Tensor) else value for value in values]


def placed(tensor: Tensor, device: str) -> Tensor:
    """Return a copy of a tensor on a device, with all of its storage, strides and offset."""
    tensor = tensor.detach()
    count = tensor.untyped_storage().nbytes() // tensor.itemsize
    flat = tensor.as_strided((count,), (1,), 0).to(device, copy=True)
    return flat.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
