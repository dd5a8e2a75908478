"""The outcome of a call: all of it that a program's user can see.

    facts       by names such as "result[0]": types, dtypes, shapes, strides, offsets, bits,
                which tensors share memory, versions of arguments, what was raised
    tensors     values of the same, and gradients

Arguments are copied for each call with their strides and with what they share.
"""

from __future__ import annotations

import copy
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from conformance.samples.program import Arguments


@dataclass(slots=True)
class Outcome:
    """What a call shows."""

    facts: dict[str, Any] = field(default_factory=dict)
    tensors: dict[str, Tensor] = field(default_factory=dict)
    error: Exception | None = None


def observe(
    run: Callable[..., Any], arguments: Arguments, seed: int, *, with_gradients: bool = False
) -> Outcome:
    """Call `run`, and return what it shows; with gradients by all tensors that can have one."""
    copies = _Copies(with_gradients)
    args = tuple([copies.of(value) for value in arguments.args])
    kwargs = {name: copies.of(value) for name, value in arguments.kwargs}
    outcome = Outcome()
    torch.manual_seed(seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = run(*args, **kwargs)
    except Exception as error:
        outcome.error = error
        return outcome
    finally:
        torch.set_grad_enabled(True)
    described = dict(_tensors_in("result", result))
    given = dict(_tensors_in("argument", [*args, *kwargs.values()]))
    outcome.facts["result"] = structure(result)
    for name, tensor in [*described.items(), *given.items()]:
        outcome.facts[name] = _facts(tensor)
        outcome.tensors[name] = tensor.detach()
    outcome.facts["versions"] = [_version(tensor) for tensor in given.values()]
    outcome.facts["shared memory"] = _shared({**given, **described})
    if with_gradients:
        _add_gradients(outcome, [*described.values(), *given.values()], copies.leaves)
    return outcome


class _Copies:
    """Copies of arguments; a tensor that is an argument twice has one copy."""

    def __init__(self, with_gradients: bool) -> None:
        self.with_gradients = with_gradients
        self.leaves: list[Tensor] = []
        self._made: dict[int, Any] = {}

    def of(self, value: Any) -> Any:
        if id(value) not in self._made:
            self._made[id(value)] = self._copy(value)
        return self._made[id(value)]

    def _copy(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return self._copy_tensor(value)
        if isinstance(value, torch.Generator):
            return torch.Generator().manual_seed(value.initial_seed())
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            return type(value)([self.of(item) for item in value])
        if isinstance(value, dict):
            return {key: self.of(item) for key, item in value.items()}
        return copy.copy(value)

    def _copy_tensor(self, tensor: Tensor) -> Tensor:
        made = _copied_memory(tensor)
        if not self.with_gradients or not (tensor.is_floating_point() or tensor.is_complex()):
            return made
        self.leaves.append(made.requires_grad_())
        return made.clone()  # which a program may write to, as it is no leaf


def _copied_memory(tensor: Tensor) -> Tensor:
    plain = tensor.detach()
    if tensor.layout != torch.strided or tensor.is_quantized or tensor.is_conj() or tensor.is_neg():
        return plain.clone()
    if tensor.device.type == "meta" or tensor._is_zerotensor() or tensor.is_nested:
        return plain.clone()
    memory = torch.empty(0, dtype=tensor.dtype)
    storage = tensor.untyped_storage().clone()
    return memory.set_(storage, tensor.storage_offset(), tensor.size(), tensor.stride())  # type: ignore[call-overload,no-any-return]


def structure(value: Any) -> Any:
    """Return a value as data that can be compared; its tensors are told apart elsewhere."""
    if isinstance(value, Tensor):
        return "Tensor"
    if isinstance(value, (list, tuple)):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return (kind, *[structure(item) for item in value])
    if isinstance(value, dict):
        return ("dict", *[(key, structure(item)) for key, item in value.items()])
    if isinstance(value, torch.Generator):
        return "Generator", value.initial_seed()
    if hasattr(value, "is_nowait"):
        return "Await", structure(value.wait())
    return type(value).__name__, re.sub(" at 0x[0-9a-f]+", "", repr(value))


def _tensors_in(name: str, value: Any) -> Iterator[tuple[str, Tensor]]:
    if isinstance(value, Tensor):
        yield name, value
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _tensors_in(f"{name}[{index}]", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _tensors_in(f"{name}[{key!r}]", item)


def _facts(tensor: Tensor) -> dict[str, Any]:
    facts = {
        "dtype": tensor.dtype,
        "shape": tuple(tensor.shape) if not tensor.is_nested else "nested",
        "device": str(tensor.device),
        "layout": tensor.layout,
        "quantized": tensor.is_quantized,
        "requires_grad": tensor.requires_grad,
        "is_leaf": tensor.is_leaf,
    }
    if tensor.layout == torch.strided and not tensor.is_nested:
        facts |= {"stride": tensor.stride(), "offset": _offset(tensor)}
        facts |= {"conjugated": tensor.is_conj(), "negated": tensor.is_neg()}
    return facts


def _offset(tensor: Tensor) -> int | None:
    try:
        return tensor.storage_offset()
    except (RuntimeError, NotImplementedError):  # one of torch.func, or without memory
        return None


def _version(tensor: Tensor) -> int | None:
    try:
        return tensor._version
    except RuntimeError:
        return None


def _shared(tensors: dict[str, Tensor]) -> list[list[str]]:
    """The names of tensors that share memory, by memory, and those that are one object."""
    by_memory: dict[int, list[str]] = {}
    by_object: dict[int, list[str]] = {}
    for name, tensor in tensors.items():
        by_object.setdefault(id(tensor), []).append(name)
        try:
            memory = tensor.untyped_storage()._cdata
        except (RuntimeError, NotImplementedError):  # it has none, as a sparse one
            continue
        by_memory.setdefault(memory, []).append(name)
    groups = [*by_memory.values(), *by_object.values()]
    return [names for names in groups if len(names) > 1]


def _add_gradients(outcome: Outcome, results: list[Tensor], leaves: list[Tensor]) -> None:
    """Add gradients of a weighted sum of all results, the arguments afterwards included."""
    given = {id(each): each for each in results if each.requires_grad}
    torch.manual_seed(1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            total = sum([_weighted(each) for each in given.values()])
            if not isinstance(total, Tensor) or not leaves:
                return
            gradients = torch.autograd.grad(total, leaves, allow_unused=True)
    except (RuntimeError, NotImplementedError) as why:
        outcome.facts["gradients"] = f"raise {type(why).__name__}"
        return
    for index, gradient in enumerate(gradients):
        name = f"gradient[{index}]"
        outcome.facts[name] = None if gradient is None else _facts(gradient)
        if gradient is not None:
            outcome.tensors[name] = gradient.detach()


def _weighted(tensor: Tensor) -> Tensor:
    wide = tensor.to_dense() if tensor.layout != torch.strided else tensor
    wide = torch.view_as_real(wide.resolve_conj()) if wide.is_complex() else wide
    weights = torch.linspace(0.5, 1.5, wide.numel(), dtype=wide.dtype).reshape(wide.shape)
    return (wide * weights).sum()
