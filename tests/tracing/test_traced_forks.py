"""Forks within traces: the graphs are those of torch.jit, and nothing gets out of a fork."""

from __future__ import annotations

import io
import warnings

import pytest
import torch
from torch import nn

import minits
from conformance.canonical import number_values, strip_ranges
from minits.ir.printer import print_graph

X = torch.linspace(-1, 1, 6).view(2, 3)


def text(graph) -> str:
    printed = graph if isinstance(graph, str) else print_graph(graph, ranges=False)
    return number_values(strip_ranges(printed)).replace("\n", " ").strip()


def test_the_fork_of_minits_is_torchs():
    def program(jit):
        def traced(x):
            first = jit.fork(lambda y, by=2.0: y * by, x, by=3.0)
            return jit.wait(first) + x

        return traced

    ours = minits.trace(program(minits), (X,))
    torchs = torch.jit.trace(program(torch.jit), (X,))
    assert text(ours.graph) == text(str(torchs.graph))
    assert torch.equal(ours(X + 1), (X + 1) * 3 + X + 1)


def test_a_forked_call_that_raises_leaves_no_fork():
    def fails(x):
        y = x.exp()
        raise ValueError(str(y.dim()))

    def program(x):
        try:
            minits.fork(fails, x)
        except ValueError as why:
            return x + int(str(why))
        return x

    graph = text(minits.trace(program, (X,), check_trace=False).graph)
    assert "fork" not in graph
    assert "aten::exp" not in graph
    assert "aten::add" in graph


def test_a_future_cannot_be_waited_for_outside_of_the_call_that_made_it():
    kept = []

    def inner(x):
        kept.append(minits.fork(torch.exp, x))
        return x * 2

    def program(x):
        return minits.fork(inner, x).wait() + kept[-1].wait()

    with pytest.raises(minits.CompileError, match="TS829"):
        minits.trace(program, (X,))


def test_a_future_outlives_the_trace():
    kept = []

    def program(x):
        kept.append(minits.fork(torch.exp, x))
        return kept[-1].wait()

    traced = minits.trace(program, (X,), check_trace=False)
    assert torch.equal(kept[0].wait(), X.exp())
    assert torch.equal(torch.jit.wait(kept[0]), X.exp())
    assert torch.equal(traced(X * 2), (X * 2).exp())


def test_what_is_returned_but_hidden_from_the_future_is_an_error():
    hidden = []

    def body(x):
        hidden.append(x.exp())
        return x

    def program(x):
        minits.fork(body, x).wait()
        return hidden[-1]

    with pytest.raises(minits.CompileError, match="TS822"):
        minits.trace(program, (X,))


def test_what_differs_within_a_fork_is_found_out():
    calls = []

    def body(x):
        calls.append(x)
        return x.sin() if len(calls) == 1 else x.cos()

    with pytest.raises(minits.CompileError, match="TS827"):
        minits.trace(lambda x: minits.fork(body, x).wait(), (X,))


def test_a_constant_that_differs_within_a_fork_is_found_out():
    constants = [torch.ones(3), torch.zeros(3)]

    def program(x):
        return minits.fork(lambda y: y + constants.pop(), x).wait()

    with pytest.raises(minits.CompileError, match="TS828"):
        minits.trace(program, (X,))


class Forking(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.scale = nn.Parameter(torch.rand(3))

    def forward(self, x):
        first = minits.fork(self.linear, x)
        second = minits.fork(lambda y: self.linear(y) * self.scale, x)
        return first.wait() + second.wait()


def test_a_traced_module_with_forks_is_saved_for_torch():
    module, file = Forking(), io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        minits.save(minits.trace(module, (X,)), file)
    for load in (torch.jit.load, minits.load):
        file.seek(0)
        assert torch.allclose(load(file)(X * 3), module(X * 3))


def test_gradients_go_through_forks_of_a_trace():
    module = Forking()
    traced = minits.trace(module, (X,))
    torch.manual_seed(0)
    for each in (module, traced):
        each(X).sum().backward()
    assert torch.allclose(module.scale.grad, 2 * (module.linear(X)).sum(0))
