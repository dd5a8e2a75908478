"""The schemas by which the methods of a class are called.

Methods get their defaults when all of the class is compiled. Until then calls among them, and of
the class itself, give every argument:

    class Counter:
        def __init__(self, n: int = 0):
            self.n = n

        def another(self) -> int:
            return Counter().n      # refused: n is not provided

Source: torch/csrc/jit/python/script_init.cpp (`_jit_script_class_compile`: it compiles the
methods, and then gives their schemas the defaults).
Differs: the extended dialect knows the defaults from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minits.diagnostics import IN_EXTENDED, CompileError, Note
from minits.ops.schema import MISSING, Schema
from minits.records import replace
from minits.types import types as t


def callable_schemas(type: t.ClassType, methods: Sequence[Any], dialect: str) -> list[Schema]:
    """Return the schemas of compiled methods as calls see them."""
    schemas = [method.schema for method in methods]
    if not type.is_being_compiled or dialect == "extended":
        return schemas
    return [_without_defaults(schema) for schema in schemas]


def _without_defaults(schema: Schema) -> Schema:
    arguments = [replace(argument, default=MISSING) for argument in schema.arguments]
    return replace(schema, arguments=tuple(arguments))


def with_hidden_defaults(
    fault: CompileError, schemas: Sequence[Schema], methods: Sequence[Any]
) -> CompileError:
    """Return the error of a call that none of the `schemas` fits: it tells of defaults, if the
    `methods` have any that the schemas lack.
    """
    if all(schema == method.schema for schema, method in zip(schemas, methods, strict=True)):
        return fault
    known = "known only when all methods of its class are compiled: give all arguments"
    fault = fault.noting(Note(f"the defaults of {methods[0].name} are {known}"))
    return fault.noting(IN_EXTENDED)
