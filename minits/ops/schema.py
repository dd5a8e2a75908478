"""Operator and function schemas: the signature of everything that can be called.

`str(schema)` is torch's text, such as `aten::add.Tensor(Tensor self, Tensor other, *, Scalar
alpha=1) -> Tensor`. Source: aten/src/ATen/core/function_schema.h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from minits.types.types import Type


class _Missing:
    """The default of an argument that has none."""

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

    @property
    def has_default(self) -> bool:
        return self.default is not MISSING


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
