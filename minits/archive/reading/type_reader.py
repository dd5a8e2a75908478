"""Types as archives write them: `Dict[str, List[__torch__.pkg.C]]`.

They are the types of annotations, read by themselves: here a name never means a Python object.

Source: torch/csrc/jit/frontend/script_type_parser.cpp (`ScriptTypeParser::parseTypeFromExpr`).
"""

from __future__ import annotations

from collections.abc import Callable

from minits import torch_internals as internals
from minits.diagnostics import error
from minits.syntax import tree
from minits.types import types as t
from minits.types.subtyping import optional_of, union_of
from minits.types.types import Type

NamedType = Callable[[str], "Type | None"]
"""Returns the class, NamedTuple or enum of a qualified name, or None if there is none."""

SIMPLE: dict[str, Type] = {
    "Tensor": t.TENSOR, "int": t.INT, "float": t.FLOAT, "bool": t.BOOL, "complex": t.COMPLEX,
    "str": t.STR, "number": t.NUMBER, "NoneType": t.NONE, "Any": t.ANY, "Device": t.DEVICE,
    "Stream": t.STREAM, "Generator": t.GENERATOR, "Capsule": t.CAPSULE, "list": t.ANY_LIST,
    "tuple": t.ANY_TUPLE, "AnyEnum": t.ANY_ENUM, "AnyClassType": t.ANY_CLASS,
    "QScheme": t.QSCHEME,
    **{
        f"{kind}Tensor": t.TENSOR
        for kind in "Float Double Long Int Short Half Char Byte Bool BFloat16".split()
    },
}  # fmt: skip
_KEYS = (t.INT, t.FLOAT, t.BOOL, t.STR, t.COMPLEX, t.TENSOR, t.DEVICE)


_CPP_CLASSES = "__torch__.torch.classes."


def read_type(node: tree.expr, named: NamedType, depth: int = 100) -> Type:
    """Return the type that an expression means. Raises `CompileError` (TS2xx)."""
    if depth == 0:
        raise error(node.range, "TS202", "this type is nested too deeply")
    match node:
        case tree.Constant(value=None):
            return t.NONE
        case tree.Name(id=name) if name in SIMPLE:
            return SIMPLE[name]
        case tree.Subscript(value=base, slice=index):
            return _applied(node, base, index, lambda part: read_type(part, named, depth - 1))
        case tree.BinOp(left=left, op="|", right=right):
            return union_of([read_type(side, named, depth - 1) for side in (left, right)])
    dotted = dotted_name(node)
    found = None if dotted is None else _named(dotted, named)
    if found is None:
        raise error(node.range, "TS203", f"Unknown type name '{node.range.text[:200]}'")
    return found


def dotted_name(node: tree.expr) -> str | None:
    """Return `a.b.c`, or None for an expression that is not a chain of names."""
    parts = []
    while isinstance(node, tree.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, tree.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def _named(name: str, named: NamedType) -> Type | None:
    if name.startswith("torch."):
        return SIMPLE.get(name.removeprefix("torch."))
    if name.startswith(_CPP_CLASSES):
        return _cpp_class(name)
    return named(name) if "." in name else None


def _cpp_class(name: str) -> Type | None:
    """Return the type of a class that torch binds from C++, or None."""
    namespace, _, last = name.removeprefix(_CPP_CLASSES).partition(".")
    return t.bound_class(name) if internals.is_cpp_class(namespace, last) else None


def _applied(
    node: tree.expr, base: tree.expr, index: tree.expr, read: Callable[[tree.expr], Type]
) -> Type:
    """Return a generic of its arguments' types."""
    name = dotted_name(base) or ""
    parts = index.elts if isinstance(index, tree.Tuple) else (index,)
    arguments = [read(part) for part in parts]
    match name, arguments:
        case (("List" | "list"), [element]):
            return t.ListType(element)
        case (("Dict" | "dict"), [key, value]) if key in _KEYS or isinstance(key, t.EnumType):
            return t.DictType(key, value)
        case (("Tuple" | "tuple"), _):
            return t.TupleType(tuple(arguments))
        case "Optional", [element]:
            return optional_of(element)
        case "Union", [_, *_]:
            return union_of(arguments)
        case "Future", [element]:
            return t.FutureType(element)
        case "Await", [element]:
            return t.AwaitType(element)
        case "RRef", [element]:
            return t.RRefType(element)
    raise error(node.range, "TS201", f"'{node.range.text[:200]}' is not a TorchScript type")
