"""Metadata of the tensors of a graph before it runs: dtype, device, shape, strides.

Before, called with x of float32 [4, 8] and n = 2:
    graph(%x : Tensor, %n : int):
      %y : Tensor = aten::mul(%x, %n)
      %m : Tensor = aten::amax(%y, %dims, %keep)
Gives:
    %x: float32 [4, 8]    %y: float32 [4, 8]    %m: float32 [4, 1]

The graph is run with a `TensorMeta` in place of each tensor and Python values for the rest. No
operator sees the data of a tensor, nothing is written, and nothing raises: what fails is unknown.

A plan is used again with other sizes and numbers, so no metadata may depend on these. Values are of
three kinds: *fixed*, the same in every call of the plan (constants, ranks, dtypes), *varying*,
examples of what a call may give (sizes, numbers that are arguments, attributes), and unknown. The
results of a branch on a varying condition are joined; a varying bool, dtype or number of
dimensions makes the result unknown. A Loop's body is run until the metadata that it carries
changes no more.

Beside what is *certain* there are *examples*, which tell dtype and rank alone: tensors out of
lists, and those whose sizes depend on data (`data_dependent_rules.py`). A group of operators that
is formed by them looks at what arrives.

Source: torch propagates shapes the same way (torch/csrc/jit/passes/shape_analysis.cpp).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import torch

from minits.ir.constants import constant_value
from minits.ir.graph import Block, Graph, Node, Value
from minits.ops.evaluate import evaluator
from minits.ops.properties import has_side_effects, schema_of
from minits.ops.schema import Argument, Schema
from minits.passes.shape_propagation.abstract_values import (
    UNINITIALIZED,
    UNKNOWN,
    abstract,
    has_tensors,
    holds_tensors,
    is_same,
    join,
    join_all,
)
from minits.passes.shape_propagation.data_dependent_rules import EXAMPLE_SIZE
from minits.passes.shape_propagation.meta_execution import result_of
from minits.passes.shape_propagation.rule_parts import metas_in
from minits.passes.specialization.module_flags import path_of
from minits.records import replace
from minits.types import types as t
from minits.types.tensor_meta import TensorMeta, can_require_grad


def infer_metadata(
    graph: Graph, arguments: Sequence[Any], certain: bool = False
) -> dict[Value, TensorMeta]:
    """Return the metadata of the graph's tensors when it is called with these arguments.

    What is `certain` depends on no examples: neither on tensors in lists, tuples and dicts, of
    which another call may give others, nor on sizes that data decide. Gives nothing for graphs
    whose tensors change their shapes in place, and under autocast, which decides at each call.
    """
    if _is_autocast_on() or any(map(_defies_inference, graph.all_nodes())):
        return {}
    inference = _Inference(graph, certain)
    with torch.no_grad():
        inference.run(graph.block, arguments)
    return {value: meta for value, meta in inference.known.items() if isinstance(meta, TensorMeta)}


def _is_autocast_on() -> bool:
    return bool(torch.is_autocast_enabled("cpu") or torch.is_autocast_enabled("cuda"))


def _defies_inference(node: Node) -> bool:
    if node.kind == "prim::Enter":
        return "autocast" in str(node.inputs[0].type)
    return node.kind in _RESHAPES_IN_PLACE


_RESHAPES_IN_PLACE = frozenset(
    f"aten::{name}_"
    for name in "resize resize_as set t transpose swapaxes swapdims unsqueeze squeeze as_strided "
    "detach requires_grad".split()
)
_FIXED_OF_TENSOR = frozenset(
    "aten::dim prim::dtype prim::device prim::is_cuda prim::is_meta prim::is_cpu prim::layout "
    "aten::is_floating_point aten::is_complex prim::is_sparse prim::is_quantized "
    "aten::is_signed".split()
)
"""Questions about a tensor whose answer is the same in all calls of a plan."""
_DECIDES_NO_SHAPE = frozenset("train training inplace non_blocking copy unbiased affine".split())
"""Bools that may vary: the result is of the same kind with either."""
_IS_THE_SAME = ("prim::unchecked_cast", "prim::unchecked_unwrap_optional")
_WRITES_LISTS = frozenset(
    "aten::append aten::extend aten::insert aten::pop aten::remove aten::clear aten::reverse "
    "aten::sort aten::_set_item aten::Delete prim::CallMethod prim::CallFunction prim::fork "
    "prim::awaitable "
    "prim::PythonOp aten::setdefault aten::update aten::popitem".split()
)
_MAKES_LISTS = frozenset(
    "prim::Constant prim::ListConstruct prim::DictConstruct "
    "aten::size aten::unbind aten::chunk aten::split "
    "aten::split_with_sizes aten::tensor_split aten::broadcast_tensors aten::broadcast_shapes "
    "aten::_infer_size aten::nonzero_numpy aten::where".split()
)
"""Each time a new list, which is in no other value."""
_BROADCASTS = ("aten::broadcast_shapes", "aten::_infer_size")


class _Inference:
    """Runs blocks on metadata. A value that is not in `known` is unknown."""

    def __init__(self, graph: Graph, certain: bool) -> None:
        self.graph = graph
        self.certain = certain
        self.known: dict[Value, Any] = {}
        self.varying: set[Value] = set()
        kinds = list(graph.all_nodes())
        self.writes_lists = any(node.kind in _WRITES_LISTS for node in kinds)
        self.attributes_set = {node["name"] for node in kinds if node.kind == "prim::SetAttr"}

    def run(self, block: Block, arguments: Sequence[Any]) -> None:
        for value, argument in zip(block.inputs, arguments, strict=False):
            is_example = self.certain and holds_tensors(argument)
            self._set(value, UNKNOWN if is_example else abstract(argument), varying=True)
        self._block(block)

    def _block(self, block: Block) -> None:
        for node in block.nodes:
            try:
                self._node(node)
            except Exception:  # it is left to raise when the program runs
                self._forget(node.outputs)

    # ---- Values --------------------------------------------------------------------------------

    def _set(self, value: Value, content: Any, varying: bool) -> None:
        if content is UNKNOWN:
            self._forget([value])
            return
        self.known[value] = content
        if varying and content is not None and not isinstance(content, TensorMeta):
            self.varying.add(value)
        else:
            self.varying.discard(value)

    def _forget(self, values: Iterable[Value]) -> None:
        for value in values:
            self.known.pop(value, None)
            self.varying.discard(value)

    # ---- Nodes ---------------------------------------------------------------------------------

    def _node(self, node: Node) -> None:
        match node.kind:
            case "prim::Constant":
                self._constant(node)
            case "prim::If":
                self._if(node)
            case "prim::Loop":
                self._loop(node)
            case "prim::Uninitialized":
                self.known[node.output] = UNINITIALIZED
            case "prim::GetAttr":
                self._attribute(node)
            case kind if kind in _IS_THE_SAME:
                varying = node.inputs[0] in self.varying
                self._set(node.output, self.known[node.inputs[0]], varying)
            case _:
                self._operator(node)

    def _constant(self, node: Node) -> None:
        if not isinstance(node.output.type, t.FunctionType):
            self._set(node.output, abstract(constant_value(node)), varying=False)

    def _attribute(self, node: Node) -> None:
        name = node["name"]
        if name in self.attributes_set:
            raise LookupError(name)
        content = evaluator(node)(self.known[node.inputs[0]])
        if has_tensors(content) and not self._is_compared(node, content):
            raise LookupError(name)
        self._set(node.output, abstract(content), varying=True)

    def _is_compared(self, node: Node, content: Any) -> bool:
        """Return whether each call of a plan compares what it knows of this attribute."""
        return isinstance(content, torch.Tensor) and path_of(self.graph, node) is not None

    # ---- Control flow --------------------------------------------------------------------------

    def _if(self, node: Node) -> None:
        condition = node.inputs[0]
        if condition in self.known and condition not in self.varying:
            taken = node.blocks[0 if self.known[condition] else 1]
            self._block(taken)
            for output, value in zip(node.outputs, taken.outputs, strict=True):
                self._set(output, self.known.get(value, UNKNOWN), value in self.varying)
            return
        for block in node.blocks:
            self._block(block)
        first, second = node.blocks
        for output, one, other in zip(node.outputs, first.outputs, second.outputs, strict=True):
            first_side, second_side = (self.known.get(each, UNKNOWN) for each in (one, other))
            joined = join(first_side, second_side, self.certain)
            self._set(output, joined, varying=True)

    def _loop(self, node: Node) -> None:
        body = node.blocks[0]
        self._set(body.inputs[0], 0, varying=True)
        carried = [self.known.get(value, UNKNOWN) for value in node.inputs[2:]]
        while True:
            for value, content in zip(body.inputs[1:], carried, strict=True):
                self._set(value, content, varying=True)
            self._block(body)
            results = [self.known.get(value, UNKNOWN) for value in body.outputs[1:]]
            joined = [join(*pair, self.certain) for pair in zip(carried, results, strict=True)]
            if all(map(is_same, joined, carried)):
                break
            carried = joined
        for value, content in zip(node.outputs, carried, strict=True):
            self._set(value, content, varying=True)

    # ---- Lists ---------------------------------------------------------------------------------

    def _is_stable(self, value: Value) -> bool:
        """Return whether nobody writes to a value that could be a list."""
        return not self.writes_lists or _is_only_read(value)

    def _is_any_list(self, value: Value) -> bool:
        """Return whether no more is known of a list of numbers than its type."""
        if not isinstance(value.type, t.ListType) or _number_in(value.type) not in _NUMBERS:
            return False
        if value not in self.known or not self._is_stable(value):
            return True
        return value in self.varying and not _has_fixed_length(value, value.type)

    # ---- Operators -----------------------------------------------------------------------------

    def _operator(self, node: Node) -> None:
        if node.blocks or has_side_effects(node):
            raise LookupError(node.kind)
        schema = schema_of(node)
        if schema is not None and self._is_in_place(node, schema):
            self._write(node)
            return
        by_type = not self.certain and node.kind in _OF_LISTS
        if not by_type and not all(map(self._is_stable, (*node.inputs, *node.outputs))):
            raise LookupError("a list that may be written to")
        inputs = [self._argument(node, schema, index) for index in range(len(node.inputs))]
        if node.kind == "aten::__getitem__" and node.inputs[1] in self.varying:
            self._set(node.output, join_all(inputs[0], self.certain), varying=True)
            return
        varying = any(value in self.varying for value in node.inputs)
        if any(True for _ in metas_in(inputs)) and node.kind not in _FIXED_OF_TENSOR:
            varying = True
        result = result_of(node, schema, inputs, self.certain)
        results = (result,) if len(node.outputs) == 1 else result
        for output, content in zip(node.outputs, results, strict=True):
            self._set(output, content, varying)

    def _write(self, node: Node) -> None:
        """Keep the metadata of a written tensor; it requires a gradient if operands do."""
        meta = self.known[node.inputs[0]]
        operands = metas_in([self.known.get(value) for value in node.inputs])
        if can_require_grad(meta.dtype) and any(operand.requires_grad for operand in operands):
            meta = replace(meta, requires_grad=True)
        for value in (node.inputs[0], node.output):
            self._set(value, meta, varying=False)

    def _is_in_place(self, node: Node, schema: Schema) -> bool:
        """Return whether the node writes to its first input and returns it."""
        first = schema.arguments[0].alias if schema.arguments else None
        is_write = first is not None and first.is_write and node.inputs[0].type == t.TENSOR
        return is_write and len(node.outputs) == 1 and node.output.type == t.TENSOR

    def _argument(self, node: Node, schema: Schema | None, index: int) -> Any:
        """Return the metadata of an input. Raises `LookupError` if the result would be a guess."""
        value = node.inputs[index]
        formal = schema.arguments[index] if schema and index < len(schema.arguments) else None
        if not self.certain and node.kind in _OF_LISTS and self._is_any_list(value):
            return _example_list(value.type)
        if value not in self.known:
            return self._example(node, value, formal)
        if (
            value in self.varying
            and formal is not None
            and any(v.type == t.TENSOR for v in node.outputs)
        ):
            self._check_varying(value, formal.name, formal.type)
        return self.known[value]

    def _example(self, node: Node, value: Value, formal: Argument | None) -> Any:
        """Return an example of an unknown number. Raises `LookupError` if it decides the kind."""
        if formal is not None and value.type in _EXAMPLES:
            if formal.type == t.NUMBER:
                return _EXAMPLES[value.type]  # only its type matters, and that is known
            if (node.kind, formal.name) in _SELECTS_ONE:
                return 0
            if not self.certain and value.type == formal.type:
                self._check_varying(value, formal.name, formal.type)
                return _EXAMPLES[value.type]
        raise LookupError(f"%{value.name} is unknown")

    def _check_varying(self, value: Value, name: str, formal: t.Type) -> None:
        is_bool = value.type == t.BOOL and formal == t.BOOL and name not in _DECIDES_NO_SHAPE
        is_kind = name in ("dtype", "device", "layout", "memory_format", "reduction")
        is_list = isinstance(value.type, t.ListType) and not _has_fixed_length(value, value.type)
        if is_bool or is_kind or is_list or value.type == t.NUMBER:
            raise LookupError(f"the result depends on %{value.name}")


_EXAMPLES: dict[t.Type, Any] = {t.INT: 2, t.FLOAT: 1.5}
_SELECTS_ONE = (("aten::select", "index"),)
"""Arguments that say which of several parts of the same shape is given."""
_OF_LISTS = ("aten::tensor", "aten::as_tensor")
"""Operators that make a tensor of a list, whose type tells dtype and rank."""


def _example_list(type: t.Type) -> Any:
    """Return a list of numbers of this type, nested as it says."""
    if not isinstance(type, t.ListType):
        return _NUMBERS[type]
    size = 2 if isinstance(type.element, t.ListType) else EXAMPLE_SIZE
    return [_example_list(type.element)] * size


_NUMBERS = {**_EXAMPLES, t.BOOL: True}


def _is_list(type: t.Type) -> bool:
    return isinstance(type, (t.ListType, t.DictType))


def _number_in(type: t.Type) -> t.Type:
    return _number_in(type.element) if isinstance(type, t.ListType) else type


def _is_only_read(value: Value) -> bool:
    """Return whether a value is no list, or one that is made and then only read."""
    if not _is_list(value.type):
        return True
    if value.node.kind not in _MAKES_LISTS:
        return False
    return all(_reads(use.user) for use in value.uses)


def _reads(node: Node) -> bool:
    if node.kind == "prim::ListUnpack":
        return True
    schema = schema_of(node)
    return (
        schema is not None
        and node.kind.startswith("aten::")
        and node.kind not in _WRITES_LISTS
        and all(v.type == t.TENSOR or not _is_list(v.type) for v in node.outputs)
    )


def _has_fixed_length(value: Value, type: t.ListType) -> bool:
    """Return whether a list has as many elements in all calls of a plan, or may vary."""
    node = value.node
    if node.kind in _BROADCASTS:
        return all(_has_fixed_length(each, type) for each in node.inputs)
    return node.kind in ("prim::ListConstruct", "aten::size") or type.element == t.TENSOR
