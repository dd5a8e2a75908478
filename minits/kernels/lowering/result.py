"""The result of lowering: a kernel, and the source of each of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

import torch

from minits import torch_internals as internals
from minits.ir.graph import Graph, Node, Value
from minits.kernels.ir.kernel import Kernel, Level, Scalar
from minits.kernels.lowering.labels import label_of
from minits.kernels.lowering.sizes import Size, evaluate, inputs_of
from minits.records import dataclass, field, replace

if TYPE_CHECKING:
    from minits.kernels.lowering.laying import Arrangement


Code = Literal[
    "not-elementwise",  # no kernel computes such an operator
    "unknown-type",  # nothing is known of a tensor's dtype and rank
    "dtype",  # a dtype that kernels do not compute with, or that eager refuses
    "device",  # a device without kernels
    "multi-device",  # tensors on several devices
    "not-constant",  # an argument that must be known, such as a dimension, is not
    "random",  # the operator draws random numbers
    "reduction",  # a reduction that is not over the last dimensions of the group's domain
    "parts",  # joined tensors that are not a few of one size
    "view",  # a view that is not an index map of the group's inputs
    "shape",  # a result that has neither the group's shape nor that of its rows
    "too-small",  # torch is faster
]
"""Codes of refusals to make a kernel. `minits.passes.remarks.FIXES` has what would mend each."""


class NotFusable(Exception):
    """A group, or an operator by itself, cannot be a kernel."""

    def __init__(self, code: Code, message: str, node: Node | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.node = node


@dataclass(frozen=True, slots=True)
class View:
    """One of torch's operators from a tensor to a view of it.

    `arguments` are those after the tensor. Calling a view applies it, under autograd too. Of an
    operator that gives a list, `item` says which of it is the view, and `count` how many there
    must be. Raises RuntimeError or IndexError where a tensor has no such view.
    """

    kind: str
    arguments: tuple[Any, ...] = ()
    item: int | None = None
    count: int | None = None

    def __call__(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return the view of a tensor. Raises RuntimeError if it has another number of parts."""
        viewed: Any = _operator(self.kind)(tensor, *self.arguments)
        if self.item is None:
            return viewed
        if self.count not in (None, len(viewed)):
            raise RuntimeError(f"{self.kind} gives {len(viewed)} tensors, not {self.count}")
        return viewed[self.item]

    @property
    def asked(self) -> set[int]:
        """The inputs of the group whose sizes are among the arguments."""
        return set(inputs_of(self.arguments))

    def given(self, inputs: Sequence[Any]) -> View:
        """Return the view for a call's inputs: tensors, or shapes of tensors."""
        return replace(self, arguments=evaluate(self.arguments, inputs))

    def shape_of(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of the view of a contiguous tensor. Raises RuntimeError."""
        return _shape_of(self, shape)


@lru_cache
def _operator(kind: str) -> Any:
    """Return an operator: torch's binding, which takes a tenth of the time, if there is one."""
    name = kind.removeprefix("aten::")
    return getattr(internals.FUNCTIONS, name, None) or getattr(torch.ops.aten, name)


OF_COMPLEX = ("aten::real", "aten::imag", "aten::view_as_real")
"""Views of complex tensors as real ones."""


@lru_cache(maxsize=4096)
def _shape_of(view: View, shape: tuple[int, ...]) -> tuple[int, ...]:
    dtype = torch.complex64 if view.kind in OF_COMPLEX else torch.float32
    return tuple(view(torch.empty(shape, dtype=dtype, device="meta")).shape)


@dataclass(frozen=True, slots=True)
class Extent:
    """The domain's size along `dim`, as a table tells it; `dim` is counted from the last, -1.

    It is `times` the size of a dimension that is `looked_up`, and `more`.
    """

    dim: int
    looked_up: int
    times: int
    more: int


@dataclass(frozen=True, slots=True)
class Source:
    """The origin of an input of a kernel.

    `index` says which input of the subgraph it is; `views` are applied to it in order. What they
    give broadcasts to the domain from the right. If `row_aligned`, it broadcasts to the domain's
    leading dimensions alone (it has none for those that are reduced over).

    `ones` tells which dimensions of the viewed tensor are of size one. The kernel relies on it:
    where a call's tensor differs (`x[1:]` of two elements), the kernel does not fit.

    Of a table, the first `looked_up` dimensions of the viewed tensor are looked up. The rest
    broadcasts to the domain, but for sizes of one that `extents` say otherwise; `ones` is of it.
    """

    index: int
    views: tuple[View, ...]
    level: Level
    row_aligned: bool
    ones: tuple[bool, ...]
    also: tuple[tuple[View, ...], ...] = ()
    """Views that must be of the same elements: halves by `chunk`, and by slices at the middle."""
    looked_up: int = 0
    extents: tuple[Extent, ...] = ()

    def through(self, change: Callable[[View], View]) -> Source:
        """Return the source with all views changed."""

        def changed(views: tuple[View, ...]) -> tuple[View, ...]:
            return tuple([change(view) for view in views])

        return replace(self, views=changed(self.views), also=tuple(map(changed, self.also)))

    def seen_also(self, views: tuple[View, ...]) -> Source:
        """Return the source that other views give as well. Items of lists come first: gradients
        of all the items are put together at once."""
        if len(views) == 1 and views[0].item is not None:
            return replace(self, views=views, also=(*self.also, self.views))
        return replace(self, also=(*self.also, views))

    @property
    def asked(self) -> set[int]:
        """The inputs of the group whose sizes are among the arguments of views."""
        views = [view for chain in (self.views, *self.also) for view in chain]
        return set().union(*[view.asked for view in views])

    def view(self, tensor: torch.Tensor) -> torch.Tensor:
        """Apply the views. Raises RuntimeError where the kernel does not fit the tensor."""
        seen = through(self.views, tensor)
        if tuple([size == 1 for size in self.shape_of(seen.shape)]) != self.ones:
            raise RuntimeError(f"a tensor of shape {tuple(seen.shape)} broadcasts otherwise")
        if self.also and not self._are_the_same(tensor):
            raise RuntimeError("two views of a tensor are no longer of the same elements")
        return seen

    def _are_the_same(self, tensor: torch.Tensor) -> bool:
        apart = told_apart(tensor)
        chains = (self.views, *self.also)
        return len({memory_of(through(views, apart)) for views in chains}) == 1

    def shape_of(self, seen: Sequence[int]) -> tuple[int, ...]:
        """Return the shape that broadcasts to the domain, of the shape of what `view` gives."""
        if not self.looked_up:
            return tuple(seen)
        sizes = list(seen[self.looked_up :])
        for extent in self.extents:
            sizes[extent.dim] = extent.times * seen[extent.looked_up] + extent.more
        return tuple(sizes)

    def rows(self, seen: torch.Tensor, reduced: int) -> torch.Tensor:
        """Return the result of `view` as kernels take it: ROW inputs lack reduced dimensions."""
        if self.row_aligned or self.level is Level.FULL:
            return seen
        kept = self.looked_up + max(0, seen.dim() - self.looked_up - reduced)
        return seen.reshape(seen.shape[:kept])


@dataclass(frozen=True, slots=True)
class Parts:
    """The way in which a tensor is made of the outputs of a kernel.

    kind           the kernel writes          the tensor
    `cat`          K times [.., n, ..]        [.., K n, ..]
    `interleave`   K times [.., n, ..]        [.., n K, ..], each taking every K-th index
    `stack`        K times [.., ..]           [.., K, ..]
    `merge`        once [.., K, n, ..]        [.., K n, ..]

    `count` is K; `dim`, which dimension of the tensor, is counted from the last one, -1.
    """

    kind: str
    dim: int
    count: int

    @property
    def pieces(self) -> int:
        """The number of outputs of the kernel."""
        return 1 if self.kind == "merge" else self.count

    def rank(self, part: int) -> int:
        """Return the number of dimensions of the tensor, given that of its parts."""
        return part + {"stack": 1, "merge": -1}.get(self.kind, 0)

    def whole(self, part: tuple[int, ...]) -> tuple[int, ...]:
        """Return the tensor's shape for parts of a shape."""
        if self.kind == "merge":
            first = len(part) - 1 + self.dim
            return (*part[:first], part[first] * part[first + 1], *part[first + 2 :])
        if self.kind == "stack":
            first = len(part) + 1 + self.dim
            return (*part[:first], self.count, *part[first:])
        first = len(part) + self.dim
        return (*part[:first], self.count * part[first], *part[first + 1 :])

    def part(self, whole: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of the parts of a tensor of a shape."""
        first = len(whole) + self.dim
        size = whole[first] // self.count
        middle = {"stack": (), "merge": (self.count, size)}.get(self.kind, (size,))
        return (*whole[:first], *middle, *whole[first + 1 :])

    def view(self, number: int, rank: int) -> View:
        """Return through which view of the tensor, which has a rank, a part is seen."""
        if self.kind == "stack":
            return View("aten::select", (rank + self.dim, number))
        if self.kind == "interleave":
            return View("aten::slice", (rank + self.dim, number, None, self.count))
        if self.kind == "merge":
            return View("aten::unflatten", (rank + self.dim, (self.count, -1)))
        return View("aten::chunk", (self.count, rank + self.dim), number, self.count)

    def join(self, parts: Sequence[torch.Tensor]) -> torch.Tensor:
        """Return the tensor that is made of these parts."""
        if self.kind == "merge":
            return parts[0].flatten(self.dim - 1, self.dim)
        if self.kind == "interleave":
            stacked = torch.stack(list(parts), parts[0].dim() + self.dim + 1)
            return stacked.flatten(self.dim - 1, self.dim)
        return (torch.stack if self.kind == "stack" else torch.cat)(list(parts), self.dim)


@dataclass(frozen=True, slots=True)
class OutputTensor:
    """A tensor that a launch makes: an output of the kernel, or several that are its parts."""

    outputs: tuple[int, ...]
    parts: Parts | None = None


def through(views: tuple[View, ...], tensor: torch.Tensor) -> torch.Tensor:
    """Apply views in order. Raises RuntimeError where the tensor has no such views."""
    try:
        for view in views:
            tensor = view(tensor)
    except IndexError as fault:
        raise RuntimeError(str(fault)) from None
    return tensor


def memory_of(view: torch.Tensor) -> tuple[Any, ...]:
    """Return a key that two views of a tensor share if they are of the same elements."""
    return view.shape, view.stride(), view.storage_offset()


def told_apart(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor of this shape in which no two elements have the same address.

    It is the tensor itself, or, of one that is expanded, a stand-in: the two halves of an expanded
    tensor are the same memory, but they have two gradients.
    """
    extent = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.shape, strict=True)):
        if size > 1 and stride < extent:
            return torch.empty(tensor.shape, dtype=tensor.dtype, device="meta")
        extent += max(size - 1, 0) * stride
    return tensor


