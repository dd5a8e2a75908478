"""Unique names of types, mangled as torch mangles them."""

from __future__ import annotations

from itertools import count

_taken: set[str] = set()
_numbers = count()


def unique_name(name: str) -> str:
    """Return `name`, or with `___torch_mangle_N` before its last part where it is taken."""
    while name in _taken:
        module, _, last = name.rpartition(".")
        base = module.partition(".___torch_mangle_")[0]
        name = f"{base}.___torch_mangle_{next(_numbers)}.{last}"
    _taken.add(name)
    return name
