"""The verifier, on graphs that are broken on purpose, one way each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from minits.ir.graph import Graph, Node
from minits.ir.parser import parse_graph
from minits.ir.verifier import InvalidIR, verify
from minits.types import types as t

TEXT = """graph(%x : int, %c : bool, %n : int):
  %y : int = aten::neg(%x)
  %z : int = prim::If(%c)
    block0():
      %a : int = aten::add(%x, %y)
      -> (%a)
    block1():
      -> (%y)
  %l : int = prim::Loop(%n, %c, %z)
    block0(%i : int, %p : int):
      %q : int = aten::mul(%p, %i)
      -> (%c, %q)
  return (%l)
"""


def find(graph: Graph, kind: str) -> Node:
    return next(node for node in graph.all_nodes() if node.kind == kind)


def use_before_definition(graph: Graph) -> None:
    find(graph, "aten::neg").set_input(0, find(graph, "prim::If").output)


def use_outside_of_block(graph: Graph) -> None:
    find(graph, "prim::Loop").set_input(2, find(graph, "aten::add").output)


def use_of_the_other_branch(graph: Graph) -> None:
    find(graph, "prim::If").blocks[1].end.set_input(0, find(graph, "aten::add").output)


def forgotten_use(graph: Graph) -> None:
    find(graph, "aten::neg").output.uses.pop()


def invented_use(graph: Graph) -> None:
    output = find(graph, "aten::add").output
    output.uses.append(output.uses[0]._replace(offset=7))


def stolen_value(graph: Graph) -> None:
    find(graph, "aten::neg").output.node = find(graph, "aten::add")


def condition_is_an_int(graph: Graph) -> None:
    find(graph, "prim::If").set_input(0, graph.inputs[0])


def missing_block(graph: Graph) -> None:
    find(graph, "prim::If").remove_block(1)


def missing_output(graph: Graph) -> None:
    find(graph, "prim::If").blocks[1].end.remove_all_inputs()


def output_of_another_type(graph: Graph) -> None:
    find(graph, "prim::If").output.type = t.STR


def loop_starts_with_bools(graph: Graph) -> None:
    find(graph, "prim::Loop").set_input(0, graph.inputs[1])


def body_goes_on_by_an_int(graph: Graph) -> None:
    find(graph, "prim::Loop").blocks[0].end.set_input(0, graph.inputs[0])


def carried_type_changes(graph: Graph) -> None:
    find(graph, "prim::Loop").blocks[0].inputs[1].type = t.BOOL


def no_such_overload(graph: Graph) -> None:
    graph.inputs[0].type = t.STR


FAULTS: list[tuple[Callable[[Graph], None], str, str]] = [
    (use_before_definition, "aten::neg", "input 0 (%z) is not defined here"),
    (use_outside_of_block, "prim::Loop", "input 2 (%a) is not defined here"),
    (use_of_the_other_branch, "prim::Return", "input 0 (%a) is not defined here"),
    (forgotten_use, "prim::Return", "%y does not list this use"),
    (invented_use, "aten::add", "%a lists a use that does not read it"),
    (stolen_value, "aten::neg", "%y belongs to another node"),
    (condition_is_an_int, "prim::If", "an If has one input, a bool"),
    (missing_block, "prim::If", "an If has two blocks, this has 1"),
    (missing_output, "prim::If", "block 1 gives 0 values where 1 are wanted"),
    (output_of_another_type, "prim::If", "block 0 gives int where str is wanted"),
    (loop_starts_with_bools, "prim::Loop", "a Loop starts with an int and a bool"),
    (body_goes_on_by_an_int, "prim::Loop", "the body of a Loop starts its outputs with a bool"),
    (carried_type_changes, "prim::Loop", "the inputs gives int where bool is wanted"),
    (no_such_overload, "aten::neg", "aten::neg has no overload for (str)"),
]


def test_accepts_the_graph() -> None:
    verify(parse_graph(TEXT))


@pytest.mark.parametrize(
    "spoil, kind, message", FAULTS, ids=lambda part: getattr(part, "__name__", "")
)
def test_names_the_fault(spoil: Callable[[Graph], None], kind: str, message: str) -> None:
    graph = parse_graph(TEXT)
    spoil(graph)
    with pytest.raises(InvalidIR) as caught:
        verify(graph)
    assert (kind, message) in [(node.kind, text) for node, text in caught.value.faults]
    assert message in str(caught.value)


def test_shows_the_fault_under_its_node() -> None:
    graph = parse_graph(TEXT)
    use_outside_of_block(graph)
    use_of_the_other_branch(graph)
    with pytest.raises(InvalidIR) as caught:
        verify(graph)
    assert (
        str(caught.value)
        == """the graph is broken:
  %y : int = aten::neg(%x)
  %z : int = prim::If(%c)
    block0():
      %a : int = aten::add(%x, %y)
      -> (%a)
    block1():
      -> (%a)
      ^ input 0 (%a) is not defined here
  %l : int = prim::Loop(%n, %c, %a)
  ^ input 2 (%a) is not defined here
    block0(%i : int, %p : int):
      %q : int = aten::mul(%p, %i)
      -> (%c, %q)
  return (%l)"""
    )
