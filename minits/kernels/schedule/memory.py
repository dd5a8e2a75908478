"""The tensors of a schedule that is evaluated: elements are found by pointers and by chunks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from minits.kernels.ir.evaluate import Array
from minits.kernels.ir.kernel import Scalar
from minits.kernels.ir.layout import Layout

Indices = Mapping[int, int]
"""The indices of the loops by dimension."""


class Memory:
    """The tensors of a kernel, outputs behind the inputs.

    `pointers` are the indices at which a pointer to a tensor, or to the buffer of a value, is:
    where there is none, no element can be reached. `chunk` has the elements of the chunks that have
    been read, or are to be written, while there are such.
    """

    def __init__(self, layout: Layout, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        self.rank = layout.rank
        self.tensors = [*inputs, *outputs]
        self.outputs = range(len(inputs), len(self.tensors))
        self.pointers: dict[int | Scalar, Indices] = {}
        self.chunk: dict[tuple[int, ...], Array] | None = None

    def point(self, targets: Iterable[int | Scalar], at: Indices) -> None:
        """Let the pointers to some tensors and buffers be at these indices."""
        self.pointers = {**self.pointers, **{target: dict(at) for target in targets}}

    def indices(self, target: int | Scalar, at: Indices) -> Indices:
        """Return the indices of an element: those of the pointer, then those of loops within."""
        return {**at, **self.pointers[target]}

    def load(self, tensor: int, at: Indices, looked_up: Sequence[int] = ()) -> Array:
        index = self._index(tensor, at)
        if self.chunk is not None and not looked_up:
            return self.chunk[(tensor, *index)]
        element: Array = self.tensors[tensor][(*looked_up, *index)]
        return element

    def store(self, output: int, at: Indices, number: Array) -> None:
        tensor = self.outputs[output]
        index = self._index(tensor, at)
        if self.chunk is None:
            self.tensors[tensor][index] = number
        else:
            self.chunk[(tensor, *index)] = number

    def read_chunk(self, tensor: int, elements: Iterable[Indices]) -> None:
        assert self.chunk is not None
        for index in [self._index(tensor, at) for at in elements]:
            self.chunk[(tensor, *index)] = self.tensors[tensor][index]

    def write_chunk(self, output: int, elements: Iterable[Indices]) -> None:
        assert self.chunk is not None
        tensor = self.outputs[output]
        for index in [self._index(tensor, at) for at in elements]:
            self.tensors[tensor][index] = self.chunk[(tensor, *index)]

    def _index(self, tensor: int, at: Indices) -> tuple[int, ...]:
        """Return the index of an element of a tensor, which may not move along inner dimensions."""
        indices = self.indices(tensor, at)
        return tuple([indices.get(dim, 0) for dim in range(self.rank)])
