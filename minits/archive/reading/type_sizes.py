"""The sizes of types, so that none is too large to be compared.

    class P1(NamedTuple):     3 parts
      a : int
      b : int
    class P2(NamedTuple):     7 parts, P3 of two P2 has 15, P60 more than can be counted
      a : __torch__.P1
      b : __torch__.P1

Types are compared and hashed part by part. A few lines of code, or a tuple that a pickle names
twice in the next one, make a type of any number of parts; such a type is refused.
"""

from __future__ import annotations

from minits.types import types as t
from minits.types.types import Type


class TypeSizes:
    """Counts parts; those of a NamedTuple, which is checked when it is made, are remembered."""

    def __init__(self) -> None:
        self._of_tuples: dict[int, tuple[Type, int]] = {}

    def count(self, type: Type) -> int:
        """Return the number of parts of a type, itself included."""
        match type:
            case t.TupleType(elements=parts) | t.UnionType(members=parts):
                known = self._of_tuples.get(id(type))
                if known is None:
                    known = type, 1 + sum(map(self.count, parts))
                    self._of_tuples[id(type)] = known  # the type is kept, and so its id
                return known[1]
            case t.DictType(key=key, value=value):
                return 1 + self.count(key) + self.count(value)
            case (
                t.ListType(element=element)
                | t.OptionalType(element=element)
                | t.FutureType(element=element)
                | t.AwaitType(element=element)
                | t.RRefType(element=element)
            ):
                return 1 + self.count(element)
        return 1
