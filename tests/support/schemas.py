"""Schemas of operators, for tests."""

from __future__ import annotations

from minits.ops.registry import schemas_for
from minits.ops.schema import Schema


def find_schema(name: str, overload: str = "") -> Schema:
    """Return one overload."""
    return next(schema for schema in schemas_for(name) if schema.overload == overload)
