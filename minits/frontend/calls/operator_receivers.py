"""Operators that can be called as methods of a value: `x.relu()` is `aten::relu(x)`.

Source: torch/csrc/jit/frontend/sugared_value.cpp (`SimpleValue::attr`).
"""

from __future__ import annotations

from minits.ops.registry import schemas_for
from minits.types.subtyping import evaluate_variables, is_subtype, match_variables
from minits.types.types import Type


def takes_self(operator: str, type: Type) -> bool:
    """Return whether an overload of `operator` takes a value of `type` as its `self`."""
    for schema in schemas_for(operator):
        for argument in schema.arguments:
            if argument.name != "self":
                continue
            env: dict[str, Type] = {}
            if match_variables(argument.type, type, env) is not None:
                continue
            concrete = evaluate_variables(argument.type, env)
            if concrete is not None and is_subtype(type, concrete):
                return True
    return False
