"""The work of compiling grows with the length of a program, not with its square.

What is counted are calls of functions, which are the same in every run. Programs are those of
`python -m benchmarks growth`, where times are measured.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import torch

import minits
from benchmarks.growth import KINDS, exponent, loaded
from minits.codegen.variables import Variables
from minits.ir.graph import Graph
from minits.passes.context import Context
from minits.passes.fusion.partition import Partition
from minits.passes.pipeline import run_pipeline
from minits.recursion import deep_recursion

SIZES = (96, 384)
SHORT = (48, 192)
LONG = ("chain", "branches", "returns", "loops", "containers", "calls", "modules", "sequences")
"""The kinds of which each part of the work is counted alone."""
GREW = (
    "breaks", "while_continues", "while_returns", "mixed_exits", "loops_with_exits", "elifs",
    "withs", "with_returns", "in_place", "views_in_place", "slice_assignments", "named_tuples",
)  # fmt: skip
"""Kinds that have grown faster once, or are near to those that have."""
MOST = 1.2
"""The exponent of what may be called: 1 is linear, 2 the square."""


@pytest.mark.parametrize("kind", [*LONG, "breaks", "while_returns"])
def test_compiling_is_nearly_linear(kind: str, tmp_path: Path) -> None:
    assert _exponent(kind, tmp_path, minits.script) < MOST


@pytest.mark.parametrize("kind", [*LONG[:6], "withs"])
def test_planning_is_nearly_linear(kind: str, tmp_path: Path) -> None:
    def plan(program: Any) -> None:
        graph = minits.script(program).graph
        context = Context(arguments=(torch.ones(4), 2))
        with deep_recursion():
            run_pipeline(graph, ("plan", "fusion"), context)

    assert _exponent(kind, tmp_path, plan) < MOST


@pytest.mark.parametrize("kind", [*LONG, *GREW])
def test_calls_without_a_compiler_are_nearly_linear(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "false")

    def compile_and_call(program: Any) -> None:
        minits.script(program)(torch.ones(4), 2)

    assert _exponent(kind, tmp_path, compile_and_call, SHORT) < MOST


@pytest.mark.parametrize("kind", ["returns", "branches", "loops"])
def test_generating_code_is_nearly_linear(kind: str, tmp_path: Path) -> None:
    def generate(program: Any) -> None:
        graph = minits.script(program).graph
        Variables(graph)

    assert _exponent(kind, tmp_path, generate) < MOST


def _exponent(
    kind: str, folder: Path, work: Callable[[Any], Any], sizes: tuple[int, int] = SIZES
) -> float:
    """Return how the calls of functions that `work` makes grow with a program's length."""
    made = []
    for size in (24, *sizes):
        program = loaded(str(folder), f"growth_{kind}_{size}", KINDS[kind](size))
        made.append(_calls_of(lambda program=program: work(program)))
    return exponent(sizes, made[1:])


def _calls_of(function: Callable[[], Any]) -> int:
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
    return calls


def test_the_way_back_ends_where_no_group_reaches_over() -> None:
    graph = Graph()
    nodes = [graph.emit("aten::relu") for _ in range(9)]
    groups = Partition({node: index for index, node in enumerate(nodes)})
    groups.keep({nodes[0], nodes[3]})
    groups.keep({nodes[2], nodes[4]})
    groups.keep({nodes[6], nodes[8]})
    assert [groups.horizon(place) for place in (0, 1, 4, 5, 7)] == [4, 4, 4, 5, 8]
    groups.keep({nodes[0], nodes[3], nodes[6], nodes[8]})
    assert [groups.horizon(place) for place in (0, 4, 8)] == [8, 8, 8]
