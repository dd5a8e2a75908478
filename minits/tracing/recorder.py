"""The recorder: the graph of a trace, and which of its values each tensor is.

    y = x + 1        while a trace runs, with x : %x, records
    %2 : Long(requires_grad=0, device=cpu) = prim::Constant[value={1}]()
    %3 : int = prim::Constant[value=1]()
    %y : Float(3, strides=[1], requires_grad=0, device=cpu) = aten::add(%x, %2, %3)

Tensors are told apart by identity. One that the trace has not seen is a constant.

Source: torch/csrc/jit/frontend/tracer.cpp (`TracingState`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from torch import Tensor

from minits.diagnostics import error
from minits.identity import Identity
from minits.ir.constants import insert_constant
from minits.ir.graph import Block, Graph, Node, Value
from minits.ir.trace_notes import notes_of
from minits.ops.tensor_text import type_of_tensor
from minits.source import SourceRange
from minits.torch_internals import key_of_cpp_object, storage_of
from minits.tracing.module_attributes import FORWARD
from minits.tracing.program_lines import program_frame, range_of, variable_holding
from minits.tracing.read_numbers import ReadNumber
from minits.types import types as t


class Recorder:
    """A trace that is being recorded. `strict`: lists and dicts must not leave the program."""

    def __init__(
        self, strict: bool = True, force_outplace: bool = False, is_quiet: bool = False
    ) -> None:
        self.graph = Graph()
        self.notes = notes_of(self.graph)
        self.strict = strict
        self.force_outplace = force_outplace
        self.is_quiet = is_quiet
        self.is_paused = False
        self.is_hidden = False
        """Whether torch's own Python code is told that no trace runs."""
        self.read_numbers: list[ReadNumber] = []
        """Numbers that were read since the last operator, perhaps for the one that comes next."""
        self.modules: dict[Identity, Value] = {}
        """By compiled module that the trace knows."""
        self.torch_jit_modules: dict[Any, Any] = {}
        """By the object of torch that its methods know: what stands for a module of torch.jit."""
        self.scope_names: dict[Identity, str] = {}
        """By submodule: its path, from `__module` on."""
        self.futures: dict[int, tuple[Any, Value, Value]] = {}
        """By the id of a future of a fork: it, the value that the fork returns, and its own."""
        self._scopes: list[str] = []
        self._values: dict[int, tuple[Tensor, Value]] = {}
        self._objects: dict[int, tuple[Any, Value]] = {}
        self._made: dict[int, Tensor] = {}
        """By storage: results of factories, of which the program gets copies of the same memory."""
        self._frame: FrameType | None = None

    # ---- Where ---------------------------------------------------------------------------------

    def at_program_line(self) -> _AtLine:
        """Record by hand, in a `with` block, at the line of the program that runs now.

        What minits itself does with tensors meanwhile is not recorded.
        """
        return _AtLine(self, program_frame())

    def paused(self) -> _AtLine:
        """Run something without recording it."""
        return _AtLine(self, self._frame)

    def push_scope(self, name: str) -> None:
        """Enter the `forward` of a submodule: what it does goes into a block of its own."""
        self._scopes.append(name)
        node = self.insert(FORWARD, types=())
        node.set_attr("scope", "s", name)
        self.graph.insert_point = node.add_block().end

    def pop_scope(self) -> None:
        """Leave the submodule that was entered last."""
        self._scopes.pop()
        owner = self.graph.insert_point.owner.owning_node
        assert owner is not None, "a scope is left that was entered"
        self.graph.insert_point = owner.next

    @contextmanager
    def in_block(self, block: Block) -> Iterator[Block]:
        """Record into a block; what is a value there is none outside.

        Source: torch/csrc/jit/frontend/tracer.h (`WithNestedTracingFrame`).
        """
        outer = self._values, self._objects, self._made, self.futures
        self._values, self._objects, self._made = map(dict, outer[:3])
        self.futures = dict(outer[3])
        try:
            with self.graph.inserting_at(block.end):
                yield block
        finally:
            self._values, self._objects, self._made, self.futures = outer

    @property
    def range(self) -> SourceRange | None:
        """The line at which something is being recorded by hand."""
        return None if self._frame is None else range_of(self._frame)

    # ---- Nodes ---------------------------------------------------------------------------------

    def create(
        self, kind: str, inputs: Sequence[Value] = (), types: Sequence[t.Type] = (t.TENSOR,)
    ) -> Node:
        """Make a node, in no block yet, that knows its scope but no line."""
        node = self.graph.create(kind, inputs, types)
        if self._scopes:
            self.notes.scopes[node] = "/".join(self._scopes)
        return node

    def insert(
        self, kind: str, inputs: Sequence[Value] = (), types: Sequence[t.Type] = (t.TENSOR,)
    ) -> Node:
        """Make a node and put it at the end of what is recorded."""
        return self.graph.insert(self.create(kind, inputs, types))

    def located(self, node: Node) -> Node:
        """Give a node the line that the program is at."""
        node.range = self.range
        return node

    def constant(self, value: Any, type: t.Type | None = None) -> Value:
        """Record a constant."""
        made = insert_constant(self.graph, value, type, self.range)
        if self._scopes:
            self.notes.scopes[made.node] = "/".join(self._scopes)
        return made

    def none(self) -> Value:
        """Record None, which has no line."""
        return self.insert("prim::Constant", types=(t.NONE,)).output

    def after(self, value: Value, kind: str, type: t.Type) -> Value:
        """Record a conversion of a value right behind the node that it comes from."""
        node = value.node
        point = node.owner.end.next if node.kind == "prim::Param" else node.next
        with self.graph.inserting_at(point):
            return self.insert(kind, [value], [type]).output

    # ---- Tensors -------------------------------------------------------------------------------

    def knows(self, tensor: Tensor) -> bool:
        return self.find(tensor) is not None

    def find(self, tensor: Tensor) -> Value | None:
        """Return the value that a tensor is, None for one that the trace has not seen."""
        known = self._values.get(id(tensor))
        if known is None and self._made:
            made = self._made.get(storage_of(tensor))
            if made is not None and _is_copy(tensor, made):
                known = self._values[id(tensor)] = tensor, self._values[id(made)][1]
        return None if known is None else known[1]

    def count_in_memory(self, tensor: Tensor) -> int:
        """Return how many tensors of the trace have the memory of a tensor, itself included."""
        storage = storage_of(tensor)
        return sum(storage_of(each) == storage for each, _ in self._values.values())

    def forget(self, tensor: Tensor) -> None:
        """From now on the tensor is a constant, where it is used."""
        self._values.pop(id(tensor), None)
        self._made.pop(storage_of(tensor), None)

    def bind(self, tensor: Tensor, value: Value) -> None:
        """Let a tensor be a value; it is kept alive, since its id stands for it."""
        self._values[id(tensor)] = tensor, value

    def bind_output(self, tensor: Tensor, value: Value, is_made: bool = False) -> None:
        """Let a tensor be the result of a node, and note its dtype, sizes and strides.

        is_made: a factory has made it, so the program may get another tensor for it.
        """
        self.notes.types[value] = type_of_tensor(tensor)
        self.bind(tensor, value)
        if is_made:
            self._made[storage_of(tensor)] = tensor

    def value_of(self, tensor: Tensor) -> Value:
        """Return the value of a tensor; a constant for one that the trace has not made.

        Raises `CompileError` (TS820) if that requires a gradient.
        """
        value = self.find(tensor)
        if value is None:
            return self._captured(tensor)
        if not value.has_name and self._frame is not None:
            value.set_name(variable_holding(tensor, self._frame))
        return value

    def _captured(self, tensor: Tensor) -> Value:
        if tensor.requires_grad:
            raise error(
                self.range,
                "TS820",
                "Cannot insert a Tensor that requires grad as a constant: it is used, but is "
                "neither an input nor a parameter of what is traced",
                fix="make it a parameter or an argument, or detach it",
            )
        value = self.constant(tensor, t.TENSOR)
        self.bind_output(tensor, value)
        return value

    # ---- Objects of C++ classes ----------------------------------------------------------------

    def bind_object(self, value: Any, attribute: Value) -> None:
        """Let an object of a C++ class, such as packed parameters, be the attribute that has it."""
        self._objects[key_of_cpp_object(value)] = value, attribute

    def object_of(self, value: Any) -> Value:
        """Return the value of such an object: the attribute that has it, or a constant."""
        key = key_of_cpp_object(value)
        if key not in self._objects:
            self._objects[key] = value, self.constant(value)
        return self._objects[key][1]

    # ---- Lists and tuples ----------------------------------------------------------------------

    def list_of(self, values: Sequence[Value], type: t.Type) -> Value:
        """Record a list of values."""
        return self.insert("prim::ListConstruct", values, [t.ListType(type)]).output

    def tuple_of(self, values: Sequence[Value]) -> Value:
        """Record a tuple of values, whose type tells what is noted of theirs."""
        type = t.TupleType(tuple(value.type for value in values))
        made = self.insert("prim::TupleConstruct", values, [type]).output
        self.notes.types[made] = self.notes.type_of_tuple(values)
        return made


class _AtLine:
    """A `with` block in which nothing is recorded but by hand, at the line of a frame.

    It is no generator, whose frame would stand between the program and what is recorded.
    """

    def __init__(self, recorder: Recorder, frame: FrameType | None) -> None:
        self.recorder, self.frame = recorder, frame

    def __enter__(self) -> None:
        recorder = self.recorder
        self.outer = recorder._frame, recorder.is_paused
        recorder._frame, recorder.is_paused = self.frame, True

    def __exit__(self, *exception: object) -> None:
        self.recorder._frame, self.recorder.is_paused = self.outer


def _is_copy(tensor: Tensor, other: Tensor) -> bool:
    """Return whether two tensors of one storage are the same elements in the same order."""
    return bool(
        tensor.dtype == other.dtype
        and tensor.shape == other.shape
        and tensor.stride() == other.stride()
        and tensor.storage_offset() == other.storage_offset()
    )


def is_number(value: Any) -> bool:
    """Return whether a value is a number of Python that an operator takes for a tensor."""
    return isinstance(value, (bool, int, float, complex))
