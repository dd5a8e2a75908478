"""The source text of kernels, without building or running them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from minits.ir.graph import Graph
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout
from minits.kernels.launch.geometry import geometry_of
from minits.kernels.lowering import lower
from minits.types.tensor_meta import TensorMeta, like


def kernel_text(graph: Graph, metas: Sequence[TensorMeta | None], language: str, name: str) -> str:
    """Return the kernel of a group's graph for inputs like `metas`, as "cpp", "cuda" or "loops".

    Raises NotFusable and ShapeMismatch where there is none for such inputs.
    """
    lowered = lower(graph, metas)
    tensors = [None if meta is None else like(meta) for meta in metas]
    geometry = geometry_of(lowered, tensors)
    return _printer(language)(lowered.kernel, geometry.layout, name)


def _printer(language: str) -> Callable[[Kernel, Layout, str], str]:
    if language == "loops":
        from minits.kernels.schedule.printing import print_loops

        return print_loops
    if language == "cuda":
        from minits.kernels.cuda.cuda_printer import print_cuda

        return print_cuda
    from minits.kernels.cpu.c_printer import print_c

    return print_c
