"""Keys for tables of objects that are told apart by `is`.

    numbers = {Identity(thing): number for number, thing in enumerate(things)}
    numbers.get(Identity(other))

The number `id(thing)` would be no such key: once nobody holds the object, another one may get it.
"""

from __future__ import annotations

from typing import Any


class Identity:
    """The key of an object: equal to that of the same object alone, and holding the object."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)
