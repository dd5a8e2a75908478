"""Fusing a graph whose tensors' metadata is at hand."""

from __future__ import annotations

from minits.ir.graph import Graph, Value
from minits.passes.context import Context
from minits.passes.pipeline import run_pipeline
from minits.passes.remarks import Remark
from minits.types.tensor_meta import TensorMeta


def fuse(graph: Graph, metas: dict[Value, TensorMeta], remarks: list[Remark]) -> bool:
    """Make groups in a graph; return whether it changed. Adds to `metas` and `remarks`."""
    return run_pipeline(graph, "groups", Context(metas=metas, remarks=remarks))


def optimize(graph: Graph) -> None:
    """Run the passes before fusion."""
    run_pipeline(graph, "optimize")
