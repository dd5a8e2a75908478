"""Loads and stores of variables to SSA values.

Before, for `while i < 3: i = i + 1`:
    = prim::Store[name="i"](%0)
    = prim::Loop(%max)
      block0(%t : int):
        %i.1 : int = prim::Load[name="i"]()
        %i.2 : int = aten::add(%i.1, %one)
        = prim::Store[name="i"](%i.2)
        -> ()
      block1():
        %i.3 : int = prim::Load[name="i"]()
        %c : bool = aten::lt(%i.3, %three)
        -> (%c)
After:
    %c0 : bool = aten::lt(%0, %three)
    %i : int = prim::Loop(%max, %c0, %0)
      block0(%t : int, %i.1 : int):
        %i.2 : int = aten::add(%i.1, %one)
        %c : bool = aten::lt(%i.2, %three)
        -> (%c, %i.2)

In four steps: give `prim::If` and `prim::Loop` an output for each variable that they assign; turn
`break` and `continue` into `prim::LoopContinuation`; copy the loop's condition before the loop and
to the end of its body; replace every load by the value stored last. Returns and continuations
stay where they are: the pass "exits" (`exits.py`) removes them.

Needs: what the emitter made. Keeps: a verified graph; one that is in SSA form means the same.
Source: torch/csrc/jit/frontend/convert_to_ssa.cpp and inline_loop_condition.cpp.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from minits.ir.constants import insert_constant
from minits.ir.copying import clone_block
from minits.ir.debug_names import is_meaningful
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.walks import loop_around, rewrite
from minits.types.subtyping import unify
from minits.types.types import Type

T = TypeVar("T")


def to_ssa(graph: Graph) -> bool:
    """Turn a freshly emitted graph into SSA form. Return whether it changed."""
    _add_outputs(graph.block, None)
    _replace_jumps(graph)
    if graph.may_have("prim::Loop"):
        rewrite(graph.block, _inline_condition, kind="prim::Loop")
    _erase_loads_and_stores(graph.block, None)
    return True


class _VariableTable(Generic[T]):
    """A symbol table for a block, chained to that of the block around it.

    That one does not change as long as the block is walked. So what is found in it is kept here:
    each `elif` nests what follows, and a way up is walked once.
    """

    def __init__(self, parent: _VariableTable[T] | None) -> None:
        self.parent = parent
        self.entries: dict[str, T] = {}
        self._inherited: dict[str, T | None] = {}

    def find(self, name: str) -> T | None:
        if name in self.entries:
            return self.entries[name]
        return self._find_around(name)

    def _find_around(self, name: str) -> T | None:
        passed: list[_VariableTable[T]] = []
        table: _VariableTable[T] | None = self
        found: T | None = None
        while table is not None:
            if name in table.entries:
                found = table.entries[name]
                break
            if name in table._inherited:
                found = table._inherited[name]
                break
            passed.append(table)
            table = table.parent
        for each in passed:
            each._inherited[name] = found
        return found


# ---- Outputs of control flow -------------------------------------------------------------------


def _add_outputs(block: Block, parent: _VariableTable[Type] | None) -> _VariableTable[Type]:
    """Make If and Loop nodes pass on what they assign; return the types that the block assigns."""
    table = _VariableTable(parent)
    node = block.end.next
    while node is not block.end:  # the stores that are inserted after a node are seen, too
        if node.kind == "prim::Store":
            table.entries[node["name"]] = node.input.type
        elif not node.blocks:
            pass
        elif node.kind == "prim::If":
            _add_if_outputs(node, table)
        elif node.kind == "prim::Loop":
            _add_loop_outputs(node, table)
        elif node.kind in ("prim::Closure", "prim::ComprehensionScope"):
            for inner in node.blocks:
                _add_outputs(inner, table)
        node = node.next
    return table


def _add_if_outputs(node: Node, parent: _VariableTable[Type]) -> None:
    tables = [_add_outputs(block, parent) for block in node.blocks]
    assigned = {
        name
        for mine, other in (tables, tables[::-1])
        for name in mine.entries
        if other.find(name) is not None
    }
    for name in sorted(assigned):
        types = [table.find(name) for table in tables]
        first, second = types
        assert first is not None and second is not None
        unified = unify(first, second, default_to_union=True)
        assert unified is not None
        for block, type in zip(node.blocks, (first, second), strict=True):
            _add_block_output(block, type, name)
        _add_node_output(node, unified, name)


def _add_loop_outputs(node: Node, parent: _VariableTable[Type]) -> None:
    body = node.blocks[0]
    table = _add_outputs(body, parent)
    for name in sorted(table.entries):
        outer = parent.find(name)
        if outer is None:
            continue
        inner = table.entries[name]
        unified = unify(outer, inner, default_to_union=True)  # torch ends without an error message
        assert unified is not None
        node.add_input(_load(node.graph, outer, name).insert_before(node).output)
        value = body.add_input(unified).set_name(name)
        store = node.graph.create("prim::Store", [value], []).set_attr("name", "s", name)
        body.prepend(store)
        _add_block_output(body, inner, name)
        _add_node_output(node, unified, name)


def _load(graph: Graph, type: Type, name: str) -> Node:
    return graph.create("prim::Load", [], [type]).set_attr("name", "s", name)


def _add_block_output(block: Block, type: Type, name: str) -> None:
    block.add_output(block.append(_load(block.graph, type, name)).output)


def _add_node_output(node: Node, type: Type, name: str) -> None:
    output = node.add_output(type)
    if is_meaningful(name):
        output.set_name(name)
    store = node.graph.create("prim::Store", [output], []).set_attr("name", "s", name)
    store.insert_after(node)


# ---- break and continue ------------------------------------------------------------------------


def _replace_jumps(graph: Graph) -> None:
    falses = {graph.block: _insert_false(graph.block)}
    for node in graph.nodes_of_kind("prim::ContinueStmt", "prim::BreakStmt", "prim::Closure"):
        if node.kind == "prim::Closure":
            falses[node.blocks[0]] = _insert_false(node.blocks[0])
        else:
            loop = loop_around(node)
            assert loop is not None
            _replace_jump(node, loop, falses[_function_around(node)])


def _insert_false(block: Block) -> Value:
    """Insert False at the begin of a function's or closure's block."""
    with block.graph.inserting_at(block.end.next):
        return insert_constant(block.graph, False)


def _function_around(node: Node) -> Block:
    """Return the block of the function or closure that a node is in."""
    block = node.owner
    while block.owning_node is not None and block.owning_node.kind != "prim::Closure":
        block = block.owning_node.owner
    return block


def _replace_jump(node: Node, loop: Node, false: Value) -> None:
    """Replace a jump by `prim::LoopContinuation`, with the condition and the loop variables."""
    graph = node.graph
    jump = graph.create("prim::LoopContinuation", [], []).insert_after(node)
    if node.kind == "prim::ContinueStmt":
        jump.add_input(_copy_before(node, loop.blocks[1]))
    else:
        jump.add_input(false)
    for output in loop.blocks[0].outputs:
        load = output.node
        copy = _load(graph, output.type, load["name"]).insert_before(jump)
        if output.has_name:
            copy.output.set_name(output.name)
        jump.add_input(copy.output)
    node.destroy()


def _copy_before(point: Node, block: Block) -> Value:
    """Copy the nodes of a block before `point`; return the copy of its output."""
    if block.is_empty:
        return block.outputs[0]
    holder = point.graph.create("prim::Block", [], [])
    copy = holder.add_block()
    clone_block(block, copy)
    result = copy.outputs[0]
    _move_nodes(copy, point)
    holder.destroy()
    return result


def _move_nodes(block: Block, point: Node) -> None:
    for node in block.nodes:
        node.move_before(point)


# ---- Conditions of loops -----------------------------------------------------------------------


def _inline_condition(loop: Node) -> bool:
    """Inline the condition of a loop, of which there is none once it was. Return whether it had."""
    if len(loop.blocks) == 1:
        return False
    body, header = loop.blocks
    loop.insert_input(1, _copy_before(loop, header))
    _move_nodes(header, body.end)
    body.end.insert_input(0, header.outputs[0])
    loop.remove_block(1)
    return True


# ---- Loads and stores --------------------------------------------------------------------------


def _erase_loads_and_stores(block: Block, parent: _VariableTable[Value] | None) -> None:
    table = _VariableTable(parent)
    for node in block.nodes:
        kind = node.kind
        if kind == "prim::Load":
            value = table.find(node["name"])
            assert value is not None, f"{node['name']} is loaded before it is stored"
            node.output.replace_all_uses_with(value)
            node.destroy()
        elif kind == "prim::Store":
            table.entries[node["name"]] = node.input
            node.destroy()
        elif kind == "prim::ComprehensionScope":
            _erase_loads_and_stores(node.blocks[0], table)
            _move_nodes(node.blocks[0], node)
            node.destroy()
        else:
            for inner in node.blocks:
                _erase_loads_and_stores(inner, table)
