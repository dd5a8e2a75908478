"""Bounds of integers: they tell which may leave 64 bits, and where these are wrapped around.

Python's integers have no bounds, TorchScript's wrap around. To test each sum would cost more than
the sum, and is seldom needed:

    for i in range(n):          0 <= i <= 2**48: no loop runs longer
        count += 1              0 <= count <= 2**48: needs no test
        total += i * 3          0 <= total <= 3 * 2**96: grows unwrapped, is wrapped after the loop
        if a * b > 7:           is tested: a comparison needs the wrapped product
        xs[i] += 1              is tested on one side: it is never below 64 bits

For each value there is an interval that holds it as Python computes it. Where the interval exceeds
64 bits, the value is wrapped where it is defined if some use needs it wrapped. Sums, differences
and products do not, because they commute with wrapping; comparisons, divisions, conversions,
results and whatever stores the value do.

The one assumption: nothing runs more than `LONGEST` times. At ten nanoseconds each, 2**48 take a
month.
"""

from __future__ import annotations

from typing import NamedTuple

from minits.codegen.uses import resolve, uses_of
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Graph, Node, Value
from minits.ops.properties import key_of, schema_of
from minits.types import types as t
from minits.types.int64 import MAX_INT, MIN_INT

LONGEST = 2**48
_WIDEST = 2**256
"""No value is left unwrapped beyond this."""

_RING = frozenset(("aten::add.int", "aten::sub.int", "aten::mul.int", "aten::neg.int"))
_COUNTS = ("aten::len.", "aten::ord")


