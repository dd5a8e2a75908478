"""The value of a variable whose assignment failed: its uses are no errors of their own."""

from __future__ import annotations

from collections.abc import Iterable

from minits.diagnostics import CompileError, Diagnostic
from minits.frontend.values.sugared_value import SugaredValue


class ErrorValueUsed(CompileError):
    """A variable is used whose assignment failed; raised so that an error is reported once.

    It has no diagnostics.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic] = ()) -> None:
        super().__init__(diagnostics)


class ErrorValue(SugaredValue):
    """The value of a variable whose assignment failed. Each use raises `ErrorValueUsed`."""

    kind = "value that could not be compiled"

    def __getattribute__(self, name: str) -> object:
        """Return an attribute. Raises ErrorValueUsed for those by which a value is used."""
        if name in _USES:
            raise ErrorValueUsed
        return super().__getattribute__(name)


_USES = frozenset(
    name
    for name, member in vars(SugaredValue).items()
    if name == "kind" or (callable(member) and name[0] != "_")
)
