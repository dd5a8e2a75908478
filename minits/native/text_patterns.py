"""The patterns of `format` and `%`: the texts and the values of which they are made.

"{} of {}".format(x, y)      x, " of ", y
"%d%%" % (n,)                n by %d, "%"
"""

from __future__ import annotations

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Node, Value
from minits.native.c_types import NotNative
from minits.records import dataclass
from minits.types import types as t

_NUMBERS = (t.INT, t.FLOAT, t.BOOL)


@dataclass(frozen=True, slots=True)
class Shown:
    """A value that a text shows.

    form: s  as `str` does, or by another form of `%`
    item: the number of the item of the tuple that `value` is; None for the value itself
    """

    value: Value
    form: str = "s"
    item: int | None = None

    @property
    def type(self) -> t.Type:
        type = self.value.type
        if self.item is None:
            return type
        assert isinstance(type, t.TupleType)
        return type.elements[self.item]


def pieces(node: Node) -> list[str | Shown] | None:
    """Return the texts and values that a pattern becomes; None where it always raises.

    Raises `NotNative` for a pattern that is no constant.
    """
    pattern, *values = node.inputs
    between = to_python(pattern)
    if between is NOT_CONSTANT:
        raise NotNative(node, node.kind)
    if node.kind == "aten::percentFormat":
        found = _of_percents(node, between, _items(values[0]))
    else:
        found = _of_braces(between, values)
    return None if found is None else [piece for piece in found if piece != ""]


def _of_braces(pattern: str, values: list[Value]) -> list[str | Shown] | None:
    first, *others = pattern.split("{}")
    if len(others) > len(values):
        return None
    found: list[str | Shown] = [first]
    for value, text in zip(values, others, strict=False):
        found += [Shown(value), text]
    return found


def _items(value: Value) -> list[Shown]:
    """Return the values that the forms of `%` show: the items of a tuple, or a value alone."""
    if value.node.kind == "prim::TupleConstruct":
        return [Shown(item) for item in value.node.inputs]
    if isinstance(value.type, t.TupleType):
        return [Shown(value, item=number) for number in range(len(value.type.elements))]
    return [Shown(value)]


def _of_percents(node: Node, pattern: str, values: list[Shown]) -> list[str | Shown] | None:
    """Return the pieces of a pattern of `%`, read as `ops/` does."""
    found: list[str | Shown] = []
    waiting = iter(values)
    text, *others = pattern.split("%")
    index = 0
    while index < len(others):
        found.append(text)
        part = others[index]
        if not part and index == len(others) - 1:
            return None  # incomplete
        if not part:  # %%
            text, index = f"%{others[index + 1]}", index + 2
            continue
        shown = next(waiting, None)
        if shown is None or not _fits(node, part[0], shown.type):
            return None
        found.append(Shown(shown.value, part[0], shown.item))
        text, index = part[1:], index + 1
    return None if next(waiting, None) is not None else [*found, text]


def _fits(node: Node, form: str, type: t.Type) -> bool:
    """Return whether a form takes values of a type. Raises `NotNative` where they tell it."""
    if form == "s":
        return True
    if form not in "cdieEfF":
        return False
    taken = (t.INT, t.BOOL, t.STR) if form == "c" else _NUMBERS
    if isinstance(type, t.OptionalType) and type.element in taken:
        raise NotNative(node, node.kind)
    return type in taken
