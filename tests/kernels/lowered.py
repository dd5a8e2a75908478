"""Running lowered programs: compile, lower, and evaluate the kernel on tensors."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.ir.graph import Graph
from minits.kernels.ir.evaluate import evaluate
from minits.kernels.launch.geometry import broadcast_domain
from minits.kernels.lowering import Lowered, NotFusable, lower
from minits.types.tensor_meta import meta_of
from tests.support.control_flow import load
from tests.support.fusing import optimize

HEADER = """import torch
import torch.nn.functional as F
from typing import *
from torch import Tensor
"""


def programs(folder: Path, signature: str, expressions: Sequence[str]) -> dict[str, Any]:
    """Functions of one expression each, by these, out of a file that is written."""
    path = folder / f"programs_{abs(hash((signature, *expressions)))}.py"
    text = [
        f"def f{index}({signature}):\n    return {expression}\n"
        for index, expression in enumerate(expressions)
    ]
    path.write_text(HEADER + "\n".join(text))
    module = load(path)
    return {text: getattr(module, f"f{index}") for index, text in enumerate(expressions)}


def graph_of(function: Any) -> Graph:
    """The graph of a function; a tuple of tensors becomes several outputs."""
    graph = minits.script(function).inlined_graph
    optimize(graph)
    (result,) = graph.outputs
    if result.node.kind == "prim::TupleConstruct":
        items = list(result.node.inputs)
        graph.block.end.remove_input(0)
        for item in items:
            graph.block.add_output(item)
    return graph


def lower_for(graph: Graph, arguments: Sequence[Any]) -> Lowered:
    metas = [meta_of(each) if isinstance(each, Tensor) else None for each in arguments]
    return lower(graph, metas)


def run(lowered: Lowered, arguments: Sequence[Any]) -> list[Tensor]:
    """What the kernel computes for the arguments of the group."""
    reduced, lowered = lowered.reduced, lowered.given(arguments)
    viewed = [source.view(arguments[source.index]) for source in lowered.sources]
    domain = broadcast_domain(lowered, viewed)
    inputs = [
        source.rows(tensor, reduced) if reduced else tensor
        for tensor, source in zip(viewed, lowered.sources, strict=True)
    ]
    parameters = [arguments[index] for index in lowered.parameters]
    results = evaluate(lowered.kernel, inputs, parameters, domain)
    tensors = [
        torch.as_tensor(result).to(output.value.dtype)
        for result, output in zip(results, lowered.kernel.outputs, strict=True)
    ]
    return lowered.tensors(tensors)


def check(function: Any, arguments: Sequence[Any], may_refuse: bool = False) -> None:
    """Compare the kernel with eager. Where eager refuses, lowering or a check must, too.

    Where eager warns, the kernel's check may fail: eager's operators run then.
    """
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            wanted = function(*arguments)
    except (RuntimeError, IndexError, ValueError) as refusal:
        with pytest.raises((NotFusable, ValueError)) as found_out:
            run(lower_for(graph_of(function), arguments), arguments)
            pytest.fail(f"eager says {refusal}")
        assert isinstance(found_out.value, NotFusable) or "a check fails" in str(found_out.value)
        return
    try:
        lowered = lower_for(graph_of(function), arguments)
    except NotFusable:
        if may_refuse:
            return
        raise
    try:
        found = run(lowered, arguments)
    except ValueError as failure:
        assert told and "a check fails" in str(failure)
        return
    wanted = list(wanted) if isinstance(wanted, tuple) else [wanted]
    assert len(found) == len(wanted)
    for mine, eager in zip(found, wanted, strict=True):
        assert mine.dtype == eager.dtype
        assert mine.shape == eager.shape
        torch.testing.assert_close(mine, eager, equal_nan=True, **_TOLERANCE.get(mine.dtype, {}))


_TOLERANCE = {
    torch.float16: {"rtol": 2e-3, "atol": 2e-3},
    torch.bfloat16: {"rtol": 1.6e-2, "atol": 1e-2},
    torch.float64: {"rtol": 1e-6, "atol": 1e-7},
}
"""Eager rounds half types once or after each step, as the vectors happen to end."""
