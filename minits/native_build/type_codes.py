"""The types of parameters, results and attributes as texts that the library in C reads.

    i f b s     int, float, bool, str            [X      List[X]
    n           None                             {KV     Dict[K, V]
    ?X          Optional[X]                      (XY)    Tuple[X, Y]
    T           Tensor

`c/boxes.c` walks along such a text when it makes values of the program, and when it hands them out.
"""

from __future__ import annotations

from minits.ir.graph import Node
from minits.native.c_types import NotNative
from minits.types import types as t

_CODES: dict[t.Type, str] = {
    t.INT: "i", t.FLOAT: "f", t.BOOL: "b", t.STR: "s", t.NONE: "n", t.TENSOR: "T",
}  # fmt: skip


def type_code(type: t.Type, node: Node) -> str:
    """Return the code of a type. Raises `NotNative`, at `node`, for a type that has none."""
    match type:
        case t.OptionalType(element=element):
            return f"?{type_code(element, node)}"
        case t.ListType(element=element):
            return f"[{type_code(element, node)}"
        case t.DictType(key=key, value=value):
            return f"{{{type_code(key, node)}{type_code(value, node)}"
        case t.TupleType(elements=elements):
            return f"({''.join([type_code(element, node) for element in elements])})"
    if type not in _CODES:
        raise NotNative(node, type.annotation)
    return _CODES[type]
