"""Arguments of views that the shapes of a group's inputs tell.

    h = x.size(-1) // 2                 Size 4, for x of [3, 8]:
    y = x[..., :h]                      (floordiv, (size, input 0, -1), 2)

A kernel is made for an example; at each new shape the formula tells what the views are then.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node, Value
from minits.types import types as t

if TYPE_CHECKING:
    from minits.kernels.lowering.lowerer import Lowerer

_ARITHMETIC: dict[str, Callable[..., int]] = {
    "aten::add": operator.add,
    "aten::sub": operator.sub,
    "aten::mul": operator.mul,
    "aten::floordiv": operator.floordiv,
    "aten::neg": operator.neg,
}
_ITEMS = ("prim::ListUnpack", "aten::__getitem__")


class Size(int):
    """A number in an example, with the formula that gives it in other calls.

    A formula is `("size", index of the group's input, dimension)`, or an operator's kind followed
    by formulas and numbers.
    """

    formula: tuple[Any, ...]

    def __new__(cls, example: int, formula: tuple[Any, ...]) -> Size:
        made = super().__new__(cls, example)
        made.formula = formula
        return made

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Size) and self.formula == other.formula
        return same and int(self) == int(other)  # type: ignore[call-overload]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((int(self), self.formula))


def is_size(node: Node) -> bool:
    """Return whether a node asks for sizes, or computes with integers that may be sizes."""
    if node.kind == "aten::size":
        return True
    if node.kind in _ITEMS:
        return node.inputs[0].node.kind == "aten::size"
    values = [*node.inputs, *node.outputs]
    return node.kind in _ARITHMETIC and all(value.type == t.INT for value in values)


def size_of(lowerer: Lowerer, value: Value) -> Any:
    """Return a constant, a `Size`, or NOT_CONSTANT."""
    constant = to_python(value)
    if constant is not NOT_CONSTANT or value in lowerer.leaves or not is_size(value.node):
        return constant
    node = value.node
    if node.kind in _ARITHMETIC:
        operands = [size_of(lowerer, operand) for operand in node.inputs]
        if any(operand is NOT_CONSTANT for operand in operands):
            return NOT_CONSTANT
        example = _ARITHMETIC[node.kind](*map(int, operands))
        return Size(example, (node.kind, *[getattr(each, "formula", each) for each in operands]))
    asked, dim = _question(value)
    if asked not in lowerer.leaves or not isinstance(dim, int):
        return NOT_CONSTANT
    return Size(lowerer.shape(asked)[dim], ("size", lowerer.indices[asked], dim))


def _question(value: Value) -> tuple[Value, Any]:
    """Return of which tensor and which dimension of it a value is the size."""
    node = value.node
    if node.kind == "aten::size":
        return node.inputs[0], to_python(node.inputs[1]) if len(node.inputs) > 1 else None
    asked = node.inputs[0].node.inputs[0]
    is_unpacked = node.kind == "prim::ListUnpack"
    return asked, value.index if is_unpacked else to_python(node.inputs[1])


def evaluate(argument: Any, inputs: Sequence[Any]) -> Any:
    """Return an argument of a view for a call's inputs: tensors, or shapes of tensors."""
    if isinstance(argument, tuple):
        return tuple([evaluate(item, inputs) for item in argument])
    return _value(argument.formula, inputs) if isinstance(argument, Size) else argument


def _value(formula: Any, inputs: Sequence[Any]) -> int:
    if not isinstance(formula, tuple):
        return int(formula)
    if formula[0] == "size":
        given = inputs[formula[1]]
        shape = given.shape if isinstance(given, torch.Tensor) else given
        return int(shape[formula[2]])
    try:
        return _ARITHMETIC[formula[0]](*[_value(each, inputs) for each in formula[1:]])
    except ZeroDivisionError as fault:
        raise RuntimeError(str(fault)) from None


def inputs_of(argument: Any) -> Iterator[int]:
    """Yield the inputs of which an argument of a view needs the sizes."""
    if isinstance(argument, tuple):
        for item in argument:
            yield from inputs_of(item)
    elif isinstance(argument, Size):
        yield from _inputs_in(argument.formula)


def _inputs_in(formula: tuple[Any, ...]) -> Iterator[int]:
    if formula[0] == "size":
        yield formula[1]
        return
    for operand in formula[1:]:
        if isinstance(operand, tuple):
            yield from _inputs_in(operand)