class Interval(NamedTuple):
    """The integers from `low` to `high`, both included."""

    low: int
    high: int

    @property
    def fits(self) -> bool:
        return self.low >= MIN_INT and self.high <= MAX_INT

    @property
    def magnitude(self) -> int:
        return max(-self.low, self.high)

    def clamp(self) -> Interval:
        return Interval(max(self.low, MIN_INT), min(self.high, MAX_INT))

    def plus(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def minus(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def times(self, other: Interval) -> Interval:
        products = [a * b for a in self for b in other]
        return Interval(min(products), max(products))

    def union(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def repeated(self) -> Interval:
        """Return the sums of up to `LONGEST` numbers of the interval."""
        return Interval(LONGEST * min(0, self.low), LONGEST * max(0, self.high))


ANY_INT = Interval(MIN_INT, MAX_INT)


def operator_key(node: Node) -> str | None:
    """Return `aten::add.int` of a node that is an operator."""
    if node.kind.startswith("aten::") or node.kind in ("prim::min", "prim::max", "prim::abs"):
        schema = schema_of(node)
        return None if schema is None else key_of(schema)
    return None


class IntegerBounds:
    """Intervals of the integers of one graph."""

    def __init__(self, graph: Graph) -> None:
        self._intervals: dict[Value, Interval] = {}
        self._open: set[Value] = set()
        self._cyclic: set[Value] = set()
        self._keys: dict[Node, str | None] = {}
        self._needed: dict[Value, bool] = {}
        self.graph = graph

    def key(self, node: Node) -> str | None:
        if node not in self._keys:
            self._keys[node] = operator_key(node)
        return self._keys[node]

    def interval(self, value: Value) -> Interval:
        """Return an interval of the value that generated code has."""
        value = resolve(value)
        if value in self._open:
            return self._of_open(value)
        found = self._intervals.get(value)
        if found is None:
            self._open.add(value)
            found = self._compute(value)
            self._open.discard(value)
            self._intervals[value] = found
        return found

    def _of_open(self, value: Value) -> Interval:
        """Return an interval of a value whose interval depends on itself.

        A loop variable is then kept wrapped. Of other values too little is known yet.
        """
        if value.node.kind != "prim::Param":
            return Interval(-_WIDEST, _WIDEST)
        self._cyclic.add(value)
        return ANY_INT

    def magnitude(self, value: Value) -> int:
        return self.interval(value).magnitude

    def excess(self, value: Value) -> Interval | None:
        """Return the interval of an unwrapped result that must be wrapped at once, else None."""
        if value.type != t.INT or self.key(value.node) not in _RING:
            return None
        raw = self._raw(value)
        return None if raw.fits or self.interval(value) != ANY_INT else raw

    def excess_after_loop(self, output: Value) -> Interval | None:
        """Return the interval of a loop's output that grew unwrapped and is needed wrapped."""
        if output.type != t.INT:
            return None
        raw = self.interval(output)
        return None if raw.fits or not self.is_needed(output) else raw

    # ---- Which values are needed wrapped ---------------------------------------------------

    def is_needed(self, value: Value) -> bool:
        """Return whether a use of the value, direct or through an If or Loop, needs it wrapped."""
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
            return None if self._keeps_wrapped(user, offset - 2) else []
        owner = user.owner.owning_node if user.kind == "prim::Return" else None
        if owner is None:
            return None
        if owner.kind == "prim::If":
            return [owner.outputs[offset]]
        if owner.kind == "prim::Loop" and offset >= 1:
            return None if self._keeps_wrapped(owner, offset - 1) else []
        return None

    def _keeps_wrapped(self, loop: Node, index: int) -> bool:
        """Return whether a loop variable is wrapped in each iteration, not after the loop."""
        return self.interval(loop.blocks[0].inputs[index + 1]).fits

    # ---- Intervals -------------------------------------------------------------------------

    def _compute(self, value: Value) -> Interval:
        node = value.node
        if value.type != t.INT and value.type != t.BOOL:
            return ANY_INT
        if node.kind == "prim::Constant":
            content = to_python(value)
            if content is NOT_CONSTANT or content is None:
                return ANY_INT
            return Interval(int(content), int(content))
        if node.kind == "prim::Param":
            return self._of_block_input(value)
        if node.kind == "prim::If":
            then, otherwise = (self.interval(b.outputs[value.index]) for b in node.blocks)
            return then.union(otherwise)
        if node.kind == "prim::Loop":
            return self.interval(node.blocks[0].inputs[value.index + 1])
        raw = self._raw(value)
        if raw.fits:
            return raw
        return ANY_INT if raw.magnitude > _WIDEST or self.is_needed(value) else raw

    def _of_block_input(self, value: Value) -> Interval:
        block = value.node.owner
        loop = block.owning_node
        if loop is None or loop.kind != "prim::Loop":
            return ANY_INT
        if value.index == 0:
            trips = self.interval(loop.inputs[0])
            return Interval(0, max(0, min(trips.high, LONGEST)))
        start = self.interval(loop.inputs[value.index + 1])
        growth = self._growth(block.outputs[value.index], value)
        if growth is None or value in self._cyclic:
            return ANY_INT  # a variable that is not what it was plus something is kept wrapped
        total = start.plus(growth.repeated())
        if total.fits:
            return total
        free = total.magnitude <= _WIDEST and self._is_only_summed(value)
        return total if free else ANY_INT

    def _growth(self, value: Value, start: Value) -> Interval | None:
        """Return the range of `value - start`, or None where it is not known."""
        value = resolve(value)
        if value is start:
            return Interval(0, 0)
        node = value.node
        if node.kind == "prim::If":
            parts = [self._growth(block.outputs[value.index], start) for block in node.blocks]
            known = [part for part in parts if part is not None]
            return known[0].union(known[1]) if len(known) == 2 else None
        if node.kind == "prim::Loop":
            body = node.blocks[0]
            before = self._growth(node.inputs[value.index + 2], start)
            inside = self._growth(body.outputs[value.index + 1], body.inputs[value.index + 1])
            if before is None or inside is None:
                return None
            return before.plus(inside.union(Interval(0, 0)))
        return self._growth_of_sum(node, start)

    def _growth_of_sum(self, node: Node, start: Value) -> Interval | None:
        key = self.key(node)
        if key not in ("aten::add.int", "aten::sub.int"):
            return None
        left, right = node.inputs
        growth = self._growth(left, start)
        if growth is not None:
            change = self.interval(right)
            return growth.plus(change) if key == "aten::add.int" else growth.minus(change)
        if key == "aten::add.int":
            growth = self._growth(right, start)
            return None if growth is None else growth.plus(self.interval(left))
        return None

    def _is_only_summed(self, variable: Value) -> bool:
        """Return whether a loop variable is read in the loop only in sums that lead to itself."""
        waiting, seen = [variable], {variable}
        while waiting:
            value = waiting.pop()
            for use in uses_of(value):
                following = self._leads_to(use.user, use.offset, value)
                if following is None:
                    return False
                waiting += [other for other in following if other not in seen]
                seen.update(following)
        return True

    def _leads_to(self, user: Node, offset: int, value: Value) -> list[Value] | None:
        """Return the values that a use leads to, or None where it needs the value wrapped."""
        if self.key(user) in _RING:
            return [user.output]
        if user.kind == "prim::Loop" and offset >= 2:
            inner = user.blocks[0].inputs[offset - 1]
            if self._growth(user.blocks[0].outputs[offset - 1], inner) is None:
                return None
            return [inner, user.outputs[offset - 2]]
        owner = user.owner.owning_node if user.kind == "prim::Return" else None
        if owner is None:
            return None
        if owner.kind == "prim::If":
            return [owner.outputs[offset]]
        if owner.kind == "prim::Loop" and offset >= 1:
            variable = owner.blocks[0].inputs[offset]
            return [] if self._growth(value, variable) is not None else None
        return None

    def _raw(self, value: Value) -> Interval:
        """Return an interval of an operator's result before it is wrapped."""
        node = value.node
        key = self.key(node)
        if key is None:
            return ANY_INT
        if key.startswith(_COUNTS):
            return Interval(0, LONGEST)
        if key in ("aten::neg.int", "aten::Int.bool"):
            inner = self.interval(node.inputs[0])
            return Interval(0, 1) if key == "aten::Int.bool" else Interval(0, 0).minus(inner)
        if key == "aten::__derive_index":
            return self._of_derived_index(node)
        rule = _RULES.get(key)
        if rule is None:
            return Interval(0, MAX_INT) if key == "aten::size.int" else ANY_INT
        return rule(self.interval(node.inputs[0]), self.interval(node.inputs[1]))

    def _of_derived_index(self, node: Node) -> Interval:
        """The numbers of `range(start, stop, step)`."""
        index, start, step = node.inputs
        first, change = self.interval(start), self.interval(step)
        reached = first.plus(change.repeated()).union(first).clamp()
        loop = index.node.owner.owning_node if index.node.kind == "prim::Param" else None
        length = None if loop is None else resolve(loop.inputs[0]).node
        if length is None or length.kind != "aten::__range_length":
            return reached
        last = self.interval(length.inputs[1])
        return Interval(
            max(reached.low, min(first.low, last.low)),
            min(reached.high, max(first.high, last.high)),
        )


def _floordiv(a: Interval, b: Interval) -> Interval:
    if b.low > 0:
        ends = [x // y for x in a for y in b]
        return Interval(min(ends), max(ends))
    return Interval(-a.magnitude, a.magnitude).clamp()


def _remainder(a: Interval, b: Interval) -> Interval:
    """Return the interval of `a % b`: a remainder has the sign of the divisor."""
    return Interval(min(0, b.low + 1), max(0, b.high - 1)).clamp()


def _shift_right(a: Interval, b: Interval) -> Interval:
    return a.union(Interval(0, 0) if a.low >= 0 else Interval(-1, 0)).clamp()


def _and(a: Interval, b: Interval) -> Interval:
    """`x & mask` is between 0 and a mask that is not negative."""
    highs = [x.high for x in (a, b) if x.low >= 0]
    return Interval(0, min(highs)) if highs else ANY_INT


def _or(a: Interval, b: Interval) -> Interval:
    if a.low < 0 or b.low < 0:
        return ANY_INT
    return Interval(0, 2 ** max(a.high, b.high).bit_length() - 1).clamp()


_RULES = {
    "aten::add.int": Interval.plus,
    "aten::sub.int": Interval.minus,
    "aten::mul.int": Interval.times,
    "prim::min.int": lambda a, b: Interval(min(a.low, b.low), min(a.high, b.high)),
    "prim::max.int": lambda a, b: Interval(max(a.low, b.low), max(a.high, b.high)),
    "aten::floordiv.int": _floordiv,
    "aten::remainder.int": _remainder,
    "aten::__rshift__.int": _shift_right,
    "aten::__and__.int": _and,
    "aten::__or__.int": _or,
    "aten::__xor__.int": _or,
}
"""From the intervals of two operands to the interval of the result."""
