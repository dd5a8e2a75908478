"""`Layout`: how a kernel walks through memory, as far as its text depends on it.

The dimensions of the domain are merged where every input and output allows it: a contiguous
[B, H, S, S] with a mask [B, 1, 1, S] becomes three dimensions, B, H*S and S. What is left is told
per tensor and dimension: not moved along it (`ZERO`, broadcast), moved by one element (`UNIT`), or
by a number of elements that the call gives (`ANY`). Sizes and strides are given at each launch, so
other sizes need no other kernel.
"""

from __future__ import annotations

from enum import Enum

from minits.records import dataclass


class Stride(Enum):
    """The distance in memory between neighbours along a dimension."""

    ZERO = "0"
    UNIT = "1"
    ANY = "s"


@dataclass(frozen=True, slots=True)
class Layout:
    """The merged dimensions: first `outer` ones, then `inner` ones, which are reduced over.

    `inputs` and `outputs` have a tuple of `outer + inner` strides for each tensor. A kernel that
    reduces nothing has no inner dimensions; its last outer one is the fastest. ROW inputs and
    outputs have `ZERO` along inner dimensions. Dimensions of size one are left out, but at least
    one dimension remains (one inner one, if the kernel reduces).
    """

    outer: int
    inner: int
    inputs: tuple[tuple[Stride, ...], ...]
    outputs: tuple[tuple[Stride, ...], ...]
    positions: tuple[tuple[int, int | None], ...] = ()
    """Dimensions of the domain along which a kernel asks for positions, and which merged
    dimension each is by itself; None for those of size one."""
    tables: tuple[tuple[Stride, ...], ...] = ()
    """For each input the strides of the dimensions of it that are looked up."""

    @property
    def rank(self) -> int:
        return self.outer + self.inner

    @property
    def row_dims(self) -> int:
        """Return the rank of a row: the outer dimensions, but the last if nothing is reduced."""
        return self.outer if self.inner else self.outer - 1

    def __str__(self) -> str:
        def text(tensors: tuple[tuple[Stride, ...], ...]) -> str:
            return ",".join("".join(stride.value for stride in tensor) for tensor in tensors)

        tables = f"[{text(self.tables)}]" if any(self.tables) else ""
        positions = "".join([f"[{dim}:{merged}]" for dim, merged in self.positions])
        layouts = f"({text(self.inputs)})->({text(self.outputs)})"
        return f"{self.outer}+{self.inner}{layouts}{positions}{tables}"
