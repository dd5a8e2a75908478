"""Which integers may leave 64 bits, and where they are wrapped around.

Python's integers have no bounds, TorchScript's wrap around. To test each sum would cost more than
the sum, and is seldom needed:

    for i in range(n):          0 <= i < 2**48: no loop runs longer
        count += 1              |count| <= 2**48: needs no test
        total += i * 3          |total| <= 3 * 2**96: may grow unwrapped, is wrapped after the loop
        if a * b > 7:           is tested: a comparison needs the wrapped product

For each value there is a bound of its magnitude as Python computes it. Where the bound exceeds 64
bits, the value is wrapped where it is defined if some use needs it wrapped. Sums, differences and
products do not, because they commute with wrapping; comparisons, divisions, conversions, results
and whatever stores the value do.

The one assumption: nothing runs `LONGEST` times. At ten nanoseconds each, 2**48 take a month.
"""

from __future__ import annotations

from minits.codegen.uses import resolve, uses_of
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Graph, Node, Value
from minits.ops.facts import key_of, schema_of
from minits.ops.implementations.integers import MAX_INT
from minits.types import types as t

LONGEST = 2**48
ANY_INT = 2**63
"""The magnitude of the least 64-bit integer: the bound of what nothing is known of."""

_WIDEST = 2**256
"""No value is left unwrapped beyond this."""

_RING = frozenset(("aten::add.int", "aten::sub.int", "aten::mul.int", "aten::neg.int"))
_COUNTS = ("aten::len.", "aten::ord")


def operator_key(node: Node) -> str | None:
    """Return `aten::add.int` of a node that is an operator."""
    if node.kind.startswith("aten::") or node.kind in ("prim::min", "prim::max", "prim::abs"):
        schema = schema_of(node)
        return None if schema is None else key_of(schema)
    return None


