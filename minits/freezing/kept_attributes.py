"""Attributes that stay attributes: those that a program writes to, and those that users name.

    self.count += 1              `count` stays, and so does `total`, if it is the same tensor
    self.mode = "fast"           a value without memory is known by its module and name
    self.cache.append(x)         the list stays

What is kept is a *value*: other attributes that are the same value, or share its memory, stay too.

Source: torch/csrc/jit/passes/freeze_module.cpp (`insertMutableAttr`, `recordMutableAttrs`).
Differs: what a forked function writes to is kept too; torch forgets it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from minits.compilation_state import known_class
from minits.ops.implementations.instances import slot_of
from minits.runtime.script_module import ScriptModule


class KeptAttributes:
    """The values that stay, by their identity, and the names of those that have no memory."""

    def __init__(self) -> None:
        self._values: dict[Any, Any] = {}
        self._parts: dict[Any, None] = {}
        """Identities of all that is in the values, modules and objects aside."""
        self._names: dict[tuple[int, str], ScriptModule] = {}

    def add(self, module: ScriptModule, name: str) -> None:
        """Keep the attribute of a module, with the value that it has."""
        value = slot_of(module, name)
        if not has_memory(value):
            self._names[id(module), name] = module
            return
        self._values[identity(value)] = value
        if not _is_object(value):
            self._parts.update((identity(each), None) for each in parts(value))

    def has(self, value: Any) -> bool:
        """Return whether a value that has memory is kept."""
        return identity(value) in self._values

    def has_attribute(self, module: ScriptModule, name: str) -> bool:
        """Return whether an attribute stays, or shares memory with one that does."""
        value = slot_of(module, name)
        if not has_memory(value):
            return (id(module), name) in self._names
        return self.has(value) or self.shares_memory(value)

    def shares_memory(self, value: Any) -> bool:
        """Return whether a part of a value is one of what is kept. Objects have no parts here."""
        return not _is_object(value) and any(identity(each) in self._parts for each in parts(value))

    def stays(self, module: ScriptModule, name: str) -> bool:
        """Return whether the frozen module has the attribute."""
        value = slot_of(module, name)
        return self.has(value) if has_memory(value) else (id(module), name) in self._names


def has_memory(value: Any) -> bool:
    """Return whether others may see a value change."""
    if isinstance(value, tuple):
        return any(map(has_memory, value))
    return isinstance(value, (torch.Tensor, list, dict)) or _is_object(value)


def _is_object(value: Any) -> bool:
    return isinstance(value, ScriptModule) or known_class(value) is not None


def identity(value: Any) -> Any:
    """Return a key that two values share if they are the same, or tensors in the same memory."""
    if isinstance(value, torch.Tensor) and value.layout == torch.strided:
        address = value.untyped_storage().data_ptr()
        return ("storage", address) if address else id(value)
    return id(value)


def parts(value: Any) -> Iterator[Any]:
    """Yield a value that has memory, and all in it that has."""
    if not has_memory(value):
        return
    yield value
    if isinstance(value, dict):
        inner: Any = (*value.keys(), *value.values())
    elif isinstance(value, (list, tuple)):
        inner = value
    elif _is_object(value) and not isinstance(value, ScriptModule):
        inner = vars(value).values()
    else:
        inner = ()
    for each in inner:
        yield from parts(each)