_EXTREMES = ("max", "min", "argmax", "argmin")


@dataclass(eq=False)
class Lowered:
    """A group as a kernel.

    `sources` has one entry for each input of the kernel, `parameters` the input of the subgraph
    (a float, int or bool) for each parameter. `made` are the tensors that a launch makes (default:
    one for each output of the kernel), `outputs` says for each output of the subgraph which of
    these it is. The domain has `rank` dimensions: what the viewed sources broadcast to.
    """

    kernel: Kernel
    sources: list[Source]
    parameters: list[int]
    outputs: list[int]
    graph: Graph
    rank: int
    sizes: Sequence[tuple[int, int]] = ()
    """Dimensions of the domain, counted from the last, -1, and sizes that they must have.

    One that is a `Size` is known in a call (`given`).
    """
    made: list[OutputTensor] = field(default_factory=list)
    arrangement: Arrangement | None = None
    """Tells how the made tensors lie; without it, they keep the order of the inputs' memory."""
    computed: Mapping[Value, Scalar] = field(default_factory=dict)
    """Values of the graph that have the domain's shape, and what computes an element of each."""
    name: str = ""
    """That of the group, if its graph does not tell it."""

    def __post_init__(self) -> None:
        if not self.made:
            self.made = [OutputTensor((index,)) for index in range(len(self.kernel.outputs))]

    def part_view(self, output: int) -> View | None:
        """Return through which view of its tensor an output of the kernel is seen, if any."""
        for made in self.made:
            if output in made.outputs and made.parts is not None:
                return made.parts.view(made.outputs.index(output), made.parts.rank(self.rank))
        return None

    @cached_property
    def label(self) -> str:
        """The label that a profiler shows of the group: its operators, and the user's line."""
        return self.name or label_of(self.graph)

    @cached_property
    def asks_sizes(self) -> bool:
        """Return whether the sizes of some inputs are among the arguments of views."""
        return any(source.asked for source in self.sources)

    @cached_property
    def positions(self) -> frozenset[int]:
        """The dimensions along which the kernel asks for positions, counted from the last, -1."""
        return frozenset(v.payload for v in self.kernel.values if v.op == "position")

    @cached_property
    def has_extremes(self) -> bool:
        return any(value.op in _EXTREMES for value in self.kernel.values)

    @property
    def seen(self) -> list[int]:
        """The inputs of the subgraph of which the kernel sees the elements or the sizes."""
        asked = [source.asked for source in self.sources]
        sizes = inputs_of(tuple([size for _, size in self.sizes]))
        return sorted({source.index for source in self.sources}.union(*asked, sizes))

    def given(self, inputs: Sequence[Any]) -> Lowered:
        """Return this with the views and sizes for a call's inputs: tensors, or their shapes."""
        if not self.sizes and not self.asks_sizes:
            return self
        sources = [source.through(lambda view: view.given(inputs)) for source in self.sources]
        sizes = [(dim, evaluate(size, inputs)) for dim, size in self.sizes]
        return replace(self, sources=sources, sizes=sizes)

    def tensors(self, outputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Return the outputs of the subgraph, made of those of the kernel."""
        found = []
        for index in self.outputs:
            made = self.made[index]
            parts = [outputs[part] for part in made.outputs]
            found.append(parts[0] if made.parts is None else made.parts.join(parts))
        return found

    def check_domain(self, shape: tuple[int, ...]) -> None:
        """Raise RuntimeError for a domain on which eager may raise."""
        if self.has_extremes and 0 in shape[len(shape) - self.reduced :]:
            raise RuntimeError("the greatest or least of nothing")
        for dim, size in self.sizes:
            if not isinstance(size, Size) and shape[dim] != size:
                raise RuntimeError(f"a size of {shape[dim]} where the program says {size}")

    @property
    def reduced(self) -> int:
        """The number of the domain's last dimensions that are reduced over."""
        return self.kernel.reduced
