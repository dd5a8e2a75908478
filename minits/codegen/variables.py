"""Which values share a Python variable, and what the variables are called.

A loop variable is one variable in SSA form several values: the initial one, the block's input, the
new one and the loop's output. Where no older value is read after a newer one is computed, they are
one Python variable, as in the user's program:

    %s : int = prim::Loop(%n, %true, %s.1)          s = 0
      block0(%i : int, %s.5 : int):                 for i in range(n):
        %s.9 : int = aten::add(%s.5, %i)                s = s + i
        -> (%true, %s.9)

Otherwise values are copied at the end of the block.
"""

from __future__ import annotations

import builtins
import keyword
import re

from minits.codegen.uses import is_constant, resolve, uses_of
from minits.ir.graph import Block, Graph, Node, Value

_NOT_IN_NAMES = re.compile(r"\W")
_SUFFIX = re.compile(r"\.\d+$")
_TAKEN = frozenset((*keyword.kwlist, *dir(builtins)))


class Variables:
    """The Python variable of each value of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._leader: dict[Value, Value] = {}
        self._leaders: set[Value] = set()
        self._names: dict[Value, str] = {}
        self._used: set[str] = set(_TAKEN)
        for value in graph.inputs:
            self.name(value)
        self._merge(graph.block)

    def name(self, value: Value) -> str:
        """Return the name of the variable that holds a value."""
        leader = self.leader(resolve(value))
        if leader not in self._names:
            self._names[leader] = self.fresh(leader.name)
        return self._names[leader]

    def is_shared(self, value: Value) -> bool:
        """Whether other values are in the value's variable too."""
        return value in self._leader or value in self._leaders

    def leader(self, value: Value) -> Value:
        while value in self._leader:
            value = self._leader[value]
        return value

    def fresh(self, wanted: str) -> str:
        """Return an unused name like a value's: `x` for `x.7`, `v3` for `3`."""
        base = _NOT_IN_NAMES.sub("_", _SUFFIX.sub("", wanted)) or "v"
        if base[0].isdigit() or base in _TAKEN:
            base = f"v{base}" if base[0].isdigit() else f"{base}_"
        name, count = base, 1
        while name in self._used:
            name, count = f"{base}_{count}", count + 1
        self._used.add(name)
        return name

    def _merge(self, block: Block) -> None:
        for node in block.nodes:
            if node.kind == "prim::Loop":
                self._merge_loop(node)
            elif node.kind == "prim::If":
                for output in node.outputs:
                    self._merge_if(node, output)
            for inner in node.blocks:
                self._merge(inner)

    def _merge_loop(self, loop: Node) -> None:
        body = loop.blocks[0]
        for index, output in enumerate(loop.outputs):
            variable = body.inputs[index + 1]
            self._leader[variable] = self.leader(output)
            self._leaders.add(self.leader(output))
            self._try(body.outputs[index + 1], variable, body)

    def _merge_if(self, node: Node, output: Value) -> None:
        """`if c: x = f(x)` changes the variable that it leaves alone where `c` is false."""
        if output in self._leader:
            return
        for block in node.blocks:
            old = resolve(block.outputs[output.index])
            if old.node.block is not node.block and old.node.kind != "prim::Param":
                continue
            if is_constant(old) or self._is_read_after(old, node):
                continue
            if _is_result_elsewhere(node, output.index, old):
                continue
            if any(self.leader(other) is self.leader(old) for other in node.outputs):
                continue
            self._leader[output] = self.leader(old)
            self._leaders.add(self.leader(old))
            self._merge_branches(node, output, old)
            return
        self._merge_branches(node, output, output)

    def _merge_branches(self, node: Node, output: Value, old: Value) -> None:
        for block in node.blocks:
            self._try(block.outputs[output.index], old, block)

    def _try(self, new: Value, old: Value, block: Block) -> None:
        """Keep `new`, defined in `block`, in the variable of `old` if `old` is not read after it.

        For the output of an `If`, which is assigned nowhere else, `old` is the output itself.
        """
        new = resolve(new)
        node = new.node
        if new in self._leader or new in self._leaders or node.block is not block:
            return
        if is_constant(new) or node.kind == "prim::Param":
            return
        if node.kind == "prim::Loop" and not self._loop_may_share(node, new, old):
            return
        if old.node is not block.owning_node and self._is_read_after(old, node):
            return
        self._leader[new] = self.leader(old)
        self._leaders.add(self.leader(old))
        if node.kind == "prim::If":
            self._merge_branches(node, new, old)

    def _loop_may_share(self, loop: Node, new: Value, old: Value) -> bool:
        """Whether an inner loop may use the variable of `old` for one of its own.

        `old` must not be read in the loop, except as what that variable starts with.
        """
        body = loop.blocks[0]
        if any(_contains(body, use.user) for use in uses_of(old)):
            return False
        others = (resolve(value) for value in loop.inputs[2:])
        starts = [index for index, value in enumerate(others) if value is old]
        return all(index == new.index for index in starts)

    def _is_read_after(self, old: Value, node: Node) -> bool:
        for use in uses_of(old):
            user = use.user
            if user is node:
                continue
            if user.kind == "prim::Return" and _contains(user.owner, node):
                return True
            if not (user.is_before(node) or _is_exclusive(user, node) or _is_inside(user, node)):
                return True
        return False


def _is_result_elsewhere(node: Node, index: int, old: Value) -> bool:
    """Whether a branch that gives result `index` another value than `old` has `old` as a result."""
    return any(
        old in map(resolve, block.outputs) and resolve(block.outputs[index]) is not old
        for block in node.blocks
    )


def _contains(block: Block, node: Node) -> bool:
    here = node.block
    while here is not None:
        if here is block:
            return True
        owner = here.owning_node
        here = None if owner is None else owner.block
    return False


def _contains_block(node: Node, inner: Node) -> bool:
    return any(_contains(block, inner) for block in node.blocks)


def _is_inside(user: Node, node: Node) -> bool:
    """Whether `user` is in a branch of the `If` that is `node`; each branch is looked at itself."""
    return node.kind == "prim::If" and _contains_block(node, user)


def _is_exclusive(user: Node, node: Node) -> bool:
    """Whether the two are in different branches of one `If`."""
    mine = _branches(node)
    return any(mine.get(owner, block) is not block for owner, block in _branches(user).items())


def _branches(node: Node) -> dict[Node, Block]:
    found: dict[Node, Block] = {}
    block = node.block
    while block is not None and block.owning_node is not None:
        if block.owning_node.kind == "prim::If":
            found[block.owning_node] = block
        block = block.owning_node.block
    return found
