"""A lowered group that can be called.

    kernel = FusedKernel(lower(graph, metas))
    y, = kernel(x, scale)

Each combination of shapes and strides is bound once: the geometry is worked out, the kernel is
built for its layout if that is new, and what is left for later calls is to allocate the outputs
and to jump into the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from minits.bounded_cache import BoundedCache
from minits.kernels.cpu.any_sizes import AnyGeometry, Interface, example_of, launch_for_any_sizes
from minits.kernels.cpu.building import BuildRequest
from minits.kernels.cpu.cpu_kernel import ColumnSum, CpuKernel
from minits.kernels.cpu.views_first import views_first
from minits.kernels.ir.layout import Layout
from minits.kernels.launch.call_key import key_of_tensors
from minits.kernels.launch.geometry import Geometry, ShapeMismatch, geometry_of
from minits.kernels.launch.launch import CheckFailed, Launch, checking
from minits.kernels.launch.observers import undisturbed
from minits.kernels.lowering.result import Lowered

__all__ = ["CheckFailed", "FusedKernel", "Launch", "ShapeMismatch"]

MOST_LAUNCHES = 256
"""Bound combinations of shapes that a kernel keeps."""

MOST_LAYOUTS = 64
"""Ways through memory for which a kernel keeps what was built."""


class FusedKernel:
    """Runs a group whose inputs have the dtypes and ranks that it was lowered for.

    Calling it takes the group's inputs and returns a tuple of its outputs. Raises ShapeMismatch
    where the kernel is not right for the shapes, and NoCompiler where it cannot be built; nothing
    has been computed then. A launch raises CheckFailed for operands for which eager
    raises an error.
    """

    def __init__(self, lowered: Lowered) -> None:
        self.lowered = lowered
        self.kernel = lowered.kernel
        self._built: BoundedCache[tuple[torch.device, Layout], Any] = BoundedCache(MOST_LAYOUTS)
        self._launches: BoundedCache[Any, Launch] = BoundedCache(MOST_LAUNCHES)
        self.has_checks = lowered.kernel.has_checks
        self._tensor = lowered.sources[0].index
        self._key = key_of_tensors(lowered.seen)
        self._any_geometry: AnyGeometry | None = None
        """That of the last launch for any sizes."""

    def __call__(self, *values: Any) -> tuple[Tensor, ...]:
        key = self._key(values)
        launch = self._launches.get(key)
        if launch is None:
            with undisturbed():
                launch = self._launches.put(key, self.bind(values))
        result: tuple[Tensor, ...] = launch(*values)
        return result

    def bind(self, values: Sequence[Any], single: bool = False) -> Launch:
        """Return a launcher of the group for inputs of exactly these shapes and strides.

        It returns a tuple, or the only output if `single`. Raises ShapeMismatch, NoCompiler.
        """
        built, geometry = self._bound(values)
        launch: Launch = built.bind(self.lowered, geometry, single)
        return launch

    def interface(self, names: Sequence[str], other: Launch) -> Interface:
        """Return the interface of launchers that take the inputs of the group, by these names.

        They return what the group does: a tuple, or its only output. `other` is called for inputs
        that they do not accept.
        """
        outputs = range(len(self.lowered.outputs))
        return Interface(names, outputs, len(outputs) == 1, other)

    @undisturbed()
    def bind_any_sizes(self, values: Sequence[Any], interface: Interface) -> Launch | None:
        """Return a launcher of the group for inputs that lie like these, whatever their sizes.

        Only which sizes are one must be as here. None if the kernel depends on more, is not right
        for the shapes, or is not for the CPU.
        """
        try:
            launch = self._launch_for_any_sizes(values, interface)
        except ShapeMismatch:
            return None
        return checking(launch, interface.other) if launch and self.has_checks else launch

    def _launch_for_any_sizes(self, values: Sequence[Any], interface: Interface) -> Launch | None:
        tensors = [value if isinstance(value, Tensor) else None for value in values]
        given = views_first(self.lowered, tensors, interface.otherwise)
        example = None if given is None else example_of(given.lowered, given.tensors)
        if given is None or example is None:
            return None
        device = values[self._tensor].device
        geometry = geometry_of(given.lowered, example.tensors)
        built = self._kernel_for(geometry, device)
        if not isinstance(built, CpuKernel):
            return None
        self._any_geometry = AnyGeometry(self.lowered, geometry, given, example)
        return launch_for_any_sizes(built, self.lowered, geometry, given, example, interface)

    def bind_summing(
        self, values: Sequence[Any], sums: Sequence[ColumnSum]
    ) -> tuple[Launch, list[ColumnSum]]:
        """Return a launcher of the group, and the sums that it returns behind the outputs.

        Raises ShapeMismatch, NoCompiler.
        """
        built, geometry = self._bound(values)
        if not isinstance(built, CpuKernel):
            return built.bind(self.lowered, geometry), []
        possible = [sum for sum in sums if built.may_sum(self.lowered, geometry, sum)]
        return built.bind(self.lowered, geometry, sums=possible), possible

    def unbuilt(self, tensors: Sequence[Tensor | None]) -> BuildRequest | None:
        """Return the build request for inputs like these on the CPU; None if all is built.

        The tensors have no data. Raises ShapeMismatch.
        """
        geometry = geometry_of(self.lowered, tensors)
        built = self._kernel_for(geometry, torch.device("cpu"))
        if not isinstance(built, CpuKernel):
            return None
        return built.unbuilt(self.lowered, geometry)

    def _bound(self, values: Sequence[Any]) -> tuple[Any, Geometry]:
        """Return the kernel for the layout of these inputs, and where they lie."""
        tensors = [_seen(value) if isinstance(value, Tensor) else None for value in values]
        geometry = self._geometry(tensors)
        built = self._kernel_for(geometry, values[self._tensor].device)
        if self.has_checks and geometry.count == 0:
            raise ShapeMismatch("there are no elements at which numbers are checked")
        return built, geometry

    def _geometry(self, tensors: Sequence[Tensor | None]) -> Geometry:
        found = self._any_geometry and self._any_geometry.of(tensors)
        return found or geometry_of(self.lowered, tensors)

    def _kernel_for(self, geometry: Geometry, device: torch.device) -> Any:
        built = self._built.get((device, geometry.layout))
        if built is None:
            made = _backend(device)(self.kernel, geometry.layout)
            built = self._built.put((device, geometry.layout), made)
        return built

    @property
    def texts(self) -> list[str]:
        """The texts of what has been built."""
        return [built.text for built in self._built.values()]


def _seen(tensor: Tensor) -> Tensor:
    """Return a tensor whose views record no gradients."""
    return tensor.detach() if tensor.requires_grad else tensor


def _backend(device: torch.device) -> Callable[[Any, Layout], Any]:
    """Return the class of kernels for a device; its module is loaded when it is first needed."""
    if device.type == "cuda":
        from minits.kernels.cuda.cuda_kernel import CudaKernel

        return partial(CudaKernel, device=device.index)
    return CpuKernel
