"""Methods of tensors that never reach torch's dispatcher: sizes, subscripts, numbers of Python.

While a trace runs, `torch.Tensor` has methods of this file in their place. They ask whether their
thread is tracing; if not, they do what the methods in whose place they stand do.

    x.shape[0]       records     %2 : int = aten::size(%x, %zero)
                                 %3 : Long(device=cpu) = prim::NumToTensor(%2)
    x.data           records     %2 : Tensor = prim::data(%x)
    nn.Parameter(x)  records     %2 : Tensor = aten::detach(%x)
    x.data = y       records     %2 : Tensor = aten::copy_(%x.data, %y, %false)
    int(x)           warns: the number becomes a constant

Source: tools/autograd/templates/python_variable_methods.cpp, torch/csrc/Size.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor

from minits import torch_internals as internals
from minits.tracing import indexing
from minits.tracing.mode import copy_to, record_call
from minits.tracing.read_numbers import read_number
from minits.tracing.recorder import Recorder
from minits.tracing.sequence_slots import empty_sequence_slots
from minits.tracing.stand_ins import stand_in
from minits.tracing.traced_size import TracedSize
from minits.tracing.warning import BAKED_IN, warn
from minits.tracing_state import active_recorder
from minits.types import types as t

Replacement = Callable[..., Any]


def _size_of(recorder: Recorder, tensor: Tensor, dim: int) -> Tensor:
    """Record the size of one dimension."""
    with recorder.at_program_line():
        size = torch.scalar_tensor(tensor.size(dim), dtype=torch.int64)
        value = recorder.value_of(tensor)
        inputs = [value, recorder.constant(dim)]
        return _number(recorder, "aten::size", inputs, size)


def _number(recorder: Recorder, kind: str, inputs: list[Any], number: Tensor) -> Tensor:
    """Record an operator that gives an int, which is made a tensor at once."""
    node = recorder.located(recorder.insert(kind, inputs, [t.INT]))
    made = recorder.insert("prim::NumToTensor", [node.output]).output
    recorder.bind(number, made)
    recorder.notes.types[made] = "Long(device=cpu)"
    return number


def _shape(recorder: Recorder, tensor: Tensor) -> TracedSize:
    return TracedSize(_size_of(recorder, tensor, dim) for dim in range(tensor.dim()))


def _size(recorder: Recorder, tensor: Tensor, dim: int | None = None) -> Any:
    return _shape(recorder, tensor) if dim is None else _size_of(recorder, tensor, dim)


def _numel(recorder: Recorder, tensor: Tensor) -> Tensor:
    with recorder.at_program_line():
        number = torch.scalar_tensor(tensor.numel(), dtype=torch.int64)
        return _number(recorder, "aten::numel", [recorder.value_of(tensor)], number)


def _contiguous(
    recorder: Recorder, tensor: Tensor, memory_format: Any = torch.contiguous_format
) -> Tensor:
    """Record it also of a tensor that is contiguous, of which eager has nothing to do."""
    return record_call(
        recorder, torch.ops.aten.contiguous.default, (tensor,), {"memory_format": memory_format}
    )


def _data(original: Any) -> property:
    """Return `data`, which is read as an alias, and whose assignment is recorded as a copy.

    What another shape or dtype is assigned to is a constant from then on: it warns.
    """

    def get(tensor: Tensor) -> Any:
        recorder = active_recorder()
        if recorder is None or not recorder.knows(tensor):
            return original.__get__(tensor)
        with recorder.at_program_line():
            data = original.__get__(tensor)
            inputs = [recorder.value_of(tensor)]
            node = recorder.located(recorder.insert("prim::data", inputs))
            recorder.bind_output(data, node.output)
            return data

    def set(tensor: Tensor, value: Tensor) -> None:
        recorder = active_recorder()
        if recorder is None or not recorder.knows(tensor):
            original.__set__(tensor, value)
            return
        with recorder.paused():
            is_same = _is_same_memory(tensor, value)
            is_alike = _is_alike(tensor, value)
        if not is_alike:
            warn(_RESHAPED)
            recorder.forget(tensor)
            with recorder.paused():
                original.__set__(tensor, value)
        elif not is_same:
            target = get(tensor)
            with recorder.at_program_line():
                copy_to(recorder, torch.ops.aten.copy_.default, (target, value))

    return property(get, set)


_RESHAPED = (
    "x.data is assigned a tensor of another shape, dtype or device: this is not recorded, and x is "
    "a constant of the trace from here on. Assign the new tensor to a variable instead"
)


def _subclass_maker(original: Callable[..., Tensor]) -> Any:
    """Return the function that parameters are made by, which gives a detached alias a class.

    torch's hides the `aten::detach` within from dispatch modes; torch.jit records it.
    """

    def replacement(cls: type, data: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        recorder = active_recorder()
        if recorder is None or not recorder.knows(data):
            return original(cls, data, *args, **kwargs)
        return _alias(recorder, "aten::detach", data, original, cls, data, *args, **kwargs)

    return staticmethod(replacement)


def _as_subclass(original: Replacement) -> Replacement:
    """Return `as_subclass`, whose `aten::alias` dispatch modes do not see either."""

    def replacement(tensor: Tensor, cls: type) -> Any:
        recorder = active_recorder()
        if recorder is None or not recorder.knows(tensor):
            return original(tensor, cls)
        return _alias(recorder, "aten::alias", tensor, original, tensor, cls)

    return replacement


def _alias(
    recorder: Recorder,
    kind: str,
    tensor: Tensor,
    make: Callable[..., Tensor],
    *args: Any,
    **kwargs: Any,
) -> Tensor:
    """Make an alias of a tensor of the trace, and record it as a node of that kind."""
    with recorder.at_program_line():
        made = make(*args, **kwargs)
        node = recorder.located(recorder.insert(kind, [recorder.value_of(tensor)]))
        recorder.bind_output(made, node.output)
        return made


def _is_alike(tensor: Tensor, value: Tensor) -> bool:
    """Return whether a copy of `value` fits into the tensor."""
    return (tensor.shape, tensor.dtype, tensor.device) == (value.shape, value.dtype, value.device)


def _is_same_memory(tensor: Tensor, value: Tensor) -> bool:
    """Return whether `x.data = value` changes nothing, as after `x.data += 1`."""
    return bool(
        internals.storage_of(tensor) == internals.storage_of(value)
        and tensor.storage_offset() == value.storage_offset()
        and tensor.stride() == value.stride()
    )


def _len(original: Replacement) -> Replacement:
    def replacement(tensor: Tensor) -> Any:
        recorder = active_recorder()
        if recorder is None:
            return original(tensor)
        warn(f"len(tensor) is a number of Python: {BAKED_IN}; tensor.shape[0] is recorded")
        with recorder.paused():
            return original(tensor)

    return replacement


def _iter(original: Replacement) -> Replacement:
    def replacement(tensor: Tensor) -> Any:
        recorder = active_recorder()
        if recorder is None or tensor.dim() == 0:
            return original(tensor)
        warn(
            "Iterating over a tensor is recorded for the number of elements it has now: it runs "
            "as often for other inputs. If that matters, script this part"
        )
        recorder.is_hidden = True
        try:
            return original(tensor)
        finally:
            recorder.is_hidden = False

    return replacement


def _recorded(record: Callable[..., Any]) -> Callable[[Replacement], Replacement]:
    """Return a maker of methods that record, and are the original outside of traces."""

    def replacing(original: Replacement) -> Replacement:
        def replacement(tensor: Tensor, *args: Any, **kwargs: Any) -> Any:
            recorder = active_recorder()
            if recorder is None:
                return original(tensor, *args, **kwargs)
            return record(recorder, tensor, *args, **kwargs)

        return replacement

    return replacing


def _baked(what: str) -> Callable[[Replacement], Replacement]:
    """Return a maker of methods that warn, and return what the original does."""

    def replacing(original: Replacement) -> Replacement:
        def replacement(tensor: Tensor, *args: Any, **kwargs: Any) -> Any:
            recorder = active_recorder()
            if recorder is None:
                return original(tensor, *args, **kwargs)
            warn(f"a tensor is used as {what}: {BAKED_IN}")
            with recorder.paused():
                return original(tensor, *args, **kwargs)

        return replacement

    return replacing


def _index(original: Replacement) -> Replacement:
    """Return `__index__`, for which torch's bindings ask, too: where they have not, it warns."""

    def replacement(tensor: Tensor) -> Any:
        recorder = active_recorder()
        if recorder is None:
            return original(tensor)
        with recorder.paused():
            number = original(tensor)
        message = f"a tensor is used as a Python index: {BAKED_IN}"
        recorder.read_numbers.append(read_number(tensor, number, message))
        return number

    return replacement


