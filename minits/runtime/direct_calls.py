"""The short way into a plan whose kernels are bound to the shapes of a call's tensors.

A call's arguments are looked at once. First they are compared with those of the last call, which
takes a fraction of a microsecond (`guards.py`); failing that, what matters of them, and whether
somebody observes single operators, is the key of what is to be run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from minits.kernels.guards import guard_for
from minits.ops.schema import Schema
from minits.runtime import observers
from minits.types import types as t
from minits.types.int64 import MAX_INT, MIN_INT
from minits.types.subtyping import union_members
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.runtime.plans import Plan

Run = Callable[..., Any]
KeyOf = Callable[[Sequence[Any]], Any]
Found = tuple[Callable[[Sequence[Any]], bool], Run, "Plan"]
"""Whether arguments are like those of a call, what to run for them, and the plan that it is of."""

MOST_CALLS = 256
"""Exact shapes that are kept."""
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


class DirectCalls:
    """What to run for the calls of a function that need no conversion of their arguments.

    `last` is the call that came last; threads see all of it or nothing.
    """

    def __init__(self, schema: Schema) -> None:
        self.last: Found | None = None
        self._schema = schema
        self._found: dict[Any, Found] = {}

    def __len__(self) -> int:
        return len(self._found)

    def clear(self) -> None:
        self.last = None
        self._found.clear()

    @cached_property
    def _keys(self) -> list[KeyOf]:
        return key_functions(self._schema)

    def find(self, args: tuple[Any, ...]) -> Found | None:
        """Return what to run, for a call that is not like the last."""
        if not self._found:
            return None
        try:
            found = self._found.get(self._keys[len(args)](args))
        except (AttributeError, IndexError):
            return None  # the slow way says what is wrong
        if found is not None:
            self.last = found
        return found

    def remember(self, args: tuple[Any, ...], values: Sequence[Any], run: Run, plan: Plan) -> None:
        """Let calls like this one go the short way. `values` are its arguments, bound."""
        is_same = all(given is value for given, value in zip(args, values, strict=False))
        if not self._keys or not is_same or not may_be_direct(args):
            return
        if len(self._found) >= MOST_CALLS:
            self.clear()
        found = (matcher(args), with_defaults(run, len(args), values), plan)
        self.last = self._found[self._keys[len(args)](args)] = found


def matcher(args: Sequence[Any]) -> Callable[[Sequence[Any]], bool]:
    """Return what tells whether a call's arguments are like these, and nobody observes it.

    Its guard sees transforms and modes as well, but for the tangents of forward mode.
    """
    parts = [f"len(args) == {len(args)}", "forward_ad._current_level < 0", "not modes()"]
    tensors = []
    for index, value in enumerate(args):
        if isinstance(value, Tensor):
            tensors.append(index)
        elif value is None:
            parts.append(f"args[{index}] is None")
        else:
            parts.append(f"type(args[{index}]) is {type(value).__name__}")
            if type(value) is int:
                parts.append(f"{MIN_INT} <= args[{index}] <= {MAX_INT}")
    parts.append(f"guard({', '.join([f'args[{index}]' for index in tensors])})")
    scope = {**_SCOPE, "guard": guard_for([args[index] for index in tensors])}
    made: Callable[[Sequence[Any]], bool] = eval(
        _code(f"lambda args: {' and '.join(parts)}"), scope
    )
    return made


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
        eval(_code(f"lambda args: ({_OBSERVERS}{''.join(known[:count])})"), dict(_SCOPE))
        for count in range(len(known) + 1)
    ]


@lru_cache(maxsize=512)
def _code(text: str) -> CodeType:
    """Compile an expression; functions of the same types of parameters have the same ones."""
    return compile(text, "<direct call>", "eval")


def _part(type: Type, index: int) -> str | None:
    name = f"args[{index}]"
    tensor = _TENSOR.format(name)
    if type == t.TENSOR:
        return tensor
    if type == t.INT:  # one of more than 64 bits is refused by the slow way
        return f"type({name}) is int and {MIN_INT} <= {name} <= {MAX_INT} or type({name}), "
    if type in (t.FLOAT, t.BOOL):
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
