"""Constant propagation: run pure nodes whose inputs are constants, inline decided Ifs.

Before:
    %c : bool = aten::gt(%two, %one)
    %z : int = prim::If(%c)
      block0():
        %y : int = aten::neg(%x)
        -> (%y)
      block1():
        -> (%x)
After (every use of %z now uses %y):
    %c : bool = prim::Constant[value=1]()
    %y : int = aten::neg(%x)

Loops that never run are removed, and results of Ifs and Loops that do not depend on them. An
operator that raises is left to raise when the program runs.

`propagate_immutable_constants` folds values of immutable types only, so that running it again
never finds more; `propagate_constants` also folds lists and tensors that nothing writes to and that
do not leave the graph (all calls would share them).

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/constant_propagation.cpp.
"""

from __future__ import annotations

from typing import Any

import torch

from minits.ir.alias import READERS_OF_FLAGS, AliasAnalysis
from minits.ir.constants import (
    NOT_CONSTANT,
    holds_tensors,
    insert_constant,
    to_python,
    type_as_constant,
)
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.points_to import is_mutable_type
from minits.ops.properties import has_side_effects, is_nondeterministic, schema_of
from minits.torch_internals import dispatch_modes, function_modes, is_any_autocast_enabled
from minits.types import types as t
from minits.types.types import Type

_NEVER = frozenset(
    "prim::If prim::Loop prim::Closure prim::Constant prim::Uninitialized prim::Guard "
    "prim::unchecked_unwrap_optional aten::dequantize prim::Load prim::PythonOp".split()
)


def propagate_constants(graph: Graph) -> bool:
    """Return whether the graph changed."""
    return _run(graph, AliasAnalysis(graph))


def propagate_immutable_constants(graph: Graph) -> bool:
    """Propagate constants of immutable types alone. Return whether the graph changed."""
    return _run(graph, None)


def propagate_frozen_constants(graph: Graph) -> bool:
    """Propagate constants of frozen modules, also into what leaves the graph, as torch does.

    It may be an attribute just as well. Methods of script classes are left to run. Return whether
    the graph changed.
    """
    propagation = Propagation(graph, AliasAnalysis(graph), joins_zeros=True)
    propagation.is_frozen = True
    propagation.run()
    return propagation.changed


def _run(graph: Graph, alias: AliasAnalysis | None) -> bool:
    propagation = Propagation(graph, alias)
    propagation.run()
    return propagation.changed


