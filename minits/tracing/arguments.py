"""The arguments of an operator as values of the trace.

    x.view(n, -1)            with n : %n, a size of a tensor, records
    %4 : int = aten::Int(%n)
    %5 : int = prim::Constant[value=-1]()
    %6 : int[] = prim::ListConstruct(%4, %5)

Source: torch/csrc/jit/frontend/tracer.cpp (`addInputs`, `ArgumentStash`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from minits import torch_internals as internals
from minits.ir.graph import Value
from minits.tracing.read_numbers import ReadNumber, numbers_for_operator, read_number, tell
from minits.tracing.recorder import Recorder, is_number
from minits.tracing.warning import warn
from minits.types import types as t
from minits.types.dtypes import enum_code
from minits.types.wrapped_number import wrapped_number


class Traced:
    """The node of a `torch.SymInt`: a number that was read from a tensor of the trace.

    It has what torch's bindings ask of such a node; they may take the plain number (`guard_int`).
    """

    def __init__(self, recorder: Recorder, tensor: Tensor, value: int | float) -> None:
        self.recorder, self.tensor, self.value = recorder, tensor, value

    def guard_int(self, file: str, line: int) -> int:
        self.recorder.read_numbers.append(read_number(self.tensor, int(self.value)))
        return int(self.value)

    def guard_float(self, file: str, line: int) -> float:
        return float(self.value)

    def is_int(self) -> bool:
        return isinstance(self.value, int)

    def is_float(self) -> bool:
        return isinstance(self.value, float)

    def is_bool(self) -> bool:
        return False

    is_nested_int = is_constant = is_bool

    def is_symbolic(self) -> bool:
        return True

    has_hint = is_symbolic

    def maybe_as_int(self) -> None:
        return None

    constant_int = maybe_as_int

    def str(self) -> str:
        return str(self.value)

    _graph_repr = str


def traced_number(recorder: Recorder, tensor: Tensor, value: Any) -> Any:
    """Return a number that remembers its tensor; as it is, where torch has no such number."""
    if not recorder.knows(tensor) or isinstance(value, (bool, complex)):
        return value
    node = Traced(recorder, tensor, value)
    return torch.SymInt(node) if isinstance(value, int) else torch.SymFloat(node)


def plain(value: Any) -> Any:
    """Return an argument with plain numbers."""
    if isinstance(value, (torch.SymInt, torch.SymFloat)):
        return value.node.value if isinstance(value.node, Traced) else value
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value)) if type(value) in (list, tuple) else value
    return value


def arguments_of(
    recorder: Recorder,
    func: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    leaves_out: bool = False,
) -> Iterator[Value]:
    """Record the arguments of an operator, defaults included.

    leaves_out: the tensors that it is told to write its results to (`out=`) are no arguments.
    """
    numbers, recorder.read_numbers = recorder.read_numbers, []
    numbers = numbers_for_operator(numbers) if numbers else numbers
    for index, parameter in enumerate(internals.schema_of(func).arguments):
        if leaves_out and parameter.is_out:
            continue
        if index < len(args):
            value = args[index]
        else:
            value = kwargs.get(parameter.name, parameter.default_value)
        yield _argument(recorder, parameter.type, _restored(value, parameter.type, numbers))
    tell(numbers)


def _restored(value: Any, type: torch.Type, numbers: list[ReadNumber]) -> Any:
    """Return the tensor that an int was read from, if torch's bindings have read it."""
    if numbers and value.__class__ in (list, tuple):
        element = _element(type)
        return [_restored(each, element, numbers) for each in value]
    if numbers and value.__class__ is int and _base(type) in ("IntType", "SymIntType"):
        for index, number in enumerate(numbers):
            if number.value == value:
                return numbers.pop(index).tensor
    return value


def _element(type: torch.Type) -> torch.Type:
    while type.kind() in ("OptionalType", "ListType"):
        type = type.getElementType()
    return type


def _base(type: torch.Type) -> str:
    """Return the kind of a type, of an Optional that of its element."""
    kind: str = type.kind()
    return _base(type.getElementType()) if kind == "OptionalType" else kind


def _argument(recorder: Recorder, type: torch.Type, value: Any) -> Value:
    if value is None:
        return recorder.none()
    if type.kind() == "OptionalType":
        return _argument(recorder, type.getElementType(), value)
    if type.kind() == "ListType":
        return _list(recorder, type.getElementType(), value)
    return _single(recorder, type.kind(), value)


def _single(recorder: Recorder, kind: str, value: Any) -> Value:
    if value is None:
        return recorder.none()
    if isinstance(value, (torch.SymInt, torch.SymFloat)):
        value = value.node.tensor
    if isinstance(value, Tensor):
        return _number_of(recorder, kind, value)
    if isinstance(value, internals.CPP_OBJECT):
        return recorder.object_of(value)
    if kind == "TensorType" and is_number(value):
        return recorder.constant(wrapped_number(value), t.TENSOR)
    if kind == "NumberType" and isinstance(value, bool):
        return _truth(recorder, value)
    if isinstance(value, torch.device) and value.type != "cpu":
        warn(f"the device {value} becomes a constant of the trace: {_ELSEWHERE}")
    code = enum_code(value)
    if code is None and kind == "FloatType":
        value = float(value)
    return recorder.constant(value if code is None else code)


_ELSEWHERE = (
    "it makes its tensors there on every machine, wherever those that it is given are. If that "
    "matters, make them from others (x.new_zeros, torch.zeros_like), or script this part"
)


def _truth(recorder: Recorder, value: bool) -> Value:
    """Return a bool as a number: a bool of the graph is none, but that of a tensor may be.

    torch.jit records a bool, and fails: no operator takes it.
    """
    made = recorder.constant(torch.tensor(value), t.TENSOR)
    return recorder.after(made, "aten::ScalarImplicit", t.NUMBER)


def _number_of(recorder: Recorder, kind: str, tensor: Tensor) -> Value:
    """Return the value of a tensor, converted where the operator takes a number."""
    value = recorder.value_of(tensor)
    if kind in ("IntType", "SymIntType"):
        return recorder.after(value, "aten::Int", t.INT)
    if kind == "FloatType":
        return recorder.after(value, "aten::Float", t.FLOAT)
    if kind == "NumberType":
        return recorder.after(value, "aten::ScalarImplicit", t.NUMBER)
    return value


_ELEMENTS = {
    "TensorType": t.TENSOR,
    "IntType": t.INT,
    "SymIntType": t.INT,
    "FloatType": t.FLOAT,
    "BoolType": t.BOOL,
}


def _list(recorder: Recorder, element: torch.Type, items: Any) -> Value:
    if not isinstance(items, (list, tuple)):
        items = [items]
    if element.kind() == "OptionalType":
        values = [_argument(recorder, element, item) for item in items]
        return recorder.list_of(values, t.OptionalType(t.TENSOR))
    values = [_single(recorder, element.kind(), item) for item in items]
    if element.kind() == "ClassType" and values:
        return recorder.list_of(values, values[0].type)
    return recorder.list_of(values, _ELEMENTS.get(element.kind(), t.NUMBER))
