"""Launches for tensors of any sizes.

    x: [d0, d1], bias: [d1]      asks         d0 > 1, d1 > 1, bias has d1 elements, both contiguous
                                 makes        (d0, d1) with the strides (d1, 1)
                                 hands over   the sizes d0, d1, and the strides d1, 1, 0, 1, d1, 1

Binding a kernel to sizes takes as long as several small operators. Of tensors without gaps it
depends on the orders in which their dimensions lie, and on which sizes are one, and each number of
the geometry is a product of sizes. Which ones, the geometry of an example says: its sizes are prime
numbers, another for each dimension of the kernel's domain, so that every product has its factors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from struct import Struct
from typing import Any

import torch
from torch import Tensor

from minits.kernels.building import tensors_of
from minits.kernels.c_printer import has_short_rows, may_have_short_rows
from minits.kernels.cpu import CpuKernel, packed
from minits.kernels.eager_strides import in_order
from minits.kernels.geometry import Geometry
from minits.kernels.launch import launch_text, launch_with
from minits.kernels.lowering.laying import Order, order_without_gaps
from minits.kernels.lowering.result import Lowered
from minits.records import dataclass

_PRIMES = (11, 13, 17, 19, 23, 29, 31, 37)
"""Sizes of the example, by the dimension of the domain. Their product is far below 2^63."""
Dims = tuple[int | None, ...]
"""Along which dimension of the domain each one of a tensor lies; None where its size is one."""


@dataclass(frozen=True, slots=True)
class Example:
    """Inputs of a group with prime sizes.

    `dims` are those of each tensor, by its index, and `orders` say which lie how, slowest first.
    """

    tensors: list[Tensor | None]
    dims: Mapping[int, Dims]
    orders: Mapping[int, Order]


@dataclass(frozen=True, slots=True)
class Interface:
    """How a launch is called.

    `names` are those of its parameters, i0 and so on of the inputs of the group, `results` say
    which outputs of the group it gives, in a tuple or, if `single`, as they are. `other` is called
    with what the launch is not for.
    """

    names: Sequence[str]
    results: Sequence[int]
    single: bool
    other: Callable[..., Any]


def example_of(lowered: Lowered, tensors: Sequence[Tensor | None]) -> Example | None:
    """Return an example for tensors whose sizes of one are these; None where sizes matter more.

    So it is where there are views, look-ups, parts, gaps, and sizes that the program names.
    """
    if lowered.sizes or any(made.parts for made in lowered.made) or lowered.rank > len(_PRIMES):
        return None
    dims: dict[int, Dims] = {}
    orders: dict[int, Order] = {}
    may_be_turned = lowered.arrangement is not None and not lowered.arrangement.depends_on_sizes
    for source in lowered.sources:
        tensor = tensors[source.index]
        if tensor is None or source.views or source.also or source.looked_up:
            return None
        order = _order_of(tensor)
        if order is None or not (may_be_turned or _is_plain(order)):
            return None
        orders[source.index] = order
        end = lowered.rank - (lowered.reduced if source.row_aligned else 0)
        known = [None if size == 1 else end - tensor.dim() + dim
                 for dim, size in enumerate(tensor.shape)]  # fmt: skip
        if dims.setdefault(source.index, tuple(known)) != tuple(known):
            return None
    if any(tensor is not None and index not in dims for index, tensor in enumerate(tensors)):
        return None
    stand_ins = [
        None if tensor is None else _stand_in(tensor.dtype, dims[index], orders[index])
        for index, tensor in enumerate(tensors)
    ]
    return Example(stand_ins, dims, orders)


def _order_of(tensor: Tensor) -> Order | None:
    if tensor.is_contiguous():  # whatever the strides are along sizes of one
        return tuple(range(tensor.dim()))
    return order_without_gaps(tensor)


def _is_plain(order: Order) -> bool:
    return order == tuple(range(len(order)))


def _stand_in(dtype: torch.dtype, dims: Dims, order: Order) -> Tensor:
    shape = tuple([1 if dim is None else _PRIMES[dim] for dim in dims])
    return torch.empty_strided(shape, in_order(shape, order), dtype=dtype, device="meta")


def launch_for_any_sizes(
    kernel: CpuKernel,
    lowered: Lowered,
    geometry: Geometry,
    example: Example,
    interface: Interface,
) -> Callable[..., Any]:
    """Return what takes the inputs of a group and gives its outputs, as an interface says.

    `geometry` is that of the example. The launch is not for inputs that lie otherwise than it, have
    no elements, do not fit together, or need another function of the kernel, which is not built. Of
    dtypes, ranks and what else guards look at nothing is asked.
    """
    text = _Text(example)
    scope: dict[str, Any] = {}
    others = f"return other({', '.join(interface.names)})"
    scope |= {"other": interface.other, "functions": kernel.functions, "layout": geometry.layout}
    scope |= {"is_short": has_short_rows, "least": kernel.least_for_threads}
    numbers = [text.product(number) for number in geometry.numbers()]
    scope["pack"] = Struct(packed(kernel.kernel, lowered, inline=len(numbers))).pack
    is_short = "False"
    if may_have_short_rows(geometry.layout):
        is_short = f"is_short(layout, {text.shape(geometry.sizes)})"
    count = text.product(geometry.count)
    pointers = ["0"] * len(kernel.kernel.outputs)
    makes = []
    for index, made in enumerate(lowered.made):
        shape = text.shape(geometry.output_shapes[index])
        strides = text.shape(geometry.allocated_strides[index])
        scope[f"dtype{index}"] = kernel.kernel.outputs[made.outputs[0]].value.dtype
        makes.append(f"o{index} = empty({shape}, {strides}, dtype{index})")
        pointers[made.outputs[0]] = f"o{index}.data_ptr()"
    given = [
        *[f"i{index}.data_ptr()" for index in tensors_of(lowered)], *pointers, "0",
        *[f"i{index}" for index in lowered.parameters],
        f"threads() if {count} >= least else 1", *numbers,
    ]  # fmt: skip
    lines = [
        *text.unpacked,
        f"if not ({text.condition()}): {others}",
        *text.products,
        f"entry = functions.get(({is_short}, ()))",
        f"if entry is None: {others}",
        *makes,
        f"status = entry[0](pack({', '.join(given)}))",
    ]
    results = [f"o{lowered.outputs[index]}" for index in interface.results]
    return launch_with(launch_text(interface.names, lines, results, interface.single), scope)


class _Text:
    """The texts of sizes, and of products of them, in the code of a launch."""

    def __init__(self, example: Example) -> None:
        self.unpacked: list[str] = []
        self.products: list[str] = []
        self._conditions: list[str] = []
        self._names: dict[int, str] = {}
        self._dims: set[int] = set()
        for index, dims in example.dims.items():
            self._unpack(index, dims, example.orders[index])

    def _unpack(self, index: int, dims: Dims, order: Order) -> None:
        """Name the sizes of a tensor. What the domain's size is called is asked of other ones."""
        names = []
        for place, dim in enumerate(dims):
            known = dim is not None and dim in self._dims
            name = f"s{index}_{place}" if known or dim is None else f"d{dim}"
            wanted = "== 1" if dim is None else f"== d{dim}" if known else "> 1"
            names.append(name)
            self._conditions.append(f"{name} {wanted}")
            self._dims |= set() if dim is None else {dim}
        if names:
            self.unpacked.append(f"{', '.join(names)}, = i{index}.shape")
        if None not in dims and _is_plain(order):
            self._conditions.append(f"i{index}.is_contiguous()")
        else:
            moving = [None if dim is None else name for name, dim in zip(names, dims, strict=True)]
            faster = [order[order.index(place) + 1 :] for place in range(len(dims))]
            rests = [[moving[place] for place in sorted(places)] for places in faster]
            texts = [" * ".join(filter(None, rest)) or "1" for rest in rests]
            self._conditions.append(f"i{index}.stride() == ({', '.join(texts)},)")

    def condition(self) -> str:
        return " and ".join(self._conditions) or "True"

    def product(self, number: int) -> str:
        """Return the text of a number of the example. Products have names."""
        factors = [f"d{dim}" for dim, prime in enumerate(_PRIMES) if number and number % prime == 0]
        left = math.prod(prime for prime in _PRIMES if number and number % prime == 0)
        assert number in (0, left), f"{number} is no product of sizes"
        if number < 2 or len(factors) == 1:
            return factors[0] if factors else str(number)
        if number not in self._names:
            self._names[number] = f"p{len(self._names)}"
            self.products.append(f"{self._names[number]} = {' * '.join(factors)}")
        return self._names[number]

    def shape(self, numbers: Sequence[int]) -> str:
        return f"({''.join(f'{self.product(number)}, ' for number in numbers)})"
