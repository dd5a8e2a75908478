"""Rows of a few elements, which are computed side by side: so that vectors are of rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from minits.kernels.ir.layout import Layout

VECTOR = 16
"""Floats in a vector of 512 bits."""
LONGEST = 64
"""Elements of a row that is swept over together with others."""
FEWEST = 16
"""Rows side by side that are worth it."""
NEIGHBOURS = 64
"""Rows that are computed at once."""


def may_have_short_rows(layout: Layout) -> bool:
    """Return whether rows may be short ones, for some sizes."""
    return layout.outer > (0 if layout.inner else 1)


def has_short_rows(layout: Layout, sizes: Sequence[int]) -> bool:
    """Return whether rows of these sizes are better computed as short ones.

    Vectors do not fit into such rows, or leave a rest that is as costly as all vectors together.
    Rows of kernels that reduce nothing are those of the last dimension.
    """
    outer = layout.row_dims
    if not outer or sizes[outer - 1] < FEWEST:
        return False
    count = prod(sizes[outer:])
    if not layout.inner:
        return count < VECTOR
    return count < 2 * VECTOR or (count <= LONGEST and count % VECTOR != 0)
