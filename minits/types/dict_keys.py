"""Types that keys of a dict may have."""

from __future__ import annotations

from minits.diagnostics import error
from minits.source import SourceRange
from minits.types import types as t
from minits.types.types import Type

_KEYS = (t.INT, t.FLOAT, t.BOOL, t.STR, t.COMPLEX, t.TENSOR, t.DEVICE, t.ANY)


def key_fault(key: Type) -> str | None:
    """Return torch's words for a type that no key may have, None for one that keys may have."""
    if key in _KEYS:
        return None
    return (
        f"Cannot create dict for key type '{key.annotation}', only int, float, complex, Tensor, "
        "device and string keys are supported"
    )


def check_key(loc: SourceRange | None, key: Type) -> None:
    """Raise `CompileError` (TS214) if keys cannot have this type."""
    fault = key_fault(key)
    if fault is not None:
        fix = "use a key of one of these types, or bool; for an enum member, use its name"
        raise error(loc, "TS214", fault, fix=fix)
