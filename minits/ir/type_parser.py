"""Types as a graph's text writes them: `Dict(str, Tensor?)[]`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lark import Tree

from minits.types import types as t

_SIMPLE: dict[str, t.Type] = {
    type_.name: type_ for type_ in vars(t).values() if isinstance(type_, t.SimpleType)
}
_SIMPLE["None"] = t.NONE


class TypeBuilder:
    """Turns trees of the rule `type` into types; each class name becomes one `ClassType`."""

    def __init__(self, classes: Iterable[t.ClassType] = ()) -> None:
        self.classes = {each.name: each for each in classes}

    def build(self, tree: Tree[Any]) -> t.Type:
        parts = [part for part in tree.children if part is not None]
        match str(tree.data):
            case "optional":
                return t.OptionalType(self.build(parts[0]))
            case "list_type":
                return t.ListType(self.build(parts[0]))
            case "tuple_type":
                return t.TupleType(tuple(map(self.build, parts)))
            case "dict_type":
                return t.DictType(self.build(parts[0]), self.build(parts[1]))
            case "future_type":
                return t.FutureType(self.build(parts[0]))
            case "await_type":
                return t.AwaitType(self.build(parts[0]))
            case "rref_type":
                return t.RRefType(self.build(parts[0]))
            case "union_type":
                return t.UnionType(tuple(map(self.build, parts)))
            case "named_tuple_type":
                return self._named_tuple(parts)
            case "enum_type":
                return t.EnumType(str(parts[0]), t.INT, ())
            case "function_type":
                return t.FunctionType(None)
            case "class_type":
                return self.classes.setdefault(str(parts[0]), t.ClassType(str(parts[0])))
            case "named_type":
                return _SIMPLE.get(str(parts[0])) or t.VarType(str(parts[0]))
            case _:  # a tensor, whatever is known of its dtype and shape
                return t.TENSOR

    def _named_tuple(self, fields: list[Tree[Any]]) -> t.Type:
        names = tuple(str(field.children[0]) for field in fields)
        elements = tuple(self.build(field.children[1]) for field in fields)
        return t.TupleType(elements, "NamedTuple", names)
