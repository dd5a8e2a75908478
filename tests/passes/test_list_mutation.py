"""Lists that a program appends to are written out in its plan, and are the caller's own."""

from __future__ import annotations

from typing import Any, List  # noqa: UP035

import pytest
import torch
from torch import Tensor

import minits
from minits.ir.copying import clone_graph
from minits.ir.verifier import verify
from minits.passes.pipeline import run_pipeline


def stacked(x: Tensor, y: Tensor) -> Tensor:
    parts = []
    for i in range(3):
        parts.append(torch.tanh(x * (i + 1)) + y)
    return torch.stack(parts)


def joined(x: Tensor, y: Tensor) -> Tensor:
    parts = [x]
    parts.append(x * 2)
    parts.insert(-1, torch.tanh(x) * y)
    parts[0] = y - 1
    return torch.cat(parts, -1) * 2


def given_away(x: Tensor, y: Tensor) -> List[Tensor]:  # noqa: UP006
    parts = [x]
    parts.append(y)
    parts[0] = y * 2
    return parts


def seen_before_it_grows(x: Tensor, y: Tensor) -> Tensor:
    parts = [x]
    all_of_them = [parts]
    parts.append(y)
    return torch.cat(all_of_them[0]) * len(parts)


def grown_in_a_branch(x: Tensor, y: Tensor) -> Tensor:
    parts = [x]
    if bool(x.sum() > 0):
        parts.append(y)
    return torch.cat(parts)


def out_of_range(x: Tensor, y: Tensor) -> List[Tensor]:  # noqa: UP006
    parts = [x, y]
    parts[2] = x
    return parts


LEFT = {
    stacked: 0,
    joined: 0,
    given_away: 0,
    seen_before_it_grows: 1,
    grown_in_a_branch: 1,
    out_of_range: 1,
}


def writes(graph: Any) -> int:
    return len(graph.nodes_of_kind("aten::append", "aten::insert", "aten::_set_item"))


@pytest.mark.parametrize("program", LEFT, ids=lambda program: program.__name__)
def test_writes_that_are_left(program: Any) -> None:
    graph = clone_graph(minits.script(program).graph)
    run_pipeline(graph, "optimize")
    verify(graph)
    assert writes(graph) == LEFT[program]


@pytest.mark.parametrize("program", LEFT, ids=lambda program: program.__name__)
def test_results_stay(program: Any) -> None:
    script = minits.script(program)
    x, y = torch.linspace(0, 1, 6).view(2, 3), torch.ones(2, 3)
    for _ in range(4):
        if program is out_of_range:
            with pytest.raises(IndexError):
                script(x, y)
        else:
            torch.testing.assert_close(script(x, y), program(x, y))


def test_each_call_gives_a_list_of_its_own() -> None:
    script = minits.script(given_away)
    x, y = torch.ones(2), torch.zeros(2)
    for _ in range(4):
        found = script(x, y)
        assert len(found) == 2
        assert found[1] is y
        found.append(x)


def test_one_kernel_computes_what_is_appended() -> None:
    x, y = torch.rand(2, 3), torch.rand(2, 3)
    for program in (stacked, joined):
        remarks = minits.script(program).remarks(x, y)
        assert [remark.message for remark in remarks if remark.kind == "missed"] == []
