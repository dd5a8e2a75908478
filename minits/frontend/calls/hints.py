"""Hints on what to write instead, shared by errors that are raised in several places."""

from __future__ import annotations

from typing import Any

from torch import nn

from minits.types import types as t
from minits.types.types import Type

OR_IN_PYTHON = "or call it in a function marked @torch.jit.ignore"
ITERABLE = "go over a range, list, dict, string, tensor, tuple or module list"
SUBSCRIPTABLE = "index lists, tuples, dicts, strings, tensors or objects with __getitem__"
INSTEAD = f"write it with operators and torch functions, {OR_IN_PYTHON}"


def for_python(function: Any) -> str:
    """Return a hint on how to replace a call of a Python function that cannot be compiled."""
    if function is next or function is iter:
        return "index a list, or take a device or dtype from an argument: x.device"
    return INSTEAD


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
    return f"annotate '{name}' in the class, or keep it out of compiled code"
