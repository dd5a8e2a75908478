"""Each tensor goes at its last use: in generated Python, in the interpreter, on exceptions."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.codegen.python import compile_graph, python_source
from minits.passes.preoptimize import inlined
from minits.runtime import interpreter
from tests.support.life_of_tensors import kept_too_long


def straight(x: Tensor) -> Tensor:
    a = x.exp()
    b = a.sin()
    c = b.cos()
    return c.neg().exp()


def nested(x: Tensor) -> Tensor:
    a = x.exp()
    return torch.sin(torch.cos(torch.mm(a, torch.neg(a)))) * torch.cat([x.neg(), x.cos()], 0).sum()


def views(x: Tensor) -> Tensor:
    a = x.exp()
    b = a.t().unsqueeze(0).select(0, 1 - 1).mm(x).sin()
    c, d = b.neg().chunk(2, 1)
    e = torch.cat([c, d], 1).mm(x)
    return e.view(-1).view(2, 8).exp().sin()


def several_results(x: Tensor) -> Tensor:
    values, _ = x.exp().sort()
    _, places = values.sin().max(1)
    return places.neg().to(torch.float32).exp()


def branches(x: Tensor, flag: bool) -> Tensor:
    a = x.exp()
    b = x.sin()
    if flag:
        c = a.neg().cos()
        d = c + b
    else:
        d = b.cos().neg()
        d = d.exp()
    if x.size(0) > 9:
        raise ValueError(f"{a.size(0)} rows")
    return d.sin().neg()


def early(x: Tensor, flag: bool) -> Tensor:
    a = x.exp()
    b = x.sin()
    if flag:
        return a.neg().cos()
    c = b.cos().neg()
    return c.exp()


def loops(x: Tensor, n: int) -> Tensor:
    scale = x.exp()
    y = x.sin()
    for i in range(n):
        t = y.neg()
        u = t.cos() * scale
        y = u.exp().sin()
        for _ in range(2):
            y = y.neg().mul(scale)
    return y.neg().cos()


def conditions(x: Tensor, n: int) -> Tensor:
    last = x.exp()
    now = x.sin()
    i = 0
    while i < n and bool(now.sum() > -1000):
        last, now = now, last.neg() + now
        if i == 2:
            break
        i += 1
    return last.cos().neg()


def lists(x: Tensor, n: int) -> Tensor:
    kept: list[Tensor] = []
    for i in range(n):
        kept.append(x.exp() * i)
    total = x.neg()
    for each in kept:
        total = total + each.sin()
    pairs = {"a": total.neg(), "b": total}
    b = pairs["b"].sin()
    pairs.clear()
    return b.cos().neg()


def optional(x: Tensor, y: Tensor | None) -> Tensor:
    a = x.exp()
    if y is not None:
        a = a + y.sin()
    b = a.neg().sin()
    return b.cos().exp()


def changed_parameter(x: Tensor, flag: bool) -> Tensor:
    if flag:
        x = x.exp()
    y = x.sin()
    return y.cos().neg().exp()


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...], str, str]] = [
    (straight, (), "", ""),
    (nested, (), "", ""),
    (views, (), "", ""),
    (several_results, (), "", ""),
    (branches, (True,), "0", ""),
    (branches, (False,), "0", "1"),
    (early, (True,), "", "01"),
    (early, (False,), "0", "1"),
    (loops, (3,), "", ""),
    (loops, (0,), "0", ""),
    (conditions, (0,), "", ""),
    (conditions, (1,), "", ""),
    (conditions, (5,), "", ""),
    (lists, (3,), "135", ""),
    (optional, (torch.ones(4, 4),), "", ""),
    (optional, (None,), "", ""),
    (changed_parameter, (True,), "", ""),
    (changed_parameter, (False,), "", ""),
]
"""Programs, their arguments, and the results that live on: those that a path which is not taken
would read, or a list has; and those that the interpreter keeps until the end of an `if`, too."""


@pytest.mark.parametrize(("function", "arguments", "kept", "interpreted"), PROGRAMS)
@pytest.mark.parametrize("way", ["generated", "interpreted"])
def test_no_tensor_lives_past_its_last_use(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    kept: str,
    interpreted: str,
    way: str,
) -> None:
    graph = minits.script(function).graph
    x = torch.linspace(0, 1, 16).view(4, 4)
    run = compile_graph(graph)
    if way == "interpreted":
        run = lambda *values: interpreter.run(graph, *values)  # noqa: E731
        kept += interpreted
    found = {line.split()[1] for line in kept_too_long(run, x, *arguments)}
    assert found == set(kept)
    torch.testing.assert_close(run(x, *arguments), function(x, *arguments))


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: Tensor) -> Tensor:
        x = self.linear(x).sin()
        return x.cos().neg()


class Stack(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Layer(), Layer(), Layer()])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = x + layer(layer(x).exp())
        return x


def test_frames_of_inlined_modules_keep_nothing() -> None:
    module = minits.script(Stack())
    run = compile_graph(inlined(module.graph))
    assert kept_too_long(run, module, torch.randn(3, 4)) == []


def test_called_functions_delete_their_parameters() -> None:
    def inner(x: Tensor) -> Tensor:
        y = x.sin()
        return y.neg().cos()

    def outer(x: Tensor) -> Tensor:
        return inner(x.exp()).neg()

    graph = minits.script(outer).graph
    assert "inner" in python_source(graph)
    assert kept_too_long(compile_graph(graph), torch.randn(3, 4)) == []


@pytest.mark.parametrize("way", ["generated", "interpreted"])
def test_an_exception_keeps_no_tensor_that_was_dead(way: str) -> None:
    seen: list[weakref.ref[Tensor]] = []

    @minits.ignore
    def note(x: Tensor) -> None:
        seen.append(weakref.ref(x))

    def program(x: Tensor) -> Tensor:
        a = x.exp()
        note(a)
        b = a.sin()
        note(b)
        return b.cos().view(99)

    graph = minits.script(program).graph
    run = compile_graph(graph)
    if way == "interpreted":
        run = lambda *values: interpreter.run(graph, *values)  # noqa: E731
    with pytest.raises(RuntimeError, match="invalid for input") as caught:
        run(torch.randn(3, 4))
    gc.collect()
    assert [ref() is None for ref in seen] == [True, True]
    del caught


def test_variables_of_modules_attributes_are_left_alone() -> None:
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(3))

        def forward(self, x: Tensor) -> Tensor:
            weight = self.weight
            return x * weight + weight

    text = python_source(minits.script(Twice()).graph)
    assert "del weight" not in text
    assert "del x" not in text
