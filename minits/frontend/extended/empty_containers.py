"""Empty containers without annotation, in the extended dialect: their first use tells the type.

    xs = []                        =   xs: List[int] = []
    for i in range(n):                 for i in range(n):
        xs.append(i)                       xs.append(i)

By torch's rules `xs` is a `List[Tensor]`. What is put into the container, or where it is returned,
says otherwise; then the function is read once more with the type, as if it were annotated. Types of
containers inside containers are found one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.values.emitter import Emitter
from minits.ops.schema import Argument
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.dict_keys import check_key
from minits.types.subtyping import unwrap_optional
from minits.types.types import Type

LiteralTypes = dict[tree.expr, Type]
"""The types of empty literals, as far as they are found."""


class TypeFound(Exception):
    """Raised when the types of empty literals are found: the function is then emitted again."""

    def __init__(self, types: LiteralTypes) -> None:
        super().__init__()
        self.types = types


def is_empty(node: tree.expr) -> bool:
    """Return whether an expression is an empty container: `[]`, `{}`, `list()` or `dict()`."""
    match node:
        case tree.List(elts=()) | tree.Dict(keys=()):
            return True
        case tree.Call(func=tree.Name(id="list" | "dict"), args=(), keywords=()):
            return True
    return False


def _is_of(node: tree.expr, type: Type) -> bool:
    """Return whether an empty container is a list for a list's type, or a dict for a dict's."""
    is_list = isinstance(node, tree.List) or node.range.text.startswith("list")
    return isinstance(type, t.ListType if is_list else t.DictType)


def _empty_parts(node: tree.expr, depth: int = 0) -> Iterator[tuple[tree.expr, int]]:
    """Yield the empty containers of an expression, and inside how many others they are."""
    match node:
        case _ if is_empty(node):
            yield node, depth
        case tree.List(elts=items) | tree.Dict(values=items):
            for item in items:
                yield from _empty_parts(item, depth + 1)
        case tree.ListComp(elt=item) | tree.DictComp(value=item):
            yield from _empty_parts(item, depth + 1)


class EmptyContainers:
    """Tracks, through one compilation of a function, variables that hold empty literals."""

    def __init__(self, types: LiteralTypes) -> None:
        self.types = types
        self._literals: dict[str, dict[tree.expr, int]] = {}
        """For each variable the empty literals that it may hold, and how deep inside."""
        self._settled: set[tree.expr] = set()
        """Empty literals whose first use agrees with the type that torch gives them."""

    def assigned(self, name: str, value: tree.expr | None) -> None:
        """Note the assignment of a variable; None is an expression of unknown value.

        Another empty literal is added to the earlier ones: branches that join may hold either.
        """
        if isinstance(value, tree.Name):
            found = dict(self._literals.get(value.id, {}))
        else:
            found = dict(_empty_parts(value)) if value is not None else {}
        if found:
            self._literals.setdefault(name, {}).update(found)
        else:
            self._literals.pop(name, None)

    def assigning(self, emitter: Emitter, name: str, value: tree.expr) -> None:
        """Check an assignment that is about to be emitted: an inner block keeps the outer type.

        Raises `TypeFound` with that type, for an empty literal that is of another one by default.
        """
        outer = emitter.environment.parent
        type = outer.type_of(name) if outer is not None else None
        if type is None or value in self.types or not is_empty(value):
            return
        if type != _default_type(value) and _may_become(_default_type(value), type):
            raise TypeFound({value: type})

    def unsettled(self) -> list[str]:
        """Return the variables that hold empty literals whose types no use has confirmed."""
        return [name for name, held in self._literals.items() if not self._settled.issuperset(held)]

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
        """Note that an item, `node`, is put into a container; `key` is the key's type, for a dict.

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
        if is_empty(node) and item != element and _may_become(item, element):
            raise TypeFound({node: element})
        is_sure = not (
            is_empty(node) or (isinstance(node, tree.Name) and node.id in self._literals)
        )
        if isinstance(current, t.ListType):
            self.holds(emitter, holder, t.ListType(item), is_sure)
        elif key is not None:
            check_key(origin(holder), key)
            self.holds(emitter, holder, t.DictType(key, item), is_sure)

    def asked(self, emitter: Emitter, holder: tree.expr, key: Type) -> None:
        """Note `key in d`, which implies the type of the keys. Raises `TypeFound`."""
        match self._type_inside(emitter, holder):
            case t.DictType(key=t.STR, value=t.TENSOR) if key != t.STR:
                self.holds(emitter, holder, t.DictType(key, t.TENSOR))

    def holds(self, emitter: Emitter, holder: tree.expr, type: Type, is_sure: bool = True) -> None:
        """Note a use that implies the type of a container. Raises `TypeFound`.

        `is_sure`: the type does not come from an empty container itself.
        """
        depth = 0
        while isinstance(holder, tree.Subscript):
            holder, depth = holder.value, depth + 1
        if not isinstance(holder, tree.Name) or holder.id not in self._literals:
            return
        current = emitter.environment.type_of(holder.id)
        wanted = _with_inner(current, depth, type)
        if current is not None and wanted is not None:
            self._compare(self._literals[holder.id], current, wanted, is_sure)

    def expected(self, emitter: Emitter, node: tree.expr, type: Type) -> None:
        """Note that the context expects this type of an expression. Raises `TypeFound`."""
        wanted = unwrap_optional(type)
        if isinstance(node, tree.Tuple) and isinstance(wanted, t.TupleType):
            for item, element in zip(node.elts, wanted.elements, strict=False):
                self.expected(emitter, item, element)
        elif is_empty(node) and _is_of(node, wanted):
            self.types.setdefault(node, wanted)
        elif isinstance(wanted, (t.ListType, t.DictType)):
            self.holds(emitter, node, wanted)

    def passed(self, emitter: Emitter, call: tree.Call, formals: Sequence[Argument]) -> None:
        """Note the arguments of a call of a function with these parameters. Raises `TypeFound`."""
        for node, formal in zip(call.args, formals, strict=False):
            self.expected(emitter, node, formal.type)
        by_name = {formal.name: formal.type for formal in formals}
        for keyword in call.keywords:
            if keyword.arg in by_name:
                self.expected(emitter, keyword.value, by_name[keyword.arg])

    def _type_inside(self, emitter: Emitter, holder: tree.expr) -> Type | None:
        """Return the type of `xs`, `xs[i]`, `xs[i][j]` ... for a variable `xs`, or None."""
        if isinstance(holder, tree.Subscript):
            match self._type_inside(emitter, holder.value):
                case t.ListType(element=inner) | t.DictType(value=inner):
                    return inner
            return None
        return emitter.environment.type_of(holder.id) if isinstance(holder, tree.Name) else None

    def _compare(
        self, literals: dict[tree.expr, int], current: Type, wanted: Type, is_sure: bool
    ) -> None:
        """Compare the current types of empty literals with those of a use. Raises `TypeFound`."""
        found: LiteralTypes = {}
        for literal, depth in literals.items():
            old, new = _inside(current, depth), _inside(wanted, depth)
            if literal in self._settled or old is None or new is None:
                continue
            if old != self.types.get(literal, _default_type(literal)):
                continue  # the variable has been assigned another one since
            if old == new and is_sure:
                self._settled.add(literal)
            elif old != new and _may_become(old, new):
                found[literal] = new
        if found:
            raise TypeFound(found)


def _default_type(literal: tree.expr) -> Type:
    """Return the type that torch gives an empty literal."""
    is_list = isinstance(literal, tree.List)
    if isinstance(literal, tree.Call) and isinstance(literal.func, tree.Name):
        is_list = literal.func.id == "list"
    return t.ListType(t.TENSOR) if is_list else t.DictType(t.STR, t.TENSOR)


def _inside(type: Type | None, depth: int) -> Type | None:
    """Return the element type at nesting `depth`: of `List[List[int]]` at depth 1 `List[int]`."""
    match type:
        case _ if depth == 0:
            return type
        case t.ListType(element=inner) | t.DictType(value=inner):
            return _inside(inner, depth - 1)
    return None


def _with_inner(type: Type | None, depth: int, inner: Type) -> Type | None:
    """Return the container type with the element type at nesting `depth` replaced by `inner`."""
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
    """Return whether a type that torch gave to empty literals may be another one."""
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
