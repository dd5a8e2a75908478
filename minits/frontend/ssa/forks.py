"""Forked calls: from a block that sees the values around it to a graph of its own.

Before:
    %c : NoneType = prim::Closure()
      block0():
        %y : Tensor = aten::mul(%x, %n)
        -> (%y)
    %f : Future[Tensor] = prim::forkClosure(%c)
After, with the block's values as inputs of the attribute `Subgraph`:
    %f : Future[Tensor] = prim::fork_0(%x, %n)

Needs: a graph in SSA form. Keeps: a verified graph.
Source: torch/csrc/jit/passes/lift_closures.cpp and inline_forked_closures.cpp, whose order of
creating values this keeps, since it numbers them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from minits.ir.copying import clone_block, clone_graph, copy_metadata
from minits.ir.graph import Graph, Node, Value
from minits.types import types as t


def lift_forks(forks: Sequence[Node], clean: Callable[[Graph], None]) -> None:
    """Lift a graph's `prim::forkClosure` nodes. `clean` is run on each graph that this makes."""
    lifted = [(fork, *_lift(fork.inputs[0].node, clean)) for fork in forks]
    for fork, body, context in lifted:
        _inline(fork, body, context, clean)


def _lift(closure: Node, clean: Callable[[Graph], None]) -> tuple[Graph, Node]:
    """Return the closure's graph, which takes a tuple, and the node that makes that tuple."""
    outer = closure.graph
    context = outer.create("prim::TupleConstruct", [], [t.NONE]).insert_after(closure)
    body = Graph()
    packed = body.block.add_input(t.NONE).set_name("context")
    unpack = body.emit("prim::TupleUnpack", [packed], [])
    captures: dict[Value, Value] = {}

    def capture(value: Value) -> Value:
        if value not in captures:
            context.add_input(value)
            captures[value] = copy_metadata(unpack.add_output(value.type), value)
        return captures[value]

    clone_block(closure.blocks[0], body.block, capture)
    context.output.type = packed.type = t.TupleType(tuple(v.type for v in context.inputs))
    outer.create("prim::TupleConstruct", [closure.output, context.output], [t.NONE]).destroy()
    clean(body)
    return body, context


def _inline(fork: Node, body: Graph, context: Node, clean: Callable[[Graph], None]) -> None:
    """Replace a `prim::forkClosure` by a `prim::fork` whose inputs are the captured values."""
    graph, closure = fork.graph, fork.inputs[0].node
    body = clone_graph(body)
    [packed] = body.inputs
    [use] = packed.uses
    unpack = use.user
    fork.remove_all_inputs()
    made = graph.create("prim::fork", list(context.inputs), [t.NONE]).insert_after(fork)
    for output, value in zip(unpack.outputs, context.inputs, strict=True):
        output.replace_all_uses_with(copy_metadata(body.block.add_input(value.type), value))
    unpack.destroy()
    body.block.param.remove_output(0)
    made.range = fork.range
    copy_metadata(made.output, fork.output)
    fork.output.replace_all_uses_with(made.output)
    made.set_attr("Subgraph", "g", body)
    fork.destroy()
    context.destroy()
    closure.destroy()
    clean(body)
