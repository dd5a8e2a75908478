"""A walk over a graph that keeps the integers that conditions tell, as far as they hold.

    %c : bool = aten::eq(%n, %two)          %c tells, if it is true, that %n is 2
    %d : bool = aten::__not__(%c)           %d tells the same if it is false
    %z : int = prim::If(%c)
      block0():                             here %n is 2
        -> (%n)
      block1():
         = prim::RaiseException(%m, %none)
        -> (%u)
    %y : int = aten::neg(%n)                here, too: the other branch never ends

A bool that an If gives tells what holds in all branches that may give it. So `a and b`, which is
`b if a else False`, tells what both of them do if it is true:

    %both : bool = prim::If(%a)
      block0():
        -> (%b)
      block1():
        -> (%false)

Source: torch/csrc/jit/passes/value_refinement_utils.cpp.
Differs: torch leaves the bodies of loops as they are, and forgets what two branches have in common
if one of them gives a constant.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from minits.ir.constants import to_python
from minits.ir.graph import Block, Graph, Node, Value
from minits.records import dataclass
from minits.types import types as t

Refinements = dict[Value, int]
"""The integers that values are known to be; or lists to have as their lengths."""

_COMPARISONS = ("aten::eq", "aten::ne")


@dataclass(frozen=True, slots=True)
class Told:
    """Facts that a bool tells if it is true, and if it is false."""

    if_true: Refinements
    if_false: Refinements

    def given(self, outcome: bool) -> Refinements:
        """Return the facts that the bool tells if it is `outcome`."""
        return self.if_true if outcome else self.if_false

    def reversed(self) -> Told:
        """Return the facts of the opposite bool: those of each outcome are of the other one."""
        return Told(self.if_false, self.if_true)


_NOTHING = Told({}, {})


class Refiner(ABC):
    """A walk over a graph that knows at each node what the conditions before it tell."""

    def __init__(self) -> None:
        self.changed = False
        self.told: dict[Value, Told] = {}
        self.active: list[Refinements] = []
        """Facts that hold in each block around the node that is visited."""
        self.raising: set[Block] = set()
        """The blocks that never end, since they raise."""

    @abstractmethod
    def subject(self, number: Value) -> Value | None:
        """Return the value of which a comparison of this integer tells, if any."""

    @abstractmethod
    def use(self, node: Node) -> None:
        """Put what is known into a node, or in its place."""

    @abstractmethod
    def after_branches(self, node: Node, ends: Sequence[Refinements]) -> None:
        """Change an If, of whose branches it is known what holds at their ends."""

    def run(self, graph: Graph) -> bool:
        """Return whether the graph changed."""
        if graph.may_have(*_COMPARISONS):
            self._visit(graph.block, {})
        return self.changed

    def known(self, value: Value) -> int | None:
        """Return the integer that is known of a value at the node that is visited."""
        found = (refinements[value] for refinements in self.active if value in refinements)
        return next(found, None)

    def _visit(self, block: Block, refinements: Refinements) -> Refinements:
        """Visit the nodes of a block; return what is known at its end, beside what was before."""
        self.active.append(refinements)
        for node in block.nodes:
            self.use(node)
            if node.kind == "prim::If":
                self._visit_branches(node, refinements)
            elif node.kind == "prim::RaiseException":
                self.raising.add(block)
            else:
                for inner in node.blocks:
                    self._visit(inner, {})
                self._learn(node)
        self.use(block.end)
        self.active.pop()
        return refinements

    # ---- Conditions ----------------------------------------------------------------------------

    def _learn(self, node: Node) -> None:
        """Note what the result of a node tells."""
        if node.kind == "aten::__not__" and node.inputs[0] in self.told:
            self.told[node.output] = self.told[node.inputs[0]].reversed()
        elif node.kind in _COMPARISONS and len(node.inputs) == 2:
            left, right = node.inputs
            told = self._compared(left, right) or self._compared(right, left)
            if told is not None:
                self.told[node.output] = told if node.kind == "aten::eq" else told.reversed()

    def _compared(self, value: Value, other: Value) -> Told | None:
        """Return the facts that `value == other` tells, if the other one is a constant."""
        constant = to_python(other)
        if value.type == t.INT and type(constant) is int:
            subject = self.subject(value)
            return None if subject is None else Told({subject: constant}, {})
        if value in self.told and isinstance(constant, bool):
            return self.told[value] if constant else self.told[value].reversed()
        return None

    # ---- Branches ------------------------------------------------------------------------------

    def _visit_branches(self, node: Node, refinements: Refinements) -> None:
        condition = self.told.get(node.inputs[0], _NOTHING)
        ends = [
            self._visit(block, dict(condition.given(outcome)))
            for block, outcome in zip(node.blocks, (True, False), strict=True)
        ]
        self.after_branches(node, ends)
        ending = [index for index, block in enumerate(node.blocks) if block not in self.raising]
        if not ending:
            self.raising.add(node.owner)
        elif len(ending) == 1:
            refinements.update(ends[ending[0]])
        for index, output in enumerate(node.outputs):
            if output.type == t.BOOL:
                given = [(node.blocks[each].outputs[index], ends[each]) for each in ending]
                self.told[output] = Told(self._common(given, True), self._common(given, False))

    def _common(self, given: Sequence[tuple[Value, Refinements]], outcome: bool) -> Refinements:
        """Return the facts that all branches share which may give this outcome."""
        found = [
            {**refinements, **self.told.get(value, _NOTHING).given(outcome)}
            for value, refinements in given
            if to_python(value) is not (not outcome)
        ]
        if not found:
            return {}
        first, *others = found
        return {
            value: number
            for value, number in first.items()
            if all(other.get(value) == number for other in others)
        }
