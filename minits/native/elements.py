"""Single elements of tensors: `x[i, j]` read and written where they lie.

    %3 : Tensor = aten::select(%x, %zero, %i)         a view, which is no statement of C
    %4 : Tensor = aten::select(%3, %zero, %j)         the same, of no dimension: an element
    %5 : float = aten::Float(%4)                      x[i * x_stride_0 + j * x_stride_1]

A tensor that a function is given is a pointer, its sizes and its strides. Arithmetic of elements is
that of their dtype, for operators that IEEE 754 rounds exactly.

What a loop carries, or a branch gives, is a number as well, where nothing writes to tensors: to the
program it may be a view.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import torch

from minits.codegen.uses import resolve
from minits.ir.constants import to_python
from minits.ir.graph import Node, Value
from minits.native.c_types import BEYOND_64_BITS, ElementType, NotNative, c_type_of, is_tensor
from minits.native.element_operators import (
    BINARY,
    COMPARISONS,
    IN_PLACE,
    READS,
    STORES,
    SUFFIXES,
    UNARY,
    check_alpha,
    converted,
    dtype_of,
    number_of,
    within,
)
from minits.native.expressions import filled, in_parentheses
from minits.records import dataclass
from minits.types import types as t
from minits.types.dtypes import DTYPE_CODES

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter
    from minits.native.function_body import FunctionBody


@dataclass(frozen=True, slots=True)
class Kind:
    """The dtype and the number of dimensions of a tensor, which a function is made for."""

    dtype: torch.dtype
    rank: int


@dataclass(frozen=True, slots=True)
class _View:
    """A tensor of the function and the index of each dimension; None for those that it has."""

    tensor: _Given
    places: tuple[str | None, ...]

    @property
    def dimensions(self) -> list[int]:
        """The dimensions of the tensor that the view has, too."""
        return [index for index, place in enumerate(self.places) if place is None]


@dataclass(frozen=True, slots=True)
class _Given:
    """A tensor that a function is given: the names of its pointer, sizes and strides.

    writes: the name of a pointer to the number of writes to it
    """

    pointer: str
    dtype: torch.dtype
    sizes: tuple[str, ...]
    strides: tuple[str, ...]
    writes: str


class Elements:
    """The tensors of one function, and views of them."""

    def __init__(self, function: FunctionBody) -> None:
        self.function = function
        self._views: dict[Value, _View] = {}
        self.written: set[str] = set()
        """The pointers of tensors that may be written to."""
        self.has_snapshots = False
        """Whether a number stands for an element that would be another one after a write."""
        self.aliases: set[Value] = set()
        """The numbers that are views of tensors to the program."""

    def take(self, value: Value, kind: Kind) -> Callable[[], list[str]]:
        """Note a tensor that the function is given. Return a function that tells its parameters.

        Raises `NotNative` for a dtype of which there are no elements in C.
        """
        names = self.function.names
        name = names.of(value)
        element = c_type_of(ElementType(kind.dtype))
        if element is None:
            raise NotNative(value.node, str(kind.dtype))
        sizes = tuple([names.new(f"{name}_size_{d}") for d in range(kind.rank)])
        strides = tuple([names.new(f"{name}_stride_{d}") for d in range(kind.rank)])
        given = _Given(name, kind.dtype, sizes, strides, names.new(f"{name}_writes"))
        self._views[value] = _View(given, (None,) * kind.rank)

        def parameters() -> list[str]:
            const = "" if name in self.written else "const "
            type = f"mts_{element.name}" if self._may_overlap() else element.name
            numbers = [f"int64_t {each}" for each in (*sizes, *strides)]
            told = [f"int64_t *{given.writes}"] if name in self.written else []
            return [f"{const}{type} *{name}", *numbers, *told]

        return parameters

    def _may_overlap(self) -> bool:
        """Return whether pointers of several types may be to memory that is written to."""
        return bool(self.written) and len({view.tensor.dtype for view in self._views.values()}) > 1

    def print_node(self, printer: BlockPrinter, node: Node) -> bool:
        """Print a node of tensors; return False for others. Raises `NotNative`."""
        kind = node.kind
        if kind != "aten::tensor" and not any(map(is_tensor, node.inputs)):
            return False
        if kind == "prim::device":
            return True  # it is asked for by `aten::tensor`
        if kind == "prim::dtype":
            printer.finish(node.output, str(DTYPE_CODES[self._dtype(node.inputs[0])]))
        elif kind == "aten::select":
            self._select(printer, node)
        elif kind == "aten::slice":
            self._slice(node)
        elif kind in ("aten::size", "aten::len", "aten::dim"):
            self._size(printer, node)
        elif kind in READS:
            self._read(printer, node)
        elif kind == "aten::tensor":
            self._made(printer, node)
        elif kind in STORES:
            self._store(printer, node)
        elif kind in BINARY or kind in COMPARISONS or kind in UNARY:
            self._computed(printer, node)
        else:
            raise NotNative(node, kind)
        return True

    # ---- Views -----------------------------------------------------------------------------

    def _view(self, value: Value) -> _View:
        found = self._views.get(resolve(value))
        if found is None:
            raise NotNative(value.node, "Tensor")
        return found

    def _dtype(self, value: Value) -> torch.dtype:
        value = resolve(value)
        if isinstance(value.type, ElementType):
            return value.type.dtype
        return self._view(value).tensor.dtype

    def _select(self, printer: BlockPrinter, node: Node) -> None:
        source, dimension, index = node.inputs
        view, at = self._view(source), to_python(dimension)
        left = view.dimensions
        if not isinstance(at, int) or not -len(left) <= at < len(left):
            raise NotNative(node, node.kind)
        number = left[at]
        printer.show(node)
        size, text = view.tensor.sizes[number], printer.variable(index)
        printer.check(f"!mts_is_index({text}, {size})", node)
        interval = self.function.bounds.interval(index)
        if interval.low < 0 or not interval.fits:
            text = f"mts_place({text}, {size})"
        places = [text if d == number else place for d, place in enumerate(view.places)]
        self._views[node.output] = _View(view.tensor, tuple(places))

    def _slice(self, node: Node) -> None:
        """Take over the view of which a slice has all."""
        source, _, start, end, step = node.inputs
        ends = to_python(start), to_python(end), to_python(step)
        if ends[0] not in (None, 0) or ends[1] not in (None, 2**63 - 1) or ends[2] != 1:
            raise NotNative(node, node.kind)
        self._views[node.output] = self._view(source)

    def _size(self, printer: BlockPrinter, node: Node) -> None:
        view = self._view(node.inputs[0])
        sizes = [view.tensor.sizes[d] for d in view.dimensions]
        if node.kind == "aten::dim":
            printer.finish(node.output, str(len(sizes)))
            return
        if node.kind == "aten::size" and len(node.inputs) == 1:
            printer.show(node)
            items = "".join([f"{{.i = {size}}}, " for size in sizes]).removesuffix(", ")
            array = f"(mts_value[]){{{items}}}" if sizes else "0"
            printer.make(node.output, f"mts_list_of(pool, {len(sizes)}, {array})")
            return
        at = 0 if node.kind == "aten::len" else to_python(node.inputs[1])
        if not isinstance(at, int) or not -len(sizes) <= at < len(sizes):
            raise NotNative(node, node.kind)
        printer.finish(node.output, sizes[at])

    # ---- Elements --------------------------------------------------------------------------

    def _place(self, value: Value) -> tuple[str, torch.dtype]:
        """Return the element that a view without dimensions is, and its dtype."""
        view = self._view(value)
        terms = []
        for place, stride in zip(view.places, view.tensor.strides, strict=True):
            if place is None:
                raise NotNative(value.node, "Tensor")
            if place != "0":
                terms.append(stride if place == "1" else f"{place} * {stride}")
        return f"{view.tensor.pointer}[{' + '.join(terms) or '0'}]", view.tensor.dtype

    # ---- Elements that control flow hands on ------------------------------------------------

    def retype(self, target: Value, source: Value) -> None:
        """Let a value of a block, or of a node with blocks, be a number, as its source is one.

        Raises `NotNative` for what is no element, or one of another dtype.
        """
        source = resolve(source)
        if source.type == t.TENSOR:
            _, dtype = self._place(source)
            self.aliases.add(target)
        else:
            assert isinstance(source.type, ElementType)
            dtype = source.type.dtype
            if source in self.aliases:
                self.aliases.add(target)
        if target.type not in (t.TENSOR, ElementType(dtype)):
            raise NotNative(target.node, "Tensor")
        self.function.retype(target, ElementType(dtype))

    def snapshot(self, printer: BlockPrinter, value: Value) -> str:
        """Return the name of a variable that has what an element is now."""
        text, dtype = self._place(value)
        found = c_type_of(ElementType(dtype))
        assert found is not None
        name = self.function.names.new("element")
        printer.line(f"{found.of(name)} = {text};")
        self.has_snapshots = True
        return name

    # ---- Operators --------------------------------------------------------------------------

    def _operand(self, printer: BlockPrinter, value: Value) -> tuple[str, torch.dtype | None]:
        """Return the text of an operand, and its dtype; None for a number, which has none."""
        value = resolve(value)
        if isinstance(value.type, ElementType):
            return printer.read(value), value.type.dtype
        if value.type == t.TENSOR:
            text, dtype = self._place(value)
            printer.has_read = True
            return text, dtype
        return printer.read(value), None

    def _read(self, printer: BlockPrinter, node: Node) -> None:
        printer.show(node)
        printer.has_read = False
        text, dtype = self._operand(printer, node.inputs[0])
        assert dtype is not None
        reads, own = printer.has_read, number_of(dtype)
        wanted = READS[node.kind] or own
        if node.kind == "aten::IntImplicit" and own != t.INT:
            raise NotNative(node, node.kind)  # it always raises
        self.function.retype(node.output, wanted)
        if wanted == t.FLOAT:
            text = text if dtype is torch.float64 else f"(double){in_parentheses(text)}"
        elif wanted == t.BOOL:
            text = text if dtype is torch.bool else f"{in_parentheses(text)} != 0"
        elif own == t.FLOAT:
            name = self.function.names.new("v")
            printer.line(f"double {name} = {text};")
            printer.leave_if(BEYOND_64_BITS.replace("{0}", name), node)
            text, reads = f"mts_to_int({name})", False
        else:
            text = text if dtype is torch.int64 else f"(int64_t){in_parentheses(text)}"
        printer.finish(node.output, text, reads)

    def _made(self, printer: BlockPrinter, node: Node) -> None:
        """Print `aten::tensor(number, dtype, device, requires_grad)`: a number of a dtype.

        A float is one of the default dtype first, to which it is rounded.
        """
        number, dtype, _, requires_grad = node.inputs
        if c_type_of(number.type) is None or to_python(requires_grad) is not False:
            raise NotNative(node, node.kind)
        if dtype.node.kind != "prim::dtype":
            raise NotNative(node, node.kind)
        wanted = self._dtype(dtype.node.inputs[0])
        printer.show(node)
        printer.has_read = False
        text, own = printer.read(number), dtype_of(number)
        if own.is_floating_point:
            default = torch.get_default_dtype()
            text, own = converted(node, text, own, default), default
        text = converted(node, text, own, wanted)
        self._finish(printer, node.output, text, wanted)

    def _store(self, printer: BlockPrinter, node: Node) -> None:
        target, source, *rest = node.inputs
        printer.show(node)
        place, dtype = self._place(target)
        if node.kind in IN_PLACE:
            check_alpha(node, rest)
            text, given = self._arithmetic(printer, node, IN_PLACE[node.kind])
            if dtype is torch.bool:
                raise NotNative(node, node.kind)  # it always raises
        else:
            text, of = self._operand(printer, source)
            given = of or dtype_of(source)
        printer.line(f"{place} = {converted(node, text, given, dtype)};")
        tensor = self._view(target).tensor
        self.written.add(tensor.pointer)
        printer.line(f"++*{tensor.writes};")
        self._views[node.output] = self._view(target)

    def _computed(self, printer: BlockPrinter, node: Node) -> None:
        printer.show(node)
        printer.has_read = False
        if node.kind in UNARY:
            text, dtype = self._operand(printer, node.inputs[0])
            if dtype not in SUFFIXES or (dtype is torch.int64 and node.kind == "aten::sqrt"):
                raise NotNative(node, node.kind)
            text = filled(UNARY[node.kind].replace("{of}", SUFFIXES[dtype]), [within(node, text)])
        else:
            comparison = COMPARISONS.get(node.kind)
            check_alpha(node, node.inputs[2:])
            text, dtype = self._arithmetic(printer, node, comparison or BINARY[node.kind])
            dtype = torch.bool if comparison else dtype
        self._finish(printer, node.output, text, dtype)

    def _arithmetic(self, printer: BlockPrinter, node: Node, text: str) -> tuple[str, torch.dtype]:
        """Return the expression of an operator of two operands, and the dtype of its result."""
        if len(node.inputs) < 2:
            raise NotNative(node, node.kind)
        operands = [self._operand(printer, value) for value in node.inputs[:2]]
        numbers = [dtype_of(value) for (_, of), value in zip(operands, node.inputs, strict=False)
                   if of is None]  # fmt: skip
        dtypes = [of for _, of in operands if of is not None]
        dtype = dtypes[0] if len(dtypes) == 1 else torch.promote_types(*dtypes)
        is_float = dtype.is_floating_point
        if dtype not in SUFFIXES or any(each.is_floating_point > is_float for each in numbers):
            raise NotNative(node, node.kind)
        if not is_float and node.kind.startswith("aten::div"):
            raise NotNative(node, node.kind)
        if torch.bool in (*dtypes, *numbers) and "sub" in node.kind:
            raise NotNative(node, node.kind)  # it always raises
        texts = [
            within(node, converted(node, each, of or numbers[0], dtype)) for each, of in operands
        ]
        return filled(text.replace("{of}", SUFFIXES[dtype]), texts), dtype

    def _finish(self, printer: BlockPrinter, value: Value, text: str, dtype: torch.dtype) -> None:
        self.function.retype(value, ElementType(dtype))
        printer.finish(value, text, printer.has_read)
