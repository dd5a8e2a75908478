"""Telling in a fraction of a microsecond whether tensors are like those of the last call.

torch's own compiler guards its graphs by a function in C++ that compares tensors with what was
written down of earlier ones: type, dtype, device, sizes, strides, requires_grad, and the dispatch
keys, both the tensor's own and those that are on in this thread, so that negative and conjugate
bits, autocast, transforms and dispatch modes are noticed. It takes 0.1 us for a tensor where the
same in Python takes 0.5 us (`call_key.py`). What it does not see of a key is asked beside it: the
rows of `properties.py` say which they are. Nothing is remembered of calls that are observed, so
that a guard asks of observers whether they are there, not what they were.

Source: torch/csrc/dynamo/guards.cpp (`TensorGuards`, `TensorCheck::check`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any

from torch import Tensor

from minits.kernels.launch.observers import OBSERVERS, absent
from minits.kernels.launch.properties import (
    NAMESPACE,
    STATE_PROPERTIES,
    TENSOR_PROPERTIES,
    State,
)
from minits.torch_internals import TENSOR_GUARDS

Guard = Callable[..., bool]

GUARD_NAMES: dict[str, Any] = {**NAMESPACE, "Tensor": Tensor}
_UNNOTICED = [each for each in OBSERVERS if not each.is_guarded]
_SWITCHES = tuple(dict.fromkeys([each.switch for each in STATE_PROPERTIES if each.switch]))
_UNSEEN_STATE = [
    each.text for each in STATE_PROPERTIES if each.observer is None and not each.is_guarded
]
_UNSEEN = [each.text for each in TENSOR_PROPERTIES if not each.is_guarded]


def guard_text(names: Sequence[str]) -> str:
    """Return an expression for generated code: whether a call is like the one that came last.

    `names` are expressions of its tensors. It uses `GUARD_NAMES`, and `guard` and `then`, which
    `remembered` gave for the last call. Nested tensors are kept from `guard`, which would end the
    process, as are those that transforms wrap: they may be nested and do not say so.
    """
    dense = [dense_text(name) for name in names]
    guard = f"guard({', '.join(names)})"
    observers = absent(_UNNOTICED if names else OBSERVERS)
    return " and ".join([*dense, observers, guard, f"{_unseen(names)} == then"])


def guard_now(
    names: Sequence[str], tensors: Sequence[Tensor], any_sizes: bool = False
) -> tuple[str, dict[str, Any]]:
    """Return an expression as `guard_text` does, and names that it uses besides `GUARD_NAMES`.

    It says whether a call is like one with these tensors now. It is shorter where no function mode
    is active: then one question, whether there is any, stands for all rows that have this switch.
    """
    if _UNSEEN or _is_switched():
        guard, then = remembered(tensors, any_sizes)
        return guard_text(names), {"guard": guard, "then": then}
    dense = [dense_text(name) for name in names]
    text, kept = _usual_state(_UNNOTICED if names else OBSERVERS)
    if not names:
        return text, kept
    guarded = f"guard({', '.join(names)})"
    return " and ".join([*dense, text, guarded]), {**kept, "guard": guard_for(tensors, any_sizes)}


def state_now() -> tuple[str, dict[str, Any]]:
    """Return an expression whether the process is as it is now, and names that it uses.

    Nobody may look at operators.
    """
    return guard_now([], [])


def _usual_state(observers: Sequence[State]) -> tuple[str, dict[str, Any]]:
    """Return an expression whether the process is as it is now, where all switches are off."""
    parts = [f"not {each}" for each in _SWITCHES]
    parts += [absent([each]) for each in observers if each.switch is None]
    kept = {}
    for number, each in enumerate(STATE_PROPERTIES):
        if each.observer is None and each.switch is None:
            kept[f"then{number}"] = eval(each.text, GUARD_NAMES)
            parts.append(f"{each.text} == then{number}")
    return " and ".join(parts), kept


_is_switched: Callable[[], bool] = eval(f"lambda: {' or '.join(_SWITCHES)}", GUARD_NAMES)
"""Return whether a switch is on."""


def dense_text(name: str) -> str:
    """Return an expression for generated code: whether a value may be given to a guard."""
    return f"isinstance({name}, Tensor) and not {name}.is_nested"


def layout_text(name: str, tensor: Tensor) -> str:
    """Return an expression for generated code: whether a tensor is contiguous if this one is.

    It has sizes of one where this one has, too: its views have as many dimensions then.
    """
    ones = [dim for dim, size in enumerate(tensor.shape) if size == 1]
    parts = [f"{name}.is_contiguous() is {tensor.is_contiguous()}"]
    parts.append(f"{name}.shape.count(1) == {len(ones)}")
    return " and ".join([*parts, *[f"{name}.shape[{dim}] == 1" for dim in ones]])


def remembered(tensors: Sequence[Tensor], any_sizes: bool = False) -> tuple[Guard, Any]:
    """Return the `guard` and the `then` of `guard_text` for calls with tensors like these.

    `then` is what torch's guard does not see of the call. Of `any_sizes`, they have as many
    dimensions, and sizes and strides are not looked at.
    """
    return guard_for(tensors, any_sizes), _unseen_function(len(tensors))(*tensors)


def match_for(tensors: Sequence[Tensor | None]) -> Guard:
    """Return a function of as many values that tells whether a call with these is like this one.

    It has None where this one has.
    """
    given = {f"i{index}": tensor for index, tensor in enumerate(tensors)}
    present = {name: tensor for name, tensor in given.items() if tensor is not None}
    absent = [f"{name} is None" for name in given if name not in present]
    text, kept = guard_now([*present], [*present.values()])
    return test_of([*given], " and ".join([*absent, text]), kept)


def test_of(parameters: Sequence[str], text: str, kept: Mapping[str, Any]) -> Guard:
    """Return a function of these parameters that gives an expression, which uses `GUARD_NAMES`.

    What it uses besides, `kept`, are defaults: all such functions look names up in one dict, which
    stays in the caches of the processor.
    """
    given = ", ".join([*parameters, *[f"{name}={name}" for name in kept]])
    made: Guard = eval(_code(f"lambda {given}: {text}"), GUARD_NAMES, dict(kept))
    return made


@lru_cache(maxsize=512)
def _code(text: str) -> CodeType:
    """Compile a test; those of calls with the same kinds of arguments have the same text."""
    return compile(text, "<guard>", "eval")


def _unseen(names: Sequence[str]) -> str:
    parts = [*_UNSEEN_STATE, *[text.format(name) for name in names for text in _UNSEEN]]
    return f"({', '.join(parts)},)"


@lru_cache(maxsize=64)
def _unseen_function(count: int) -> Callable[..., Any]:
    names = [f"i{index}" for index in range(count)]
    made: Callable[..., Any] = eval(f"lambda {', '.join(names)}: {_unseen(names)}", GUARD_NAMES)
    return made


def guard_for(tensors: Sequence[Tensor], any_sizes: bool = False) -> Guard:
    """Return a function of as many values that tells whether they are tensors like these.

    Of `any_sizes`, they have as many dimensions, and sizes and strides are not looked at. It never
    says yes wrongly where `dense_text` is asked of each before. It may say no to tensors that are
    alike: if one is given twice that was not so before, or if this torch has no such function. It
    says no to all where one of them is None, an undefined tensor.
    """
    if TENSOR_GUARDS is None:
        return never
    parts = _without_repetition(tensors)
    checks = []
    for part in parts:
        given = [tensors[index] for index in part]
        try:
            unknown = [[None] * tensor.dim() for tensor in given]
            sizes = unknown if any_sizes else [list(tensor.size()) for tensor in given]
            strides = unknown if any_sizes else [list(tensor.stride()) for tensor in given]
            made = TENSOR_GUARDS(*given, dynamic_dims_sizes=sizes, dynamic_dims_strides=strides)
        except (AttributeError, TypeError, RuntimeError):
            return never
        checks.append(made.check)
    return checks[0] if len(checks) == 1 else _all_of(checks, parts, len(tensors))


def are_repeated(values: Sequence[Any]) -> bool:
    """Return whether an object is among these more than once."""
    return len(set(map(id, values))) < len(values)


def _without_repetition(tensors: Sequence[Tensor]) -> list[list[int]]:
    """Return the indices of tensors in parts, of which none has a tensor twice.

    torch's guard takes each tensor once.
    """
    times: Counter[int] = Counter()
    parts: list[list[int]] = [[]]
    for index, tensor in enumerate(tensors):
        if times[id(tensor)] == len(parts):
            parts.append([])
        parts[times[id(tensor)]].append(index)
        times[id(tensor)] += 1
    return parts


def _all_of(checks: Sequence[Guard], parts: Sequence[Sequence[int]], count: int) -> Guard:
    """Return a function of `count` values that gives each check its part of them."""
    own = {f"check{index}": check for index, check in enumerate(checks)}
    given = ", ".join(
        [*[f"i{index}" for index in range(count)], *[f"{name}={name}" for name in own]]
    )
    tests = [
        f"{name}({', '.join(f'i{index}' for index in part)})"
        for name, part in zip(own, parts, strict=True)
    ]
    made: Guard = eval(f"lambda {given}: {' and '.join(tests)}", own)
    return made


def never(*values: Any) -> Any:
    """The guard of what there is not, or not yet."""
    return False
