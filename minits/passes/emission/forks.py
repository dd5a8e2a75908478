"""Forked calls: from a block that sees the values around it to a graph of its own.

Before:
    %c : NoneType = prim::Closure()
      block0():
        %y : Tensor = aten::mul(%x, %n)
        -> (%y)
    %f : Future[Tensor] = prim::forkClosure(%c)
After `lift_closures`, with a graph that takes a tuple as the attribute `Subgraph`:
    %c : NoneType = prim::Closure_0()
    %context : (Tensor, int) = prim::TupleConstruct(%x, %n)
    %pair : NoneType = prim::TupleConstruct(%c, %context)
    %f : Future[Tensor] = prim::forkClosure(%pair)
After `inline_forked_closures`, with a graph that takes the values:
    %f : Future[Tensor] = prim::fork_0(%x, %n)

A `prim::awaitableClosure` becomes a `prim::awaitable` in the same way: a call that is made when it
is waited for.

The new graphs are cleaned up after each of the two, as in torch: `closure(cleanup)` and
`fork(cleanup)` in the pipeline do that.

Needs: a graph in SSA form. Keeps: a verified graph.
Source: torch/csrc/jit/passes/lift_closures.cpp and inline_forked_closures.cpp, whose order of
creating values this keeps, since it numbers them.
Differs: a closure without captures is inlined, too; torch has an internal error there.
"""

from __future__ import annotations

from minits.ir.copying import clone_block, clone_graph, copy_metadata
from minits.ir.graph import Graph, Node, Value
from minits.types import types as t

_KINDS = {"prim::forkClosure": "prim::fork", "prim::awaitableClosure": "prim::awaitable"}


def lift_closures(graph: Graph) -> bool:
    """Give each `prim::Closure` a graph instead of its block. Return whether there were any.

    Closures within others stay as they are: those graphs are cleaned up, too.
    """
    forks = [
        each
        for each in graph.nodes_of_kind(*_KINDS)
        if _closure(each).blocks and not _is_in_closure(each)
    ]
    for fork in forks:
        _lift(fork, _closure(fork))
    return bool(forks)


def _closure(fork: Node) -> Node:
    return fork.inputs[0].node


def _is_in_closure(node: Node) -> bool:
    owner = node.owner.owning_node
    return owner is not None and (owner.kind == "prim::Closure" or _is_in_closure(owner))


def _lift(fork: Node, closure: Node) -> None:
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
    closure.set_attr("Subgraph", "g", body).remove_block(0)
    pair = outer.create("prim::TupleConstruct", [closure.output, context.output], [t.NONE])
    fork.set_input(0, pair.insert_after(context).output)


def inline_forked_closures(graph: Graph) -> bool:
    """Replace each closure that is run by a `prim::fork` whose inputs are the captured values.

    Return whether there were any.
    """
    forks = graph.nodes_of_kind(*_KINDS)
    for fork in forks:
        _inline(graph, fork)
    return bool(forks)


def _inline(graph: Graph, fork: Node) -> None:
    pair = fork.inputs[0].node
    closure, context = (value.node for value in pair.inputs)
    body = clone_graph(closure["Subgraph"])
    [packed] = body.inputs
    fork.remove_all_inputs()
    made = graph.create(_KINDS[fork.kind], list(context.inputs), [t.NONE]).insert_after(fork)
    for unpack in [use.user for use in packed.uses]:
        for output, value in zip(unpack.outputs, context.inputs, strict=True):
            output.replace_all_uses_with(copy_metadata(body.block.add_input(value.type), value))
        unpack.destroy()
    body.block.param.remove_output(0)
    made.range = fork.range
    copy_metadata(made.output, fork.output)
    fork.output.replace_all_uses_with(made.output)
    made.set_attr("Subgraph", "g", body)
    for node in (fork, pair, context, closure):
        node.destroy()
