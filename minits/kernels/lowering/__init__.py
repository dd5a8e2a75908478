"""From a group of operators to the kernel that computes it.

`lower` does it; `can_fuse` tells beforehand whether an operator can be in a group at all.
"""

from minits.kernels.lowering.lower import can_fuse, lower
from minits.kernels.lowering.result import Lowered, NotFusable, Source, View
from minits.kernels.lowering.sizes import is_size
from minits.kernels.lowering.table import LOWERINGS, MOVING

__all__ = [
    "LOWERINGS", "MOVING", "Lowered", "NotFusable", "Source", "View",
    "can_fuse", "is_size", "lower",
]  # fmt: skip
