"""Dead code elimination: remove nodes whose results nobody uses.

Before:
    %y : Tensor = aten::neg(%x)
    %l : int[] = prim::ListConstruct()
    %m : int[] = aten::append(%l, %one)
    return (%x)
After:
    return (%x)

A node lives if it has side effects, if it writes to memory that lives, or if a living node uses its
results. Results of If and Loop that nobody uses are removed, too; so is a fork that nobody waits
for, with all that it would do.

Which memory lives, alias analysis tells, of the whole graph. But mostly what is written to is read
itself later on (`values.append(x)`, then `len(values)`). So nodes are marked without aliases at
first; if all that write live by then, aliases would add nothing.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/dead_code_elimination.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.ir.alias import AliasAnalysis, written_inputs
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.points_to import Memory, is_mutable_type
from minits.ops.properties import FORKS, is_effect


def eliminate_dead_code(graph: Graph) -> bool:
    """Return whether the graph changed."""
    return DeadCode(graph).run()


class DeadCode:
    """One run over a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.marked: set[Node] = set()
        self.changed = False
        self.is_settled = True
        """Whether a second run would change nothing; false also where that is not known."""
        self.carried: list[Value] = []
        """Values that loops carry and that have lost uses."""

    def run(self) -> bool:
        self.marked = _living_nodes(self.graph)
        self._sweep(self.graph.block)
        self.is_settled &= all(value.uses for value in self.carried)
        return self.changed

    # ---- Sweep ---------------------------------------------------------------------------------

    def _sweep(self, block: Block) -> None:
        for node in block.reversed_nodes:
            if node.kind == "prim::If":
                self._remove_if_outputs(node)
            elif node.kind == "prim::Loop":
                self._remove_loop_outputs(node)
            for inner in node.blocks:
                self._sweep(inner)
            if node not in self.marked and not any(output.uses for output in node.outputs):
                self._look_at_dead(node)
                node.destroy()
                self.changed = True

    def _remove_if_outputs(self, node: Node) -> None:
        for index in reversed(range(len(node.outputs))):
            if not node.outputs[index].uses:
                node.remove_output(index)
                for block in node.blocks:
                    self._look_at_unused(block.outputs[index])
                    block.end.remove_input(index)
                self.changed = True

    def _remove_loop_outputs(self, node: Node) -> None:
        body = node.blocks[0]
        for index in reversed(range(len(node.outputs))):
            if not node.outputs[index].uses and not body.inputs[index + 1].uses:
                self.is_settled = False  # what the loop began with lived as one of its inputs
                node.remove_output(index)
                node.remove_input(index + 2)
                body.param.remove_output(index + 1)
                body.end.remove_input(index + 1)
                self.changed = True

    # ---- Is another run needed? ----------------------------------------------------------------

    def _look_at_dead(self, node: Node) -> None:
        """Look at a node that goes: what it did with memory may have kept other nodes alive, and
        what a loop goes on by lives with or without the loop."""
        if node.kind == "prim::Loop" or any(is_mutable_type(value.type) for value in node.inputs):
            self.is_settled = False
        for value in node.inputs:
            self._look_at_unused(value)

    def _look_at_unused(self, value: Value) -> None:
        """Look at a value that loses a use: a loop carries what any node of its body reads."""
        if value.node.kind == "prim::Param" and value.node.owner.owning_node is not None:
            self.carried.append(value)


# ---- Which nodes live? -------------------------------------------------------------------------


def _living_nodes(graph: Graph) -> set[Node]:
    alias = AliasAnalysis(graph, lazily=True)
    writers = {node for node in alias.writers if node.kind not in FORKS}
    if all(_is_effect(node) or _writes_to_used(node) for node in writers):
        marks = _Marks(graph, writers, None)
        marks.run()
        if writers <= marks.marked:
            return marks.marked
    marks = _Marks(graph, writers, alias)
    marks.run()
    return marks.marked


def _is_effect(node: Node) -> bool:
    """Return whether a node lives in any case. To set an attribute of a new object is a write."""
    is_made_here = node.kind == "prim::SetAttr" and node.inputs[0].node.kind == "prim::CreateObject"
    return is_effect(node.kind) and not is_made_here


def _writes_to_used(writer: Node) -> bool:
    """Return whether others use what a node writes to: else only aliases can keep it alive."""
    return any(len(value.uses) > 1 for value in written_inputs(writer))


