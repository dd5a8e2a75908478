"""Iterables besides lists, strings and tensors: range, zip, enumerate, tuples.

Loops over something of a known number of elements of different types (a tuple, a ModuleList) are
unrolled; `static_len` tells.

Source: torch/csrc/jit/frontend/sugared_value.{h,cpp} (`RangeValue`, `IterableTree`, ...).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.diagnostics import error
from minits.frontend.calls.schema_matching import make_list
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtins import make_tuple
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.types import types as t
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter


class Range(SugaredValue):
    """`range(...)`: start, end and step are values of the graph."""

    kind = "range"

    def __init__(
        self,
        loc: SourceRange,
        emitter: Emitter,
        inputs: list[Value],
        static_len: int | None = None,
    ) -> None:
        """Emit `range(...)`; `static_len` is its length if known. Raises `CompileError` (TS405)."""
        for value in inputs:
            if value.type != t.INT:
                raise error(
                    loc,
                    "TS405",
                    f"all inputs of range must be ints, found {value.type.annotation}",
                    fix="convert it: int(...)",
                )
        if not 1 <= len(inputs) <= 3:
            bound = "at most 3" if inputs else "at least 1"
            message = f"range expected {bound} arguments, got {len(inputs)}"
            raise error(loc, "TS405", message, fix="write range(end) or range(start, end, step)")
        graph = emitter.graph
        self.only_end = len(inputs) == 1
        if self.only_end:
            self.end = inputs[0]
            self.start = insert_constant(graph, 0, loc=loc)
            self.step = insert_constant(graph, 1, loc=loc)
        else:
            self.start, self.end = inputs[:2]
            self.step = inputs[2] if len(inputs) == 3 else insert_constant(graph, 1, loc=loc)
        self._static_len = static_len

    @property
    def static_len(self) -> int | None:
        return self._static_len

    def iter(self, loc: SourceRange, emitter: Emitter) -> SugaredValue:
        return self

    def len(self, loc: SourceRange, emitter: Emitter) -> Value:
        graph = emitter.graph
        if self._static_len is not None:
            return insert_constant(graph, self._static_len, loc=loc)
        if self.only_end:
            return self.end
        inputs = [self.start, self.end, self.step]
        return emit_builtin_call(graph, loc, "aten::__range_length", inputs)

    def getitem(
        self, loc: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        if self.only_end:
            return SimpleValue(index)
        inputs = [index, self.start, self.step]
        return SimpleValue(emit_builtin_call(emitter.graph, loc, "aten::__derive_index", inputs))


class SugaredTuple(SugaredValue):
    """Several values that are not (yet) a tuple of the graph."""

    kind = "tuple"

    def __init__(self, items: list[SugaredValue]) -> None:
        self.items = items

    def as_tuple(
        self, loc: SourceRange, emitter: Emitter, size: int | None = None
    ) -> list[SugaredValue]:
        return self.items

    def as_value(self, loc: SourceRange, emitter: Emitter) -> Value:
        return make_tuple(emitter, [item.as_value(loc, emitter) for item in self.items])

    def as_tuple_value(self, loc: SourceRange, emitter: Emitter) -> SugaredValue:
        return self

    def iter(self, loc: SourceRange, emitter: Emitter) -> SugaredValue:
        return self

    def len(self, loc: SourceRange, emitter: Emitter) -> Value:
        return insert_constant(emitter.graph, self.static_len, loc=loc)

    def getitem(
        self, loc: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        """The item at a constant index.

        Raises `CompileError` (TS308, TS309) where the index is not known, or out of range.
        """
        position = to_python(index)
        if position is NOT_CONSTANT or not isinstance(position, int):
            raise error(
                loc,
                "TS308",
                "Expected integer literal for index: a tuple or module list needs one here. "
                "Enumeration is supported, e.g. 'for index, v in enumerate(self): ...'",
                fix="go over it with `for`, or index it with a literal",
            )
        if not -len(self.items) <= position < len(self.items):
            message = f"Index {position} out of range of length {len(self.items)}"
            raise error(loc, "TS309", message, fix="use an index that it has")
        return self.items[position]

    @property
    def static_len(self) -> int | None:
        return len(self.items)


class Slice(SugaredValue):
    """Python's `slice(...)` object."""

    kind = "slice"

    def __init__(self, start: Value, stop: Value, step: Value) -> None:
        self.start, self.stop, self.step = start, stop, step


class IterableTree(SugaredValue):
    """`zip` and `enumerate`: several iterables in step, possibly nested."""

    kind = "zip or enumerate"

    def __init__(self) -> None:
        self.children: list[SugaredValue] = []
        self._static_len: int | None = None

    @property
    def static_len(self) -> int | None:
        return self._static_len

    def add(self, loc: SourceRange, child: SugaredValue) -> None:
        """Add an iterable. Raises `CompileError` (TS310) if only some have a static length."""
        length = child.static_len
        if not self.children:
            self._static_len = length
        elif (length is None) != (self._static_len is None):
            raise error(
                loc,
                "TS310",
                "Can not iterate over a module list or tuple with a value that does not have a "
                "statically determinable length",
                fix="go over indices of the list inside the loop instead",
            )
        elif length is not None and self._static_len is not None:
            self._static_len = min(length, self._static_len)
        self.children.append(child)

    def iter(self, loc: SourceRange, emitter: Emitter) -> SugaredValue:
        return self

    def _base_iterables(self) -> list[SugaredValue]:
        found: list[SugaredValue] = []
        for child in self.children:
            found += child._base_iterables() if isinstance(child, IterableTree) else [child]
        return found

    def len(self, loc: SourceRange, emitter: Emitter) -> Value:
        lengths = [base.len(loc, emitter) for base in self._base_iterables()]
        gathered = make_list(emitter.graph, t.INT, lengths)
        return emit_builtin_call(emitter.graph, loc, "prim::min", [gathered])

    def getitem(
        self, loc: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        return SugaredTuple([child.getitem(loc, emitter, index) for child in self.children])


class IterableMethod(SugaredValue):
    """`module_dict.items`, `kwargs.keys`: a call without arguments gives the iterable."""

    kind = "method that takes no arguments"

    def __init__(self, iterable: SugaredValue) -> None:
        self.iterable = iterable

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """The iterable. Raises `CompileError` (TS405) if arguments are given."""
        if args or kwargs:
            message = "this method takes no arguments in TorchScript"
            raise error(loc, "TS405", message, fix="call it with empty brackets")
        return self.iterable
