"""Kernels on the CPU: C text, built by the system's compiler, called through ctypes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

from minits.bounded_cache import BoundedCache
from minits.kernels.cpu.background import Job
from minits.kernels.cpu.building import (
    BuildRequest,
    Entry,
    Variant,
    number_types,
    request,
    tensors_of,
)
from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.ir.layout import Layout
from minits.kernels.launch.geometry import Geometry
from minits.kernels.launch.launch import Launch, Parts, launch_of, launch_text
from minits.kernels.launch.profiled import entry_text
from minits.kernels.lowering.result import Lowered
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.schedule.column_sums import column_count
from minits.kernels.schedule.short_rows import has_short_rows
from minits.ops.eager_strides import contiguous_strides
from minits.records import dataclass

_WORTH_A_THREAD = 1 << 17
"""Work below this, in additions, is done by one thread: waking a second one costs about 20 us."""

MOST_TEXTS = 16
"""Texts of launches that a kernel keeps: there are as many as forms."""
MOST_VARIANTS = 64
"""Functions of a kernel that are kept: for short rows and for others, with each choice of sums."""


@dataclass(frozen=True, slots=True)
class ColumnSum:
    """The sum of an output over its leading dimensions: what is left has the shape `shape`.

    The output itself is written only if it `is_kept`.
    """

    output: int
    shape: tuple[int, ...]
    is_kept: bool


class Form(NamedTuple):
    """The form of a launch: all that its text depends on.

    `is_large` if threads share the work, `has_offset` tells for each output whether it begins
    elsewhere than its tensor, `sums` which outputs are summed, and whether these are kept.
    """

    single: bool
    is_large: bool
    has_offset: tuple[bool, ...]
    sums: tuple[tuple[int, bool], ...]


class LaunchText(NamedTuple):
    """The text of launches of one form, and more of `Parts`."""

    text: str
    packed: str
    arguments: tuple[str, ...]
    results: tuple[str, ...]


class CpuKernel:
    """A kernel for a layout, built when it is first bound."""

    def __init__(self, kernel: Kernel, layout: Layout) -> None:
        self.kernel = kernel
        self.layout = layout
        self.text = ""
        """The C text that was built last."""
        self.functions: BoundedCache[Variant, Entry] = BoundedCache(MOST_VARIANTS)
        self.jobs: BoundedCache[Variant, Job] = BoundedCache(MOST_VARIANTS)
        """Functions that are being built in the background."""
        self._texts: BoundedCache[Form, LaunchText] = BoundedCache(MOST_TEXTS)
        self._work = 1 + sum(map(_cost, kernel.values))

    @property
    def least_for_threads(self) -> int:
        """The number of indices from which on threads share the domain."""
        return -(-_WORTH_A_THREAD // self._work)

    def may_sum(self, lowered: Lowered, geometry: Geometry, sum: ColumnSum) -> bool:
        """Return whether a launch can give this sum: of a tensor in its dimensions' order."""
        dtype, strides = self.kernel.outputs[sum.output].value.dtype, geometry.output_strides
        columns = column_count(self.layout, geometry.sizes, strides[sum.output], dtype)
        is_in_order = any(
            made.outputs == (sum.output,) and contiguous_strides(shape) == strides
            for made, shape, strides in zip(
                lowered.made, geometry.output_shapes, geometry.allocated_strides, strict=True
            )
        )
        return is_in_order and columns is not None and 0 < columns == prod(sum.shape)

    def unbuilt(
        self, lowered: Lowered, geometry: Geometry, sums: Sequence[ColumnSum] = ()
    ) -> BuildRequest | None:
        """Return the function that runs the kernel for these sizes; None if it has been built."""
        variant = _variant(geometry, sums)
        return None if variant in self.functions else BuildRequest(self, variant, lowered)

    def _function(self, lowered: Lowered, geometry: Geometry, sums: Sequence[ColumnSum]) -> Entry:
        """Return the function that runs the kernel for these sizes. Raises NoCompiler."""
        variant = _variant(geometry, sums)
        found = self.functions.get(variant)
        while found is None:
            request([BuildRequest(self, variant, lowered)])
            found = self.functions.get(variant)
        return found

    def bind(
        self,
        lowered: Lowered,
        geometry: Geometry,
        single: bool = False,
        sums: Sequence[ColumnSum] = (),
    ) -> Launch:
        """Return a launcher for these sizes: a function from the group's inputs to its outputs.

        It gives a tuple, or the only output if `single`. Behind the outputs come `sums`, which
        `may_sum`; None stands for an output that is not kept. Raises NoCompiler.
        """
        built = self._function(lowered, geometry, sums)
        form = Form(
            single,
            geometry.count >= self.least_for_threads,
            tuple(map(bool, geometry.output_offsets)),
            _of_sums(sums),
        )
        shared = self._texts.get(form) or self._texts.put(form, self._text(lowered, form))
        numbers, namespace = tuple(geometry.numbers()), self._namespace(lowered, geometry, sums)
        parts = Parts(
            shared.text, lowered.label, built.library, built.name, shared.packed, numbers,
            namespace, shared.arguments, shared.results,
        )  # fmt: skip
        return launch_of(parts, built[0])

    def _text(self, lowered: Lowered, form: Form) -> LaunchText:
        """Return the text of a launch, and what it says of the kernel's arguments."""
        lines, outputs = self._allocations(lowered, form)
        inputs = [f"i{index}.data_ptr()" for index in tensors_of(lowered)]
        parameters = [f"i{index}" for index in lowered.parameters]
        threads = "threads()" if form.is_large else "1"
        sums = range(len(form.sums))
        lines += [f"s{n} = empty(sum_shape{n}, sum_strides{n}, sum_type{n})" for n in sums]
        summed = [f"s{n}.data_ptr()" for n in sums]
        given = [*inputs, *outputs, "address", *parameters, threads, *summed]
        lines.append(f"status = {entry_text('run')}(pack({', '.join(given)}))")
        names = [f"i{index}" for index in range(len(lowered.graph.inputs))]
        results = [*[f"o{index}" for index in lowered.outputs], *[f"s{n}" for n in sums]]
        text = launch_text(names, lines, results, form.single)
        format = packed(self.kernel, lowered, len(sums))
        return LaunchText(text, format, tuple(given), tuple(results))

    def _allocations(self, lowered: Lowered, form: Form) -> tuple[list[str], list[str]]:
        """Return the lines that make the tensors of a launch, and where each output begins."""
        lines = []
        outputs = ["0"] * len(self.kernel.outputs)
        lost = {output for output, is_kept in form.sums if not is_kept}
        for index, made in enumerate(lowered.made):
            if lost.issuperset(made.outputs):
                lines.append(f"o{index} = None")
                continue
            lines.append(f"o{index} = empty(shape{index}, strides{index}, dtype{index})")
            for output in made.outputs:
                offset = f" + offset{output}" if form.has_offset[output] else ""
                outputs[output] = f"o{index}.data_ptr(){offset}"
        return lines, outputs

    def _namespace(
        self, lowered: Lowered, geometry: Geometry, sums: Sequence[ColumnSum]
    ) -> dict[str, Any]:
        """Return the names of a launch's text: the numbers by which launches of one text differ."""
        namespace: dict[str, Any] = {}
        for index, made in enumerate(lowered.made):
            dtype = self.kernel.outputs[made.outputs[0]].value.dtype
            namespace[f"shape{index}"] = geometry.output_shapes[index]
            namespace[f"strides{index}"] = geometry.allocated_strides[index]
            namespace[f"dtype{index}"] = dtype
            for output in made.outputs:
                if geometry.output_offsets[output]:
                    namespace[f"offset{output}"] = geometry.output_offsets[output] * dtype.itemsize
        for number, sum in enumerate(sums):
            namespace[f"sum_type{number}"] = self.kernel.outputs[sum.output].value.dtype
            namespace[f"sum_shape{number}"] = sum.shape
            namespace[f"sum_strides{number}"] = contiguous_strides(sum.shape)
        return namespace


def packed(kernel: Kernel, lowered: Lowered, sums: int = 0, inline: int = 0) -> str:
    """Return the format of a kernel's arguments in one row of memory, as `struct` has it.

    They are pointers, the numbers of the call, that of threads, sums, and `inline` numbers of the
    geometry, which are taken if the pointer to them is zero.
    """
    pointers = "q" * (len(tensors_of(lowered)) + len(kernel.outputs) + 1)
    types = number_types(kernel)
    numbers = "".join(["d" if type == "double" else "q" for type in types])
    return f"{pointers}{numbers}q{'q' * sums}{'q' * inline}"


def _variant(geometry: Geometry, sums: Sequence[ColumnSum]) -> Variant:
    is_short = has_short_rows(geometry.layout, geometry.sizes)
    return is_short, _of_sums(sums)


def _of_sums(sums: Sequence[ColumnSum]) -> tuple[tuple[int, bool], ...]:
    return tuple([(sum.output, sum.is_kept) for sum in sums])


def _cost(value: Scalar) -> int:
    row = SCALAR_OPS.get(value.op)
    return row.cost if row else 1
