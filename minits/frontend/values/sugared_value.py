"""Sugared values: what a name or an expression can denote while a program is compiled.

A `SimpleValue` is a value of the graph. Everything else is "sugared": a function, a module, a
class, `range`, a Python package; it exists only in the compiler and turns into nodes when it is
used.

Source: torch/csrc/jit/frontend/sugared_value.{h,cpp}.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minits.diagnostics import CompileError, error
from minits.frontend.calls.schema_matching import NamedValue
from minits.ir.graph import Value
from minits.ops.schema import Argument
from minits.source import SourceRange
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter

Args = Sequence[NamedValue]


class SugaredValue:
    """The base class: each operation is an error that names the kind of value.

    Those that subclasses have raise `CompileError`, too, where a use does not fit the value.
    """

    kind = "value"
    is_module = False
    cure: str | None = None
    """Hint: what to write instead where it is used as a value."""
    is_virtual = False
    """Whether it has items, but is never a value of the graph itself."""

    def refuse(self, loc: SourceRange, action: str) -> CompileError:
        return error(loc, "TS301", f"{self.kind} cannot be {action}", fix=self.cure)

    def refuse_as_object(self, loc: SourceRange, code: str, what: str) -> CompileError:
        """Refuse to iterate over it, or to subscript it."""
        return error(loc, code, f"'{self.kind}' object is not {what}", fix=self.cure)

    def as_value(self, loc: SourceRange, emitter: Emitter) -> Value:
        """Return the graph's value that this stands for. Raises `CompileError`."""
        raise self.refuse(loc, "used as a value")

    def attr(self, loc: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        """Return the attribute of this name. Raises `CompileError`."""
        raise error(
            loc,
            "TS302",
            f"attribute lookup is not defined on {self.kind}: it has no attribute '{name}'",
            fix=self.cure,
        )

    def has_attr(self, loc: SourceRange, emitter: Emitter, name: str) -> bool:
        """Return whether there is an attribute of this name. Raises `CompileError`."""
        raise self.refuse(loc, "tested by hasattr")

    def set_attr(self, loc: SourceRange, emitter: Emitter, name: str, value: Value) -> None:
        """Emit the assignment of an attribute. Raises `CompileError`."""
        raise error(
            loc,
            "TS301",
            f"attribute assignment is not defined on {self.kind}: it has no attribute '{name}'",
            fix="assign to attributes of modules and of objects of script classes",
        )

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """Emit a call; `n_binders` is the number of variables that take the result.

        Raises `CompileError`.
        """
        raise error(loc, "TS301", f"cannot call a {self.kind}: it is no function", fix=self.cure)

    def parameters(self, loc: SourceRange, emitter: Emitter) -> Sequence[Argument]:
        """Return the parameters of a call, if the callable has one list of them, else none."""
        return ()

    def as_tuple(
        self, loc: SourceRange, emitter: Emitter, size: int | None = None
    ) -> list[SugaredValue]:
        """Return the elements; `size` is how many are expected, where that is known.

        Raises `CompileError`.
        """
        raise self.refuse(loc, "used as a tuple")

    def as_tuple_value(self, loc: SourceRange, emitter: Emitter) -> SugaredValue:
        """Return the items as a tuple, which can be sliced. Raises `CompileError`."""
        raise self.refuse(loc, "used as a tuple")

    def iter(self, loc: SourceRange, emitter: Emitter) -> SugaredValue:
        """Return the iterable that a `for` loop walks; it has `len` and `getitem`.

        Raises `CompileError`.
        """
        raise self.refuse_as_object(loc, "TS306", "iterable")

    def len(self, loc: SourceRange, emitter: Emitter) -> Value:
        """Return the number of items: an int of the graph. Raises `CompileError`."""
        raise self.refuse(loc, "measured by len")

    def getitem(
        self, loc: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        """Return the item at `index`; `type_hint` is the type that the context expects.

        Raises `CompileError`.
        """
        raise self.refuse_as_object(loc, "TS307", "subscriptable")

    @property
    def static_len(self) -> int | None:
        """The number of elements, where loops over them are unrolled."""
        return None

    @property
    def unrolls(self) -> bool:
        return self.static_len is not None