_METHODS: dict[str, Callable[[Replacement], Replacement]] = {
    "size": _recorded(_size),
    "numel": _recorded(_numel),
    "nelement": _recorded(_numel),
    "contiguous": _recorded(_contiguous),
    "as_subclass": _as_subclass,
    internals.MAKE_SUBCLASS: _subclass_maker,
    "__getitem__": _recorded(indexing.get_item),
    "__setitem__": _recorded(indexing.set_item),
    "__len__": _len,
    "__iter__": _iter,
    "__bool__": _baked("a Python boolean"),
    "__int__": _baked("a Python integer"),
    "__index__": _index,
    "__float__": _baked("a Python float"),
    "__complex__": _baked("a Python complex number"),
    "item": _baked("a Python number"),
    "tolist": _baked("a Python list"),
    "numpy": _baked("a NumPy array"),
}


@contextmanager
def traced_methods() -> Iterator[None]:
    """Let tensors have the methods of this file meanwhile."""
    methods: dict[str, Any] = {name: make(getattr(Tensor, name)) for name, make in _METHODS.items()}
    shape = property(_recorded(_shape)(Tensor.shape.__get__))
    data = _data(vars(internals.TENSOR_BASE)["data"])
    numel = stand_in(torch.numel, _recorded(_numel)(torch.numel))
    try:
        with (
            patch.multiple(Tensor, shape=shape, data=data, **methods),
            patch.object(torch, "numel", numel),
        ):
            empty_sequence_slots(Tensor, of=Tensor)  # torch.tensor([x.shape[0]]) looks at them
            yield
    finally:
        empty_sequence_slots(Tensor, of=internals.TENSOR_BASE)
