"""Libraries whose functions call each other: each is there once, and does what it did apart."""

from __future__ import annotations

import re
import traceback
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.codegen.script_traceback import class_name_of, message_of
from minits.kernels.cpu.c_compiler import without_comments
from minits.native_build.building import build_model
from minits.native_build.loading import NativeModel
from minits.native_build.model_text import model_text
from minits.native_build.programs import exported
from minits.native_build.state import state_of
from minits.runtime.interpreter import run
from tests.native.test_random_calls_as_c import CallMaker
from tests.native.test_random_programs_as_c import ARGUMENTS
from tests.support.agreement import agree, comparable
from tests.support.native_libraries import compiled_with, library, output_of
from tests.support.needs import need_compiler

need_compiler()
INLINED = "minits.native_build.model_text.outline_calls"


def nothing(*given: Any) -> None:
    """Leave all calls inlined."""


def text_of(*functions: Any) -> str:
    """Return the C of a library of functions, without its comments."""
    compiled = [minits.script(each) for each in functions]
    found = [each for f in compiled for each in exported(f, getattr(f, "__name__", "model"))]
    return without_comments(model_text(state_of(found), "model"))


def model_of(*compiled: Any) -> NativeModel:
    return build_model([each for f in compiled for each in exported(f, f.name)])


def count(text: str, name: str) -> int:
    """Return how often a function is called."""
    named = re.findall(rf'(?<!")\b{name}\(', text)
    return len(named) - 1  # in its definition


def outcome(function: Any, arguments: tuple[Any, ...]) -> Any:
    """Return the result, or the class, the message and the line of the error."""
    try:
        return (comparable(function(*deepcopy(arguments))),)
    except RuntimeError as error:
        line = traceback.extract_tb(error.__traceback__)[-1].lineno
        return class_name_of(error), message_of(error), line


