"""The types of parameters, results and attributes as texts that the library in C reads.

`c/boxes.c` walks along such a text (`native/type_codes.py`) when it makes values of the program,
and when it hands them out: of ints, floats, bools, strs, tensors, and what holds such.
"""

from __future__ import annotations

from minits.ir.graph import Node
from minits.native.c_types import NotNative
from minits.native.type_codes import code_of_type
from minits.types import types as t
from minits.types.type_parts import distinct_parts


def type_code(type: t.Type, node: Node) -> str:
    """Return the code of a type. Raises `NotNative`, at `node`, for a type that has none."""
    code = code_of_type(type)
    if code is None or _is_foreign(type):
        raise NotNative(node, type.annotation)
    return code


def _is_foreign(type: t.Type) -> bool:
    """Return whether a library neither takes nor gives values of a type."""
    is_foreign = isinstance(type, t.EnumType) or type in (t.COMPLEX, t.DEVICE)
    return is_foreign or any(map(_is_foreign, distinct_parts(type)))
