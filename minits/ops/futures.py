"""Futures: results of forks, which are computed at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.ops.errors import ScriptError


class Future:
    """The result of a forked function: `wait` returns it, or raises the error of the function.

    The error is a `ScriptError`: as in torch, its class is lost.
    """

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self._error: Exception | None = None
        self._value: Any = None
        try:
            self._value = function(*arguments)
        except Exception as error:
            self._error = error

    def wait(self) -> Any:
        """Return the function's result. Raises `ScriptError` where the function raised."""
        if self._error is not None:
            message = f"{type(self._error).__name__}: {self._error}"
            raise ScriptError(message).with_traceback(self._error.__traceback__)
        return self._value
