"""Passes that torch exposes, on graphs of torch: the same text afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch

from minits.ir.canonical import canonicalize
from minits.ir.printer import print_graph
from minits.ir.verifier import verify
from minits.passes.pipeline import run_pipeline
from tests.support.from_torch import graph_from_torch
from tests.support.programs import PROGRAMS

PASSES: dict[str, tuple[Callable[[Any], Any], tuple[str, ...]]] = {
    "dce": (torch._C._jit_pass_dce, ("dce",)),
    "constant_pooling": (torch._C._jit_pass_constant_pooling, ("constant-pooling",)),
    "immutable_constants": (
        torch._C._jit_pass_constant_propagation_immutable_types,
        ("immutable-constants", "dce?"),
    ),
    "constant_propagation": (
        torch._C._jit_pass_constant_propagation,
        ("constant-propagation", "dce?"),
    ),
    "cse": (torch._C._jit_pass_cse, ("cse",)),
    "loop_unrolling": (torch._C._jit_pass_loop_unrolling, ("unroll-by-eight", "dce?")),
}
"""torch's passes, and ours: torch's propagation of constants removes dead code itself."""
DIFFERENT = [("unwrapped_into_loop", "loop_unrolling")]
"""Programs of which the text is another: in loops of few iterations, ours are numbered."""
PAIRS = [
    pytest.param(program, name, id=f"{program.__name__}-{name}")
    for program, _ in PROGRAMS
    for name in PASSES
    if (program.__name__, name) not in DIFFERENT
]
TENSOR_TYPE = re.compile(r"(?:Float|Long)\([^)]*device=cpu\)")


def without_ranges(text: str) -> str:
    """Drop source ranges, which nodes that torch merges take from either."""
    return TENSOR_TYPE.sub("Tensor", re.sub(r" # .*", "", text))


@pytest.mark.parametrize(("program", "name"), PAIRS)
def test_same_text(program: Any, name: str) -> None:
    theirs, ours = PASSES[name]
    expected = torch.jit.script(program).graph.copy()
    found = graph_from_torch(expected)
    theirs(expected)
    run_pipeline(found, ours)
    verify(found)
    text = without_ranges(print_graph(canonicalize(found)))
    assert text == without_ranges(str(torch._C._jit_pass_canonicalize(expected)))


@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize("program", [p for p, _ in PROGRAMS], ids=lambda p: p.__name__)
def test_tells_whether_it_changed_the_graph(program: Any, name: str) -> None:
    graph = graph_from_torch(torch.jit.script(program).graph)
    before = print_graph(graph)
    changed = run_pipeline(graph, PASSES[name][1])
    assert changed or print_graph(graph) == before
