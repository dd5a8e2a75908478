"""The types of modules that were compiled: what programs mean by the name of a class of modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from torch import nn

from minits.kept import KeptTable
from minits.types import types as t


class KnownModule(Protocol):
    """The part of a `ModuleInfo` that is used here: its type and the dialect it is compiled in."""

    type: t.ClassType
    dialect: str


KNOWN: KeptTable[Sequence[KnownModule]] = KeptTable("modules")
"""The types of the modules of a class, the first one first; `module_types.py` adds to it."""


def first_type(cls: type[nn.Module], dialect: str | None) -> t.ClassType | None:
    """Return the type of the modules of a class that were compiled first, in a dialect or in any.

    As in torch, where the name of a class is that of this type; later ones have mangled names.
    """
    known = (info for info in KNOWN.get(cls) or () if dialect in (None, info.dialect))
    return next((info.type for info in known), None)
