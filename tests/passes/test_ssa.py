"""Loads, stores, jumps and returns to SSA form, on graphs written by hand."""

from __future__ import annotations

import pytest

from minits.ir.parser import parse_graph
from minits.ir.printer import print_graph
from minits.passes.constant_pooling import pool_constants
from minits.passes.dce import eliminate_dead_code
from minits.passes.instrumentation import PassPrinter, instrumented
from minits.passes.pipeline import run_pipeline

CASES = {
    "variable assigned in both branches": (
        """graph(%c : bool, %x : int):
   = prim::Store[name="y"](%x)
   = prim::If(%c)
    block0():
      %n : int = aten::neg(%x)
       = prim::Store[name="y"](%n)
      -> ()
    block1():
      -> ()
  %r : int = prim::Load[name="y"]()
   = prim::ReturnStmt(%r)
  return ()
""",
        """graph(%c : bool,
      %x : int):
  %y : int = prim::If(%c)
    block0():
      %n : int = aten::neg(%x)
      -> (%n)
    block1():
      -> (%x)
  return (%y)
""",
    ),
    "variable of one branch only is not passed on": (
        """graph(%c : bool, %x : int):
   = prim::If(%c)
    block0():
       = prim::Store[name="y"](%x)
      %r : int = prim::Load[name="y"]()
       = prim::Print(%r)
      -> ()
    block1():
      -> ()
   = prim::ReturnStmt(%x)
  return ()
""",
        """graph(%c : bool,
      %x : int):
   = prim::If(%c)
    block0():
       = prim::Print(%x)
      -> ()
    block1():
      -> ()
  return (%x)
""",
    ),
    "while": (
        """graph(%x : int):
  %max : int = prim::Constant[value=9223372036854775807]()
  %three : int = prim::Constant[value=3]()
   = prim::Store[name="i"](%x)
   = prim::Loop(%max)
    block0(%t : int):
      %a : int = prim::Load[name="i"]()
      %b : int = aten::add(%a, %three)
       = prim::Store[name="i"](%b)
      -> ()
    block1():
      %d : int = prim::Load[name="i"]()
      %e : bool = aten::lt(%d, %three)
      -> (%e)
  %r : int = prim::Load[name="i"]()
   = prim::ReturnStmt(%r)
  return ()
""",
        """graph(%x : int):
  %three : int = prim::Constant[value=3]()
  %max : int = prim::Constant[value=9223372036854775807]()
  %30 : bool = aten::lt(%x, %three)
  %i : int = prim::Loop(%max, %30, %x)
    block0(%t : int, %i.3 : int):
      %b : int = aten::add(%i.3, %three)
      %e : bool = aten::lt(%b, %three)
      -> (%e, %b)
  return (%i)
""",
    ),
    "return in a branch": (
        """graph(%c : bool, %x : int):
   = prim::If(%c)
    block0():
       = prim::ReturnStmt(%x)
      -> ()
    block1():
      -> ()
  %n : int = aten::neg(%x)
   = prim::ReturnStmt(%n)
  return ()
""",
        """graph(%c : bool,
      %x : int):
  %r : int = prim::If(%c)
    block0():
      -> (%x)
    block1():
      %n : int = aten::neg(%x)
      -> (%n)
  return (%r)
""",
    ),
    "nothing after a return": (
        """graph(%x : int):
   = prim::ReturnStmt(%x)
  %n : int = aten::neg(%x)
   = prim::Print(%n)
  return ()
""",
        """graph(%x : int):
  return (%x)
""",
    ),
    "a branch that raises gives no value": (
        """graph(%c : bool, %x : int, %s : str, %none : NoneType):
   = prim::If(%c)
    block0():
       = prim::RaiseException(%s, %none)
      -> ()
    block1():
       = prim::Store[name="y"](%x)
       = prim::ReturnStmt(%x)
      -> ()
  return ()
""",
        """graph(%c : bool,
      %x : int,
      %s : str,
      %none : NoneType):
  %u : int = prim::Uninitialized()
  %r : int = prim::If(%c)
    block0():
       = prim::RaiseException(%s, %none)
      -> (%u)
    block1():
      -> (%x)
  return (%r)
""",
    ),
}


def unnamed(text: str) -> str:
    """The graph's text with its values numbered: names do not matter here."""
    from minits.ir.canonical import canonicalize

    return print_graph(canonicalize(parse_graph(text), keep_names=False), ranges=False)


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    before, after = CASES[name]
    graph = parse_graph(before)
    with instrumented(PassPrinter(verify_each=True)):
        run_pipeline(graph, "ssa-form")
    eliminate_dead_code(graph)
    pool_constants(graph)
    assert unnamed(print_graph(graph, ranges=False)) == unnamed(after)


def test_for_loop_with_break_becomes_a_while_loop() -> None:
    graph = parse_graph("""graph(%n : int, %c : bool):
  %true : bool = prim::Constant[value=1]()
   = prim::Loop(%n)
    block0(%i : int):
       = prim::If(%c)
        block0():
           = prim::BreakStmt()
          -> ()
        block1():
          -> ()
       = prim::Print(%i)
      -> ()
    block1():
      -> (%true)
   = prim::ReturnStmt(%n)
  return ()
""")
    with instrumented(PassPrinter(verify_each=True)):
        run_pipeline(graph, "ssa-form")
    (loop,) = [node for node in graph.all_nodes() if node.kind == "prim::Loop"]
    assert loop.inputs[0].node["value"] == 2**63 - 1
    body = loop.blocks[0]
    assert body.outputs[0].node.kind == "aten::__and__"
    assert not body.inputs[0].uses, "the trip count is counted by the program now"
    jumps = ("prim::BreakStmt", "prim::LoopContinuation", "prim::ReturnStmt")
    assert not any(node.kind in jumps for node in graph.all_nodes())
