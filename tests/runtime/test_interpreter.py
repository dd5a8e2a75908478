"""The reference interpreter on graphs of our own text; programs are in tests/codegen."""

from __future__ import annotations

import pytest
import torch

from minits.ir.graph import Graph
from minits.ir.parser import parse_graph
from minits.ops.errors import ScriptError, ScriptIndexError
from minits.runtime.interpreter import run
from minits.types import types as t

LOOP = """
graph(%n : int, %xs : int[]):
  %true : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %end : int = prim::Constant[value=9223372036854775807]()
  %sum : int, %count : int = prim::Loop(%end, %true, %zero, %zero)
    block0(%i : int, %s : int, %c : int):
      %x : int = aten::__getitem__(%xs, %i)
      %t : int = aten::add(%s, %x)
      %more : bool = aten::lt(%t, %n)
      -> (%more, %t, %i)
  return (%sum, %count)
"""
BRANCH = """
graph(%x : Tensor, %flag : bool):
  %one : int = prim::Constant[value=1]()
  %y : Tensor = prim::If(%flag)
    block0():
      %a : Tensor = aten::add(%x, %x, %one)
      -> (%a)
    block1():
      -> (%x)
  return (%y)
"""


def test_a_loop_runs_until_its_condition_is_false() -> None:
    assert run(parse_graph(LOOP), 6, [1, 2, 3, 4]) == (6, 2)


def test_a_loop_that_never_runs_returns_what_it_started_with() -> None:
    graph = parse_graph(LOOP.replace("value=9223372036854775807", "value=0"))
    assert run(graph, 6, []) == (0, 0)


def test_an_index_out_of_range_is_a_script_error() -> None:
    with pytest.raises(ScriptIndexError, match=r"^list index out of range$"):
        run(parse_graph(LOOP), 60, [1, 2])


def test_one_branch_is_run() -> None:
    x = torch.ones(2)
    assert run(parse_graph(BRANCH), x, True).tolist() == [2.0, 2.0]
    assert run(parse_graph(BRANCH), x, False) is x


def test_the_number_of_inputs_is_checked() -> None:
    with pytest.raises(TypeError, match="takes 2 inputs, 1 were given"):
        run(parse_graph(LOOP), 1)


class _Function:
    def __init__(self, graph: Graph) -> None:
        self.graph, self.name = graph, "callee"


def _calling(kind: str, callee: t.Type) -> Graph:
    graph = Graph()
    first = graph.add_input("x", t.TENSOR if kind == "prim::CallFunction" else callee)
    flag = graph.add_input("flag", t.BOOL)
    if kind == "prim::CallFunction":
        inputs = [graph.emit("prim::Constant", [], [callee]).output, first, flag]
    else:
        inputs = [first, flag]
    node = graph.emit(kind, inputs, [t.TENSOR]).set_attr("name", "s", "forward")
    graph.block.add_output(node.output)
    return graph


def test_a_function_constant_is_called() -> None:
    graph = _calling("prim::CallFunction", t.FunctionType(_Function(parse_graph(BRANCH))))
    assert run(graph, torch.ones(1), True).item() == 2


def test_a_method_is_found_by_the_type_of_its_object() -> None:
    method = parse_graph("graph(%self : int, %flag : bool):\n  return (%flag)\n")
    type = t.ClassType("__torch__.C", methods={"forward": _Function(method)})
    assert run(_calling("prim::CallMethod", type), object(), True) is True


def test_a_node_that_is_no_operator_is_told() -> None:
    graph = parse_graph("graph(%a : int):\n  %b : int = aten::add(%a)\n  return (%b)\n")
    with pytest.raises(LookupError, match=r"no operator aten::add\(int\)"):
        run(graph, 1)


def test_a_raise_is_a_script_error() -> None:
    text = (
        "graph():\n"
        '  %m : str = prim::Constant[value="stop"]()\n'
        "  %n : NoneType = prim::Constant()\n"
        "   = prim::RaiseException(%m, %n)\n"
        "  return (%n)\n"
    )
    with pytest.raises(ScriptError, match=r"^stop$"):
        run(parse_graph(text))
