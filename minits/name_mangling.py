"""Mangled names: types of one qualified name are told apart by a number before its last part.

    __torch__.model.Net
    __torch__.model.___torch_mangle_0.Net       the second one

Source: torch/csrc/jit/frontend/name_mangler.cpp.
"""

from __future__ import annotations

import re

_MARK = "___torch_mangle_"


def mangled(name: str, number: int) -> str:
    """Return a qualified name with this number, in place of the one that it may have."""
    module, _, last = name.rpartition(".")
    base = module.partition(f".{_MARK}")[0]
    return f"{base}.{_MARK}{number}.{last}"


def demangled(text: str) -> str:
    """Return a name, or a text with names in it, without such numbers."""
    return re.sub(rf"{_MARK}\d+\.", "", text) if _MARK in text else text
