"""The names of a graph's values, as they are printed after `%`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minits.ir.graph import Value


class DebugNames:
    """The debug names of a graph; each belongs to one value.

    If a name in use is assigned again, its former owner is renamed, with a suffix two above the
    last one of that base. Source: torch/csrc/jit/ir/ir.cpp (`Value::setDebugName`).
    """

    def __init__(self) -> None:
        self.owner: dict[str, Value] = {}
        self.last_suffix: dict[str, int] = {}

    def assign(self, value: Value, name: str | None) -> None:
        """Give a value a name, or take its name away. Raises `ValueError` for a number."""
        if value._name is not None:
            self.release(value)
        if not name:
            return
        if name.isdigit():
            raise ValueError(f"a value's name must not be a number: {name!r}")
        previous = self.owner.get(name)
        if previous is not None:
            previous._name = fresh = self._fresh(name)
            self.owner[fresh] = previous
        self.owner[name] = value
        value._name = name

    def release(self, value: Value) -> None:
        """Take the name of a value away, which has one."""
        del self.owner[value._name]  # type: ignore[arg-type]
        value._name = None

    def refresh(self, value: Value) -> None:
        """Give a value that has a name a fresh one, with the same base."""
        if value._name is not None:
            fresh = self._fresh(value._name)
            self.release(value)
            self.owner[fresh] = value
            value._name = fresh

    def skip_fresh(self, value: Value) -> None:
        """Use up the next suffix of a value's name, if it has one."""
        if value._name is not None:
            self._fresh(value._name)

    def skip(self, base: str, count: int) -> int:
        """Pass over so many suffixes that `_fresh` would give; return the last one before them."""
        last = self.last_suffix.get(base, -1)
        self.last_suffix[base] = last + 2 * count
        return last

    def _fresh(self, name: str) -> str:
        base, least = split_name(name) if "." in name else (name, 1)
        suffix = self.last_suffix.get(base, -1) + 2
        if suffix < least:
            suffix = least
        while (fresh := f"{base}.{suffix}") in self.owner:
            suffix += 1
        self.last_suffix[base] = suffix
        return fresh


def split_name(name: str) -> tuple[str, int]:
    """Return the base and the suffix of a name; 1 is that of a name without."""
    base, _, digits = name.rpartition(".")
    return (base, int(digits)) if digits.isdigit() and digits.isascii() else (name, 1)


def is_hidden(name: str) -> bool:
    """Return whether a variable is the compiler's: no program can have one of that name."""
    return name.startswith("$")


def is_meaningful(name: str) -> bool:
    """Return whether a variable's name is worth showing: not `_`, `_0` or a made one."""
    first = name[:1]
    if first == "_":
        return len(name) > 1 and not name[1:].isdigit()
    return first not in ("", "$")
