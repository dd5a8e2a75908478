"""Launches for tensors of any sizes.

    x: [d0, d1], bias: [d1]      asks         d0 > 1, d1 > 1, bias has d1 elements, both contiguous
                                 makes        (d0, d1) with the strides (d1, 1)
                                 hands over   the sizes d0, d1, and the strides d1, 1, 0, 1, d1, 1

Binding a kernel to sizes takes as long as several small operators. It depends on the orders in
which the dimensions of the tensors lie, on where they have gaps, and on which sizes are one. Each
number of the geometry is a product of sizes then or, of a tensor with gaps, of sizes and a stride:

    torch.cat of 2 of [d0, d1]   makes        (d0, 2 * d1), of which the second part begins at d1

    x[:, :n]: [d0, d1]           asks         d0 > 1, d1 > 1, its strides are t0 > d1 and 1
                                 hands over   the strides t0, 1

Which product, the geometry of an example says: its sizes are prime numbers, another for each
dimension of the kernel's domain, and its gaps are other ones, so that a product has its factors.

Views of inputs are taken by the launch, and stand for inputs then (`views_first.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from struct import Struct
from typing import Any, cast

import torch
from torch import Tensor

from minits.kernels.cpu.building import tensors_of
from minits.kernels.cpu.cpu_kernel import CpuKernel, packed
from minits.kernels.cpu.views_first import ViewsFirst
from minits.kernels.launch.geometry import Geometry
from minits.kernels.launch.launch import function_text, function_with, launch_text, launch_with
from minits.kernels.launch.profiled import entry_text, recording
from minits.kernels.lowering.laying import Order, descending, order_without_gaps
from minits.kernels.lowering.result import Lowered
from minits.kernels.schedule.short_rows import has_short_rows, may_have_short_rows
from minits.records import dataclass

_PRIMES = (11, 13, 17, 19, 23, 29, 31, 37)
"""Sizes of the example, by the dimension of the domain. Their product is far below 2^63."""
_GAPS = (41, 43, 47, 53, 59, 61, 67, 71)
"""Factors by which strides of the example are larger, for gaps, than without."""
_MOST_ELEMENTS = 1 << 56
"""The memory over which a tensor of the example may be spread."""
_COMPILED_AT = 4
"""The number of geometries from which on a function for them is compiled, which takes as long."""
Dims = tuple[int | None, ...]
"""Along which dimension of the domain each one of a tensor lies; None where its size is one."""


@dataclass(frozen=True, slots=True)
class Lie:
    """The layout of a tensor: its dimensions, slowest first, and those with a gap between elements.

    A tensor of shape [4, 3, 2] and strides (20, 2, 1) has the order (0, 1, 2) and the gap 0.
    """

    order: Order
    gaps: frozenset[int] = frozenset()

    @property
    def is_plain(self) -> bool:
        return not self.gaps and self.order == tuple(range(len(self.order)))


@dataclass(frozen=True, slots=True)
class Gap:
    """A stride of the example that is no product of sizes: its name, and its only own factor."""

    name: str
    stride: int
    factor: int


@dataclass(frozen=True, slots=True)
class Example:
    """Inputs of a group with prime sizes. `dims` and `lies` are those of each, by its index."""

    tensors: list[Tensor | None]
    dims: Mapping[int, Dims]
    lies: Mapping[int, Lie]
    gaps: Sequence[Gap]


@dataclass(frozen=True, slots=True)
class Interface:
    """The calling convention of a launch.

    `names` are those of its parameters, i0 and so on of the inputs of the group, `results` say
    which outputs of the group it gives, in a tuple or, if `single`, as they are. `other` is called
    with what the launch is not for.
    """

    names: Sequence[str]
    results: Sequence[int]
    single: bool
    other: Callable[..., Any]

    @property
    def otherwise(self) -> str:
        """The statement of a launch for a call that it is not for."""
        return f"return other({', '.join(self.names)})"


def example_of(lowered: Lowered, tensors: Sequence[Tensor | None]) -> Example | None:
    """Return an example for tensors whose sizes of one are these; None where sizes matter more.

    So it is where there are look-ups, overlaps, and sizes that the program names. Views have been
    taken (`views_first.py`).
    """
    parts = max([made.parts.count for made in lowered.made if made.parts], default=1)
    if lowered.sizes or parts >= _PRIMES[0] or lowered.rank > len(_PRIMES):
        return None
    dims: dict[int, Dims] = {}
    lies: dict[int, Lie] = {}
    may_be_turned = lowered.arrangement is not None and not lowered.arrangement.depends_on_sizes
    for source in lowered.sources:
        tensor = tensors[source.index]
        if tensor is None or source.looked_up:
            return None
        lie = _lie_of(tensor)
        if lie is None or not (may_be_turned or lie.is_plain):
            return None
        lies[source.index] = lie
        end = lowered.rank - (lowered.reduced if source.row_aligned else 0)
        known = [None if size == 1 else end - tensor.dim() + dim
                 for dim, size in enumerate(tensor.shape)]  # fmt: skip
        if dims.setdefault(source.index, tuple(known)) != tuple(known):
            return None
    if any(tensor is not None and index not in dims for index, tensor in enumerate(tensors)):
        return None
    return _example(tensors, dims, lies)


def _lie_of(tensor: Tensor) -> Lie | None:
    """Return the `Lie` of a tensor; None if it overlaps, or has both gaps and sizes of one."""
    if tensor.is_contiguous():  # whatever the strides are along sizes of one
        return Lie(tuple(range(tensor.dim())))
    order = order_without_gaps(tensor)
    if order is not None:
        return Lie(order)
    shape, strides = tensor.shape, tensor.stride()
    order = tuple(descending(strides))
    gaps, step = set(), 1
    for dim in reversed(order):
        if shape[dim] < 2 or strides[dim] < step:
            return None
        if strides[dim] > step:
            gaps.add(dim)
        step = strides[dim] * shape[dim]
    return Lie(order, frozenset(gaps))


def _example(
    tensors: Sequence[Tensor | None], dims: Mapping[int, Dims], lies: Mapping[int, Lie]
) -> Example | None:
    """Return the example of tensors that lie so; None if they have too many gaps for it."""
    stand_ins: list[Tensor | None] = [None] * len(tensors)
    gaps: list[Gap] = []
    for index, lie in lies.items():
        shape = [1 if dim is None else _PRIMES[dim] for dim in dims[index]]
        strides, step = [0] * len(shape), 1
        for dim in reversed(lie.order):
            if dim in lie.gaps:
                if len(gaps) == len(_GAPS):
                    return None
                step *= _GAPS[len(gaps)]
                gaps.append(Gap(_stride_name(index, dim), step, _GAPS[len(gaps)]))
            strides[dim] = step
            step *= shape[dim]
        if step > _MOST_ELEMENTS:
            return None
        dtype = cast(Tensor, tensors[index]).dtype
        stand_ins[index] = torch.empty_strided(shape, strides, dtype=dtype, device="meta")
    return Example(stand_ins, dims, lies, gaps)


def _stride_name(index: int, dim: int) -> str:
    return f"t{index}_{dim}"


def launch_for_any_sizes(
    kernel: CpuKernel,
    lowered: Lowered,
    geometry: Geometry,
    given: ViewsFirst,
    example: Example,
    interface: Interface,
) -> Callable[..., Any]:
    """Return a launcher for any sizes: a function with the parameters and results of `interface`.

    `geometry` is that of the example, which is of the tensors in `given`. The launch is not for
    inputs that lie otherwise than it, have no elements, do not fit together, or need another
    function of the kernel, which is not built. Of dtypes, ranks and what else guards look at
    nothing is asked.
    """
    text = _Text(example, given.names)
    namespace: dict[str, Any] = dict(given.namespace)
    namespace["seen"] = recording(lowered.label)
    namespace |= {"other": interface.other, "functions": kernel.functions}
    namespace["layout"] = geometry.layout
    namespace |= {"is_short": has_short_rows, "least": kernel.least_for_threads}
    numbers = [text.product(number) for number in geometry.numbers()]
    numbers[-len(given.offsets) :] = given.offsets  # the last ones, since nothing is looked up
    namespace["pack"] = Struct(packed(kernel.kernel, lowered, inline=len(numbers))).pack
    is_short = "False"
    if may_have_short_rows(geometry.layout):
        is_short = f"is_short(layout, {text.shape(geometry.sizes)})"
    count = text.product(geometry.count)
    pointers = ["0"] * len(kernel.kernel.outputs)
    makes = []
    for index, made in enumerate(lowered.made):
        shape = text.shape(geometry.output_shapes[index])
        strides = text.shape(geometry.allocated_strides[index])
        namespace[f"dtype{index}"] = kernel.kernel.outputs[made.outputs[0]].value.dtype
        makes.append(f"o{index} = empty({shape}, {strides}, dtype{index})")
        for output in made.outputs:
            begin = text.product(geometry.output_offsets[output])
            size = kernel.kernel.outputs[output].value.dtype.itemsize
            offset = f" + {begin} * {size}" if begin != "0" else ""
            pointers[output] = f"o{index}.data_ptr(){offset}"
    arguments = [
        *[f"i{index}.data_ptr()" for index in tensors_of(lowered)], *pointers, "0",
        *[f"i{index}" for index in lowered.parameters],
        f"threads() if {count} >= least else 1", *numbers,
    ]  # fmt: skip
    lines = [
        *given.lines,
        *text.unpacked,
        f"if not ({text.guard()}): {interface.otherwise}",
        *text.products,
        f"entry = functions.get(({is_short}, ()))",
        f"if entry is None: {interface.otherwise}",
        *makes,
        f"status = {entry_text('entry[0]')}(pack({', '.join(arguments)}))",
    ]
    results = [f"o{lowered.outputs[index]}" for index in interface.results]
    return launch_with(launch_text(interface.names, lines, results, interface.single), namespace)


class AnyGeometry:
    """The geometry of any call whose inputs lie as those of an example, found as its launch does.

    `geometry_of` looks at strides and merges dimensions. The example has that behind it; what is
    left for a call are products of its sizes.
    """

    def __init__(
        self, lowered: Lowered, geometry: Geometry, given: ViewsFirst, example: Example
    ) -> None:
        self._lowered = lowered
        self._geometry = geometry
        self._given = given
        self._example = example
        self._asked = 0
        self._function: Callable[..., Geometry | None] | None = None

    def of(self, tensors: Sequence[Tensor | None]) -> Geometry | None:
        """Return the geometry of a launch with these inputs; None if they lie otherwise.

        None for the first ones, too: most kernels are bound to few shapes.
        """
        self._asked += 1
        if self._function is None:
            if self._asked < _COMPILED_AT:
                return None
            self._function = self._compiled()
        return self._function(*tensors)

    def _compiled(self) -> Callable[..., Geometry | None]:
        geometry, given = self._geometry, self._given
        text = _Text(self._example, given.names)
        parts = [
            text.shape(geometry.sizes),
            *map(text.shapes, (geometry.input_strides, geometry.output_strides)),
            f"({', '.join(given.offsets)},)",
            *map(text.shapes, (geometry.output_shapes, geometry.allocated_strides)),
            text.shape(geometry.output_offsets),
        ]
        names = [f"i{index}" for index in range(len(self._lowered.graph.inputs))]
        lines = [
            *given.lines,
            *text.unpacked,
            f"if not ({text.guard()}): return None",
            *text.products,
            f"return Geometry(layout, {', '.join(parts)}, tables)",
        ]
        known = {"Geometry": Geometry, "layout": geometry.layout, "tables": geometry.tables}
        known["other"] = _no_geometry
        return function_with(function_text("geometry", names, lines), {**given.namespace, **known})


def _no_geometry(*inputs: Any) -> None:
    """The geometry of inputs that have no such views."""


class _Text:
    """The texts of sizes, and of products of them, in the code of a launch."""

    def __init__(self, example: Example, tensors: Sequence[str]) -> None:
        self._tensors = tensors
        self.unpacked: list[str] = []
        self.products: list[str] = []
        self._guards: list[str] = []
        self._names: dict[int, str] = {}
        self._dims: set[int] = set()
        self._gaps = sorted(example.gaps, key=lambda gap: gap.stride, reverse=True)
        for index, dims in example.dims.items():
            self._unpack(index, dims, example.lies[index])

    def _unpack(self, index: int, dims: Dims, lie: Lie) -> None:
        """Name the sizes of a tensor. What the domain's size is called is asked of other ones."""
        names = []
        for position, dim in enumerate(dims):
            known = dim is not None and dim in self._dims
            name = f"s{index}_{position}" if known or dim is None else f"d{dim}"
            wanted = "== 1" if dim is None else f"== d{dim}" if known else "> 1"
            names.append(name)
            self._guards.append(f"{name} {wanted}")
            self._dims |= set() if dim is None else {dim}
        if names:
            self.unpacked.append(f"{', '.join(names)}, = {self._tensors[index]}.shape")
        if None not in dims and lie.is_plain:
            self._guards.append(f"{self._tensors[index]}.is_contiguous()")
        else:
            sizes = [None if dim is None else name for name, dim in zip(names, dims, strict=True)]
            self._unpack_strides(index, sizes, lie)

    def _unpack_strides(self, index: int, sizes: Sequence[str | None], lie: Lie) -> None:
        """Name the strides of a tensor that follow gaps, and ask for all strides."""
        if not lie.order:
            return
        names = [_stride_name(index, dim) for dim in range(len(sizes))]
        self.unpacked.append(f"{', '.join(names)}, = {self._tensors[index]}.stride()")
        factors: list[str] = []
        for dim in reversed(lie.order):
            relation = ">" if dim in lie.gaps else "=="
            self._guards.append(f"{names[dim]} {relation} {' * '.join(factors) or '1'}")
            factors = [names[dim]] if dim in lie.gaps else factors
            factors += filter(None, [sizes[dim]])

    def guard(self) -> str:
        """Return the text that is true for calls that this launch is for."""
        return " and ".join(self._guards) or "True"

    def product(self, number: int) -> str:
        """Return the text of a number of the example. Products have names."""
        factors = self._factors(number)
        if len(factors) == 1:
            return factors[0]
        if number not in self._names:
            self._names[number] = f"p{len(self._names)}"
            self.products.append(f"{self._names[number]} = {' * '.join(factors)}")
        return self._names[number]

    def _factors(self, number: int) -> list[str]:
        """Return the texts of the sizes, the stride and the number whose product a number is.

        The last of these is there where an output is made of parts.
        """
        if number < 2:
            return [str(number)]
        found, rest = [], number
        for gap in self._gaps:  # the slowest first: a stride has the factors of those within
            if rest % gap.factor == 0:
                found.append(gap.name)
                rest //= gap.stride
        for dim, prime in enumerate(_PRIMES):
            if rest % prime == 0:
                found.append(f"d{dim}")
                rest //= prime
        assert rest < _PRIMES[0], f"{number} is no product of sizes and strides"
        return found if rest == 1 else [*found, str(rest)]

    def shape(self, numbers: Sequence[int]) -> str:
        return f"({''.join(f'{self.product(number)}, ' for number in numbers)})"

    def shapes(self, shapes: Sequence[Sequence[int]]) -> str:
        return f"({''.join(f'{self.shape(shape)}, ' for shape in shapes)})"
