"""Every native operator of numbers gives and raises what the operator table does, at all edges."""

from __future__ import annotations

import itertools
import math
import struct
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import minits.native
from minits.ir.constants import insert_constant
from minits.ir.graph import Graph
from minits.kernels.cpu.c_paragraphs import defined_in, paragraphs
from minits.native.function import NativeFunction
from minits.native.scalar_operators import SCALAR_OPERATORS
from minits.ops.evaluate import evaluator_for
from minits.ops.registry import schemas_for
from minits.ops.schema import Schema
from minits.types import types as t
from tests.support.agreement import has_both_nan
from tests.support.needs import need_compiler

need_compiler()

EDGES: dict[t.Type, list[Any]] = {
    t.INT: [
        0, 1, -1, 2, -2, 3, -7, 20, 21, 63, 64, 65, -64, 2**31, -(2**31), 2**32 + 1, 2**53 + 1,
        2**62, 2**62 + 1, -(2**62) - 1, 2**63 - 1, -(2**63), -(2**63) + 1,
    ],
    t.FLOAT: [
        0.0, -0.0, 1.0, -1.0, 0.1, 0.5, -0.5, 1.5, 2.5, 3.7, -3.7, 20.0, -710.0, 709.9, 5e-324,
        1e-300, 1e300, -1e300, 2.0**31, 2.0**53, 2.0**63, -(2.0**63), 1e19, math.inf, -math.inf,
        math.nan, -math.nan,
    ],
    t.BOOL: [False, True],
}  # fmt: skip


def schema(key: str) -> Schema:
    name, _, overload = key.partition(".")
    return next(each for each in schemas_for(name) if each.overload == overload)


def operand_types(key: str) -> tuple[t.Type, ...]:
    """Return the types of the operands; a Scalar is a float, or an int behind one."""
    numbers = iter((t.FLOAT, t.INT))
    types = [argument.type for argument in schema(key).arguments]
    return tuple(next(numbers) if type == t.NUMBER else type for type in types)


def graph_of(keys: list[str], types: tuple[t.Type, ...]) -> Graph:
    """Return a graph of all these operators on the same operands."""
    graph = Graph()
    operands = [graph.add_input(f"x{i}", type) for i, type in enumerate(types)]
    results = []
    for key in keys:
        returns = [t.FLOAT if r.type == t.NUMBER else r.type for r in schema(key).returns]
        node = graph.create(key.partition(".")[0], operands, returns)
        results += graph.insert(node).outputs
    together = graph.create(
        "prim::TupleConstruct", results, [t.TupleType(tuple(v.type for v in results))]
    )
    graph.block.add_output(graph.insert(together).output)
    return graph


def by_types(raises: bool) -> list[tuple[tuple[t.Type, ...], list[str]]]:
    found = defaultdict(list)
    for key, row in SCALAR_OPERATORS.items():
        if (row.raises is not None) == raises:
            found[operand_types(key)].append(key)
    return list(found.items())


def spread(key: str, result: Any) -> list[Any]:
    return list(result) if len(SCALAR_OPERATORS[key].results) > 1 else [result]


def operands_of(types: tuple[t.Type, ...]) -> Iterator[tuple[Any, ...]]:
    """Return combinations of edge values whose result is the same with every compiler."""
    combinations = itertools.product(*(EDGES[type] for type in types))
    return itertools.filterfalse(has_both_nan, combinations)


def as_told(value: Any) -> Any:
    """Return a value in a form that tells -0.0 from 0.0 and 1 from True, and that NaN of one sign
    equals."""
    if isinstance(value, float):
        number = math.copysign(math.nan, value) if math.isnan(value) else value
        return "float", struct.pack("d", number)
    return type(value).__name__, value


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("types", "keys"), by_types(raises=False), ids=lambda each: str(each[0]) if each else "()"
)
def test_results(types: tuple[t.Type, ...], keys: list[str]) -> None:
    native = NativeFunction(graph_of(keys, types), "all")
    expected = {key: evaluator_for(schema(key)) for key in keys}
    for values in operands_of(types):
        found = iter(native(*values))
        for key in keys:
            for each in spread(key, expected[key](*values)):
                assert as_told(next(found)) == as_told(each), (key, values)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("key", [key for _, keys in by_types(raises=True) for key in keys])
def test_results_and_errors(key: str) -> None:
    types = operand_types(key)
    native, expected = NativeFunction(graph_of([key], types), "one"), evaluator_for(schema(key))
    errors = 0
    for values in operands_of(types):
        if key == "aten::factorial.int" and values[0] > 100:
            continue  # Python goes on to multiply 0
        try:
            wanted = [as_told(each) for each in spread(key, expected(*values))]
        except RuntimeError as error:
            errors += 1
            with pytest.raises(type(error)) as caught:
                native(*values)
            assert str(caught.value) == str(error)
        else:
            assert [as_told(each) for each in native(*values)] == wanted, values
    assert errors


@pytest.mark.parametrize("kind", ["aten::floordiv", "aten::remainder"])
def test_divisors_that_the_compiler_knows(kind: str) -> None:
    """By a power of two it shifts."""
    divisors = [number for number in (*EDGES[t.INT], 4, -8, 10, 1024) if number]
    graph = Graph()
    operand = graph.add_input("x", t.INT)
    results = [
        graph.insert(graph.create(kind, [operand, insert_constant(graph, number)], [t.INT])).output
        for number in divisors
    ]
    type = t.TupleType((t.INT,) * len(results))
    together = graph.insert(graph.create("prim::TupleConstruct", results, [type]))
    graph.block.add_output(together.output)
    native, operator = NativeFunction(graph, "divided"), evaluator_for(schema(f"{kind}.int"))
    for number in EDGES[t.INT]:
        expected = tuple([operator(number, divisor) for divisor in divisors])
        assert native(number) == expected


def test_each_helper_in_c_has_a_name_of_its_own() -> None:
    folder = Path(minits.native.__file__).parent / "c"
    found = [defined_in(text) for _, text in paragraphs(folder)]
    names = [name for name in found if name is not None]  # a comment may be alone
    assert [name for name in names if names.count(name) > 1] == []
