"""The table of lowerings: one row for each operator that kernels compute."""

from __future__ import annotations

from minits.kernels.lowering.elementwise import ELEMENTWISE
from minits.kernels.lowering.row import Lowering

LOWERINGS: dict[str, Lowering] = {
    **ELEMENTWISE,
    "prim::ListConstruct": Lowering(),
}
