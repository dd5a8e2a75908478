"""Reasons why a schema does not fit a call, in torch's words.

Source: torch/csrc/jit/frontend/schema_matching.cpp (`tryMatchArgument`, `tryMatchSchema`).
"""

from __future__ import annotations

from minits.ops.schema import Argument, Schema
from minits.records import dataclass
from minits.source import SourceRange
from minits.types import types as t
from minits.types.types import Type


@dataclass(slots=True)
class Mismatch:
    """The reason a schema does not fit. `progress` counts the arguments that did."""

    schema: Schema
    progress: int
    reason: str
    argument: Argument | None = None
    found: Type | None = None
    range: SourceRange | None = None


def wrong_type(
    schema: Schema,
    progress: int,
    argument: Argument,
    expected: Type,
    found: Type,
    loc: SourceRange | None,
) -> Mismatch:
    inferred = " (inferred)" if argument.is_inferred else ""
    reason = (
        f"Expected a value of type '{expected.annotation}{inferred}' for argument "
        f"'{argument.name}' but instead found type '{found.annotation}'."
    )
    return Mismatch(schema, progress, reason, argument, found, loc)


def unbound(argument: Argument, found: Type, reason: str | None) -> str:
    """Return the message for type variables of an argument that the value's type cannot bind."""
    wanted, name = argument.type.annotation, argument.name
    if reason is not None:
        return (
            f"Could not match type {found.annotation} to {wanted} in argument '{name}': {reason}."
        )
    return (
        f"Type variables in type {wanted} could not be inferred from actual type "
        f"{'None' if found == t.NONE else found.annotation} of argument '{name}'."
    )
