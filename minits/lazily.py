"""Functions that are imported when they are first called.

    emit_for = lazily("minits.frontend.emit.loops:emit_for")

A program needs a part of the compiler: one without a loop does not need how loops are emitted, one
without a fault no wording of errors. Importing all of it takes longer than compiling a few lines,
so that tables of constructs name functions in this way, and so do modules that raise errors.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazily(target: str) -> Callable[..., Any]:
    """Return a function that stands for the one at `module:name`."""
    module, _, name = target.partition(":")
    function: Callable[..., Any] | None = None

    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal function
        if function is None:
            function = getattr(import_module(module), name)
        return function(*args, **kwargs)

    return call


def shown_as(kind: str) -> Callable[[Any], str | None]:
    """Return the `_repr_html_` of a class, which notebooks call: the HTML of `minits/notebook/`.

    That room is above all whose objects it shows, so that it is looked up by name at a call.
    """

    def _repr_html_(self: Any) -> str | None:
        html: str | None = getattr(import_module("minits.notebook.fragments"), f"{kind}_html")(self)
        return html

    return _repr_html_