class Propagation:
    """One run over a graph; without `alias`, values of mutable types are left alone."""

    def __init__(
        self, graph: Graph, alias: AliasAnalysis | None = None, joins_zeros: bool = False
    ) -> None:
        self.graph = graph
        self.alias = alias
        self.joins_zeros = joins_zeros
        """Whether branches that end in 0.0 and -0.0 end in the same, as torch has it."""
        self.changed = False
        self.is_frozen = False
        """Whether results that leave the graph are folded as well."""
        self.folded: list[Node] = []
        """Operators of which at least one result is a constant now, in order."""
        self.made: list[Node] = []
        """These constants."""
        self.has_only_folded = True
        """Whether nothing but results of operators was replaced, and only where it changes nothing
        about memory."""

    def run(self) -> None:
        self.visit_block(self.graph.block)

    def remove_folded(self) -> None:
        """Remove the operators that were folded, and the constants that nobody else reads."""
        for node in reversed(self.folded):
            if not any(output.uses for output in node.outputs):
                constants = [value.node for value in node.inputs]
                node.destroy()
                _remove_unused(constants)
        _remove_unused(self.made)

    def visit_block(self, block: Block) -> None:
        node = block.end.next
        while node is not block.end:
            following = node.next
            self._visit(node)
            node = following

    def _visit(self, node: Node) -> None:
        if node.kind == "prim::If":
            self._visit_if(node)
        elif node.kind == "prim::Loop":
            self._visit_loop(node)
        elif node.kind == "prim::Constant":
            pass
        elif all(v.node.kind == "prim::Constant" for v in node.inputs) and self._may_run(node):
            self._fold(node)
        else:
            for block in node.blocks:
                self.visit_block(block)

    # ---- Operators -----------------------------------------------------------------------------

    def _may_run(self, node: Node) -> bool:
        if node.kind in _NEVER or node.blocks or has_side_effects(node):
            return False
        if is_nondeterministic(node) or _is_variadic(node) or _is_dispatched(node):
            return False
        if self.alias is not None:
            shared = any(self.alias.escapes(value) for value in node.outputs)
            return not (shared and not self.is_frozen) and not self.alias.has_writers(node)
        return not any(is_mutable_type(v.type) for v in (*node.inputs, *node.outputs))

    def _fold(self, node: Node) -> None:
        values = [to_python(value) for value in node.inputs]
        if any(value is NOT_CONSTANT for value in values):
            return
        from minits.ops.evaluate import evaluator

        try:
            result = evaluator(node)(*values)
        except Exception:  # it is left to raise when the program runs
            return
        results = (result,) if len(node.outputs) == 1 else result
        with self.graph.inserting_at(node):
            for output, result in zip(node.outputs, results, strict=True):
                self._replace(output, result)
        self.folded.append(node)

    def _replace(self, output: Value, result: Any) -> None:
        if isinstance(result, torch.Tensor) and not _can_be_kept(result):
            return
        if isinstance(result, bool) and output.type == t.NUMBER:
            return  # no operator takes a bool for a number
        try:
            constant = insert_constant(self.graph, result, _constant_type(output, result))
        except TypeError:
            return
        if any(use.user.kind in READERS_OF_FLAGS for use in output.uses):
            self.has_only_folded = False
        output.replace_all_uses_with(constant)
        self.made.append(constant.node)
        self.changed = True

    # ---- If ------------------------------------------------------------------------------------

    def _visit_if(self, node: Node) -> None:
        decided = to_python(node.inputs[0])
        if decided is not NOT_CONSTANT:
            block = node.blocks[0 if decided else 1]
            self.visit_block(block)
            inline_if(node, block)
            self._restructured()
            return
        for block in node.blocks:
            self.visit_block(block)
        self._drop_if_outputs(node)

    def _drop_if_outputs(self, node: Node) -> None:
        """Remove results that are the same in both branches."""
        index = 0
        while index < len(node.outputs):
            values = [block.outputs[index] for block in node.blocks]
            same = values[0] if values[0] is values[1] else self._same_constant(node, *values)
            if same is None:
                index += 1
                continue
            node.outputs[index].replace_all_uses_with(same)
            node.remove_output(index)
            for block in node.blocks:
                block.end.remove_input(index)
            self._restructured()

    def _same_constant(self, node: Node, first: Value, second: Value) -> Value | None:
        if first.type != second.type:
            return None
        values = to_python(first), to_python(second)
        if any(value is NOT_CONSTANT or holds_tensors(value) for value in values):
            return None
        if type(values[0]) is not type(values[1]) or values[0] != values[1]:
            return None
        if not self.joins_zeros and repr(values[0]) != repr(values[1]):
            return None  # of 0.0 and -0.0, the texts differ alone
        with self.graph.inserting_at(node):
            return insert_constant(self.graph, values[0], first.type)

    # ---- Loop ----------------------------------------------------------------------------------

    def _visit_loop(self, node: Node) -> None:
        trip_count, condition = (to_python(value) for value in node.inputs[:2])
        runs_never = condition is False or (trip_count is not NOT_CONSTANT and not trip_count > 0)
        if runs_never:
            for output, value in zip(node.outputs, node.inputs[2:], strict=True):
                output.replace_all_uses_with(value)
            node.destroy()
            self._restructured()
            return
        self.visit_block(node.blocks[0])
        self._drop_loop_outputs(node)

    def _drop_loop_outputs(self, node: Node) -> None:
        """Remove what the loop passes on without changing it."""
        body = node.blocks[0]
        for index in reversed(range(len(node.outputs))):
            if body.inputs[index + 1] is not body.outputs[index + 1]:
                continue
            value = node.inputs[index + 2]
            node.outputs[index].replace_all_uses_with(value)
            body.inputs[index + 1].replace_all_uses_with(value)
            node.remove_output(index)
            node.remove_input(index + 2)
            body.end.remove_input(index + 1)
            body.param.remove_output(index + 1)
            self._restructured()

    def _restructured(self) -> None:
        self.changed = True
        self.has_only_folded = False


def _remove_unused(constants: list[Node]) -> None:
    for constant in constants:
        if constant.block is not None and not constant.output.uses:
            constant.destroy()


def _is_variadic(node: Node) -> bool:
    """torch does not run operators of any number of arguments, such as `aten::format`."""
    schema = schema_of(node)
    return schema is not None and schema.is_vararg


def _is_dispatched(node: Node) -> bool:
    """`torch.device("cpu", 0)` is a call of the dispatcher, which torch does not run here."""
    return node.kind == "aten::device" and len(node.inputs) == 2


def inline_if(node: Node, taken: Block) -> None:
    """Replace an If by the nodes of one of its blocks."""
    for inner in taken.nodes:
        inner.move_before(node)
    for output, value in zip(node.outputs, list(taken.outputs), strict=True):
        output.replace_all_uses_with(value)
    node.destroy()


def _constant_type(output: Value, result: Any) -> Type | None:
    if result is None:
        return output.type
    is_container = isinstance(result, (tuple, list, dict))
    return type_as_constant(result, output.type) if is_container else None


def _can_be_kept(result: torch.Tensor) -> bool:
    """Return whether a tensor is the same for all calls, in whatever transforms, modes and devices.

    A default device may make tensors where nobody can look at them.
    """
    from minits.types.tensor_meta import is_plain

    if function_modes() or dispatch_modes() or is_any_autocast_enabled():
        return False
    return result.is_cpu and not result.requires_grad and is_plain(result)
