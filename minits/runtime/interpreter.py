"""The reference interpreter: the shortest way to run a graph, and the one to read.

    run(graph, *inputs)     returns the output, a tuple where there are several

An environment maps each `Value` to a Python value. A node takes its inputs from there and puts its
outputs there; what no later node reads is dropped (`minits/ir/last_uses.py`). `prim::If` runs one
of its blocks; `prim::Loop(max_trips, condition, *carried)` is

    trip = 0
    while condition and trip < max_trips:
        condition, *carried = body(trip, *carried)
        trip += 1

Everything else is an operator of the table in `minits.ops.evaluate`, or a call.

Source: torch/csrc/jit/runtime/interpreter.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from minits import torch_internals as internals
from minits.codegen.hooked_calls import hooked_call
from minits.codegen.objects import type_of_object
from minits.codegen.tasks import Future, result_in_program
from minits.ir.constants import constant_value
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.last_uses import LastUses, last_uses
from minits.ir.made_objects import is_made_later, makes_object
from minits.ops.copies import copied
from minits.ops.errors import as_script_error
from minits.ops.evaluate import evaluator
from minits.ops.native_methods import BoundFunction, maker, native_method
from minits.passes.inlining import is_hooked
from minits.types import types as t


class Steps:
    """A counter of the nodes that may still be run. All runs of one program share it.

    Subclasses watch a run: they are told of each node and block (`minits/stepping/recording.py`).
    """

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self) -> None:
        """Count one node. Raises `OutOfSteps` when there are none left."""
        self.left -= 1
        if self.left < 0:
            raise OutOfSteps("the program runs for longer than it may")

    def before(self, node: Node, inputs: Sequence[Any]) -> None:
        """Count a node that is about to run. Raises `OutOfSteps` when there are none left."""
        self.take()

    def after(self, node: Node, results: Sequence[Any]) -> None:
        """Learn what a node gave."""

    def enter(self, block: Block, inputs: Sequence[Any]) -> None:
        """Learn that a block begins: of a graph, of a node, or once for a trip of a loop."""

    def raised(self, error: BaseException) -> None:
        """Learn that a graph ends by an exception, which its callers are told after it."""


class OutOfSteps(RuntimeError):
    """A program has used up its steps."""


class Environment(dict[Value, Any]):
    """The values of a run that are still needed, as `last_uses` of its graph says.

    `entered` are nodes and the context managers whose blocks it is in.

    A call of the program and the calls that it makes share the `steps` and the set `warned`: which
    warnings were shown, as each is shown once.
    """

    def __init__(
        self, last_uses: LastUses, steps: Steps | None = None, warned: set[int] | None = None
    ) -> None:
        super().__init__()
        self.last_uses = last_uses
        self.steps = steps
        self.warned = set[int]() if warned is None else warned
        self.entered: list[tuple[Node, Any]] = []

    def take(self, node: Node) -> list[Any]:
        """Return the inputs of a node; drop those that are read for the last time."""
        taken = [self[value] for value in node.inputs]
        for value in self.last_uses.of_inputs.get(node, ()):
            del self[value]
        return taken

    def drop(self, node: Node) -> None:
        """Drop the values that its blocks have read for the last time, and unused results."""
        for value in self.last_uses.of_blocks.get(node, ()):
            del self[value]

    def leave(self) -> None:
        """Leave the blocks of all managers: something was raised. See codegen/context_stack.py."""
        while self.entered:
            node, manager = self.entered.pop()
            with suppress(Exception):
                call_method(node, "__exit__", [manager, None, None, None], self)


def run(
    graph: Graph, *inputs: Any, steps: Steps | None = None, warned: set[int] | None = None
) -> Any:
    """Run a graph and return its output, or a tuple if there are several.

    `steps` limits the nodes that are run. Raises the exception that the program raises,
    `ScriptError`, an operator's exception, or `OutOfSteps`; `TypeError` for too few or many inputs.
    """
    if len(inputs) != len(graph.inputs):
        raise TypeError(f"the graph takes {len(graph.inputs)} inputs, {len(inputs)} were given")
    values = Environment(last_uses(graph), steps, warned)
    given = list(inputs)
    del inputs
    try:
        outputs = _run_block(graph.block, given, values)
    except BaseException as error:
        if steps is not None:
            steps.raised(error)
        values.leave()
        values.clear()
        raise
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def _run_block(block: Block, inputs: list[Any], values: Environment) -> list[Any]:
    """Run a block and return its outputs. The inputs go from the list into the environment."""
    values.update(zip(block.inputs, inputs, strict=True))
    if values.steps is not None:
        values.steps.enter(block, inputs)
    inputs.clear()
    values.drop(block.param)
    for node in block.nodes:
        _run_node(node, values)
    return values.take(block.end)


def _run_node(node: Node, values: Environment) -> None:
    inputs = values.take(node)
    if values.steps is not None:
        values.steps.before(node, inputs)
    match node.kind:
        case "prim::Constant":
            results: Sequence[Any] = (_constant(node),)
        case "prim::If":
            results = _run_block(node.blocks[0 if inputs[0] else 1], [], values)
        case "prim::Loop":
            results = _run_loop(node, inputs, values)
        case "prim::Enter":
            values.entered.append((node, inputs[0]))
            results = (call_method(node, "__enter__", inputs, values),)
        case "prim::Exit":
            values.entered.pop()
            nothing = [None, None, None]
            results = (call_method(node, "__exit__", [*inputs, *nothing], values),)
        case "prim::CallMethod" if makes_object(node):
            made = node.inputs[0]
            values[made] = maker(made.type)(*inputs[1:])
            results = (None,)
        case "prim::CreateObject" if is_made_later(node):
            results = (None,)
        case _:
            results = _spread(node, _apply(node, inputs, values))
    values.update(zip(node.outputs, results, strict=True))
    values.drop(node)
    if values.steps is not None:
        values.steps.after(node, results)


def _constant(node: Node) -> Any:
    type = node.output.type
    return type.function if isinstance(type, t.FunctionType) else copied(constant_value(node))


def _run_loop(loop: Node, inputs: list[Any], values: Environment) -> list[Any]:
    """Run a loop and return its outputs. The inputs are taken out of the list."""
    (body,) = loop.blocks
    max_trips, condition, *carried = inputs
    inputs.clear()
    trip = 0
    while condition and trip < max_trips:
        if values.steps is not None:  # a body may be empty
            values.steps.take()
        carried.insert(0, trip)
        condition, *carried = _run_block(body, carried, values)
        trip += 1
    return carried


def _apply(node: Node, inputs: list[Any], values: Environment) -> Any:
    """Run one node without blocks, a call or an operator, and return its result."""
    match node.kind:
        case "prim::CallFunction":
            function, *arguments = inputs
            if isinstance(function, BoundFunction):
                return function.implementation(*arguments)
            return _call(function.graph, arguments, values)
        case "prim::CallMethod" if is_hooked(node):
            return hooked_call(node)(*inputs)
        case "prim::CallMethod":
            return call_method(node, node["name"], inputs, values)
        case "prim::fork":
            future = Future(_call, node["Subgraph"], inputs, values)
            future.run()
            return future
        case "prim::awaitable":
            return internals.awaitable(partial(_call, node["Subgraph"], inputs, values))
        case "aten::warn":
            return evaluator(node)(*inputs, values.warned)
        case "aten::wait":
            return result_in_program(inputs[0])
    try:
        return evaluator(node)(*inputs)
    except (IndexError, KeyError, ZeroDivisionError, ValueError, TypeError) as error:
        raise as_script_error(error) from None


def _call(graph: Graph, inputs: Sequence[Any], values: Environment) -> Any:
    return run(graph, *inputs, steps=values.steps, warned=values.warned)


def call_method(node: Node, name: str, inputs: list[Any], values: Environment) -> Any:
    """Call the method `name` on the first input, and return its result.

    The method is that of the input's static type. For an interface, or a Union of classes that have
    the method, it is that of the object's own class.
    """
    type = node.inputs[0].type
    if not isinstance(type, t.ClassType) or type.is_interface:
        type = type_of_object(inputs[0])
    native = native_method(type, name)
    if native is not None:
        return native(*inputs)
    graph = type.methods[name].graph
    return _call(graph, inputs[: len(graph.inputs)], values)


def _spread(node: Node, result: Any) -> Sequence[Any]:
    """Return the values of a node's outputs, given what its function returned."""
    if len(node.outputs) == 1:
        return (result,)
    return () if result is None else tuple(result)
