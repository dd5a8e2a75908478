"""The features that minits lacks: a use of one raises, and is remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

missed: list[str] = []
"""The features that the running test asked for in vain. A test that catches the error fails too."""

_is_importing = False


class MissingFeature(NotImplementedError):
    """A test uses a part of torch.jit that minits does not have."""


class Deferred:
    """Stands for what could not be made while a test file was imported; using it raises."""

    def __init__(self, error: BaseException) -> None:
        self.__dict__["_error"] = error

    def _fail(self, *args: Any, **kwargs: Any) -> Any:
        if isinstance(self._error, MissingFeature):
            missed.append(str(self._error))
        raise self._error

    __call__ = __getattr__ = __setattr__ = __getitem__ = __iter__ = __len__ = _fail

    def __mro_entries__(self, bases: Any) -> Any:
        return ()


def missing(name: str) -> Callable[..., Any]:
    """Return a function that says that minits has no `name`."""

    def fail(*args: Any, **kwargs: Any) -> Any:
        error = MissingFeature(f"minits has no {name}")
        if not _is_importing:
            missed.append(str(error))
            raise error
        return Deferred(error)

    return fail


def missing_class(name: str) -> type:
    """Return a class to inherit from, or to catch; making an object says that minits has none."""

    def make(cls: type, *args: Any, **kwargs: Any) -> Any:
        return missing(name)()

    return type(name.rpartition(".")[2], (Exception,), {"__new__": make})


def forgiving(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return `make`; where that raises while a file is imported, a `Deferred` comes back.

    It raises when it is used, so that only the tests that use it are lost.
    """

    def attempt(*args: Any, **kwargs: Any) -> Any:
        try:
            return make(*args, **kwargs)
        except Exception as error:
            if not _is_importing:
                raise
            return Deferred(error)

    return attempt


@contextmanager
def importing() -> Iterator[None]:
    """Run the body as the import of a test file, in which errors are deferred."""
    global _is_importing
    _is_importing = True
    try:
        yield
    finally:
        _is_importing = False
        missed.clear()
