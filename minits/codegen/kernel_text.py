"""The source text of kernels, without building or running them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from minits.ir.graph import Graph
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout
from minits.kernels.launch.geometry import geometry_of
from minits.kernels.lowering import lower
from minits.kernels.schedule.loops import Schedule
from minits.types.tensor_meta import TensorMeta, like


class PrintedKernel(NamedTuple):
    """The text of a kernel, and the kernel whose values it names `v0`, `v1`, and so on."""

    text: str
    kernel: Kernel


def kernel_text(graph: Graph, metas: Sequence[TensorMeta | None], language: str, name: str) -> str:
    """Return the kernel of a group's graph for inputs like `metas`, as "cpp", "cuda" or "loops".

    Raises NotFusable and ShapeMismatch where there is none for such inputs.
    """
    return printed_kernel(graph, metas, language, name).text


def printed_kernel(
    graph: Graph, metas: Sequence[TensorMeta | None], language: str, name: str
) -> PrintedKernel:
    """Return the same text with the kernel that it is of, as it was scheduled. Raises the same."""
    lowered = lower(graph, metas)
    tensors = [None if meta is None else like(meta) for meta in metas]
    layout = geometry_of(lowered, tensors).layout
    scheduled, printer = _language(language)
    text = printer(lowered.kernel, layout, name)
    return PrintedKernel(text, scheduled(lowered.kernel, layout).kernel)


def _language(
    language: str,
) -> tuple[Callable[[Kernel, Layout], Schedule], Callable[[Kernel, Layout, str], str]]:
    """Return the functions that schedule a kernel for a language, and print it."""
    if language == "cuda":
        from minits.kernels.cuda.cuda_printer import print_cuda
        from minits.kernels.schedule.cuda import Form, schedule_for_cuda

        return partial(schedule_for_cuda, form=Form()), print_cuda
    from minits.kernels.schedule.cpu import schedule_for_cpu

    if language == "loops":
        from minits.kernels.schedule.printing import print_loops

        return schedule_for_cpu, print_loops
    from minits.kernels.cpu.c_printer import print_c

    return schedule_for_cpu, print_c
