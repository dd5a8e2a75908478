"""The types of parameters, results and attributes as texts that the library in C reads.

`c/arguments.c` walks along such a text when it makes values of the program, and `c/results.c` when
it hands them out. It is that of `native/type_codes.py`, but for classes, which are numbers of
`mts_classes`, and for numbers:

    (if)        Tuple[int, float]
    (3:if)      a NamedTuple of these, whose class is number 3
    <4>         an enum, whose class is number 4
    N           any number
    I J K       Unions of numbers: int or float, int or complex, float or complex
"""

from __future__ import annotations

from minits.ir.graph import Node
from minits.native.c_types import NotNative
from minits.native.type_codes import MOST_PARTS, code_of_type
from minits.records import dataclass, field
from minits.types import types as t
from minits.types.type_parts import contained_types, count_parts

_UNIONS: dict[frozenset[t.Type], str] = {
    frozenset((t.INT, t.FLOAT)): "I",
    frozenset((t.INT, t.COMPLEX)): "J",
    frozenset((t.FLOAT, t.COMPLEX)): "K",
    frozenset((t.INT, t.FLOAT, t.COMPLEX)): "N",
}
_CURE = (
    "let parameters, results and attributes be numbers, strs, tensors, devices, members of enums, "
    "or lists, dicts, tuples and NamedTuples of these"
)
_STARTS: dict[type[t.Type], str] = {t.OptionalType: "?", t.ListType: "[", t.DictType: "{"}


@dataclass(slots=True, eq=False)
class TypeCodes:
    """The codes of a library's types.

    classes: NamedTuples and enums, by their numbers
    letters: those that the codes begin with, and the codes of their parts
    """

    classes: dict[t.TupleType | t.EnumType, int] = field(default_factory=dict)
    letters: set[str] = field(default_factory=set)

    def of(self, type: t.Type, node: Node) -> str:
        """Return the code of a type. Raises `NotNative`, at `node`, for a type that has none."""
        code = self._code(type) if count_parts(type) <= MOST_PARTS else None
        if code is None:
            raise NotNative(node, type.annotation, _CURE)
        return code

    def _code(self, type: t.Type) -> str | None:
        parts = [] if isinstance(type, t.UnionType) else [*map(self._code, contained_types(type))]
        if None in parts:
            return None
        inner = "".join(map(str, parts))
        match type:
            case t.TupleType(name=name):
                number = "" if name is None else f"{self._number_of_class(type)}:"
                code = f"({number}{inner})"
            case t.EnumType() if type.cls is not None:
                code = f"<{self._number_of_class(type)}>"
            case t.UnionType(members=members):
                code = _UNIONS.get(frozenset(members), "")
            case _ if start := _STARTS.get(type.__class__):
                code = start + inner
            case _:
                code = "N" if type == t.NUMBER else code_of_type(type) or ""
        self.letters |= {*code[:1]}
        return code or None

    def _number_of_class(self, type: t.TupleType | t.EnumType) -> int:
        return self.classes.setdefault(type, len(self.classes))
