"""`x[...]` and `x[...] = v` of traced tensors, one operator for each part of the index.

    x[:, n]                  with n : %n, a tensor without dimensions, records
    %3 : Tensor = aten::slice(%x, %zero, %zero, %max, %one)
    %4 : int = aten::Int(%n)
    %5 : Tensor = aten::select(%3, %one, %4)

Eager leaves out slices that take everything; for other sizes they may not, so a trace has them.

Source: torch/csrc/autograd/python_variable_indexing.cpp and aten/src/ATen/TensorIndexing.h.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from minits.tracing.mode import copy_to, lifted, record_call
from minits.tracing.recorder import Recorder

_ATEN = torch.ops.aten
_MAX = 2**63 - 1
_BYTE_OR_BOOL = (torch.bool, torch.uint8)


def get_item(recorder: Recorder, tensor: Tensor, index: Any) -> Tensor:
    """Record `tensor[index]`."""
    with recorder.at_program_line():
        return _get_item(recorder, tensor, index)


def _get_item(recorder: Recorder, tensor: Tensor, index: Any) -> Tensor:
    sliced, tensors = _Indexing(recorder, tensor).apply(index)
    if tensors:
        found: Tensor = record_call(recorder, _ATEN.index.Tensor, (sliced, tensors), {})
        return found
    if sliced is tensor:
        return record_call(recorder, _ATEN.alias.default, (tensor,), {})
    return sliced


def set_item(recorder: Recorder, tensor: Tensor, index: Any, value: Any) -> None:
    """Record `tensor[index] = value`."""
    if index is not False:
        with recorder.at_program_line():
            _set_item(recorder, tensor, index, value)


def _set_item(recorder: Recorder, tensor: Tensor, index: Any, value: Any) -> None:
    if not isinstance(value, Tensor):
        value = torch.scalar_tensor(value, dtype=tensor.dtype, device=tensor.device)
    sliced, tensors = _Indexing(recorder, tensor).apply(None if index is True else index)
    if not tensors:
        _copy_to(recorder, sliced, value)
        return
    shape = _without_leading_ones(value)
    if shape != list(value.shape):
        value = record_call(recorder, _ATEN.view.default, (value, shape), {})
    record_call(recorder, _ATEN.index_put_.default, (sliced, tensors, value), {})


def _copy_to(recorder: Recorder, target: Tensor, value: Tensor) -> None:
    if target.shape == value.shape:
        copy_to(recorder, _ATEN.copy_.default, (target, value))
    elif value.dim() == 0 and value.device.type == "cpu":
        record_call(recorder, _ATEN.fill_.Tensor, (target, value), {})
    else:
        shape = _without_leading_ones(value)
        view = record_call(recorder, _ATEN.view.default, (value, shape), {})
        if view.shape != target.shape:
            sizes = list(target.shape)
            view = record_call(recorder, _ATEN.expand.default, (view, sizes), {})
        copy_to(recorder, _ATEN.copy_.default, (target, view))


def _without_leading_ones(value: Tensor) -> list[int]:
    sizes = list(value.shape)
    while sizes and sizes[0] == 1:
        sizes.pop(0)
    return sizes


class _Indexing:
    """An index that is being applied. `dim` is the next dimension of what there is."""

    def __init__(self, recorder: Recorder, tensor: Tensor) -> None:
        self.recorder, self.original, self.tensor = recorder, tensor, tensor
        self.dim = 0
        self.indices: list[Tensor | None] = []

    def apply(self, index: Any) -> tuple[Tensor, list[Tensor | None]]:
        """Return the tensor after selects, slices and new dimensions, and the tensors to index by.

        Raises IndexError.
        """
        parts = _parts(index)
        specified = sum(map(_dimensions_of, parts))
        if specified > self.original.dim():
            raise IndexError(f"too many indices for tensor of dimension {self.original.dim()}")
        for part in parts:
            if part is Ellipsis:
                self._skip(self.original.dim() - specified)
            else:
                self._apply(part)
        return self.tensor, self.indices

    def _apply(self, part: Any) -> None:
        if part is None:
            self._run(_ATEN.unsqueeze.default, self.dim)
            self._skip(1)
        elif isinstance(part, bool):
            self._run(_ATEN.unsqueeze.default, self.dim)
            self._index_by(self._index_of_bool(part))
        elif isinstance(part, slice):
            start, stop, step = _bounds(part)
            self._run(_ATEN.slice.Tensor, self.dim, start, stop, step)
            self._skip(1)
        elif isinstance(part, Tensor):
            self._apply_tensor(part)
        elif isinstance(part, (list, tuple, range)):
            self._index_by(_constant(self.recorder, part, self.tensor))
        elif hasattr(part, "__index__") and getattr(part, "ndim", 0) == 0:
            self._run(_ATEN.select.int, self.dim, part.__index__())
        else:
            self._index_by(_constant(self.recorder, part, self.tensor))

    def _index_of_bool(self, part: bool) -> Tensor:
        """Record an index that takes everything, or nothing, of a new dimension."""
        device = self.tensor.device
        options = {"dtype": torch.int64, "layout": torch.strided, "device": device}
        made: Tensor = record_call(
            self.recorder, _ATEN.empty.memory_format, ([int(part)],), options
        )
        return record_call(self.recorder, _ATEN.fill_.Scalar, (made, 0.0), {}) if part else made

    def _apply_tensor(self, part: Tensor) -> None:
        if part.dim() == 0 and not (part.is_floating_point() or part.is_complex()):
            if part.dtype not in _BYTE_OR_BOOL:
                self._run(_ATEN.select.int, self.dim, part)
                return
            self._run(_ATEN.unsqueeze.default, self.dim)
        self._index_by(part)

    def _run(self, overload: Any, *arguments: Any) -> None:
        self.tensor = record_call(self.recorder, overload, (self.tensor, *arguments), {})

    def _skip(self, dimensions: int) -> None:
        self.dim += dimensions

    def _index_by(self, tensor: Tensor) -> None:
        self.indices += [None] * (self.dim - len(self.indices))
        self.indices.append(tensor)
        self.dim += 1


def _parts(index: Any) -> tuple[Any, ...]:
    if isinstance(index, tuple):
        return index
    if isinstance(index, list) and len(index) < 32 and any(map(_stands_alone, index)):
        return tuple(index)
    return (index,)


def _stands_alone(part: Any) -> bool:
    """Return whether an item makes a list of items a tuple of indices, as in NumPy."""
    return part is None or part is Ellipsis or isinstance(part, (Tensor, slice, list, tuple))


def _dimensions_of(part: Any) -> int:
    if part is None or part is Ellipsis or isinstance(part, bool):
        return 0
    if isinstance(part, Tensor) and part.dtype in _BYTE_OR_BOOL:
        return int(part.dim())
    return 1


def _bounds(part: slice) -> tuple[Any, Any, Any]:
    start = 0 if part.start is None else _index(part.start)
    stop = _MAX if part.stop is None else _index(part.stop)
    step = 1 if part.step is None else _index(part.step)
    return start, stop, step


def _index(bound: Any) -> Any:
    return bound if isinstance(bound, Tensor) else bound.__index__()


def _constant(recorder: Recorder, items: Any, like: Tensor) -> Tensor:
    """Record a list, or an array of NumPy, which torch takes for memory to be lifted first."""
    made = torch.tensor(items, device=like.device)
    made = made.to(torch.int64) if made.numel() == 0 else made
    if hasattr(items, "__array__"):
        made = record_call(recorder, _ATEN.lift_fresh.default, (made,), {})
    return lifted(recorder, made)
