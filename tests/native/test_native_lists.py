"""Every native operator of lists does to them, gives and raises what the operator table does."""

from __future__ import annotations

import itertools
import math
from copy import deepcopy
from typing import Any

import pytest

from minits.ir.graph import Graph
from minits.ir.parser import parse_graph
from minits.native.function import NativeFunction
from minits.native.list_operators import LIST_OPERATORS
from minits.ops.evaluate import evaluator_for
from minits.types import types as t
from tests.native.test_native_operators import as_told, schema
from tests.support.needs import need_compiler

need_compiler()

INTS = [0, 1, -1, 2, -2, 3, -4, 7, 2**62, -(2**63)]
FLOATS = [0.0, -0.0, 1.5, -2.0, math.inf, math.nan]
VALUES: dict[t.Type, list[Any]] = {
    t.INT: INTS,
    t.FLOAT: FLOATS,
    t.BOOL: [False, True],
    t.ListType(t.INT): [[], [3], [1, 2, 1, -7], [2, 2**63 - 1, 0, -1, 2, 1], [*range(9, 0, -1)]],
    t.ListType(t.FLOAT): [[], [1.5], [-0.0, 0.0, 1.5], [math.nan, math.inf, -2.0, 0.0]],
    t.ListType(t.BOOL): [[], [True], [False, True, True], [False, False]],
    t.ListType(t.ListType(t.INT)): [[], [[1]], [[1, 2], [], [3]]],
}
SMALL = [0, 1, -1, 3, -4, 40]
"""For what makes lists of a length."""
ELEMENTS = (t.INT, t.FLOAT, t.BOOL, t.ListType(t.INT))


def cases() -> list[tuple[str, tuple[t.Type, ...]]]:
    """Return each operator, and the types of its operands, for each type of an item."""
    found = []
    for key in LIST_OPERATORS:
        types = [argument.type for argument in schema(key).arguments]
        generic = any(isinstance(type, t.VarType) for type in types) or "t[]" in map(str, types)
        for element in ELEMENTS if generic else (t.INT,):
            bound = tuple(instance(type, element) for type in types)
            if (key, bound) not in found:
                found.append((key, bound))
    return found


def instance(type: t.Type, element: t.Type) -> t.Type:
    """Return a type of a schema, with the type of an item in the place of `t`."""
    if isinstance(type, t.ListType):
        return t.ListType(instance(type.element, element))
    if isinstance(type, t.OptionalType):
        return t.INT
    return element if isinstance(type, t.VarType) else type


def graph_of(key: str, types: tuple[t.Type, ...]) -> Graph:
    """Return a graph of the operator, which returns the lists that it is given, too."""
    graph = Graph()
    operands = [graph.add_input(f"x{i}", type) for i, type in enumerate(types)]
    element = next((each.element for each in types if isinstance(each, t.ListType)), t.INT)
    kind = key.partition(".")[0]
    returns = [instance(r.type, element) for r in schema(key).returns]
    node = graph.insert(graph.create(kind, operands, returns))
    given = [each for each in operands if isinstance(each.type, t.ListType)]
    results = [*node.outputs, *given]
    type = t.TupleType(tuple(value.type for value in results))
    together = graph.create("prim::TupleConstruct", results, [type])
    graph.block.add_output(graph.insert(together).output)
    return graph


def told(value: Any) -> Any:
    return [told(each) for each in value] if isinstance(value, list | tuple) else as_told(value)


@pytest.mark.one_in(9, over="")
@pytest.mark.usefixtures("mostly_cheap_builds")
@pytest.mark.parametrize(("key", "types"), cases(), ids=lambda each: str(each))
def test_operator(key: str, types: tuple[t.Type, ...]) -> None:
    native, operator = NativeFunction(graph_of(key, types), "one"), evaluator_for(schema(key))
    makes = any(isinstance(r.type, t.ListType) for r in schema(key).returns)
    values = [SMALL if makes and type == t.INT else VALUES[type] for type in types]
    for chosen in itertools.product(*values):
        arguments = [deepcopy(value) for value in chosen]  # no two are one list
        try:
            found = operator(*arguments)
        except RuntimeError as error:
            with pytest.raises(type(error)) as caught:
                native(*chosen)
            assert str(caught.value) == str(error)
            continue
        given = [each for each in arguments if isinstance(each, list)]
        results = [found] if schema(key).returns else []
        assert told(native(*deepcopy(chosen))) == told([*results, *given]), chosen


def test_a_result_that_has_a_name_is_the_list_that_has_none() -> None:
    graph = parse_graph("""graph(%xs : int[], %n : int):
  %true : bool = prim::Constant[value=1]()
  %0 : int[] = prim::Loop(%n, %true, %xs)
    block0(%i : int, %1 : int[]):
      %longer : int[] = aten::append(%1, %i)
      -> (%true, %xs)
  return (%0)
""")
    assert NativeFunction(graph, "f")([5], 2) == [5, 0, 1]
