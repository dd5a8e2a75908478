"""Data classes: those of the standard library in a twentieth of their time.

`dataclass`, `field` and `replace` mean what they mean in the module `dataclasses`, as far as minits
uses it, with one difference: `frozen=True` is checked by mypy and not when the program runs. The
standard library compiles six functions for a class; for two hundred classes that took longer than
the compilation of a small program. Here only the constructor is compiled, when it is first called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from typing_extensions import dataclass_transform

C = TypeVar("C", bound=type)
T = TypeVar("T")
MISSING: Any = object()


class _Field(NamedTuple):
    default: Any = MISSING
    default_factory: Any = MISSING
    init: bool = True
    repr: bool = True
    compare: bool = True


_PLAIN = _Field()
"""A name and a type, and nothing else."""


def field(
    *,
    default: Any = MISSING,
    default_factory: Any = MISSING,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
) -> Any:
    """Return the description of a field that is more than a name, a type and a default."""
    return _Field(default, default_factory, init, repr, compare)


@dataclass_transform(field_specifiers=(field,))
def dataclass(
    *, frozen: bool = False, slots: bool = False, eq: bool = True, repr: bool = True
) -> Callable[[C], C]:
    """Return a decorator that gives a class its constructor, and `==`, `hash` and `repr` if asked.

    Methods that the class defines itself stay.
    """

    def decorate(cls: Any) -> Any:
        own = {name: _described(cls, name) for name in cls.__annotations__}
        inherited: dict[str, _Field] = getattr(cls, "__fields__", {})
        fields = {**inherited, **own}
        members: dict[str, Any] = {"__fields__": fields}
        members["__init__"] = _constructor(fields, hasattr(cls, "__post_init__"))
        members["__match_args__"] = tuple(n for n, described in fields.items() if described.init)
        if repr:
            members["__repr__"] = _representation(fields)
        if eq:
            compared = [name for name, described in fields.items() if described.compare]
            members["__eq__"], members["__hash__"] = _comparison(compared)
        if eq and not frozen:
            members["__hash__"] = None
        members |= {k: v for k, v in vars(cls).items() if k in members and callable(v)}
        if not slots:
            return _extended(cls, own, members)
        members["__slots__"] = tuple(name for name in own if name not in inherited)
        return _with_slots(cls, own, members)

    return decorate


def replace(original: T, **changes: Any) -> T:
    """Return a copy of a data class's instance with some fields changed."""
    fields: dict[str, _Field] = original.__fields__  # type: ignore[attr-defined]
    for name, described in fields.items():
        if described.init and name not in changes:
            changes[name] = getattr(original, name)
    return type(original)(**changes)


def _described(cls: type, name: str) -> _Field:
    default = vars(cls).get(name, _PLAIN)
    return default if default.__class__ is _Field else _Field(default)


def _with_slots(cls: Any, own: dict[str, _Field], members: dict[str, Any]) -> Any:
    """A class cannot be given slots later: make another one of its parts."""
    dropped = {"__dict__", "__weakref__", *own}
    kept = {name: value for name, value in vars(cls).items() if name not in dropped}
    made = type(cls)(cls.__name__, cls.__bases__, {**kept, **members})
    made.__qualname__ = cls.__qualname__
    return made


def _extended(cls: Any, own: dict[str, _Field], members: dict[str, Any]) -> Any:
    for name, described in own.items():
        if described.default is not MISSING:
            setattr(cls, name, described.default)
        elif name in vars(cls):
            delattr(cls, name)
    for name, value in members.items():
        setattr(cls, name, value)
    return cls


def _constructor(fields: dict[str, _Field], has_post_init: bool) -> Any:
    """Return a constructor that compiles the real one and gives it its own place in the class."""

    def __init__(self: Any, *arguments: Any, **keywords: Any) -> None:
        compiled = _compiled_constructor(fields, has_post_init)
        for cls in type(self).__mro__:
            if vars(cls).get("__init__") is __init__:
                cls.__init__ = compiled  # type: ignore[misc]
        compiled(self, *arguments, **keywords)

    return __init__


def _compiled_constructor(fields: dict[str, _Field], has_post_init: bool) -> Any:
    namespace: dict[str, Any] = {"MISSING": MISSING}
    parameters, body = ["self"], []
    for name, described in fields.items():
        value = default = None
        if described.default_factory is not MISSING:
            namespace[f"make_{name}"] = described.default_factory
            default, value = "MISSING", f"make_{name}() if {name} is MISSING else {name}"
        elif described.default is not MISSING:
            default = value = f"default_{name}"
            namespace[default] = described.default
        if described.init:
            parameters.append(f"{name}={default}" if default else name)
            value = value if default == "MISSING" else name
        if value:
            body.append(f" self.{name} = {value}")
    body.append(" self.__post_init__()" if has_post_init else " pass")
    exec("\n".join([f"def __init__({', '.join(parameters)}):", *body]), namespace)
    return namespace["__init__"]


def _representation(fields: dict[str, _Field]) -> Callable[[Any], str]:
    shown = [name for name, described in fields.items() if described.repr]

    def __repr__(self: Any) -> str:
        values = [f"{name}={getattr(self, name)!r}" for name in shown]
        return f"{type(self).__qualname__}({', '.join(values)})"

    return __repr__


def getter(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that gives the values of some attributes as a tuple."""
    if len(names) == 1:  # of which attrgetter makes no tuple
        only = attrgetter(*names)
        return lambda each: (only(each),)
    return attrgetter(*names) if names else lambda each: ()


def _comparison(compared: list[str]) -> tuple[Callable[..., Any], Callable[[Any], int]]:
    """Return `__eq__` and `__hash__` by the values of some fields."""
    parts = getter(compared)

    def __eq__(self: Any, other: Any) -> bool:
        return parts(self) == parts(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(parts(self))

    return __eq__, __hash__
