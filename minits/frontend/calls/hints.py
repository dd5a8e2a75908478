"""Hints on what to write instead, shared by errors that are raised in several places."""

from __future__ import annotations

from collections import deque
from typing import Any

import torch
from torch import nn

from minits.types import types as t
from minits.types.types import Type

OR_IN_PYTHON = "or call it in a function marked @torch.jit.ignore"
ITERABLE = "go over a range, list, dict, string, tensor, tuple or module list"
SUBSCRIPTABLE = "index lists, tuples, dicts, strings, tensors or objects with __getitem__"
INSTEAD = f"write it with operators and torch functions, {OR_IN_PYTHON}"

ANNOTATED = r"annotate it where it is (?:made|first assigned): (\w+): (.+) = (.+)$"
"""The hint of `annotated_there`: the variable, its type, and its first value."""


WITH_A_FLOAT = r"begin with a float where it is first assigned, not an int: (\w+) = "


def annotated_there(name: str, type: Type, value: str, *, made: bool = False) -> str:
    """Return the hint to annotate a variable; `value` is the text of its first value."""
    where = "made" if made else "first assigned"
    return f"annotate it where it is {where}: {name}: {type.annotation} = {value}"


def for_changed_type(name: str, before: Type, after: Type) -> str:
    """Return a hint for a variable that is to hold a value of another type inside a block."""
    if before == t.NONE:
        return annotated_there(name, t.OptionalType(after), "None")
    if (before, after) == (t.INT, t.FLOAT):
        return f"begin with a float where it is first assigned, not an int: {name} = 0.0"
    both = f"Union[{before.annotation}, {after.annotation}]"
    return (
        f"annotate '{name}' where it is first assigned with a type that covers both, such as "
        f"{both}, or use another name"
    )


def for_python(function: Any) -> str:
    """Return a hint on how to replace a call of a Python function that cannot be compiled."""
    if function is next or function is iter:
        return "index a list, or take a device or dtype from an argument: x.device"
    return INSTEAD


def for_global(value: Any) -> str:
    """Return a hint on how to replace an object of Python that a name outside a function means."""
    if isinstance(value, torch.Tensor):
        return "pass it as an argument, or register it as a buffer of a module"
    if isinstance(value, (int, float, str)):
        return "pass it as an argument, write its value here, or make it an attribute of a module"
    if isinstance(value, (list, dict, tuple)):
        return "pass it as an argument, or make it an attribute of a module"
    return "pass it as an argument, or make it a Final attribute of a module"


def for_abstract(type: Type, what: str = "it") -> str | None:
    """Return a hint on how to narrow an Optional or Union before use; None for other types."""
    if isinstance(type, t.OptionalType):
        return f"test {what} with `is not None` first, in an if or an assert"
    if isinstance(type, t.UnionType):
        return f"test {what} with isinstance first"
    return None


def for_assignment(name: str, expected: Type, found: Type) -> str:
    """Return a hint with the annotation of an attribute that is to hold both types."""
    if expected == t.NONE:
        optional = t.OptionalType(found)
        return f"annotate it in the class: `{name}: {optional.annotation}`"
    if (expected, found) == (t.INT, t.FLOAT):
        return f"begin with a float in __init__, not an int: self.{name} = 0.0"
    both = f"Union[{expected.annotation}, {found.annotation}]"
    return f"annotate '{name}' in the class with a type that covers both, such as {both}"


def for_untyped(name: str, value: Any) -> str:
    """Return a hint on how to replace an attribute of a module whose value has no type."""
    if isinstance(value, (list, tuple)) and any(isinstance(x, nn.Module) for x in value):
        return f"hold the modules in a container: self.{name} = nn.ModuleList(...)"
    if isinstance(value, dict) and any(isinstance(x, nn.Module) for x in value.values()):
        return f"hold the modules in a container: self.{name} = nn.ModuleDict(...)"
    if isinstance(value, (list, dict)) and not value:
        example = "List[int]" if isinstance(value, list) else "Dict[str, int]"
        return f"annotate it in the class, as in `{name}: {example}`"
    if isinstance(value, deque):
        return f"keep a list: self.{name}.append(x) at its end, self.{name}.pop(0) at its beginning"
    return f"annotate '{name}' in the class, or keep it out of compiled code"
