"""From a group of operators to the kernel that computes it.

`lower` does it; `can_fuse` tells beforehand whether an operator can be in a group at all.

lower, lowerer, loads   from a group's outputs down to its loads; begin here
spaces           the indices at which values are needed: iteration spaces and index maps
row, table       the fields of a row of the table; all rows
elementwise, special, selection, activations, casts, promotion   operators element by element
reductions, scans, normalization, distances, losses, class_losses   those that sweep over rows
views, joining, look_ups, index_maps, pushing   those that move elements
checks           numbers and dtypes that eager refuses
result, sizes    the kernel and where its inputs come from; sizes that views ask for
labels           names of groups, for people
seen             examples of inputs as a kernel sees them, through views
laying, stride_rules, layouts   strides of results, as in eager

`codegen/group_kernels.py` and `gradients` call `lower`; passes ask `can_fuse`.
"""

from minits.kernels.lowering.lower import can_fuse, lower
from minits.kernels.lowering.result import Lowered, NotFusable, Source, View
from minits.kernels.lowering.sizes import is_size
from minits.kernels.lowering.table import LOWERINGS, MOVING

__all__ = [
    "LOWERINGS", "MOVING", "Lowered", "NotFusable", "Source", "View",
    "can_fuse", "is_size", "lower",
]  # fmt: skip
