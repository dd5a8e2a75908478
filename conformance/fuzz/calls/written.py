"""Dataclasses that print as they are written: what is as by default is left out."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any


class Written:
    """Gives a dataclass a `repr` that is short and can be evaluated."""

    def __repr__(self) -> str:
        parts = []
        for number, field in enumerate(fields(self)):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.default is MISSING and field.default_factory is MISSING:
                parts.append(repr(value) if number == len(parts) else f"{field.name}={value!r}")
            elif value != _default(field):
                parts.append(f"{field.name}={value!r}")
        return f"{type(self).__name__}({', '.join(parts)})"


def _default(field: Any) -> Any:
    return field.default if field.default is not MISSING else field.default_factory()
