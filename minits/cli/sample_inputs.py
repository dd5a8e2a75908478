"""Arguments to show plans for, where the command line gives none.

A file may say what its programs are called with:

    example_inputs = {"scale_mask_softmax": (torch.randn(2, 4, 8, 8), 8.0, None)}

For others, tensors are taken to be contiguous float32 tensors of one shape, and numbers to be
their defaults. Each Optional argument is tried both ways, None first.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import torch

from minits.ops.schema import Argument, Schema
from minits.types import types as t
from minits.types.subtyping import union_members

SHAPE = (2, 4, 8, 16)
MOST_OPTIONALS = 3
"""Of more Optional arguments, all are None or none is."""
_NUMBERS: dict[t.Type, Any] = {t.INT: 2, t.FLOAT: 1.0, t.BOOL: False, t.NUMBER: 1.0}


class NoSample(Exception):
    """Raised for an argument of a type that has no sample value."""


def sample_inputs(schema: Schema, is_method: bool) -> Iterator[tuple[str, list[Any]]]:
    """Yield a text that says which arguments are None, and the arguments. Raises `NoSample`."""
    arguments = schema.arguments[1:] if is_method else schema.arguments
    optional = [argument for argument in arguments if _is_optional_tensor(argument)]
    choices: Iterator[tuple[bool, ...]]
    choices = itertools.product((True, False), repeat=len(optional))
    if len(optional) > MOST_OPTIONALS:
        choices = iter([(True,) * len(optional), (False,) * len(optional)])
    for choice in choices:
        is_none = {argument.name: none for argument, none in zip(optional, choice, strict=True)}
        text = ", ".join(
            f"{name} {'is None' if none else 'is given'}" for name, none in is_none.items()
        )
        values = [_sample(argument, is_none.get(argument.name)) for argument in arguments]
        yield text, values


def _is_optional_tensor(argument: Argument) -> bool:
    members = union_members(argument.type)
    return t.NONE in members and t.TENSOR in members


def _sample(argument: Argument, is_none: bool | None) -> Any:
    if is_none:
        return None
    if is_none is False or argument.type == t.TENSOR:
        return torch.zeros(SHAPE)
    if argument.has_default:
        return argument.default
    if argument.type in _NUMBERS:
        return _NUMBERS[argument.type]
    raise NoSample(f"nothing is known of {argument.name}, of type {argument.type.annotation}")
