"""Names of variables in printed code.

`%x.3` becomes `x`, a value without a name becomes `_0`; a name that is taken gets a number.

Source: torch/csrc/jit/serialization/python_print.cpp (`genName`, `makeValidIdentifier`).
"""

from __future__ import annotations

import keyword
import re

from minits.ir.graph import Value

RESERVED = frozenset(keyword.kwlist) | frozenset(
    "_ aten attribute CONSTANTS fork getattr inf nan infj nanj ops __torch__ uninitialized "
    "unchecked_cast".split()
)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FOREIGN = re.compile(r"[^A-Za-z0-9_]")
_SUFFIX = re.compile(r"\.[0-9]+$")


def is_identifier(text: str) -> bool:
    """Return whether a name can follow a dot in printed code."""
    return _IDENTIFIER.fullmatch(text) is not None


class NameTable:
    """The names in use in one function.

    numbers: the next number for each name; the functions of a file share them.
    """

    def __init__(
        self, reserved: frozenset[str] = RESERVED, numbers: dict[str, int] | None = None
    ) -> None:
        self._reserved = reserved
        self._used: set[str] = set()
        self._next: dict[str, int] = {} if numbers is None else numbers

    def fresh(self, wanted: str) -> str:
        """Return `wanted`, or `wanted` with a number where it is taken or means something else."""
        name = wanted
        while name in self._used or name in self._reserved:
            number = self._next.get(name, 0)
            self._next[name] = number + 1
            name = f"{wanted}{number}"
        self._used.add(name)
        return name

    def fresh_for(self, value: Value) -> str:
        """Return a name for a value: its own without the `.n` that made it unique."""
        return self.fresh(_as_identifier(_SUFFIX.sub("", value.name)) if value.has_name else "_")


def _as_identifier(text: str) -> str:
    plain = _FOREIGN.sub("_", text)
    return f"_{plain}" if text[:1].isdigit() else plain
