"""Awaits: the call of `torch.jit._awaitable(f, x)` is made where it is first waited for.

Before:
    %a : Await(int) = prim::awaitable_0(%n)
    %y : int = prim::awaitable_wait(%a)
After:
    %a : Await(int) = native::await[number=1](%n)
    %2 : bool = native::is_waiting[number=1](%a)
     = prim::If(%2)
      block0():
        %r : int = aten::mul(%n, %n)
         = native::resolve(%a, %r)
        -> ()
      block1():
        -> ()
    %y : int = native::awaited(%a)

An await is a list: the result, the number of the graph that is still to run, or 0, and the operands
of that. Where an await may be any of several, as one from a list, there is an `If` for each of
them, whose operands are read from the list (`native::operand`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minits.codegen.uses import resolve
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.copying import clone_graph, clone_node
from minits.ir.graph import Block, Graph, Node, Value
from minits.native.c_types import HELD, CType, NotNative, c_type, c_type_of, held_bits
from minits.native.tasks import FORKED, begin_tasks
from minits.passes.pipeline import run_pipeline
from minits.records import dataclass
from minits.types import types as t
from minits.types.subtyping import is_subtype

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

AWAIT, RESOLVE = "native::await", "native::resolve"
AWAITS = ("prim::awaitable", "prim::awaitable_nowait", "prim::awaitable_wait")
"""Operators that C has by others."""
_MADE, _READY, _WAITED = AWAITS
_IS_WAITING, _OPERAND, _AWAITED = "native::is_waiting", "native::operand", "native::awaited"
_FIRST = 2
"""The place of the first operand in an await."""
_MOST = 64
"""Graphs that are put where awaits are waited for: one that waits for others may be endless."""


@dataclass(frozen=True, slots=True)
class _Later:
    """The graph of an await, its type, and its operands: of those that the await has, their types.

    operands: values that are known everywhere, and the types of others
    """

    body: Graph
    type: t.Type
    operands: Sequence[Value | t.Type]


def begin_awaits(graph: Graph) -> None:
    """Replace awaits, and what waits for them. Raises `NotNative`."""
    known: list[_Later] = []
    _note(graph, graph, known)
    count = 0
    while waits := graph.nodes_of_kind(_WAITED):
        count += 1
        if count > _MOST:
            raise NotNative(waits[0], waits[0].kind)
        _expand(graph, waits[0], known)
        _note(graph, graph, known)


def _note(graph: Graph, within: Graph, known: list[_Later]) -> None:
    """Replace the nodes that make awaits, and note what these run. Raises `NotNative`."""
    for node in within.nodes_of_kind(_MADE, _READY):
        number, given = 0, list(node.inputs)
        if node.kind == _MADE:
            body = clone_graph(node["Subgraph"])
            run_pipeline(body, ("optimize", "native"))
            begin_tasks(body)
            operands = [_operand(graph, value) for value in node.inputs]
            known.append(_Later(body, node.output.type, operands))
            number = len(known)
            given = [value for value in node.inputs if _operand(graph, value) is value.type]
        made = graph.create(AWAIT, given, [node.output.type]).insert_before(node)
        made.set_attr("number", "i", number)
        made.range, made.callstack = node.range, node.callstack
        node.output.replace_all_uses_with(made.output)
        node.destroy()


def _operand(graph: Graph, value: Value) -> Value | t.Type:
    """Return a value if it is known everywhere: an input of the graph, or a constant."""
    is_known = value in graph.inputs or to_python(value) is not NOT_CONSTANT
    return value if is_known else value.type


def _expand(graph: Graph, wait: Node, known: Sequence[_Later]) -> None:
    """Run, at what waits for it, the graph of an await that has not run. Raises `NotNative`."""
    awaited = resolve(wait.inputs[0])
    if awaited.node.kind == AWAIT:
        numbers = [awaited.node["number"]]
    else:
        numbers = [n for n, each in enumerate(known, 1) if is_subtype(each.type, awaited.type)]
    for number in filter(None, numbers):
        later = known[number - 1]
        if later.type != awaited.type:  # whose result may lie there in another way
            raise NotNative(wait, awaited.type.annotation)
        _run(graph, wait, awaited, number, later)
    read = graph.create(_AWAITED, [awaited], [wait.output.type]).insert_before(wait)
    read.range, read.callstack = wait.range, wait.callstack
    wait.output.replace_all_uses_with(read.output)
    wait.destroy()


def _run(graph: Graph, wait: Node, awaited: Value, number: int, later: _Later) -> None:
    asked = graph.create(_IS_WAITING, [awaited], [t.BOOL]).insert_before(wait)
    asked.set_attr("number", "i", number)
    branch = graph.create("prim::If", [asked.output], []).insert_before(wait)
    block = branch.add_block()
    branch.add_block()
    local = dict(zip(later.body.inputs, _operands(graph, awaited, later, block), strict=True))
    for node in later.body.nodes:
        copy = clone_node(graph, node, local.__getitem__).insert_before(block.end)
        _add_frame(copy, wait)
        local.update(zip(node.outputs, copy.outputs, strict=True))
    (result,) = [local[value] for value in later.body.outputs]
    end = graph.create(RESOLVE, [awaited, result], []).insert_before(block.end)
    for node in (asked, branch, end):
        node.range, node.callstack = wait.range, wait.callstack


def _operands(graph: Graph, awaited: Value, later: _Later, block: Block) -> list[Value]:
    """Return the operands of an await at the beginning of a block."""
    if awaited.node.kind == AWAIT:
        made = iter(awaited.node.inputs)
        return [each if isinstance(each, Value) else next(made) for each in later.operands]
    found, place = [], _FIRST
    for each in later.operands:
        if not isinstance(each, Value):
            node = graph.create(_OPERAND, [awaited], [each]).insert_before(block.end)
            node.set_attr("place", "i", place)
            place += 1
            found.append(node.output)
        elif each in graph.inputs:
            found.append(each)
        else:
            found.append(clone_node(graph, each.node).insert_before(block.end).output)
    return found


def _add_frame(node: Node, wait: Node) -> None:
    node.callstack = (*wait.callstack, (FORKED, wait.range), *node.callstack)
    for block in node.blocks:
        for inner in block.nodes:
            _add_frame(inner, wait)


def element_of(value: Value) -> t.Type:
    """Return the type of the result of an await."""
    assert isinstance(value.type, t.AwaitType)
    return value.type.element


# ---- Printing ----------------------------------------------------------------------------------


def print_await(printer: BlockPrinter, node: Node) -> None:
    """Print the making of an await. Raises `NotNative`, in libraries for the errors within."""
    if not printer.function.has_python:
        raise NotNative(node, _MADE)
    c_type(node.output)
    printer.show(node)
    result = _type_of_result(node.output)
    items = [(_slot_of(value), printer.read(value)) for value in node.inputs]
    types = [value.type for value in node.inputs]
    if node["number"]:
        items = [(result, "0"), ("i", str(node["number"])), *items]
        types = [element_of(node.output), t.INT, *types]
    else:
        items, types = [*items, ("i", "0")], [*types, t.INT]
    if len(items) > 64:
        raise NotNative(node, _MADE)
    given = ", ".join([f"{{.{slot} = {text}}}" for slot, text in items])
    made = f"mts_tuple_of(pool, {len(items)}, {held_bits(types)}, (mts_value[]){{{given}}})"
    printer.make(node.output, made)


def _print_resolve(printer: BlockPrinter, node: Node) -> None:
    awaited, result = node.inputs
    name, text = printer.variable(awaited), printer.read(result)
    kept = f"mts_retain({text})" if c_type(result) is HELD else text
    printer.line(f"{name}->items[0].{_slot_of(result)} = {kept};")
    printer.line(f"{name}->items[1].i = 0;")


def _print_read(printer: BlockPrinter, node: Node) -> None:
    """Print the reading of an await, which is done before the next statement that writes."""
    name = printer.operand(node.inputs[0])
    if node.kind == _IS_WAITING:
        text = f"{name}->items[1].i == {node['number']}"
    else:
        place = node["place"] if node.kind == _OPERAND else 0
        text = f"{name}->items[{place}].{_slot_of(node.output)}"
    printer.finish(node.output, text, reads=True)


PRINTERS = {
    AWAIT: print_await,
    RESOLVE: _print_resolve,
    _IS_WAITING: _print_read,
    _OPERAND: _print_read,
    _AWAITED: _print_read,
}
"""By the kind of a node: the function that prints it. It raises `NotNative`."""


def _slot_of(value: Value) -> str:
    return _found_slot(c_type(value), value)


def _type_of_result(value: Value) -> str:
    found = c_type_of(element_of(value))
    assert found is not None
    return _found_slot(found, value)


def _found_slot(found: CType, value: Value) -> str:
    """Return the member of `mts_value`. Raises `NotNative` for complex numbers, which have none."""
    if not found.slot:
        raise NotNative(value.node, value.type.annotation)
    return found.slot
