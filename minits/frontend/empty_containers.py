"""Empty containers without annotation, in the extended dialect: their first use tells the type.

    xs = []                        =   xs: List[int] = []
    for i in range(n):                 for i in range(n):
        xs.append(i)                       xs.append(i)

By torch's rules `xs` is a `List[Tensor]`. What is put into the container, or where it is returned,
says otherwise; then the function is read once more with the type, as if it were annotated. Types of
containers inside containers are found one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minits.frontend.matching import NamedValue
from minits.syntax import tree
from minits.types import types as t
from minits.types.subtyping import unwrap_optional
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.emitter import Emitter

LiteralTypes = dict[tree.expr, Type]
"""The types of empty literals, as far as they are found."""


class TypeFound(Exception):
    """The type of an empty literal is found: the function is to be read again."""

    def __init__(self, literal: tree.expr, type: Type) -> None:
        super().__init__()
        self.literal, self.type = literal, type


def is_empty(node: tree.expr) -> bool:
    """Whether an expression is an empty container: `[]`, `{}`, `list()` or `dict()`."""
    match node:
        case tree.List(elts=()) | tree.Dict(keys=()):
            return True
        case tree.Call(func=tree.Name(id="list" | "dict"), args=(), keywords=()):
            return True
    return False


class EmptyContainers:
    """The variables of one reading of a function that hold what was made empty."""

    def __init__(self, types: LiteralTypes) -> None:
        self.types = types
        self._literals: dict[str, tree.expr] = {}
        self._settled: set[tree.expr] = set()
        """Those whose first use says that they are what torch takes them for."""

    def assigned(self, name: str, value: tree.expr | None) -> None:
        """Note the assignment of a variable; its value is no empty literal where it is None."""
        if isinstance(value, tree.Name):
            value = self._literals.get(value.id)
        elif value is not None and not is_empty(value):
            value = None
        if value is None:
            self._literals.pop(name, None)
        else:
            self._literals[name] = value

    # ---- Uses ----------------------------------------------------------------------------------

    def called(self, emitter: Emitter, call: tree.Call, args: Sequence[NamedValue]) -> None:
        """Note `xs.append(x)` and the like. Raises `TypeFound`."""
        if not isinstance(call.func, tree.Attribute) or call.keywords:
            return
        given = [value.ir_value(emitter.graph).type for value in args]
        holder = call.func.value
        match call.func.attr, given:
            case ("append", [item]) | ("insert", [_, item]):
                self.put(emitter, holder, None, item, call.args[-1])
            case ("extend", [t.ListType() as type]) | ("update", [t.DictType() as type]):
                self.holds(emitter, holder, type)
            case (("setdefault" | "get"), [key, item]):
                self.put(emitter, holder, key, item, call.args[-1])

    def put(
        self, emitter: Emitter, holder: tree.expr, key: Type | None, item: Type, node: tree.expr
    ) -> None:
        """Note that an item, `node`, is put into a container, with a key into a dict.

        Raises `TypeFound`.
        """
        current = self._type_inside(emitter, holder)
        match current:
            case t.ListType(element=element):
                pass
            case t.DictType(value=element):
                pass
            case _:
                return
        if is_empty(node) and self._is_open(item) and not self._is_open(element):
            self._found(node, item, element)
        is_sure = not (
            is_empty(node) or (isinstance(node, tree.Name) and node.id in self._literals)
        )
        if isinstance(current, t.ListType):
            self.holds(emitter, holder, t.ListType(item), is_sure)
        elif key is not None:
            self.holds(emitter, holder, t.DictType(key, item), is_sure)

    def asked(self, emitter: Emitter, holder: tree.expr, key: Type) -> None:
        """Note `key in d`, which tells the type of the keys. Raises `TypeFound`."""
        match self._type_inside(emitter, holder):
            case t.DictType(key=t.STR, value=t.TENSOR) if key != t.STR:
                self.holds(emitter, holder, t.DictType(key, t.TENSOR))

    def holds(self, emitter: Emitter, holder: tree.expr, type: Type, is_sure: bool = True) -> None:
        """Note a use that tells the type of a container. Raises `TypeFound`.

        `is_sure`: the type does not come from an empty container itself.
        """
        depth = 0
        while isinstance(holder, tree.Subscript):
            holder, depth = holder.value, depth + 1
        if not isinstance(holder, tree.Name) or holder.id not in self._literals:
            return
        literal, current = self._literals[holder.id], emitter.frame.type_of(holder.id)
        wanted = _with_inner(current, depth, type)
        if current is not None and wanted is not None:
            self._found(literal, current, wanted, is_sure)

    def expected(self, emitter: Emitter, node: tree.expr, type: Type) -> None:
        """Note that a value of a type is expected of an expression. Raises `TypeFound`."""
        wanted = unwrap_optional(type)
        if isinstance(node, tree.Tuple) and isinstance(wanted, t.TupleType):
            for item, element in zip(node.elts, wanted.elements, strict=False):
                self.expected(emitter, item, element)
        elif isinstance(wanted, (t.ListType, t.DictType)):
            self.holds(emitter, node, wanted)

    def _type_inside(self, emitter: Emitter, holder: tree.expr) -> Type | None:
        """Return the type of a variable, or of what is in the container that it holds."""
        if isinstance(holder, tree.Subscript):
            match self._type_inside(emitter, holder.value):
                case t.ListType(element=inner) | t.DictType(value=inner):
                    return inner
            return None
        return emitter.frame.type_of(holder.id) if isinstance(holder, tree.Name) else None

    def _found(self, literal: tree.expr, current: Type, wanted: Type, is_sure: bool = True) -> None:
        if literal in self._settled:
            return
        if wanted == current:
            if is_sure:
                self._settled.add(literal)
        elif _may_become(current, wanted):
            raise TypeFound(literal, wanted)

    @staticmethod
    def _is_open(type: Type) -> bool:
        """Whether a type may be one that torch gives an empty literal."""
        match type:
            case t.ListType(element=inner) | t.DictType(value=inner):
                return inner == t.TENSOR or EmptyContainers._is_open(inner)
        return False


def _with_inner(type: Type | None, depth: int, inner: Type) -> Type | None:
    """Return a container type with what is `depth` containers inside it replaced."""
    if depth == 0:
        return inner
    match type:
        case t.ListType(element=element):
            changed = _with_inner(element, depth - 1, inner)
            return None if changed is None else t.ListType(changed)
        case t.DictType(key=key, value=value):
            changed = _with_inner(value, depth - 1, inner)
            return None if changed is None else t.DictType(key, changed)
    return None


def _may_become(current: Type, wanted: Type) -> bool:
    """Whether a type that torch gave to empty literals may be another one."""
    match current, wanted:
        case t.ListType(element=t.TENSOR), t.ListType(element=element):
            return element != t.NONE
        case t.DictType(key=old_key, value=t.TENSOR), t.DictType(key=key, value=value):
            return old_key in (t.STR, key) and value != t.NONE
        case t.ListType(element=old), t.ListType(element=new):
            return _may_become(old, new)
        case t.DictType(key=key, value=old), t.DictType(key=same, value=new):
            return key == same and _may_become(old, new)
    return False
