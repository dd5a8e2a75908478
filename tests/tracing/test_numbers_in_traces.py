"""Numbers of programs that were traced: tensors in graphs, which widen the dtype of no other."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.ir.graph import Graph
from minits.ir.parser import parse_graph
from minits.ir.printer import print_graph
from minits.passes.constant_pooling import pool_equal_constants
from minits.passes.pipeline import run_pipeline
from minits.types.wrapped_number import wrapped_number

PROGRAMS: dict[str, Callable[[Tensor], Any]] = {
    "one": lambda x: x * 2.5,
    "image": lambda x: x / 255 - 0.5,
    "reflected": lambda x: 2.5 * x + 1,
    "of sums": lambda x: x.sum() * 0.5 + 1e-3,
    "complex": lambda x: x * 2j,
    "power": lambda x: 10000 ** (x / 8.0),
    "in place": lambda x: x.clone().mul_(3).add_(1),
    "size": lambda x: x.size(-1) * 1.5 * x if x.dim() else x,
    "chosen": lambda x: torch.where(x > 1, x * 1.5, 2.5),
}
DTYPES = (torch.int64, torch.uint8, torch.float16, torch.float32, torch.float64)


@pytest.mark.one_in(15, over="")
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", PROGRAMS)
def test_dtypes_are_those_of_torch(name: str, dtype: torch.dtype) -> None:
    program = PROGRAMS[name]
    for x in (torch.arange(6).to(dtype), torch.tensor(3, dtype=dtype)):
        if name == "complex" and dtype == torch.float16:
            continue  # torch warns that complex numbers of halves are experimental
        expected = torch.jit.trace(program, x, check_trace=False)
        saved = io.BytesIO()
        torch.jit.save(expected, saved)
        saved.seek(0)
        found = {
            "traced": minits.trace(program, x),
            "loaded": minits.load(saved),
            "taken over": minits.script(expected),
        }
        for way, function in found.items():
            for _ in range(3):  # plans run the later calls
                result, of_torch = function(x), expected(x)
                assert result.dtype == of_torch.dtype, way
                wide = (each.to(torch.complex128) for each in (result, of_torch))
                torch.testing.assert_close(*wide, rtol=1e-3, atol=1e-3, msg=way)


def test_a_tensor_that_is_captured_is_one_until_it_is_saved() -> None:
    x, wide = torch.arange(3.0), torch.tensor(2.5, dtype=torch.float64)
    zero_dimensional = torch.tensor(1.0)
    expected = torch.jit.trace(lambda a: a * wide, zero_dimensional)
    traced = minits.trace(lambda a: a * wide, zero_dimensional)
    for _ in range(3):
        assert traced(x).dtype == torch.float32
        assert traced(zero_dimensional).dtype == torch.float64
    saved = io.BytesIO()
    minits.save(traced, saved)
    saved.seek(0)
    loaded = minits.load(saved)
    for _ in range(3):  # an archive does not tell numbers and such tensors apart
        assert loaded(zero_dimensional).dtype == expected(zero_dimensional).dtype == torch.float32


# ---- The pass ------------------------------------------------------------------------------------


def graph_of(kind: str, *constants: Tensor) -> Graph:
    """Return a graph in which an operator gets the input and a constant, once for each."""
    lines = ["graph(%x : Tensor):"]
    for n in range(len(constants)):
        lines += [
            f"  %c{n} : Tensor = prim::Constant[value={{1}}]()",
            f"  %y{n} : Tensor = {kind}(%x, %c{n})",
        ]
    results = ", ".join(f"%y{n}" for n in range(len(constants)))
    graph = parse_graph("\n".join([*lines, f"  return ({results})"]))
    made = [node for node in graph.all_nodes() if node.kind == "prim::Constant"]
    for node, constant in zip(made, constants, strict=True):
        node.set_attr("value", "t", constant)
    return graph


@pytest.mark.parametrize("number", [2, 2.5, 2j])
def test_operators_get_numbers(number: complex) -> None:
    graph = graph_of("aten::div", wrapped_number(number))
    assert run_pipeline(graph, ["unwrap-numbers", "dce"])
    (constant,) = graph.nodes_of_kind("prim::Constant")
    assert constant["value"] == number and type(constant["value"]) is type(number)


def test_operators_of_tensors_alone_keep_them() -> None:
    graph = graph_of("aten::maximum", wrapped_number(2.5))
    before = print_graph(graph)
    assert not run_pipeline(graph, ["unwrap-numbers"])
    assert print_graph(graph) == before


def test_tensors_stay() -> None:
    graph = graph_of("aten::mul", torch.tensor(2.5, dtype=torch.float64))
    assert not run_pipeline(graph, ["unwrap-numbers"])


def test_numbers_are_not_pooled_with_tensors() -> None:
    number, tensor = wrapped_number(2.5), torch.tensor(2.5, dtype=torch.float64)
    graph = graph_of("aten::maximum", number, tensor, number, tensor.clone())
    pool_equal_constants(graph)
    assert len(list(graph.nodes_of_kind("prim::Constant"))) == 2
