"""The kernels of a plan's fused groups: lowering, building and binding them.

What reaches a group in the middle of a plan is only known when it gets there. So the group's graph
is lowered again for each kind of its inputs (dtype, device, rank, requires_grad). What cannot be a
kernel for its inputs, or has no compiler to build it, runs operator by operator, and it is
remembered why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from minits.bounded_cache import BoundedCache
from minits.codegen.group_body import Body
from minits.ir.copying import clone_graph
from minits.kernels.cpu.background import BeingBuilt, building_now
from minits.kernels.cpu.building import BuildRequest
from minits.kernels.cpu.c_build import NoCompiler
from minits.kernels.fused_kernel import FusedKernel, ShapeMismatch
from minits.kernels.launch.launch import checking
from minits.kernels.launch.observers import is_recording, undisturbed
from minits.kernels.launch_cache import BUILDING, MOST_KERNELS, UNBUILDABLE, LaunchCache, kind_of
from minits.kernels.lowering import MOVING, NotFusable, lower
from minits.passes.context import Context
from minits.passes.fusion.fuse import KIND
from minits.passes.pipeline import run_pipeline
from minits.passes.remarks import Remark, fix_for
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta, is_plain, like, meta_of, stand_in

if TYPE_CHECKING:
    from minits.kernels.gradients.autograd import Differentiable

Run = Callable[..., Any]


class GroupKernels:
    """Makes the kernels of one group, which are kept in `cache`."""

    def __init__(self, body: Body, cache: LaunchCache) -> None:
        self.body = body
        self.kernels = cache.kernels
        self.refusals = cache.refusals
        self._differentiable: BoundedCache[FusedKernel, Differentiable] = BoundedCache(MOST_KERNELS)
        self._apart: BoundedCache[FusedKernel, Run] = BoundedCache(MOST_KERNELS)
        """By kernel: the function that replaces it while gradients of a table are recorded."""

    @undisturbed()
    def bind(self, values: Sequence[Any]) -> Run:
        """Return a launcher for inputs of exactly these shapes, strides and dtypes.

        Where no kernel can compute them, the function returned runs the operators. Raises
        BeingBuilt while the kernel is built in the background, and CallRefused.
        """
        try:
            launch = self._bind(values)
        except BeingBuilt as reason:
            self.refusals[BUILDING] = str(reason)
            raise
        except (NotFusable, ShapeMismatch, NoCompiler) as reason:
            self.refusals[_code(reason)] = str(reason)
            launch = self.body.unfused
        self.refusals.pop(BUILDING, None)
        return launch

    def _bind(self, values: Sequence[Any]) -> Run:
        tensors = [values[index] for index in self.body.tensors]
        if not all(isinstance(tensor, Tensor) and is_plain(tensor) for tensor in tensors):
            raise ShapeMismatch("an input is not a plain strided tensor")
        if not all(tensor.numel() for tensor in tensors):
            return self.body.run_unfused  # of nothing eager has results of its own, such as views
        kernel = self.kernel_for(values)
        if any(tensor.requires_grad for tensor in tensors):
            run = self._with_gradients(kernel, values)
        else:
            run = kernel.bind(values, self.body.is_single)
        return checking(run, self.body.run_unfused) if kernel.has_checks else run

    def unbuilt(self, metas: Sequence[TensorMeta | None], records: bool) -> BuildRequest | None:
        """Return the kernels that inputs like these need and that are not compiled yet.

        `records` says whether gradients are recorded. None where all are compiled, or where only
        the call itself can find out which it needs.
        """
        known = [meta for meta in metas if meta is not None and meta.device.type == "cpu"]
        if len(known) < len(self.body.tensors):
            return None
        try:
            kernel = self._kernel_for(metas)
            needing = {index for index, meta in enumerate(metas) if meta and meta.requires_grad}
            if records and needing.intersection(_tables(kernel)):
                return None
            if records and needing:
                values = self._stand_ins(metas)
                if values is None:
                    return None
                kernel = self._differentiable_for(kernel).recording(values) or kernel
            return kernel.unbuilt([meta and like(meta) for meta in metas])
        except (NotFusable, ShapeMismatch, *_OF_OTHER_NUMBERS):
            return None

    def warm_up(self, call: Run, metas: Sequence[TensorMeta | None]) -> None:
        """Build all kernels that calls with inputs like these need, and those of their gradients.

        The group runs forward and backward on tensors made for the purpose, and the results are
        dropped: the kernels that it needs are found by running it.
        """
        values = self._stand_ins(metas)
        if values is None:
            return
        refusals = dict(self.refusals)
        try:
            with building_now():
                _run_both_ways(call, values)
        except _OF_OTHER_NUMBERS:
            self.refusals.clear()  # the numbers of a call may be others: what it needs is built
            self.refusals.update(refusals)

    def _stand_ins(self, metas: Sequence[TensorMeta | None]) -> list[Any] | None:
        """Return example inputs of these kinds; None where too little is known to make any."""
        values: list[Any] = []
        for value, meta in zip(self.body.graph.inputs, metas, strict=True):
            if value.type == t.TENSOR and meta is not None:
                values.append(stand_in(meta))
            elif value.type in _NUMBERS:
                values.append(_NUMBERS[value.type])
            else:
                return None
        return values

    @undisturbed()
    def kernel_if_any(self, values: Sequence[Any]) -> FusedKernel | None:
        """Return the kernel for inputs like these; None where they can have none."""
        try:
            return self.kernel_for(values)
        except NotFusable:
            return None

    def kernel_for(self, values: Sequence[Any]) -> FusedKernel:
        """Return the kernel for inputs like these. Raises NotFusable."""
        kind = kind_of([value for value in values if isinstance(value, Tensor)])
        kernel = self.kernels.get(kind)
        if kernel is not None:
            return kernel
        metas = [meta_of(value) if isinstance(value, Tensor) else None for value in values]
        return self._kernel_for(metas)

    def _kernel_for(self, metas: Sequence[TensorMeta | None]) -> FusedKernel:
        """Return the kernel for inputs of this kind; it is lowered once."""
        kind = kind_of([meta for meta in metas if meta is not None])
        kernel = self.kernels.get(kind)
        return kernel or self.kernels.put(kind, FusedKernel(lower(self.body.graph, metas)))

    def _with_gradients(self, kernel: FusedKernel, values: Sequence[Any]) -> Run:
        """Return a launcher for the kernel, under autograd where gradients are recorded."""
        if any(values[index].requires_grad for index in _tables(kernel)):
            return self._with_look_ups_apart(kernel, values)
        return self._differentiable_for(kernel).bind(values, self.body.is_single)

    def _with_look_ups_apart(self, kernel: FusedKernel, values: Sequence[Any]) -> Run:
        """Return a function that launches the kernel, or, recording gradients, only parts of it.

        While gradients are recorded it calls the function of `_without_look_ups`.
        """
        run = self._apart.get(kernel) or self._apart.put(
            kernel, _without_look_ups(self.body, values)
        )
        launch = kernel.bind(values, self.body.is_single)

        def apart(*values: Any) -> Any:
            return run(*values) if is_recording() else launch(*values)

        apart.__dict__["unrecorded"] = launch
        return apart

    def _differentiable_for(self, kernel: FusedKernel) -> Differentiable:
        run = self._differentiable.get(kernel)
        if run is None:
            from minits.kernels.gradients.autograd import (
                differentiable,  # half of all kernels' modules
            )

            made = differentiable(kernel, self._unfused_tuple, self.body.temporaries)
            run = self._differentiable.put(kernel, made)
        return run

    def _unfused_tuple(self, *values: Any) -> Any:
        result = self.body.unfused(*values)
        return (result,) if self.body.is_single else result

    # ---- Reports -------------------------------------------------------------------------------

    def remarks(self) -> list[Remark]:
        """Return remarks on why the group ran operator by operator; none if it did not."""
        return [
            Remark(
                "analysis" if code == BUILDING else "missed", code,
                f"{self.body.name} runs operator by operator: {message}",
                KIND, self.body.range, None, None, fix_for(code, KIND),
            )
            for code, message in self._all_refusals()
        ]  # fmt: skip

    def _all_refusals(self) -> list[tuple[str, str]]:
        gradients = [text for run in list(self._differentiable.values()) for text in run.refusals]
        return [*self.refusals.items(), *[("gradient", text) for text in dict.fromkeys(gradients)]]

    def report(self) -> list[str]:
        """Return lines for people: how many kernels there are, and what was not fused."""
        kernels = len(self.kernels)
        lines = [f"{self.body.name}: {kernels} kernel{'s' if kernels != 1 else ''}"]
        return lines + [f"  unfused: {message}" for _, message in self._all_refusals()]


def _tables(kernel: FusedKernel) -> list[int]:
    """Return the indices of the inputs in which the kernel looks elements up."""
    return [source.index for source in kernel.lowered.sources if source.looked_up]


def _without_look_ups(body: Body, values: Sequence[Any]) -> Run:
    """Return a function that runs the group with its look-ups as torch calls, the rest as kernels.

    Autograd of torch then computes the gradient of the table that is looked up in: it adds up the
    gradients of all rows that went to one element.
    """
    from minits.codegen.python import compile_graph  # which imports this module
    from minits.passes.shape_propagation.propagate import infer_metadata

    graph = clone_graph(body.graph)
    metas = infer_metadata(graph, values)
    run_pipeline(graph, "groups", Context(metas=metas, apart=MOVING, program=body.name))
    run: Run = compile_graph(graph, body.name)
    return run


def _run_both_ways(call: Run, values: Sequence[Any]) -> None:
    """Call a group, and compute gradients of its inputs where it records any."""
    found = call(*values)
    results = found if isinstance(found, tuple) else (found,)
    outputs = [result for result in results if result.requires_grad]
    inputs = [x for x in values if isinstance(x, Tensor) and x.requires_grad]
    if outputs:
        gradients = [torch.ones_like(output) for output in outputs]
        torch.autograd.grad(outputs, inputs, gradients, allow_unused=True)


_OF_OTHER_NUMBERS = (RuntimeError, IndexError, TypeError)
"""The exceptions of operators that are given example numbers instead of a call's own."""

_NUMBERS = {t.FLOAT: 1.0, t.INT: 1, t.BOOL: True}
"""Stand-ins for the numbers of a call."""


def _code(reason: Exception) -> str:
    match reason:
        case NotFusable():
            return reason.code
        case NoCompiler():
            return UNBUILDABLE
    return "shape"
