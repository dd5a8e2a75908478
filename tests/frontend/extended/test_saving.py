"""What the extended dialect compiles means statements of the torch dialect: torch.jit reads it."""

from __future__ import annotations

import io
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from tests.support.agreement import agree, comparable


class Base(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0]))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.weight


class Derived(Base):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) + 1


class Stack(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Derived(), nn.ReLU()])
        self.named = nn.ModuleDict({"tanh": nn.Tanh()})

    def scaled(self, x: Tensor, *shifts, scale: float = 2.0, **options) -> Tensor:
        for shift in shifts:
            x = x + shift
        return x * scale * options["factor"] if "factor" in options else x

    def forward(self, x: Tensor, name: str) -> Tensor:
        for i in range(len(self.layers)):
            x = self.layers[i](x)
        x = self.scaled(x) + self.scaled(x, 1, x, factor=3) + self.scaled(x, scale=1.5)
        return self.named[name](x)


def described(n: int, sep: str = "-", *, last: str = ".", **names) -> str:
    text = str(n)
    for name, value in names.items():
        text = text + sep + name + str(value)
    return text + last


def calls(words: list[str]):
    lengths = {word: len(word) for word in words if word != ""}
    groups = {}
    for word in words:
        if len(word) not in groups:
            groups[len(word)] = []
        groups[len(word)].append(word)
    return lengths, groups, described(1), described(2, a=3, b="x"), described(4, last="!")


PROGRAMS = [
    (Derived(), (torch.ones(2),)),
    (Stack(), (torch.ones(2), "tanh")),
    (calls, (["a", "bb", "", "c"],)),
]


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS)
def test_an_archive_is_read_by_torch_and_by_minits(program: Any, arguments: Any) -> None:
    compiled = minits.script(program, dialect="extended")
    archive = io.BytesIO()
    minits.save(compiled, archive)
    expected = comparable(program(*arguments))
    for load in (torch.jit.load, minits.load):
        archive.seek(0)
        found = comparable(load(archive)(*arguments))
        assert agree(found, expected, compiled.inlined_graph)


def rounded(x: float) -> str:
    return f"{x:.2f}"


def test_a_format_is_a_call_of_python_and_is_not_saved() -> None:
    with pytest.raises(minits.SaveError, match="format"):
        minits.save(minits.script(rounded, dialect="extended"), io.BytesIO())
