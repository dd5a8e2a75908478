"""Operators in place, recorded as those that return a new tensor: `_force_outplace=True`.

    y.mul_(2)                records     %5 : Tensor = aten::mul(%y, %4)
    torch.mul(x, 2, out=y)   records     %5 : Tensor = aten::mul(%x, %4)
    y.zero_()                records     %9 : Tensor = aten::zeros_like(%y, ...)

The tensor is the new value from then on. Other tensors in the same memory are what they were, which
a warning tells; a copy into memory that others share stays one in place.

Source: tools/autograd/gen_trace_type.py (`RENAME_TRACE`, `format_trace_inputs`) and
torch/csrc/jit/frontend/tracer.cpp (`ensureUniqueIfOutOfPlaced`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from minits import torch_internals as internals
from minits.ir.graph import Value
from minits.tracing.recorder import Recorder
from minits.tracing.warning import warn
from minits.types.dtypes import enum_code

_RENAMED = {"aten::zero_": "aten::zeros_like", "aten::fill_": "aten::full_like"}


def out_of_place_kind(func: Any) -> str | None:
    """Return the operator that returns what `func` writes to its first argument.

    Return None if it writes to none, or there is no such operator, as for `normal_`.
    """
    kind: str = internals.schema_of(func).name
    name = kind.removeprefix("aten::").removesuffix("_")
    if not kind.endswith("_") or kind.endswith("__"):
        return None
    if kind in _RENAMED:
        return _RENAMED[kind]
    packet = getattr(torch.ops.aten, name, None)
    overloads = () if packet is None else map(packet.__getattr__, packet.overloads())
    taken = _types(func)
    return f"aten::{name}" if any(_types(each) == taken for each in overloads) else None


def _types(func: Any) -> list[str]:
    return [str(each.type) for each in internals.schema_of(func).arguments]


def option_values(recorder: Recorder, func: Any, args: Any, kwargs: Any) -> Iterator[Value]:
    """Record the options of a new tensor that an operator has which writes to an existing one."""
    kind = internals.schema_of(func).name
    if kind in _RENAMED:
        yield recorder.none()
        yield from _options(recorder, args[0])
        yield recorder.constant(enum_code(torch.preserve_format))
    elif "out" in kwargs and _is_factory(func):
        yield recorder.constant(enum_code(kwargs["out"].dtype))
        yield from _options(recorder, kwargs["out"])


def _options(recorder: Recorder, tensor: Tensor) -> Iterator[Value]:
    yield recorder.constant(enum_code(tensor.layout))
    yield recorder.constant(tensor.device)
    yield recorder.constant(False)


def _is_factory(func: Any) -> bool:
    inputs = (each for each in internals.schema_of(func).arguments if not each.is_out)
    return not any("Tensor" in str(each.type) for each in inputs)


def warn_if_shared(recorder: Recorder, tensor: Tensor, name: str) -> bool:
    """Warn if the trace has seen other tensors in the memory of this one; return whether it has."""
    count = recorder.count_in_memory(tensor)
    if count > 1:
        warn(
            f"{name} is recorded as an operator that returns a new tensor, but {count} tensors "
            "share its memory, which might cause the trace to be incorrect: the others do not "
            "change in it. If that matters, write it without operators in place, or trace without "
            "_force_outplace"
        )
    return count > 1
