"""Early returns, `break` and `continue`, to conditions and results.

After this pass a graph has one exit: a block that may have returned guards what follows.

Before:
    = prim::If(%c)
      block0():
        = prim::ReturnStmt(%x)
        -> ()
      block1():
        -> ()
    %y : Tensor = aten::neg(%x)
    = prim::ReturnStmt(%y)
After:
    %r : Tensor = prim::If(%c)
      block0():
        -> (%x)
      block1():
        %y : Tensor = aten::neg(%x)
        -> (%y)
    return (%r)

Each block is asked whether it exits: it will, it might, it won't, or it throws. Where it might, a
bool tells at run time, and the rest of the block goes into an If on that bool.

Source: torch/csrc/jit/frontend/exit_transforms.cpp.
Differs: torch cannot compile a `with` block that may return and then defines what is used later.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from minits.ir.constants import insert_constant
from minits.ir.graph import Block, Graph, Node, Value
from minits.types import types as t
from minits.types.subtyping import unify
from minits.types.types import Type


def transform_exits(graph: Graph) -> bool:
    """Remove `prim::LoopContinuation` and `prim::ReturnStmt`. Return whether the graph changed."""
    wrapped = _wrap_with_blocks(graph)
    jumps = _ExitTransformer(graph, "prim::LoopContinuation")
    if graph.may_have("prim::LoopContinuation", "prim::RaiseException"):
        jumps.transform(graph.block)
    _ExitTransformer(graph, "prim::ReturnStmt").transform(graph.block)
    _unwrap_with_blocks(wrapped)
    return True


class _Status(Enum):
    WILL = "exits"
    MIGHT = "may exit"
    WONT = "does not exit"
    THROWS = "always throws"


class _Exit(NamedTuple):
    """The exit of a block: a bool of the graph, whether it has exited, and the values."""

    has_exited: Value
    values: tuple[Value, ...] = ()


class _Guard(NamedTuple):
    """An If that runs the rest of a block unless the block has exited; then `exit` is its exit."""

    node: Node
    exit: _Exit


_MAY_EXIT = frozenset(
    "prim::RaiseException prim::ReturnStmt prim::LoopContinuation prim::If prim::With "
    "prim::Closure prim::Loop".split()
)


class _ExitTransformer:
    """Transforms the exits of one kind."""

    def __init__(self, graph: Graph, kind: str) -> None:
        self.graph = graph
        self.kind = kind
        self.target: Block | None = None
        self.waiting: dict[Block, Node] = {}
        """The first of the nodes that a guarded block is to take over from the block around it."""
        self.units: dict[object, Value] = {}
        with graph.inserting_at(graph.block.end.next):
            self.true = insert_constant(graph, True)
            self.false = insert_constant(graph, False)
        self.throws = self._unit(t.BOOL)
        self.statuses = {
            self.true: _Status.WILL,
            self.false: _Status.WONT,
            self.throws: _Status.THROWS,
        }

    def transform(self, block: Block) -> _Exit:
        """Transform a block; return how it exits."""
        outer_target = self.target
        if self._is_target(block):
            self.target = block
        exit = self._transform_nodes(block)
        if self.target is block:
            self._give_results(block, exit)
            exit = _Exit(self.false)
        self.target = outer_target
        return exit

    def _is_target(self, block: Block) -> bool:
        owner = block.owning_node
        if self.kind == "prim::LoopContinuation":
            return owner is not None and owner.kind == "prim::Loop"
        return owner is None or owner.kind == "prim::Closure"

    def _transform_nodes(self, block: Block) -> _Exit:
        """Transform the nodes of a block. What may not be reached goes into guards, one by one.

        Each guard is in the block of the one before. They are walked in a loop, not by recursion: a
        function may have thousands of early returns, of which none is in another one.
        """
        guards: list[_Guard] = []
        here = block
        while True:
            exit, rest = self._transform_until_guard(here)
            if rest is None:
                break
            guards.append(self._guard(here, exit, rest))
            here = guards[-1].node.blocks[1]
        for guard in reversed(guards):
            exit = self._join(guard.node, guard.exit, exit)
        return exit

    def _transform_until_guard(self, block: Block) -> tuple[_Exit, Node | None]:
        """Transform the nodes of a block, or those that it is to take over, one after the other.

        Returns how the block exits, and the first node that is to be guarded, if there is one.
        """
        exit = _Exit(self.false)
        node = self.waiting.pop(block, block.end.next)
        last = node.owner.end
        takes_over = last is not block.end
        while node is not last:
            following = node.next
            if takes_over:
                node.move_before(block.end)
            if node.kind not in _MAY_EXIT:
                node = following
                continue
            exit = self._transform_node(node, exit)
            status = self._status(exit)
            if status in (_Status.WILL, _Status.THROWS):
                self._delete_from(following, last)
                break
            if status is _Status.MIGHT:
                return exit, following if following is not last else None
            node = following
        return exit, None

    def _transform_node(self, node: Node, exit: _Exit) -> _Exit:
        match node.kind:
            case "prim::RaiseException":
                return _Exit(self.throws)
            case "prim::ReturnStmt" | "prim::LoopContinuation" if node.kind == self.kind:
                exit = _Exit(self.true, tuple(node.inputs))
                node.destroy()
            case "prim::If":
                return self._transform_if(node)
            case "prim::With":
                return self.transform(node.blocks[0])
            case "prim::Closure":
                self.transform(node.blocks[0])
            case "prim::Loop":
                return self._transform_loop(node)
        return exit

    def _status(self, exit: _Exit) -> _Status:
        return self.statuses.get(exit.has_exited, _Status.MIGHT)

    # ---- If ------------------------------------------------------------------------------------

    def _transform_if(self, node: Node) -> _Exit:
        then = self.transform(node.blocks[0])
        return self._join(node, then, self.transform(node.blocks[1]))

    def _join(self, node: Node, then: _Exit, other: _Exit) -> _Exit:
        """Return how an If exits whose blocks exit so; what they exit with becomes its outputs."""
        statuses = self._status(then), self._status(other)
        status = _joined(*statuses)
        if status is _Status.THROWS:
            return _Exit(self.throws)
        if status is _Status.WONT:
            return _Exit(self.false)
        if statuses[0] in (_Status.WONT, _Status.THROWS):
            then = _Exit(then.has_exited, self._units(other.values))
        elif statuses[1] in (_Status.WONT, _Status.THROWS):
            other = _Exit(other.has_exited, self._units(then.values))
        has_exited = self.true
        if status is not _Status.WILL:
            _add_if_outputs(node, [then.has_exited], [other.has_exited])
            has_exited = node.outputs[-1]
        _add_if_outputs(node, then.values, other.values)
        return _Exit(has_exited, tuple(node.outputs[len(node.outputs) - len(then.values) :]))

    def _guard(self, block: Block, exit: _Exit, first: Node) -> _Guard:
        """Guard the nodes from `first` on by an If that runs them unless the block has exited.

        They move when they are transformed: of several exits, each guards the rest in turn, and
        every node is to move once, to the innermost block.
        """
        graph = self.graph
        guard = graph.create("prim::If", [exit.has_exited], [])
        guard.insert_before(first if first.owner is block else block.end)
        exited, goes_on = guard.add_block(), guard.add_block()
        self.waiting[goes_on] = first
        for value, unit in zip(block.outputs, self._units(block.outputs), strict=True):
            exited.add_output(unit)
            goes_on.add_output(value)
            guard.add_output(value.type)
        block.end.remove_all_inputs()
        for value in guard.outputs:
            block.add_output(value)
        if block.owning_node is not None and block.owning_node.kind == "prim::With":
            self._move_waiting(goes_on)
            self._pass_out(guard)
        return _Guard(guard, _Exit(self.true, exit.values))

    def _move_waiting(self, block: Block) -> None:
        node = self.waiting.pop(block)
        last = node.owner.end
        while node is not last:
            following = node.next
            node.move_before(block.end)
            node = following

    def _pass_out(self, guard: Node) -> None:
        """Make values of the guarded block that later nodes use outputs of the guard.

        A `with` block may define variables that are read after it.
        """
        exited, goes_on = guard.blocks
        for value in [value for node in goes_on.nodes for value in node.outputs]:
            later = [use for use in value.uses if not _is_inside(use.user, goes_on)]
            if later:
                exited.add_output(self._unit(value.type))
                goes_on.add_output(value)
                output = guard.add_output(value.type)
                for user, index in later:
                    user.set_input(index, output)

    # ---- Loop ----------------------------------------------------------------------------------

    def _transform_loop(self, node: Node) -> _Exit:
        """Make a loop whose body may exit end then, with `has_exited` and the values as outputs."""
        body = node.blocks[0]
        exit = self.transform(body)
        if self._status(exit) in (_Status.WONT, _Status.THROWS):
            return _Exit(self.false)
        with self.graph.inserting_at(body):
            choice = self.graph.emit("prim::If", [exit.has_exited], [])
        choice.add_block().add_output(self.false)
        choice.add_block().add_output(body.outputs[0])
        body.end.set_input(0, choice.add_output(t.BOOL))
        node.add_input(self.false)
        body.add_input(t.BOOL)
        body.add_output(exit.has_exited)
        has_exited = node.add_output(t.BOOL)
        for value in exit.values:
            node.add_input(self._unit(value.type))
            node.add_output(value.type)
            body.add_input(value.type)
            body.add_output(value)
        return _Exit(has_exited, tuple(node.outputs[len(node.outputs) - len(exit.values) :]))

    # ---- Blocks --------------------------------------------------------------------------------

    def _delete_from(self, first: Node, last: Node) -> None:
        """Delete the nodes from `first` up to `last`, which stays: they are never reached."""
        node = last
        while node is not first:
            node = last.prev
            self._destroy_unreached(node)

    def _destroy_unreached(self, node: Node) -> None:
        for output in node.outputs:
            if output.uses:
                output.replace_all_uses_with(self._unit(output.type))
        node.destroy()

    def _give_results(self, block: Block, exit: _Exit) -> None:
        """Make the values with which a target block exits its outputs."""
        status = self._status(exit)
        if status is _Status.MIGHT:
            choice = self.graph.create("prim::If", [], []).insert_before(block.end)
            choice.add_block()
            choice.add_block()
            choice.add_input(exit.has_exited)
            _add_if_outputs(choice, exit.values, block.outputs)
            _replace_outputs(block, choice.outputs)
        elif status is _Status.WILL:
            _replace_outputs(block, exit.values)

    def _units(self, values: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(self._unit(value.type) for value in values)

    def _unit(self, type: Type) -> Value:
        """Return a value that is never read."""
        key = _identity(type)
        if key not in self.units:
            node = self.graph.create("prim::Uninitialized", [], [type])
            self.units[key] = self.graph.block.prepend(node).output
        return self.units[key]


_MADE_ANEW = (t.OptionalType, t.TupleType, t.ListType, t.DictType)


def _identity(type: Type) -> object:
    """Return the key by which torch shares a value: the type, or the identity of its object.

    torch makes several equal objects of some types, and a value for each of these.
    """
    return id(type) if isinstance(type, _MADE_ANEW) else type


def _is_inside(node: Node, block: Block) -> bool:
    here: Node | None = node
    while here is not None and here.block is not None:
        if here.block is block:
            return True
        here = here.block.owning_node
    return False


def _joined(first: _Status, second: _Status) -> _Status:
    if first is _Status.THROWS:
        return second
    if second is _Status.THROWS or first is second:
        return first
    return _Status.MIGHT


def _add_if_outputs(node: Node, first: Sequence[Value], second: Sequence[Value]) -> None:
    for value, other in zip(first, second, strict=True):
        node.blocks[0].add_output(value)
        node.blocks[1].add_output(other)
        unified = unify(value.type, other.type, default_to_union=True)
        assert unified is not None
        node.add_output(unified)


def _replace_outputs(block: Block, values: Sequence[Value]) -> None:
    values = list(values)
    block.end.remove_all_inputs()
    for value in values:
        block.add_output(value)


# ---- with --------------------------------------------------------------------------------------


def _wrap_with_blocks(graph: Graph) -> list[Node]:
    """Move the nodes between each `prim::Enter` and its `prim::Exit` into a new `prim::With`.

    Return the `prim::With` nodes, inner ones before those around them.
    """
    stack: list[Node] = []
    pairs: list[tuple[Node, Node]] = []
    for node in graph.nodes_of_kind("prim::Enter", "prim::Exit"):
        if node.kind == "prim::Enter":
            stack.append(node)
        else:
            pairs.append((stack.pop(), node))
    wrapped = []
    for enter, leave in pairs:
        node = graph.create("prim::With", [], [])
        body, last = node.add_block(), node.add_block()
        inner = enter.next
        while inner is not leave:
            following = inner.next
            inner.move_before(body.end)
            inner = following
        leave.move_before(last.end)
        wrapped.append(node.insert_after(enter))
    return wrapped


def _unwrap_with_blocks(wrapped: list[Node]) -> None:
    for node in reversed(wrapped):
        for block in node.blocks:
            for inner in block.nodes:
                inner.move_before(node)
        node.destroy()
