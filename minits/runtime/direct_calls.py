"""The short way into a plan whose kernels are bound to the shapes of a call's tensors.

A call's arguments are looked at once: what matters of them, and whether somebody observes single
operators, is the key of what is to be run. So a call costs about a microsecond more than launching
its kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from minits.ops.schema import Schema
from minits.runtime import observers
from minits.types import types as t
from minits.types.subtyping import union_members
from minits.types.types import Type

KeyOf = Callable[[Sequence[Any]], Any]

_SCOPE = {
    "level": observers.functorch_level,
    "modes": observers.dispatch_modes,
    "forward_ad": forward_ad,
}
_TENSOR = "{0}.shape, {0}.is_contiguous(), {0}.dtype, {0}.device, {0}.requires_grad, type({0}), "
"""Only calls with contiguous tensors are remembered, so strides need not be looked at."""
_OBSERVERS = "level(), modes(), forward_ad._current_level, "
"""Autocast is not among them: see `may_be_direct`."""
_HALVES = (torch.float16, torch.bfloat16)


def key_functions(schema: Schema) -> list[KeyOf]:
    """Return what gives the key of a call, by the number of arguments, all by position.

    Empty where a parameter is neither a tensor nor a number. A key function raises AttributeError
    for what is no tensor, where one is to be.
    """
    parts = [_part(argument.type, index) for index, argument in enumerate(schema.arguments)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or any(argument.kwarg_only for argument in schema.arguments):
        return []
    return [
        eval(f"lambda args: ({_OBSERVERS}{''.join(known[:count])})", dict(_SCOPE))
        for count in range(len(known) + 1)
    ]


def _part(type: Type, index: int) -> str | None:
    name = f"args[{index}]"
    tensor = _TENSOR.format(name)
    if type == t.TENSOR:
        return tensor
    if type in (t.FLOAT, t.INT, t.BOOL):
        return f"type({name}), "
    members = union_members(type)
    if len(members) == 2 and t.NONE in members and t.TENSOR in members:
        return f"None if {name} is None else ({tensor}), "
    return None


def may_be_direct(values: Sequence[Any]) -> bool:
    """Whether the strides of all tensors follow from their shapes, and none is of a half type.

    Autocast widens half types in operators that kernels compute; others it leaves alone there.
    """
    tensors = [value for value in values if isinstance(value, Tensor)]
    return all(x.is_contiguous() and x.dtype not in _HALVES for x in tensors)


def with_defaults(run: Callable[..., Any], given: int, values: Sequence[Any]) -> Callable[..., Any]:
    """Return what takes the arguments that a call gives and adds the rest of `values`."""
    if given == len(values):
        return run
    names = ", ".join(f"i{index}" for index in range(given))
    rest = ", ".join(f"d[{index}]" for index in range(given, len(values)))
    made: Callable[..., Any] = eval(
        f"lambda {names}: run({', '.join(filter(None, [names, rest]))})",
        {"run": run, "d": list(values)},
    )
    return made
