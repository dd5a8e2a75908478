"""Sizes of traced programs are ints in plans: what they shape has kernels, as that of scripts."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.export import Dim

import minits
from minits.ir.parser import parse_graph
from minits.ir.printer import print_graph
from minits.passes.pipeline import run_pipeline

Shaped = Callable[[Tensor, Any, Any, Any], Tensor]
FORMS: dict[str, Shaped] = {
    "halves": lambda x, b, t, d: x.view(b, t, 2, d // 2),
    "product": lambda x, b, t, d: x.view(b * t, d),
    "twice": lambda x, b, t, d: x.view(b, t * 2, -1),
    "same": lambda x, b, t, d: x.view(b, t, d),
    "rest": lambda x, b, t, d: x.reshape(b, -1),
    "pairs": lambda x, b, t, d: x.view(b, t, d // 2, 2),
    "first half": lambda x, b, t, d: x[:, : t // 2],
    "all but the last": lambda x, b, t, d: x[:, : t - 1],
    "from the right": lambda x, b, t, d: x[:, : 4 - t],
    "remainder": lambda x, b, t, d: x[:, : t % 2],
    "expanded": lambda x, b, t, d: x.expand(b, t, d),
    "zeros": lambda x, b, t, d: x + torch.zeros(t, d),
    "root": lambda x, b, t, d: x / d**0.5,
    "divided": lambda x, b, t, d: x / t,
    "times": lambda x, b, t, d: x * (d - 1),
    "positions": lambda x, b, t, d: x + torch.arange(t).unsqueeze(-1),
    "flat": lambda x, b, t, d: x.flatten(1),
    "interpolated": lambda x, b, t, d: F.interpolate(x, size=(d * 2)),
    "permuted": lambda x, b, t, d: x.view(b, t, d // 2, 2).permute(0, 2, 1, 3),
}


def program_of(form: Shaped) -> Callable[[Tensor], Tensor]:
    def program(x: Tensor) -> Tensor:
        b, t, d = x.shape
        return torch.softmax(form(x, b, t, d) / 8.0, -1) * 2.0 + 1.0

    return program


@pytest.mark.parametrize("form", FORMS)
def test_traced_programs_have_kernels(form: str) -> None:
    program = program_of(FORMS[form])
    traced = minits.trace(program, torch.rand(2, 3, 8))
    for shape in ((2, 3, 8), (3, 3, 6)):
        x = torch.rand(shape)
        for _ in range(3):
            torch.testing.assert_close(traced(x), program(x))
    assert str(traced.graph_for(torch.rand(2, 3, 8))).count("= prim::FusionGroup") == 1


def changed(text: str) -> str:
    graph = parse_graph(text)
    run_pipeline(graph, ("sizes-as-numbers", "dce"))
    return print_graph(graph)


WRITTEN = """graph(%x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %s : int = aten::size(%x, %zero)
  %t : Tensor = prim::NumToTensor(%s)
  {between}
  %n : int = aten::Int(%t)
  return ({result})
"""


@pytest.mark.parametrize(
    "between, result",
    (
        ("%u : Tensor = aten::neg_(%t)", "%n"),
        ("%u : Tensor = aten::alias(%t)", "%n"),
        ("%u : Tensor[] = prim::ListConstruct(%t)", "%n"),
    ),
)
def test_tensors_that_others_may_write_to_stay(between: str, result: str) -> None:
    assert "aten::Int" in changed(WRITTEN.format(between=between, result=result))


def test_divisions_by_what_may_be_zero_stay() -> None:
    text = WRITTEN.format(between="%u : Tensor = aten::floor_divide(%t, %t)", result="%n")
    assert "aten::Int" in changed(text.replace("aten::Int(%t)", "aten::Int(%u)"))


def test_halves_are_ints() -> None:
    between = "%two : int = prim::Constant[value=2]()\n  %u : Tensor = aten::floor_divide(%t, %two)"
    text = WRITTEN.format(between=between, result="%n").replace("aten::Int(%t)", "aten::Int(%u)")
    assert "aten::floordiv(%s, " in changed(text)
    assert "Tensor(" not in changed(text)


class Flat(nn.Module):
    """A program that asks for its batch."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(12, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x.view(x.size(0), 12))


def archived(module: Any, example: Tensor) -> Any:
    archive = io.BytesIO()
    torch.jit.save(torch.jit.trace(module, example), archive)
    archive.seek(0)
    return minits.load(archive)


MAKERS = {"archive": archived, "trace": minits.trace}


@pytest.mark.parametrize("make", MAKERS)
def test_traces_are_exported_for_any_batch(make: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINITS_BUILD", raising=False)  # so the first call is not planned otherwise
    original, example = Flat().eval(), torch.rand(2, 3, 4)
    made = MAKERS[make](original, example)
    dynamic = ({0: Dim("b", min=1, max=64)},)
    exported = torch.export.export(made, (example,), dynamic_shapes=dynamic)
    x = torch.rand(5, 3, 4)
    torch.testing.assert_close(exported.module()(x), original(x))
