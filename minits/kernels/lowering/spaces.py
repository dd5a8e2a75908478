"""Spaces in which values are wanted: iteration spaces, and index maps into them.

There are two iteration spaces. FULL are the indices of the domain. ROWS are those of its leading
dimensions alone, for what has lost the reduced ones: in `x.sum(-1) + y` the tensor y lies along the
rows.
"""

from __future__ import annotations

from enum import Enum

from minits.kernels.lowering.result import View
from minits.records import dataclass


class IterationSpace(Enum):
    """The indices at which a value is wanted: see the module's text."""

    FULL = "full"
    ROWS = "rows"


@dataclass(frozen=True, slots=True)
class IndexMap:
    """A demand for a value: seen through `views`, at the indices of `space`."""

    space: IterationSpace = IterationSpace.FULL
    views: tuple[View, ...] = ()


FULL = IndexMap()
"""The value as it is, at every index of the domain."""
