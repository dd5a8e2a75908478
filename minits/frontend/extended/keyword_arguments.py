"""`**kwargs` in a variant of a variadic function: a mapping that is known while compiling.

Its entries may be of different types, so it is no dict of the graph. It can be spread again
(`f(**kwargs)`), asked for an entry by its name, and gone over; a test for a name is known while
compiling. Where the function does anything else with it, it is a dict.
"""

from __future__ import annotations

from minits.diagnostics import error
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.iterables import IterableMethod, IterableTree, SugaredTuple
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ir.constants import insert_constant, to_python
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.types.types import Type


class KeywordArguments(SugaredValue):
    """The entries of `**kwargs`, in the order of the call."""

    kind = "keyword arguments"
    is_virtual = True

    def __init__(self, values: dict[str, SugaredValue]) -> None:
        self.values = values

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        if name in ("get", "pop"):
            return _Lookup(self, removes=name == "pop")
        if name in ("keys", "values", "items"):
            return IterableMethod(self._entries(loc, emitter, name))
        return super().attr(loc, emitter, name)

    def _entries(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        keys = [SimpleValue(insert_constant(emitter.graph, key, loc=loc)) for key in self.values]
        if name == "keys":
            return SugaredTuple([*keys])
        values = SugaredTuple([*self.values.values()])
        if name == "values":
            return values
        pairs = IterableTree()
        pairs.add(loc, SugaredTuple([*keys]))
        pairs.add(loc, values)
        return pairs

    def iter(self, loc: SourceRange, emitter: Emitter) -> SugaredValue:
        return self._entries(loc, emitter, "keys")

    def len(self, loc: SourceRange, emitter: Emitter) -> Value:
        return insert_constant(emitter.graph, len(self.values), loc=loc)

    def getitem(
        self, loc: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        return self.find(loc, to_python(index))

    def find(self, loc: SourceRange, key: object) -> SugaredValue:
        """Return an entry. Raises `CompileError` where the call has none of the name."""
        if not isinstance(key, str) or key not in self.values:
            known = ", ".join(self.values)
            raise error(
                loc,
                "TS713",
                f"no keyword argument '{key}' was given: this call gives {known or 'none'}",
                fix=f"give it in the call, or ask for it with a default: .get('{key}', ...)",
            )
        return self.values[key]


def emit(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """Emit the special form by which a variant makes its mapping of names to values."""
    entries = {keyword.arg or "": emitter.emit_sugared(keyword.value) for keyword in call.keywords}
    return KeywordArguments(entries)


class _Lookup(SugaredValue):
    """`kwargs.get` and `kwargs.pop`."""

    kind = "method of keyword arguments"

    def __init__(self, owner: KeywordArguments, removes: bool) -> None:
        self.owner, self.removes = owner, removes

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit `kwargs.get(name, default)`, or `pop`. Raises `CompileError`."""
        if kwargs or not 1 <= len(args) <= 2:
            message = "expected a name, and perhaps a default"
            raise error(loc, "TS405", message, fix="write .get('name', default)")
        key = to_python(args[0].ir_value(emitter.graph))
        values = self.owner.values
        if key not in values and (len(args) == 2 or not self.removes):
            default = args[1].ir_value(emitter.graph) if len(args) == 2 else None
            return SimpleValue(default or insert_constant(emitter.graph, None, loc=loc))
        found = self.owner.find(loc, key)
        if self.removes:
            _require_straight_line(loc, emitter)
            del values[str(key)]
        return found


def _require_straight_line(loc: SourceRange, emitter: Emitter) -> None:
    """Raise `CompileError` if the insertion point is in an `if` or a loop.

    Which entries `**kwargs` has after a pop must be known while compiling.
    """
    if emitter.environment.parent is not None:
        raise error(
            loc,
            "TS713",
            "a keyword argument cannot be popped inside an if or a loop",
            fix="pop it at the top level of the function, with a default",
        )
