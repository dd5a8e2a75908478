"""The types of a program's own Python classes, as far as they are known.

`minits.frontend.python.class_registry` compiles classes and fills the table; what runs looks up
here which class an object is of.
"""

from __future__ import annotations

from typing import Any

from minits.kept import KeptTable
from minits.types import types as t
from minits.types.types import Type

TYPES: KeptTable[Type | None] = KeptTable("type")
"""None for a class that TorchScript has no type for."""


def known_class(value: Any) -> t.ClassType | None:
    """Return the class of an object of a script class or of a compiled module, None for others."""
    info = getattr(value, "_minits_info", None)
    type = info.type if info is not None else getattr(value, "type", None)
    if not isinstance(type, t.ClassType):
        type = TYPES.get(value.__class__)
    return type if isinstance(type, t.ClassType) else None
