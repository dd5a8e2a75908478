"""`.inlined_graph` is torch's, up to the numbers of values."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch

import minits
from conformance.canonical import Normaliser, at_level
from conformance.case import Case, find_cases
from minits.ir.canonical import canonicalize
from minits.ir.printer import print_graph

CHAPTERS = ("calls", "functions", "exits", "modules", "optional_and_final", "with_statements")
STRINGS_OVER_LINES = ("modules/nn_attention", "modules/nn_transformer_layer")
"""torch takes the indentation out of them."""
NO_FORWARD = ("modules/exported_without_forward",)
CASES = [
    case
    for chapter in CHAPTERS
    for case in find_cases(chapter=chapter)
    if case.error_line is None and case.name not in (*STRINGS_OVER_LINES, *NO_FORWARD)
]


def main_function(compiled: Any) -> Any:
    """The function itself, or what a module runs."""
    return compiled.forward if isinstance(compiled, torch.nn.Module) else compiled


@pytest.mark.one_in(4)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_inlined_graphs_are_those_of_torch(case: Case) -> None:
    theirs = main_function(torch.jit.script(case.load().make()))
    mine = main_function(minits.script(case.load().make()))
    expected = str(torch._C._jit_pass_canonicalize(theirs.inlined_graph, True))
    found = print_graph(canonicalize(mine.inlined_graph, keep_names=True), ranges=True)
    assert structure(case, found) == structure(case, expected)


def structure(case: Case, graph: str) -> str:
    """Without the numbers of types of one name and of warnings, which go on within a process."""
    text = re.sub(r"___torch_mangle_\d+\.|\[warn_id=\d+\]", "", graph)
    return at_level(Normaliser({case.root: ""}).graph(text), "structure")
