"""Views that a launch for any sizes takes before it looks at the sizes.

    x: [4, 6]                         v0 = x[:, :3], v1 = x[:, 3:]      by torch's own operators
    kernel of x[:, :3], x[:, 3:]      the same kernel of v0, v1         which views nothing

What sizes a view has, torch knows best: half of an odd number, the rest behind an offset. So the
launch takes the views of each call, and works out the numbers from their sizes and strides, as it
does for inputs (`any_sizes.py`). The kernel is given the inputs, and where the views begin in them.

The inputs have to be contiguous, and what is read of them without sizes of one: how results lie
depends on all sizes otherwise (`lowering/laying.py`). `x.squeeze(-1)` has none, where x has one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from torch import Tensor

from minits.kernels.launch.geometry import geometry_of
from minits.kernels.launch.guards import layout_text
from minits.kernels.lowering.laying import Settled, descending
from minits.kernels.lowering.result import Lowered, View, through
from minits.ops.eager_strides import contiguous_strides, in_order
from minits.records import dataclass, field, replace
from minits.torch_internals import function_modes


@dataclass(frozen=True, slots=True)
class ViewsFirst:
    """A kernel for a launch that takes the views.

    The sources of `lowered` view nothing; they are of `tensors`, by index, which have `names` in
    the text of the launch. `offsets` are the texts of where the inputs of the kernel begin in those
    of the group, in elements. `lines` take the views.
    """

    lowered: Lowered
    tensors: Sequence[Tensor | None]
    names: Sequence[str]
    offsets: Sequence[str]
    lines: Sequence[str] = ()
    namespace: Mapping[str, Any] = field(default_factory=dict)


def views_first(
    lowered: Lowered, tensors: Sequence[Tensor | None], otherwise: str
) -> ViewsFirst | None:
    """Return a kernel with its views taken for inputs like these.

    None where it depends on more than what its views are like. `otherwise` is the statement for
    calls whose inputs are not contiguous or have no such views. Raises ShapeMismatch where a view
    is a copy.
    """
    if not any(source.views for source in lowered.sources):
        names = [f"i{index}" for index in range(len(tensors))]
        return ViewsFirst(lowered, tensors, names, ["0"] * len(lowered.sources))
    if lowered.asks_sizes or any(source.also for source in lowered.sources):
        return None
    read = {source.index for source in lowered.sources}
    viewed = sorted({source.index for source in lowered.sources if source.views})
    for index, tensor in enumerate(tensors):
        if tensor is None:
            continue
        if index not in read or not _is_in_order(tensor):
            return None
    arrangement = _settled(lowered, tensors)
    if arrangement is None or any(_has_ones(lowered, index, tensors) for index in viewed):
        return None
    return _with_views_taken(lowered, tensors, arrangement, viewed, otherwise)


def _is_in_order(tensor: Tensor) -> bool:
    shape = tuple(tensor.shape)
    return tensor.stride() == contiguous_strides(shape) and 0 not in shape


def _has_ones(lowered: Lowered, index: int, tensors: Sequence[Tensor | None]) -> bool:
    """Return whether an input, or a view of it, is read that has a size of one."""
    tensor = tensors[index]
    assert tensor is not None, "it is viewed"
    views = [source.views for source in lowered.sources if source.index == index]
    return any(1 in through(each, tensor).shape for each in views)


def _settled(lowered: Lowered, tensors: Sequence[Tensor | None]) -> Settled | None:
    """Return the arrangement of calls like this one; None where the strides are of no order."""
    geometry = geometry_of(lowered, tensors)
    orders = [descending(strides) for strides in geometry.allocated_strides]
    made = zip(geometry.output_shapes, orders, strict=True)
    dense = tuple([in_order(*each) for each in made])
    return Settled(orders) if dense == geometry.allocated_strides else None


class _Taken(NamedTuple):
    """A tensor that a kernel reads, by its name in a launch: an input of the group, or a view."""

    name: str
    source: int
    """The index of the input."""
    views: tuple[View, ...]
    tensor: Tensor

    @property
    def offset(self) -> str:
        """The text of where it begins in the input, in elements."""
        if not self.views:
            return "0"
        begin = f"{self.name}.data_ptr() - i{self.source}.data_ptr()"
        return f"({begin}) // {self.tensor.element_size()}"


def _taken(
    number: int, index: int, views: tuple[View, ...], tensors: Sequence[Tensor | None]
) -> _Taken:
    tensor = tensors[index]
    assert tensor is not None, "a kernel reads tensors"
    name = f"v{number}" if views else f"i{index}"
    return _Taken(name, index, views, through(views, tensor))


def _with_views_taken(
    lowered: Lowered,
    tensors: Sequence[Tensor | None],
    arrangement: Settled,
    viewed: Sequence[int],
    otherwise: str,
) -> ViewsFirst:
    read = list(dict.fromkeys((source.index, source.views) for source in lowered.sources))
    indices = [read.index((source.index, source.views)) for source in lowered.sources]
    sources = [
        replace(source, index=index, views=())
        for index, source in zip(indices, lowered.sources, strict=True)
    ]
    taken = [_taken(number, *each, tensors) for number, each in enumerate(read)]
    views = [each for each in taken if each.views]
    asked = [layout_text(f"i{index}", tensors[index]) for index in viewed]
    return ViewsFirst(
        replace(lowered, sources=sources, arrangement=arrangement),
        [each.tensor for each in taken],
        [each.name for each in taken],
        [taken[index].offset for index in indices],
        [
            f"if function_modes() or not ({' and '.join(asked)}): {otherwise}",
            "try:",
            *[f"    {each.name} = take_{each.name}(i{each.source})" for each in views],
            "except RuntimeError:",
            f"    {otherwise}",
        ],
        {
            "function_modes": function_modes,
            **{f"take_{each.name}": partial(through, each.views) for each in views},
        },
    )
