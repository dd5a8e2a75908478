"""The enums of an archive.

Source: torch/csrc/jit/python/pybind_utils.h (`toPyObject`), where a member becomes one of the
Python class of the enum's name.
Differs: torch imports the module that the archive names; here a class is used that the program has
imported already, and has the same members, and otherwise one is made.
"""

from __future__ import annotations

import enum
import sys
from typing import Any

from minits.archive.reading.code_files import fault
from minits.syntax import tree
from minits.types import types as t
from minits.types.types import Type

_TYPES: dict[type, Type] = {int: t.INT, float: t.FLOAT, str: t.STR}


def make_enum(name: str, members: list[tuple[str, Any]], definition: tree.ClassDef) -> t.EnumType:
    """Return the type of an enum class. Raises `ArchiveError`."""
    types = {value.__class__ for _, value in members}
    if len(types) != 1 or not types <= _TYPES.keys():
        raise fault(definition, "the members of an enum are all int, all float or all str")
    cls: Any = _live_class(name, members)
    if cls is None:
        try:
            cls = _make(name.rpartition(".")[2], members)
        except (TypeError, ValueError) as why:
            raise fault(definition, f"this is no enum: {why}") from None
    return t.EnumType(name, _TYPES[types.pop()], tuple(members), cls)


_make: Any = enum.Enum


def _live_class(name: str, members: list[tuple[str, Any]]) -> Any:
    """Return the enum of this name and with these members if its module is imported, else None."""
    module, _, last = name.removeprefix("__torch__").rpartition(".")
    found = vars(sys.modules.get(module.lstrip(".") or "__main__", enum)).get(last)
    if not isinstance(found, enum.EnumMeta):
        return None
    cls: Any = found
    same = [(member.name, member.value) for member in cls] == members  # without second names
    return cls if same else None
