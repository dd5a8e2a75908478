"""Names of types and functions as their user wrote them, for the texts of errors."""

from __future__ import annotations

import re

from minits.name_mangling import demangled

_QUALIFIED = r"(?<!/)__torch__(?:\.\w+)+"


def with_short_names(text: str) -> str:
    """Return a text in which `__torch__.model.___torch_mangle_3.Net` is `Net`, as its user wrote.

    Classes of one name in several modules keep their modules: `model.Net`. Two that even have the
    module in common keep the names by which the compiler tells them apart.
    """
    names = set(re.findall(_QUALIFIED, text))
    if not names:
        return text
    parts = {name: demangled(name).split(".")[1:] for name in names}
    short = {name: _class_and_member(each) for name, each in parts.items()}
    if len(set(short.values())) < len(names):
        short = {name: ".".join(each) for name, each in parts.items()}
    if len(set(short.values())) < len(names):
        return text
    return re.sub(_QUALIFIED, lambda found: short[found[0]], text)


def _class_and_member(parts: list[str]) -> str:
    """Return `Net` for `["package", "model", "Net"]`, `Net.forward` with a method behind it."""
    if parts[:2] == ["torch", "classes"]:
        return ".".join(parts)
    is_member = len(parts) > 1 and parts[-2][:1].isupper()
    return ".".join(parts[-2:] if is_member else parts[-1:])