def middle(values: list[int], low: int, high: int) -> int:
    if not values:
        raise ValueError(f"none of {low} to {high}")
    found = values[len(values) // 2]
    for value in values:
        if low <= value < high and abs(value - found) < 3:
            found = value
    return found + values[low]


def middles(values: list[int], n: int = 2) -> list[int]:
    found = [middle(values, 0, n)]
    for i in range(n):
        found.append(middle(values, i, 10 * n))
        values = values[1:]
    return found


def both(values: list[int], others: list[int], n: int) -> tuple[list[int], int]:
    first = middles(values, n)
    return middles(others, n + 1) + first, middle(first, -1, 2)


def test_functions_are_called_by_callers_and_by_each_other(monkeypatch: Any) -> None:
    text = text_of(both, middles, middle)
    assert [count(text, each) for each in ("middle", "middles")] == [3, 3]
    compiled = [minits.script(each) for each in (both, middles, middle)]
    model = model_of(*compiled)
    monkeypatch.setattr(INLINED, nothing)
    apart = model_of(*compiled)
    lists: list[list[int]] = [[1], [5, 2, 9, 4], [], [-3, 8], [4, 4, 4]]
    calls: list[tuple[str, tuple[Any, ...]]] = [
        *(("both", (values, others, 2)) for values in lists for others in lists),
        *(("middles", (values, n)) for values in lists for n in range(4)),
        *(("middle", (values, n, 7)) for values in lists for n in (-4, 0, 1)),
    ]
    graphs = {each.name: each.graph_after(["optimize"]) for each in compiled}
    errors = 0
    for name, arguments in calls:
        found = outcome(getattr(model, name), arguments)
        assert found == outcome(getattr(apart, name), arguments)
        expected = outcome(lambda *values, graph=graphs[name]: run(graph, *values), arguments)
        assert found[:2] == expected[:2]
        errors += len(found) > 1
    assert 10 < errors < len(calls) - 10


class Block(nn.Module):
    count: int

    def __init__(self, size: int, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.count = 0
        self.first, self.second = nn.Linear(size, 2 * size), nn.Linear(2 * size, size)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        y = torch.tanh(self.first(x))
        if self.kind == "scaled":
            y = y * 0.5
        x = x + self.second(y)
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        if x.dim() > 2:
            raise ValueError(f"{x.dim()} dimensions")
        return x / (x.abs().sum() + 1)


class Blocks(nn.Module):
    def __init__(self, kinds: tuple[str, ...]) -> None:
        super().__init__()
        self.blocks = nn.ModuleList([Block(3, kind) for kind in kinds])

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        for block in self.blocks:
            x = block(x, mask)
        return x


@pytest.mark.slow
def test_equal_blocks_of_a_model_are_one_function(monkeypatch: Any) -> None:
    torch.manual_seed(0)
    module = Blocks(6 * ("plain",)).eval()
    assert count(text_of(module), "forward_1") == 6
    assert count(text_of(Blocks(("plain", "scaled", "plain", "scaled"))), "forward_2") == 2
    model, graph = library(module), minits.script(module).inlined_graph
    monkeypatch.setattr(INLINED, nothing)
    apart = library(module)
    for x in (torch.randn(4, 3), torch.randn(2, 2), torch.randn(1, 2, 3)):
        for mask in (None, x > 0.5, torch.ones(5, 7) > 0):
            found = outcome(model, (x, mask))
            assert found == outcome(apart, (x, mask))
            if len(found) == 1:
                assert agree(found, (comparable(module(x, mask)),), graph)


class Steps(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.names = ["start"]

    def step(self, name: str, by: int) -> int:
        self.count += by
        if name in self.names:
            raise KeyError(f"{name} again: {', '.join(self.names)}")
        self.names.append(name)
        return self.count * len(self.names) + by

    def forward(self, n: int) -> int:
        found = self.step("first", n)
        for i in range(n):
            found -= self.step(f"{i} of {n}", found)
        return found + self.step(f"last {n}", 2)


def test_methods_that_set_attributes_are_called() -> None:
    assert count(text_of(Steps()), "step") == 4
    module = Steps()
    model = library(Steps())
    for method, arguments in (
        ("forward", (2,)), ("step", ("a", 3)), ("forward", (0,)), ("step", ("a", 1)),
        ("step", ("b", 1)),
    ):  # fmt: skip
        found = outcome(getattr(model, method), arguments)
        try:
            assert found == (("int", getattr(module, method)(*arguments)),)
        except KeyError as error:
            assert found[:2] == ("KeyError", error.args[0])


MAIN = """
#include "model.h"
#include <stdio.h>
int main(void)
{
    mts_model *model;
    mts_error error;
    mts_any result, items[3], given[2];
    if (model_create(0, &model, &error)) return 1;
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 3; k++) items[k] = mts_from_int((i * 7 + k * k) % 5 - 1);
        given[0] = mts_from_items(MTS_LIST, i % 4, items);
        given[1] = mts_from_int(i % 3);
        if (model_call(model, "middles", given, 2, &result, &error)) {
            printf("%s %s %d\\n", error.type, error.message, error.line);
            model_clear_error(&error);
        } else {
            printf("%ld\\n", (long)result.length);
            model_clear(&result);
        }
    }
    model_destroy(model);
}
"""


def test_sanitizers_find_nothing(tmp_path: Path, monkeypatch: Any) -> None:
    flags = ("-fsanitize=address,undefined", "-Wall")
    found = output_of(compiled_with(middles, MAIN, tmp_path / "calls", *flags))
    assert "ValueError none of 0 to 1" in found
    monkeypatch.setattr(INLINED, nothing)
    assert found == output_of(compiled_with(middles, MAIN, tmp_path / "inlined", *flags))


@pytest.mark.one_in(8)
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize("seed", range(2000, 2012))
def test_random_programs_agree(seed: int, monkeypatch: Any) -> None:
    source = CallMaker(seed).source()
    try:
        unit = minits.CompilationUnit(source)
        compiled = [unit.h0, unit.h1, unit.f]
    except minits.CompileError:
        pytest.skip("the program is at fault")
    model = model_of(*compiled)
    monkeypatch.setattr(INLINED, nothing)
    apart = model_of(*compiled)
    for function in compiled:
        graph = function.graph_after(["optimize"])
        for arguments in ARGUMENTS:
            found = outcome(getattr(model, function.name), arguments)
            assert found == outcome(getattr(apart, function.name), arguments), source
            expected = outcome(lambda *values, graph=graph: run(graph, *values), arguments)
            assert found[:2] == expected[:2] or found[1].endswith(" failed"), source
