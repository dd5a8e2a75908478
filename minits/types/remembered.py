"""A cache for functions of types, which keeps no class of a program alive."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec, TypeVar

from minits.bounded_cache import BoundedCache
from minits.types import types as t
from minits.types.type_parts import distinct_parts
from minits.types.types import Type

MOST_TYPES = 4096
P = ParamSpec("P")
R = TypeVar("R")


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Cache a function of types, except for types that name a class or function of the program.

    Results and types refer to it, and a cached one would keep it alive. All arguments are
    positional: types, tuples of types, or texts.
    """
    known: BoundedCache[Any, R] = BoundedCache(MOST_TYPES)

    @functools.wraps(function)
    def asked(*arguments: P.args, **keywords: P.kwargs) -> R:
        try:
            return known[arguments]
        except KeyError:
            found = function(*arguments, **keywords)
        return found if _name_class(arguments) else known.put(arguments, found)

    return asked


def _name_class(arguments: Iterable[Any]) -> bool:
    return any(
        _name_class(each)
        if isinstance(each, tuple)
        else isinstance(each, Type) and names_class(each)
        for each in arguments
    )


def names_class(type: Type) -> bool:
    """Return whether a class or function of a program is a part of a type."""
    return isinstance(type, (t.ClassType, t.EnumType, t.FunctionType)) or any(
        map(names_class, distinct_parts(type))
    )
