"""Operator and function schemas: the signature of everything that can be called.

`str(schema)` is torch's text, such as `aten::add.Tensor(Tensor self, Tensor other, *, Scalar
alpha=1) -> Tensor`. Source: aten/src/ATen/core/function_schema.h.
"""

from __future__ import annotations

import math
from typing import Any

from minits.records import dataclass, field
from minits.source import SourceRange
from minits.types.types import ANY, NUMBER, SimpleType, Type, plain_text

_BEYOND_INTS = 2.0**63
"""The whole floats that 64 bits hold are written as ints with a point, as in torch."""


class _Missing:
    """Marks an argument without a default."""

    def __repr__(self) -> str:
        return "<no default>"


MISSING = _Missing()


@dataclass(frozen=True, slots=True)
class AliasInfo:
    """`(a! -> b)` after a type:

    the sets an argument belongs to before and after, and whether it is written.
    """

    before: frozenset[str]
    after: frozenset[str]
    is_write: bool
    contained: tuple[AliasInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter or a result. `size` is the N of a broadcasting list such as `int[2]`."""

    name: str
    type: Type
    default: Any = MISSING
    kwarg_only: bool = False
    size: int | None = None
    alias: AliasInfo | None = None
    real_type: str | None = None
    is_inferred: bool = False
    """Whether it is a Tensor only because it has no annotation."""
    declared_at: SourceRange | None = field(default=None, compare=False, repr=False)
    """The text of a parameter and its annotation; None where a comment has the annotation."""
    constant: Any = field(default=None, compare=False, repr=False)
    """The attribute of the default's constant, where all calls share the object that it holds."""

    @property
    def has_default(self) -> bool:
        return self.default is not MISSING

    def __str__(self) -> str:
        type_ = plain_text(self.type)
        if self.size is not None:
            type_ = type_.replace("[]", f"[{self.size}]")
        default = f"={_print_default(self.default)}" if self.has_default else ""
        return f"{type_} {self.name}{default}".rstrip()


def _print_default(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float):
        if -_BEYOND_INTS <= value < _BEYOND_INTS and value == int(value):
            return f"{int(value)}."
        sign = "-" if value != value and math.copysign(1.0, value) < 0 else ""
        return f"{sign}{value:.17g}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_print_default, value))}]"
    return str(value)


@dataclass(frozen=True, slots=True)
class Schema:
    """A signature.

    `name` is qualified (`aten::add`), `overload` is the part after the dot (`Tensor`).
    """

    name: str
    overload: str
    arguments: tuple[Argument, ...]
    returns: tuple[Argument, ...]
    is_vararg: bool = False
    is_varret: bool = False
    has_alias_annotations: bool = field(init=False, repr=False, compare=False)
    """Whether an argument is written, or shares memory with a result."""
    is_mutable: bool = field(init=False, repr=False, compare=False)
    """Whether an argument is written."""
    first_name: str | None = field(init=False, repr=False, compare=False)
    """The name of the first argument."""
    first_type: Type | None = field(init=False, repr=False, compare=False)
    """The type of the first argument where no value of another type fits without conversion."""

    def __post_init__(self) -> None:
        aliases = any(part.alias for part in (*self.arguments, *self.returns))
        written = any(part.alias and part.alias.is_write for part in self.arguments)
        object.__setattr__(self, "has_alias_annotations", aliases)
        object.__setattr__(self, "is_mutable", written)
        if self.arguments:
            self.set_first(self.arguments[0].name, self.arguments[0].type)
        else:
            self.set_first(None, None)

    def set_first(self, name: str | None, type: Type | None) -> None:
        """Note what the first argument says about which calls fit."""
        is_exact = isinstance(type, SimpleType) and type not in (ANY, NUMBER)
        object.__setattr__(self, "first_name", name)
        object.__setattr__(self, "first_type", type if is_exact else None)

    def __str__(self) -> str:
        name = f"{self.name}.{self.overload}" if self.overload else self.name
        parts: list[str] = []
        for index, argument in enumerate(self.arguments):
            if argument.kwarg_only and not any(a.kwarg_only for a in self.arguments[:index]):
                parts.append("*")
            parts.append(str(argument))
        if self.is_vararg:
            parts.append("...")
        results = ["..."] if self.is_varret else [str(result) for result in self.returns]
        single = len(results) == 1 and not results[0].startswith("(") and not self.is_varret
        returns = results[0] if single else f"({', '.join(results)})"
        return f"{name}({', '.join(parts)}) -> {returns}"
