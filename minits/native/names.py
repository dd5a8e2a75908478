"""The names of C variables: those of the program, each once."""

from __future__ import annotations

import re
from collections.abc import Container

from minits.codegen.uses import resolve
from minits.ir.graph import Value
from minits.native.prelude import LIBRARY

_NO_LETTER = re.compile(r"\W", re.ASCII)
_KEYWORDS = frozenset(
    (
        "auto break case char const continue default do double else enum extern float for goto if "
        "inline int long register restrict return short signed sizeof static struct switch typedef "
        "typeof asm union unsigned void volatile while bool true false out int32_t int64_t "
        "INT64_MIN INT64_MAX MTS_NO_MEMORY MTS_RAISED pool print groups main"
    ).split()
)


class Names:
    """The names of one C function."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._known: dict[Value, str] = {}
        self._shared: set[str] = set()

    def new(self, wanted: str) -> str:
        """Return a name like the one wanted that no other variable has."""
        base = _NO_LETTER.sub("_", wanted) or "v"
        if base[0].isdigit() or base in _KEYWORDS or base in LIBRARY or base.startswith("mts_"):
            base = f"v_{base}"
        name = unique(base, self._taken)
        self._taken.add(name)
        return name

    def take(self, name: str) -> None:
        """Take a name that is known elsewhere, so that no variable hides it."""
        self._taken.add(name)

    def of(self, value: Value) -> str:
        """Return the name of a value's variable."""
        value = resolve(value)
        if value not in self._known:
            wanted = value.name.partition(".")[0] if value.has_name else "v"
            self._known[value] = self.new(wanted)
        return self._known[value]

    def put(self, value: Value, name: str) -> None:
        """Let a value have a name that is no variable's own, such as that of what it points to."""
        self._known[value] = name

    def share(self, *values: Value) -> str:
        """Let values be one variable, and return its name: that of the first that has one."""
        named = next((value for value in values if value.has_name), values[0])
        self._known.update(dict.fromkeys(values, self.of(named)))
        self._shared.add(self.of(named))
        return self.of(named)

    def is_shared(self, name: str) -> bool:
        """Return whether a variable is that of several values."""
        return name in self._shared


def unique(wanted: str, taken: Container[str]) -> str:
    """Return a name like the one wanted that is not taken."""
    name, number = wanted, 1
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name
