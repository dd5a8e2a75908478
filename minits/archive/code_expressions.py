"""What stands right of the `=` when a node is printed as Python.

Each kind of node has a function `(node, use, constants) -> text`, where `use(value)` is the text of
an operand; operators without one are printed as calls, by their schema.

Source: torch/csrc/jit/serialization/python_print.cpp (`printRHS`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minits.archive.code_constants import ConstantTable, is_told_by_members
from minits.archive.code_names import is_identifier
from minits.ir.constants import NOT_CONSTANT, constant_value, to_python
from minits.ir.graph import Node, Value
from minits.ir.printer import print_string
from minits.ops.facts import schema_of
from minits.ops.schema import Argument, Schema
from minits.types import types as t
from minits.types.types import Type

Use = Callable[[Value], str]


def expression_of(node: Node, use: Use, constants: ConstantTable) -> str:
    """Return the text of the expression that computes a node."""
    if node.kind == "prim::Constant":
        return _constant(node, constants)
    writer = _WRITERS.get(node.kind, _operator_call)
    return writer(node, use)


def _constant(node: Node, constants: ConstantTable) -> str:
    type = node.output.type
    if isinstance(type, t.FunctionType):
        return str(type.function.qualified_name)
    return constants.literal(constant_value(node), type)


def _list(values: Sequence[Value], use: Use, begin: str = "", end: str = "") -> str:
    return f"{begin}{', '.join(map(use, values))}{end}"


def _calls(name: str) -> Callable[[Node, Use], str]:
    return lambda node, use: _list(node.inputs, use, f"{name}(", ")")


def _annotated(type: Type, text: str) -> str:
    return f"annotate({type.annotation}, {text})"


# ---- Containers --------------------------------------------------------------------------------


def _list_construct(node: Node, use: Use) -> str:
    type = node.output.type
    assert isinstance(type, t.ListType)
    text = _list(node.inputs, use, "[", "]")
    if node.inputs and is_told_by_members(type.element):
        return text
    return _annotated(type, text)


def _dict_construct(node: Node, use: Use) -> str:
    type = node.output.type
    assert isinstance(type, t.DictType)
    pairs = zip(node.inputs[::2], node.inputs[1::2], strict=True)
    text = f"{{{', '.join(f'{use(key)}: {use(value)}' for key, value in pairs)}}}"
    if node.inputs and is_told_by_members(type.key) and is_told_by_members(type.value):
        return text
    return _annotated(type, text)


def _tuple_construct(node: Node, use: Use) -> str:
    type = node.output.type
    assert isinstance(type, t.TupleType)
    return _list(node.inputs, use, f"{type.name or ''}(", ",)" if len(node.inputs) == 1 else ")")


def _tuple_slice(node: Node, use: Use) -> str:
    return f"({use(node.input)})[{node['beg']}:{node['end']}]"


def _item(node: Node, use: Use) -> str:
    """Names are indexed as they are, other expressions in parentheses."""
    if len(node.inputs) != 2:
        return _operator_call(node, use)
    container = use(node.inputs[0])
    if not is_identifier(container):
        container = f"({container})"
    return f"{container}[{use(node.inputs[1])}]"


# ---- Objects and calls -------------------------------------------------------------------------


def _get_attribute(node: Node, use: Use) -> str:
    name = node["name"]
    if is_identifier(name):
        return f"{use(node.inputs[0])}.{name}"
    return f"getattr({use(node.inputs[0])}, {print_string(name)})"


def _create_object(node: Node, use: Use) -> str:
    name = node.output.type.annotation
    return f"{name}.__new__({name})"


def _arguments(values: Sequence[Value], use: Use) -> str:
    return "".join(f"{use(value)}, " for value in values)


def _call_function(node: Node, use: Use) -> str:
    return f"{use(node.inputs[0])}({_arguments(node.inputs[1:], use)})"


def _call_method(node: Node, use: Use) -> str:
    return f"({use(node.inputs[0])}).{node['name']}({_arguments(node.inputs[1:], use)})"


def _python_call(node: Node, use: Use) -> str:
    scalars = ", ".join(map(repr, node.get("scalar_args", ())))
    return f"^{node['name']}({scalars}){_list(node.inputs, use, '(', ')')}"


# ---- Types -------------------------------------------------------------------------------------


def _implicit_conversion(node: Node, use: Use) -> str:
    return _annotated(node.output.type, use(node.inputs[0]))


def _unwrap_optional(node: Node, use: Use) -> str:
    """Read again, an unwrapped None would have no type, so it is annotated."""
    text = use(node.inputs[0])
    if node.inputs[0].type == t.NONE or to_python(node.inputs[0]) is None:
        text = _annotated(t.OptionalType(node.output.type), text)
    return f"torch._unwrap_optional({text})"


def _unchecked_cast(node: Node, use: Use) -> str:
    return f"unchecked_cast({node.output.type.annotation}, {use(node.inputs[0])})"


def _isinstance(node: Node, use: Use) -> str:
    types = [type.annotation for type in node["types"]]
    text = types[0] if len(types) == 1 else f"({', '.join(types)})"
    return f"isinstance({use(node.inputs[0])}, {text})"


def _uninitialized(node: Node, use: Use) -> str:
    return f"uninitialized({node.output.type.annotation})"


# ---- Operators ---------------------------------------------------------------------------------


def _operator_call(node: Node, use: Use) -> str:
    schema = schema_of(node)
    if schema is None:
        return _list(node.inputs, use, f"{_operator_name(node.kind)}(", ")")
    return f"{_operator_name(node.kind)}({', '.join(_specified(node, schema, use))})"


def _operator_name(kind: str) -> str:
    namespace, _, name = kind.partition("::")
    if kind in ("aten::backward", "aten::grad"):
        return f"torch.autograd.{name}"
    return f"torch.{name}" if namespace == "aten" else f"ops.{namespace}.{name}"


def _specified(node: Node, schema: Schema, use: Use) -> list[str]:
    """The arguments, without the last ones that are what the schema has as their defaults."""
    formals, inputs = schema.arguments, node.inputs
    if not formals:
        return []
    outs = 0
    while outs < len(formals) and _is_out(formals[-1 - outs]):
        outs += 1
    count = len(inputs)
    if len(formals) >= len(inputs):
        count = len(formals) - outs
        while count and _is_default(formals[count - 1], inputs[count - 1]):
            count -= 1
    texts = [
        f"{formal.name}={use(value)}" if formal is not None and formal.kwarg_only else use(value)
        for formal, value in zip(
            [*formals, *[None] * len(inputs)][:count], inputs[:count], strict=True
        )
    ]
    if outs and len(formals) == len(inputs):
        results = zip(formals[-outs:], inputs[-outs:], strict=True)
        texts += [f"{formal.name}={use(value)}" for formal, value in results]
    return texts


def _is_out(formal: Argument) -> bool:
    return formal.kwarg_only and formal.alias is not None and formal.alias.is_write


def _is_default(formal: Argument, value: Value) -> bool:
    if not formal.has_default:
        return False
    actual: Any = to_python(value)
    if isinstance(actual, list):
        actual = tuple(actual)
    if actual is NOT_CONSTANT or type(actual) is not type(formal.default):
        return False
    return bool(actual == formal.default)


_WRITERS: dict[str, Callable[[Node, Use], str]] = {
    "prim::PythonOp": _python_call,
    "prim::Uninitialized": _uninitialized,
    "aten::ScalarImplicit": _implicit_conversion,
    "aten::FloatImplicit": _implicit_conversion,
    "aten::IntImplicit": _implicit_conversion,
    "aten::Int": _calls("int"),
    "aten::Float": _calls("float"),
    "aten::Bool": _calls("bool"),
    "aten::str": _calls("str"),
    "aten::sorted": _calls("sorted"),
    "aten::__getitem__": _item,
    "prim::Print": _calls("print"),
    "prim::TupleConstruct": _tuple_construct,
    "prim::TupleIndex": lambda node, use: f"({use(node.inputs[0])})[{use(node.inputs[1])}]",
    "prim::TupleSlice": _tuple_slice,
    "prim::ListConstruct": _list_construct,
    "prim::DictConstruct": _dict_construct,
    "prim::CreateObject": _create_object,
    "prim::GetAttr": _get_attribute,
    "prim::CallFunction": _call_function,
    "prim::CallMethod": _call_method,
    "aten::_unwrap_optional": _unwrap_optional,
    "prim::unchecked_unwrap_optional": _unchecked_cast,
    "prim::unchecked_cast": _unchecked_cast,
    "prim::isinstance": _isinstance,
    "prim::tolist": lambda node, use: _annotated(
        node.output.type, f"{use(node.inputs[0])}.tolist()"
    ),
    "prim::EnumValue": lambda node, use: f"({use(node.input)}).value",
    "prim::EnumName": lambda node, use: f"({use(node.input)}).name",
}