class IntegerBounds:
    """Bounds of the integers of one graph."""

    def __init__(self, graph: Graph) -> None:
        self._bounds: dict[Value, int] = {}
        self._open: set[Value] = set()
        self._cyclic: set[Value] = set()
        self._keys: dict[Node, str | None] = {}
        self._needed: dict[Value, bool] = {}
        self.graph = graph

    def bound(self, value: Value) -> int:
        """Return a bound of the magnitude that the value has in generated code."""
        value = resolve(value)
        if value in self._open:  # a loop variable whose bound depends on itself
            self._cyclic.add(value)
            return ANY_INT
        found = self._bounds.get(value)
        if found is None:
            self._open.add(value)
            found = self._compute(value)
            self._open.discard(value)
            self._bounds[value] = found
        return found

    def wraps(self, value: Value) -> bool:
        """Whether generated code wraps the value right after computing it."""
        if self.key(value.node) not in _RING:
            return False
        return self._raw_bound(value) > MAX_INT and self.bound(value) == ANY_INT

    def wraps_after_loop(self, output: Value) -> bool:
        """Whether an output of a loop grows unwrapped in the loop, and is needed wrapped after."""
        if output.type != t.INT:
            return False
        return self.bound(output) > ANY_INT and self.is_needed(output)

    def key(self, node: Node) -> str | None:
        if node not in self._keys:
            self._keys[node] = operator_key(node)
        return self._keys[node]

    def is_needed(self, value: Value) -> bool:
        """Whether some use of the value, or of what hands it on, needs it wrapped."""
        value = resolve(value)
        if value not in self._needed:
            self._needed[value] = self._find_need(value)
        return self._needed[value]

    def _find_need(self, value: Value) -> bool:
        waiting, seen = [value], {value}
        while waiting:
            for use in uses_of(waiting.pop()):
                following = self._hands_to(use.user, use.offset)
                if following is None:
                    return True
                waiting += [other for other in following if other not in seen]
                seen.update(following)
        return False

    def _hands_to(self, user: Node, offset: int) -> list[Value] | None:
        """Return the values that are the used one, unchanged; None where a use needs it wrapped."""
        if self.key(user) in _RING:
            return []
        if user.kind == "prim::Loop" and offset >= 2:
            return None if self._loop_variable_is_needed(user, offset - 2) else []
        owner = user.owner.owning_node if user.kind == "prim::Return" else None
        if owner is None:
            return None
        if owner.kind == "prim::If":
            return [owner.outputs[offset]]
        if owner.kind == "prim::Loop" and offset >= 1:
            return None if self._loop_variable_is_needed(owner, offset - 1) else []
        return None

    def _loop_variable_is_needed(self, loop: Node, index: int) -> bool:
        """An output of the loop is wrapped after it: its uses do not count."""
        return self.bound(loop.blocks[0].inputs[index + 1]) <= ANY_INT

    def _compute(self, value: Value) -> int:
        node = value.node
        if node.kind == "prim::Constant":
            content = to_python(value)
            return ANY_INT if content is NOT_CONSTANT or content is None else abs(int(content))
        if node.kind == "prim::Param":
            return self._of_block_input(value)
        if node.kind == "prim::If":
            return max(self.bound(block.outputs[value.index]) for block in node.blocks)
        if node.kind == "prim::Loop":
            return self.bound(node.blocks[0].inputs[value.index + 1])
        raw = self._raw_bound(value)
        if raw <= MAX_INT:
            return raw
        return ANY_INT if raw > _WIDEST or self.is_needed(value) else raw

    def _of_block_input(self, value: Value) -> int:
        block = value.node.owner
        loop = block.owning_node
        if loop is None or loop.kind != "prim::Loop":
            return ANY_INT
        if value.index == 0:
            return min(self._trips(loop), LONGEST)
        start = self.bound(loop.inputs[value.index + 1])
        growth = self._growth(block.outputs[value.index], value)
        if growth is None or value in self._cyclic:
            return ANY_INT  # a variable that is not what it was plus something is kept wrapped
        total = start + LONGEST * growth
        if total <= MAX_INT:
            return total
        return ANY_INT if total > _WIDEST or not self._is_only_summed(value) else total

    def _is_only_summed(self, variable: Value) -> bool:
        """Whether a loop variable is read, within the loop, only in sums that lead to itself."""
        waiting, seen = [variable], {variable}
        while waiting:
            value = waiting.pop()
            for use in uses_of(value):
                following = self._handed_to(use.user, use.offset, value)
                if following is None:
                    return False
                for other in following:
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
        return True

    def _handed_to(self, user: Node, offset: int, value: Value) -> list[Value] | None:
        """Return the values that a use leads to, or None where it needs the value wrapped."""
        if self.key(user) in _RING:
            return [user.output]
        if user.kind == "prim::Loop" and offset >= 2:
            inner = user.blocks[0].inputs[offset - 1]
            if self._growth(user.blocks[0].outputs[offset - 1], inner) is None:
                return None
            return [inner, user.outputs[offset - 2]]
        if user.kind != "prim::Return":
            return None
        owner = user.owner.owning_node
        if owner is None:
            return None
        if owner.kind == "prim::If":
            return [owner.outputs[offset]]
        if owner.kind == "prim::Loop" and offset >= 1:
            variable = owner.blocks[0].inputs[offset]
            return [] if self._growth(value, variable) is not None else None
        return None

    def _trips(self, loop: Node) -> int:
        return self.bound(loop.inputs[0])

    def _growth(self, value: Value, start: Value) -> int | None:
        """Return how far `value` may be from `start`, or None where that is not known."""
        value = resolve(value)
        if value is start:
            return 0
        node = value.node
        if node.kind == "prim::If":
            parts = [self._growth(block.outputs[value.index], start) for block in node.blocks]
            known = [part for part in parts if part is not None]
            return max(known) if len(known) == len(parts) else None
        if node.kind == "prim::Loop":
            body = node.blocks[0]
            before = self._growth(node.inputs[value.index + 2], start)
            inside = self._growth(body.outputs[value.index + 1], body.inputs[value.index + 1])
            return None if before is None or inside is None else before + inside
        if self.key(node) not in ("aten::add.int", "aten::sub.int"):
            return None
        left, right = node.inputs
        growth = self._growth(left, start)
        if growth is not None:
            return growth + self.bound(right)
        if self.key(node) == "aten::add.int":
            growth = self._growth(right, start)
            return None if growth is None else growth + self.bound(left)
        return None

    def _raw_bound(self, value: Value) -> int:
        """Return a bound of what an operator computes, before it is wrapped."""
        node = value.node
        key = self.key(node)
        if key is None or value.type != t.INT:
            return ANY_INT if node.kind != "aten::Int" else 1
        inputs = node.inputs
        match key:
            case "aten::add.int" | "aten::sub.int":
                return self.bound(inputs[0]) + self.bound(inputs[1])
            case "aten::mul.int":
                return self.bound(inputs[0]) * self.bound(inputs[1])
            case "aten::neg.int":
                return self.bound(inputs[0])
            case "prim::min.int" | "prim::max.int":
                return _fit(max(self.bound(inputs[0]), self.bound(inputs[1])))
            case "aten::floordiv.int" | "aten::__rshift__.int":
                return _fit(self.bound(inputs[0]))
            case "aten::remainder.int":
                return _fit(self.bound(inputs[1]))
            case "aten::__and__.int":
                return self._of_and(inputs)
            case "aten::__derive_index":
                return _fit(self.bound(inputs[1]) + LONGEST * self.bound(inputs[2]))
            case "aten::Int.bool":
                return 1
        return LONGEST if key.startswith(_COUNTS) else _fit(ANY_INT)

    def _of_and(self, inputs: list[Value]) -> int:
        """`x & mask` is between 0 and a mask that is not negative."""
        masks = [to_python(value) for value in inputs]
        sizes = [mask for mask in masks if isinstance(mask, int) and mask >= 0]
        return min(sizes, default=MAX_INT)


def _fit(bound: int) -> int:
    """The bound of an operator that wraps its own result."""
    return min(bound, MAX_INT)
