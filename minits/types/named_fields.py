"""NamedTuples in the attributes of modules, whose types are those of plain tuples.

    self.config = Cfg(0.5, 2)            type Tuple[float, int]; fields score_threshold, n

torch.jit infers that type from an object that has no annotation, and forgets the names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple


class NamedFields(NamedTuple):
    """The names of the fields of a value, and of the parts of it.

    annotation: the type with the names, as a program writes it; None where it has none.
    fields: of a NamedTuple; other tuples, lists and dicts have no names.
    parts: of the fields of a tuple; those of a list or a dict have one in common.
    """

    annotation: str | None
    fields: tuple[str, ...]
    parts: tuple[NamedFields | None, ...]

    def part(self, index: int | None) -> NamedFields | None:
        """Return the names in a part, None if it has none; any part of a list for None."""
        if index is None:
            return self.parts[0] if len(self.parts) == 1 else None
        return self.parts[index] if -len(self.parts) <= index < len(self.parts) else None


def named_fields(value: Any) -> NamedFields | None:
    """Return the names of the fields in an object, None if no part of it is a NamedTuple."""
    if isinstance(value, tuple):
        parts = tuple(map(named_fields, value))
        cls = type(value)
        if hasattr(cls, "_fields"):
            is_typed = len(getattr(cls, "__annotations__", ())) == len(cls._fields)
            return NamedFields(cls.__name__ if is_typed else None, cls._fields, parts)
        return None if not any(parts) else NamedFields(None, (), parts)
    if isinstance(value, list) and value:
        return _of_items("List[{}]", value)
    if isinstance(value, dict) and value:
        key = type(next(iter(value))).__name__
        return _of_items(f"Dict[{key}, {{}}]", value.values())
    return None


def _of_items(written: str, items: Iterable[Any]) -> NamedFields | None:
    """Return the names in a list or a dict, all of whose items have the same ones."""
    found = set(map(named_fields, items))
    part = found.pop()
    if part is None or found:
        return None
    annotation = None if part.annotation is None else written.format(part.annotation)
    return NamedFields(annotation, (), (part,))
