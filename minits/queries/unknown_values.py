"""Values that a text does not tell: of other files, of what runs when the file is imported.

    from helpers import scale, Config
    y = scale(x)               # any use of `scale` is no fault, and neither is one of `y`

Each use raises an error of its own code, so that the statement is given up as one with a fault is,
and its variables are unknown, too; `is_unknown` tells such an error from a fault of the program.
"""

from __future__ import annotations

from minits.diagnostics import CompileError, Diagnostic
from minits.frontend.values.sugared_value import SugaredValue

_CODE = "unknown"
_DEFAULT = "TS213"
"""The code of a default that is no literal: its value is known once the file is imported."""


def unknown(name: str) -> CompileError:
    """Return the error of using something of which the text alone does not tell the type."""
    message = f"the type of {name} is known only where the file is imported"
    return CompileError(Diagnostic(None, _CODE, message))


def is_unknown(diagnostic: Diagnostic) -> bool:
    """Return whether a diagnostic only says that a value is unknown."""
    return diagnostic.code in (_CODE, _DEFAULT)


class UnknownValue(SugaredValue):
    """A value that the text does not tell. Each use raises `CompileError`, but those in `known`."""

    known: tuple[str, ...] = ()

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattribute__(self, name: str) -> object:
        """Return an attribute. Raises `CompileError` for those by which a value is used."""
        get = super().__getattribute__
        if name in _USES and name not in get("known"):
            raise unknown(str(get("name")))
        return get(name)


_USES = frozenset(
    name
    for name, member in vars(SugaredValue).items()
    if name == "kind" or (callable(member) and name[0] != "_")
)
"""The methods of values, and their kind, which errors about a value tell."""
