"""The state of one call of `script`: each question is answered once.

What was compiled before is used again where everything that it names still means the same. That is
asked of each function once in a call of `script`:

    with compilation():
        is_first("a function")      True
        is_first("a function")      False, until the next call of `script`
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import CodeType
from typing import Any

from minits.compilation_journal import whole_or_nothing
from minits.ops.registry import look_for_overloads
from minits.types.types import Type

_asked: ContextVar[dict[Hashable, Any] | None] = ContextVar("asked", default=None)


@contextmanager
def compilation() -> Iterator[None]:
    """Run a block as one call of `script`; within such a call, as a part of it.

    A call that raises leaves nothing behind (`compilation_journal.py`).
    """
    if _asked.get() is not None:
        yield
        return
    look_for_overloads()
    try:
        _asked.set({})
        with whole_or_nothing():
            yield
    finally:
        _asked.set(None)


_EXAMPLES = "the types of example inputs"


ExampleTypes = dict[CodeType, dict[str, Type]]
"""By function and parameter: what example inputs show."""


def use_examples(types: ExampleTypes) -> None:
    """Let this call of `script` take types of parameters, by function, from example inputs."""
    only(_EXAMPLES, types)


def example_types(function: Any) -> dict[str, Type]:
    """Return the types of a function's parameters in the example inputs of this call, if any."""
    asked = _asked.get()
    examples = None if asked is None else asked.get(_EXAMPLES)
    return examples.get(getattr(function, "__code__", None), {}) if examples else {}


def is_first(thing: Hashable) -> bool:
    """Return whether this call asks for a thing for the first time; outside of one, True."""
    asked = _asked.get()
    if asked is None:
        return True
    if thing in asked:
        return False
    asked[thing] = None
    return True


def is_compiling() -> bool:
    """Return whether this is asked within a call of `script`."""
    return _asked.get() is not None


def only(thing: Hashable, value: Any) -> Any:
    """Return the value that was first given for `thing` in this call of `script`.

    Outside of such a call, or the first time, that is `value` itself.
    """
    asked = _asked.get()
    return value if asked is None else asked.setdefault(thing, value)
