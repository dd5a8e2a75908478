"""The table of lowerings: one row for each operator that kernels compute."""

from __future__ import annotations

from minits.kernels.lowering.activations import ACTIVATIONS
from minits.kernels.lowering.casts import CASTS
from minits.kernels.lowering.class_losses import CLASS_LOSSES
from minits.kernels.lowering.distances import DISTANCES
from minits.kernels.lowering.elementwise import ELEMENTWISE
from minits.kernels.lowering.index_maps import INDEX_MAPS, MOVES
from minits.kernels.lowering.joining import JOINING
from minits.kernels.lowering.look_ups import LOOK_UPS
from minits.kernels.lowering.losses import LOSSES
from minits.kernels.lowering.normalization import NORMALIZATION
from minits.kernels.lowering.reductions import REDUCTIONS
from minits.kernels.lowering.row import Lowering
from minits.kernels.lowering.scans import SCANS
from minits.kernels.lowering.selection import SELECTION
from minits.kernels.lowering.special import SPECIAL
from minits.kernels.lowering.views import VIEWS

MOVING = frozenset((*LOOK_UPS, *MOVES))
"""Operators that give elements of a tensor at other indices."""

LOWERINGS: dict[str, Lowering] = {
    **ELEMENTWISE,
    **SPECIAL,
    **SELECTION,
    **ACTIVATIONS,
    **CASTS,
    **VIEWS,
    **JOINING,
    **LOOK_UPS,
    **INDEX_MAPS,
    **REDUCTIONS,
    **SCANS,
    **DISTANCES,
    **NORMALIZATION,
    **LOSSES,
    **CLASS_LOSSES,
}
