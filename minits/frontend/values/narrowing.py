"""Refinements are applied: variables get the types that a condition has proved.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`insertRefinements`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.frontend.values.refinement import Refinements, VariableKey
from minits.frontend.values.simple_value import SimpleValue
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter


def refine(emitter: Emitter, loc: SourceRange, refinements: Refinements) -> None:
    """Give variables the types that the condition proved. Raises `CompileError`."""
    for key, type in refinements:
        if emitter.rules.refine(emitter, loc, key, type):
            continue
        assert isinstance(key, VariableKey)
        if not emitter.environment.has(key.name):
            raise emitter.undefined(key.name, loc)  # the branch before deleted it
        narrow(emitter, loc, key.name, emitter.environment.get(key.name, loc, emitter), type)


def narrow(emitter: Emitter, loc: SourceRange, name: str, value: Value, type: Type) -> None:
    """Give a variable, which has this value, a narrower type."""
    emitter.environment.narrow(loc, name, SimpleValue(emitter.unchecked_cast(value, type)))
