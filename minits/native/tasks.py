"""Tasks: `torch.jit.fork(f, x)` runs `f` where it stands, and `wait` gives the result, or raises.

Before:
    %t : Future[int] = prim::fork_0(%n)
    %y : int = aten::wait(%t)
After, with the graph of the fork in the place of its call:
    %t : Future[int] = native::task()
      block0():
        %r : int = aten::mul(%n, %n)
         = native::result(%r)
        -> ()
    %y : int = aten::wait(%t)

A future is a list: the result, the number of the site where the task has raised, or 0, and what
that site tells. A task that raises goes to its end: `goto end`.

Differs from codegen/tasks.py: no other thread runs a task, which a program cannot tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.ir.copying import clone_graph, clone_node
from minits.ir.graph import Graph, Node, Value
from minits.native.c_types import HELD, NotNative, c_type, c_type_of
from minits.native.endings import Ending
from minits.passes.pipeline import run_pipeline
from minits.records import dataclass
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

TASK, RESULT = "native::task", "native::result"
FORKED = "<forked function>"
"""The name that a task has in tracebacks."""
_SETS_MODES = ("prim::Enter", "aten::set_grad_enabled")
"""Operators whose modes would outlive a task that raises."""


def begin_tasks(graph: Graph) -> bool:
    """Replace forks by what they run. Return whether there are any. Raises `NotNative`."""
    forks = graph.nodes_of_kind("prim::fork")
    for fork in forks:
        body = clone_graph(fork["Subgraph"])
        run_pipeline(body, ("optimize", "native"))
        begin_tasks(body)
        if body.nodes_of_kind(*_SETS_MODES):
            raise NotNative(fork, fork.kind)
        _replace(graph, fork, body)
    return bool(forks)


def _replace(graph: Graph, fork: Node, body: Graph) -> None:
    task = graph.create(TASK, [], [fork.output.type]).insert_before(fork)
    task.range, task.callstack = fork.range, fork.callstack
    block = task.add_block()
    local: dict[Value, Value] = dict(zip(body.inputs, fork.inputs, strict=True))
    for node in body.nodes:
        copy = clone_node(graph, node, local.__getitem__).insert_before(block.end)
        local.update(zip(node.outputs, copy.outputs, strict=True))
    results = [local[value] for value in body.outputs]
    graph.create(RESULT, results, []).insert_before(block.end)
    fork.output.replace_all_uses_with(task.output)
    fork.destroy()


def task_of(node: Node) -> Node | None:
    """Return the innermost task that a node is in, if it is in any."""
    owner = node.owner.owning_node
    while owner is not None and owner.kind != TASK:
        owner = owner.owner.owning_node
    return owner


def type_of_result(node: Node) -> t.Type:
    """Return the type that a future has for the value that a `native::result` sets."""
    task = node.owner.owning_node
    assert task is not None
    assert isinstance(task.output.type, t.FutureType)
    return task.output.type.element


def print_task(printer: BlockPrinter, node: Node) -> None:
    """Print a task. Raises `NotNative`."""
    c_type(node.output)
    assert isinstance(node.output.type, t.FutureType)
    function, future = printer.function, printer.function.names.of(node.output)
    first = len(function.sites)
    body = printer.apart(node.blocks[0], _OfTask(future, end := function.names.new("end")))
    told = max([len(site.told) for site in function.sites[first:]], default=0)
    holds = "true" if c_type_of(node.output.type.element) is HELD else "false"
    printer.show(node)
    printer.make(node.output, f"mts_future(pool, {told}, {holds})")
    printer.line("{")
    if not body.raised:
        for name in body.held:
            body.line(f"mts_release({name});")
    printer.lines += body.lines
    printer.line("}")
    if len(function.sites) > first:
        printer.line(f"{end}:;")


def print_result(printer: BlockPrinter, node: Node) -> None:
    """Print what keeps the result of a task. Raises `NotNative`."""
    task = node.owner.owning_node
    assert task is not None
    type = c_type_of(type_of_result(node))
    if type is None:
        raise NotNative(node, type_of_result(node).annotation)
    text = printer.read(node.inputs[0])
    kept = f"mts_retain({text})" if type is HELD else text
    future = printer.function.names.of(task.output)
    printer.line(f"{future}->items[0].{type.slot} = {kept};")


def print_wait(printer: BlockPrinter, node: Node) -> None:
    """Print `aten::wait`. Raises `NotNative`."""
    type = c_type(node.output)
    printer.show(node)
    future = printer.variable(node.inputs[0])
    printer.leave_if(f"{future}->items[1].i", node)
    printer.finish(node.output, f"{future}->items[0].{type.slot}")


@dataclass(slots=True, eq=False)
class _OfTask(Ending):
    """The end of a task: its future is told the site."""

    future: str
    label: str

    def leaving(self, printer: BlockPrinter, number: int, told: list[Value]) -> list[str]:
        kept = []
        for place, value in enumerate(told, 2):
            type, text = c_type(value), printer.variable(value)
            item = f"mts_retain({text})" if type is HELD else text
            kept.append(f"{self.future}->items[{place}].{type.slot} = {item};")
        return [*kept, f"{self.future}->items[1].i = {number};", f"goto {self.label};"]
