"""Tables by function or class, whose entries live as long as that does.

    compiled = KeptTable()
    compiled[function] = ...            kept in the function's own dict

What is compiled of a function refers to it, so a table elsewhere would keep both for ever, even one
with weak keys. Kept in the function itself, they are a cycle, which Python's collector finds when
nobody holds the function. Local functions and classes go in this way.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from minits.bounded_cache import BoundedCache
from minits.torch_internals import is_jit_object

ATTRIBUTE = "minits: kept"
"""The name of the attribute in which a function or class keeps its entries."""
MOST_OTHERS = 1024
"""Objects that take no attributes, such as built-in ones and bound methods, that are remembered."""
V = TypeVar("V")


class Kept:
    """The entries kept for one owner. Copies of it, such as pickled ones, have none."""

    __slots__ = ("__weakref__", "entries", "owner")

    def __init__(self, owner: Any = None) -> None:
        self.owner = owner
        self.entries: dict[KeptTable[Any], Any] = {}

    def __reduce__(self) -> Any:
        return Kept, ()


_others: BoundedCache[int, Kept] = BoundedCache(MOST_OTHERS)
_all: WeakSet[Kept] = WeakSet()


class KeptTable(Generic[V]):
    """One entry for each owner. Another table has its own entries in the same owners."""

    def __contains__(self, owner: Any) -> bool:
        kept = _kept(owner)
        return kept is not None and self in kept.entries

    def __getitem__(self, owner: Any) -> V:
        """Return the entry of an owner. Raises KeyError."""
        kept = _kept(owner)
        if kept is None:
            raise KeyError(owner)
        found: V = kept.entries[self]
        return found

    def __setitem__(self, owner: Any, value: V) -> None:
        (_kept(owner) or _attach(owner)).entries[self] = value

    def get(self, owner: Any, default: V | None = None) -> V | None:
        kept = _kept(owner)
        return default if kept is None else kept.entries.get(self, default)

    def pop(self, owner: Any, default: V | None = None) -> V | None:
        kept = _kept(owner)
        return default if kept is None else kept.entries.pop(self, default)

    def clear(self) -> None:
        """Remove the entries of all owners."""
        for kept in list(_all):
            kept.entries.pop(self, None)


def _kept(owner: Any) -> Kept | None:
    """Return the entries of an owner, if it has any.

    A wrapper has its function's in its dict: these are not its own.
    """
    if isinstance(owner, (FunctionType, type)) or is_jit_object(owner):
        kept: Any = owner.__dict__.get(ATTRIBUTE)
        if isinstance(kept, Kept) and kept.owner is owner:
            return kept
    kept = _others.get(id(owner))
    return kept if kept is not None and kept.owner is owner else None


def _attach(owner: Any) -> Kept:
    kept = Kept(owner)
    _all.add(kept)
    if isinstance(owner, FunctionType) or is_jit_object(owner):
        owner.__dict__[ATTRIBUTE] = kept
        return kept
    if isinstance(owner, type):
        try:
            type.__setattr__(owner, ATTRIBUTE, kept)
        except TypeError:  # of C
            return _others.put(id(owner), kept)
        return kept
    return _others.put(id(owner), kept)
