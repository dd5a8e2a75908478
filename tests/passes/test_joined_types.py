"""Variables that branches of loops leave as they are: every way to run a program is as Python."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import torch
from torch import nn

import minits
from minits.ir.verifier import verify
from minits.passes.joined_types import joins_fit
from minits.passes.pipeline import PASSES, PIPELINES, passes_in, run_pipeline
from minits.runtime.interpreter import run
from tests.support.joined_programs import CALLS, make_program

WIDENING = "widen-joins"


def results(function: Any) -> list[Any]:
    return [function(list(xs), given) for xs, given in CALLS]


def compiled(program: Any) -> Any:
    """The compiled program; None where the language refuses it."""
    try:
        return minits.script(program)
    except minits.CompileError:
        return None


def check(function: Any, expected: list[Any]) -> None:
    """Every pass alone, and all without one, by the interpreter; then calls."""
    orders = [(name,) for name in PASSES if not PASSES[name].in_context]
    optimize = [*passes_in(PIPELINES["optimize"])]
    for name in optimize:
        orders.append(tuple(each for each in optimize if each in (WIDENING,) or each != name))
    assert results(function.interpret) == expected
    for order in orders:
        graph = function.inlined_graph
        run_pipeline(graph, (WIDENING, *order))
        verify(graph)
        assert results(lambda *args, graph=graph: run(graph, *args)) == expected, order
    for _ in range(3):
        assert results(function) == expected


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seeds", [range(at, 200, 4) for at in range(4)], ids=str)
def test_random_programs(seeds: range, tmp_path: Path) -> None:
    accepted = narrow = 0
    for seed in seeds:
        program = make_program(seed, tmp_path)
        function = compiled(program)
        if function is None:
            continue
        accepted += 1
        expected = results(program)
        if joins_fit(function.graph):
            assert results(function) == results(function) == expected, seed
            continue
        narrow += 1
        check(function, expected)
        with patch.dict(os.environ, MINITS_NATIVE="now"):
            as_c = minits.script(make_program(seed, tmp_path))
            assert results(as_c) == results(as_c) == expected, seed
    assert accepted > len(seeds) // 2 and narrow


class HaltAtSpan(nn.Module):
    def forward(self, xs: list[int]) -> tuple[int, list[int]]:
        start: int | None = None
        ends: list[int] = []
        for i, x in enumerate(xs):
            if x > 0:
                if start is None:
                    start = i
            elif x == 0:
                pass
            elif start is not None:
                ends.append(i - start)
                start = None
        return -1 if start is None else start, ends


def test_of_a_module_frozen_saved_and_in_c(tmp_path: Path) -> None:
    program, path = HaltAtSpan().eval(), tmp_path / "span.pt"
    calls = [[1, 0, -1, 2, 0], [], [5, -1]]
    minits.save(minits.script(program), path)
    with patch.dict(os.environ, MINITS_NATIVE="now"):
        as_c = minits.script(HaltAtSpan())
        as_c(calls[0])
        for made in (as_c, minits.script(program), minits.freeze(minits.script(program))):
            for xs in calls * 3:
                assert made(xs) == program(xs)
    loaded = minits.load(path)
    for xs in calls * 3:
        assert loaded(xs) == program(xs)
    assert torch.jit.script(HaltAtSpan())(calls[0]) != program(calls[0])
