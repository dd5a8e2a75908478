"""Literals of archive code: defaults of parameters, constants of modules, members of enums.

They are read, not run: whoever wrote the archive would choose what is run.

Source: torch/csrc/jit/serialization/python_print.cpp (`printConstant`).
Differs: torch evaluates any expression here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from minits.archive.reading.code_files import fault
from minits.archive.reading.type_reader import dotted_name
from minits.syntax import tree

NAMES: dict[str, Any] = {
    "inf": math.inf,
    "nan": math.nan,
    "infj": complex(0, math.inf),
    "nanj": complex(0, math.nan),
}
"""The numbers that have names in archives."""


Named = Callable[[str, tree.expr], Any]
"""Returns the value of a dotted name (`CONSTANTS.c0`, a member of an enum), else None."""


def literal(node: tree.expr, named: Named, depth: int = 20) -> Any:
    """Return the value of a literal; a list's is a tuple, since nobody may change it.

    Raises `ArchiveError` for anything else.
    """
    match node:
        case _ if depth == 0:
            raise fault(node, "this value is nested too deeply")
        case tree.Constant(value=bool() | int() | float() | complex() | str() | None as value):
            return value
        case tree.Name(id=name) if name in NAMES:
            return NAMES[name]
        case tree.UnaryOp(op="-", operand=operand):
            return -_number(operand, named, depth)
        case tree.BinOp(left=left, op="+", right=right):
            return _number(left, named, depth) + _number(right, named, depth)
        case tree.BinOp(left=left, op="-", right=right):
            return _number(left, named, depth) - _number(right, named, depth)
        case tree.Tuple(elts=items) | tree.List(elts=items):
            return tuple(literal(item, named, depth - 1) for item in items)
        case tree.Attribute():
            value = named(dotted_name(node) or "", node)
            if value is not None:
                return value
        case tree.Call(func=func, args=(tree.Constant(value=str(text)),)):
            if dotted_name(func) == "torch.device":
                return torch.device(text)
        case tree.Call(func=tree.Name(id="annotate"), args=(_, value)):
            return literal(value, named, depth - 1)
    raise fault(node, "this is no literal", fix="only literals are values here: nothing is run")


def _number(node: tree.expr, named: Named, depth: int) -> Any:
    value = literal(node, named, depth - 1)
    if value.__class__ not in (int, float, complex):
        raise fault(node, "this is no number")
    return value
