"""Running the loops of kernels, one element after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from minits.kernels.ir.evaluate import Array, as_array
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout
from minits.kernels.launch.geometry import Geometry, geometry_of
from minits.kernels.lowering.result import Lowered
from minits.kernels.scalar_ops.row import computed_in
from minits.kernels.schedule.evaluate import evaluate_loops
from minits.kernels.schedule.loops import Schedule


def run_loops(
    lowered: Lowered,
    arguments: Sequence[Any],
    schedule_of: Callable[[Kernel, Layout], Schedule],
    is_reversed: bool = False,
) -> list[Tensor]:
    """Return the tensors that a group makes; halves are float32."""
    return run_with_sums(lowered, arguments, schedule_of, is_reversed)[0]


def run_with_sums(
    lowered: Lowered,
    arguments: Sequence[Any],
    schedule_of: Callable[[Kernel, Layout], Schedule],
    is_reversed: bool = False,
) -> tuple[list[Tensor], dict[int, Array]]:
    """Return what `run_loops` does, and the sums over the rows of outputs, by the output."""
    tensors = [each if isinstance(each, Tensor) else None for each in arguments]
    geometry = geometry_of(lowered, tensors)
    made, outputs = _outputs(lowered, geometry)
    sums = evaluate_loops(
        schedule_of(lowered.kernel, geometry.layout),
        geometry.sizes,
        _inputs(lowered, geometry, tensors),
        outputs,
        [arguments[index] for index in lowered.parameters],
        is_reversed,
    )
    return [made[place] for place in lowered.outputs], sums


def _inputs(lowered: Lowered, geometry: Geometry, tensors: Sequence[Tensor | None]) -> list[Array]:
    """Return each input as the loops see it: what is looked up, then all merged dimensions."""
    found = []
    for number, source in enumerate(lowered.sources):
        tensor, table = tensors[source.index], geometry.tables[number]
        assert tensor is not None
        looked_up = len(table) // 2
        sizes = (*table[:looked_up], *geometry.sizes)
        strides = (*table[looked_up:], *geometry.input_strides[number])
        offset = tensor.storage_offset() + geometry.input_offsets[number]
        found.append(as_array(tensor.detach().as_strided(sizes, strides, offset)))
    return found


def _outputs(lowered: Lowered, geometry: Geometry) -> tuple[list[Tensor], list[Array]]:
    """Return the tensors that are made, and each output of the kernel as a view of one."""
    kernel, made, views = lowered.kernel, [], {}
    for index, each in enumerate(lowered.made):
        dtype = computed_in(kernel.outputs[each.outputs[0]].value.dtype)
        shape, strides = geometry.output_shapes[index], geometry.allocated_strides[index]
        made.append(torch.empty_strided(shape, strides, dtype=dtype).zero_())
        for output in each.outputs:
            strides, offset = geometry.output_strides[output], geometry.output_offsets[output]
            views[output] = made[-1].as_strided(geometry.sizes, strides, offset).numpy()
    return made, [views[output] for output in range(len(kernel.outputs))]
