"""From a group of operators to the kernel that computes it."""

from minits.kernels.lowering.result import Lowered, NotFusable, Source, View

__all__ = ["Lowered", "NotFusable", "Source", "View"]