class _Marks:
    """The nodes of a graph that live, found from the last one to the first.

    writers: the nodes that write to memory. The writes of a fork count where it is waited for.
    alias: without it, only what is written to itself keeps a writer alive.
    """

    def __init__(self, graph: Graph, writers: set[Node], alias: AliasAnalysis | None) -> None:
        self.graph = graph
        self.alias = alias
        self.writers = writers
        self.marked: set[Node] = set()
        self.live: set[Value] = set()
        self.live_memory: set[Memory] = set()
        """Memory that `live` reaches, but for the values in `waiting`."""
        self.waiting: list[Value] = []
        self.effects: dict[Block, dict[Node, None]] = {}
        """Of each block that was not entered yet, the nodes with side effects, or with some in
        their blocks."""
        self.n_passed_over = 0
        """The number of times that a writer was met while nothing lived that it writes to."""

    def run(self) -> None:
        self._mark(self.graph.block.end)
        self._find_effects()
        self._mark_block(self.graph.block)

    def _find_effects(self) -> None:
        """Fill `effects`."""
        kinds = self.graph.kinds_with(is_effect)
        effects = filter(_is_effect, self.graph.nodes_of_kind(*kinds))
        for node in (*effects, *self._writers_outside(kinds)):
            here: Node | None = node
            while here is not None:
                found = self.effects.setdefault(here.owner, {})
                if here in found:
                    break
                found[here] = None
                here = here.owner.owning_node

    def _writers_outside(self, kinds: Sequence[str]) -> list[Node]:
        """Return the writers to memory that exists outside the graph; not those of `kinds`."""
        alias = self.alias
        if alias is None:
            return []
        writers = [node for node in self.writers if node.kind not in kinds]
        return [node for node in writers if alias.writes_to_wildcard(node)]

    def _mark(self, node: Node) -> bool:
        """Mark a node and those around it; its inputs live. Return whether it was unmarked."""
        if node in self.marked:
            return False
        self.marked.add(node)
        owner = node.block.owning_node if node.block is not None else None
        if owner is not None and owner not in self.marked:
            self._mark(owner)
        self._enliven(node.inputs)
        return True

    def _enliven(self, values: Sequence[Value]) -> None:
        self.live.update(values)
        if self.alias is not None:
            self.waiting += values

    def _writes_to_live(self, node: Node) -> bool:
        if not self.live.isdisjoint(written_inputs(node)):
            return True
        is_live = self.alias is not None and self._writes_to_live_memory(self.alias, node)
        self.n_passed_over += not is_live
        return is_live

    def _writes_to_live_memory(self, alias: AliasAnalysis, node: Node) -> bool:
        self.live_memory |= alias.reach(self.waiting)
        self.waiting.clear()
        return not self.live_memory.isdisjoint(alias.written(node))

    def _mark_block(self, block: Block) -> bool:
        changed = False
        for node in self.effects.pop(block, ()):
            changed |= self._mark(node)
        changed |= self._mark_outputs(block)
        marked, live, writers = self.marked, self.live, self.writers
        for node in block.reversed_nodes:
            if node.kind == "prim::Loop":
                changed |= self._mark_loop(node)
            else:
                for inner in node.blocks:
                    changed |= self._mark_block(inner)
            if node not in marked and (
                not live.isdisjoint(node.outputs)
                or (node in writers and self._writes_to_live(node))
            ):
                changed |= self._mark(node)
        return changed

    def _mark_loop(self, node: Node) -> bool:
        """Mark a loop, whose iterations may read what earlier ones wrote further down.

        So a loop with writers that were passed over is marked again. What one iteration hands the
        next as values needs no second round: outputs of the block are marked before its nodes.
        """
        changed = False
        before = -1
        while self.n_passed_over > before:
            before = self.n_passed_over
            if not self._mark_block(node.blocks[0]):
                break
            changed = True
        return changed

    def _mark_outputs(self, block: Block) -> bool:
        """An output of a block lives if the result of its node does."""
        end, owner = block.end, block.owning_node
        if end in self.marked:
            return False
        if owner is None:
            return self._mark(end)
        before = len(self.live)
        if owner.kind == "prim::Loop":
            self._enliven(block.outputs[:1])
            for inner, value, output in zip(
                block.inputs[1:], block.outputs[1:], owner.outputs, strict=True
            ):
                if output in self.live or inner.uses:
                    self._enliven((value,))
        elif owner.kind == "prim::If":
            for value, output in zip(block.outputs, owner.outputs, strict=True):
                if output in self.live:
                    self._enliven((value,))
        else:
            self._enliven(block.outputs)
        return len(self.live) > before
