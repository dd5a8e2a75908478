"""The expression right of the `=` when a node is printed as Python.

Each kind of node has a function `(node, texts) -> text`, where `texts.use(value)` is the text of an
operand; operators without one are printed as calls, by their schema.

Source: torch/csrc/jit/serialization/python_print.cpp (`printRHS`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minits.archive.printing.constants import ConstantTable, is_told_by_members
from minits.archive.printing.names import is_identifier
from minits.archive.printing.spelling import Spelling
from minits.ir.constants import NOT_CONSTANT, constant_value, to_python
from minits.ir.graph import Node, Value
from minits.ops.properties import schema_of
from minits.ops.schema import Argument, Schema
from minits.records import dataclass
from minits.types import types as t
from minits.types.types import Type


@dataclass(frozen=True)
class Texts:
    """The texts that expressions consist of: operands, constants and types.

    use: the text of an operand.
    """

    use: Callable[[Value], str]
    constants: ConstantTable

    @property
    def spelling(self) -> Spelling:
        return self.constants.spelling

    def type(self, type: Type) -> str:
        return self.spelling.type(type)


def expression_of(node: Node, texts: Texts) -> str:
    """Return the text of the expression that computes a node."""
    writer = _WRITERS.get(node.kind, _operator_call)
    return writer(node, texts)


def _constant(node: Node, texts: Texts) -> str:
    type = node.output.type
    if isinstance(type, t.FunctionType):
        return texts.spelling.function(type.function)
    return texts.constants.literal(constant_value(node), type)


def _list(values: Sequence[Value], texts: Texts, begin: str = "", end: str = "") -> str:
    return f"{begin}{', '.join(map(texts.use, values))}{end}"


def _calls(name: str) -> Callable[[Node, Texts], str]:
    return lambda node, texts: _list(node.inputs, texts, f"{name}(", ")")


def _annotated(type: Type, text: str, texts: Texts) -> str:
    return f"annotate({texts.type(type)}, {text})"


# ---- Containers --------------------------------------------------------------------------------


def _list_construct(node: Node, texts: Texts) -> str:
    type = node.output.type
    assert isinstance(type, t.ListType)
    text = _list(node.inputs, texts, "[", "]")
    if node.inputs and is_told_by_members(type.element):
        return text
    return _annotated(type, text, texts)


def _dict_construct(node: Node, texts: Texts) -> str:
    type = node.output.type
    assert isinstance(type, t.DictType)
    pairs = zip(node.inputs[::2], node.inputs[1::2], strict=True)
    text = f"{{{', '.join(f'{texts.use(key)}: {texts.use(value)}' for key, value in pairs)}}}"
    if node.inputs and is_told_by_members(type.key) and is_told_by_members(type.value):
        return text
    return _annotated(type, text, texts)


def _tuple_construct(node: Node, texts: Texts) -> str:
    type = node.output.type
    assert isinstance(type, t.TupleType)
    name = texts.type(type) if type.name else ""
    return _list(node.inputs, texts, f"{name}(", ",)" if len(node.inputs) == 1 else ")")


def _tuple_slice(node: Node, texts: Texts) -> str:
    return f"({texts.use(node.input)})[{node['beg']}:{node['end']}]"


def _tuple_item(node: Node, texts: Texts) -> str:
    return f"({texts.use(node.inputs[0])})[{texts.use(node.inputs[1])}]"


def _item(node: Node, texts: Texts) -> str:
    """Names are indexed as they are, other expressions in parentheses."""
    if len(node.inputs) != 2:
        return _operator_call(node, texts)
    container = texts.use(node.inputs[0])
    if not is_identifier(container):
        container = f"({container})"
    return f"{container}[{texts.use(node.inputs[1])}]"


# ---- Objects and calls -------------------------------------------------------------------------


def _get_attribute(node: Node, texts: Texts) -> str:
    name = node["name"]
    if texts.spelling.is_attribute(name):
        return f"{texts.use(node.inputs[0])}.{name}"
    return f"getattr({texts.use(node.inputs[0])}, {texts.spelling.string(name)})"


def _create_object(node: Node, texts: Texts) -> str:
    name = texts.type(node.output.type)
    return f"{name}.__new__({name})"


def _arguments(values: Sequence[Value], texts: Texts) -> str:
    return "".join(f"{texts.use(value)}, " for value in values)


def _call_function(node: Node, texts: Texts) -> str:
    return f"{texts.use(node.inputs[0])}({_arguments(node.inputs[1:], texts)})"


def _call_method(node: Node, texts: Texts) -> str:
    return f"({texts.use(node.inputs[0])}).{node['name']}({_arguments(node.inputs[1:], texts)})"


def _python_call(node: Node, texts: Texts) -> str:
    scalars = ", ".join(map(repr, node.get("scalar_args", ())))
    return f"^{node['name']}({scalars}){_list(node.inputs, texts, '(', ')')}"


# ---- Types -------------------------------------------------------------------------------------


def _implicit_conversion(node: Node, texts: Texts) -> str:
    return _annotated(node.output.type, texts.use(node.inputs[0]), texts)


def _unwrap_optional(node: Node, texts: Texts) -> str:
    """Return `torch._unwrap_optional(x)`. None is annotated: a reader could not infer its type."""
    text = texts.use(node.inputs[0])
    if node.inputs[0].type == t.NONE or to_python(node.inputs[0]) is None:
        text = _annotated(t.OptionalType(node.output.type), text, texts)
    return f"torch._unwrap_optional({text})"


def _unchecked_cast(node: Node, texts: Texts) -> str:
    return f"unchecked_cast({texts.type(node.output.type)}, {texts.use(node.inputs[0])})"


def _isinstance(node: Node, texts: Texts) -> str:
    types = list(map(texts.type, node["types"]))
    text = types[0] if len(types) == 1 else f"({', '.join(types)})"
    return f"isinstance({texts.use(node.inputs[0])}, {text})"


def _to_list(node: Node, texts: Texts) -> str:
    return _annotated(node.output.type, f"{texts.use(node.inputs[0])}.tolist()", texts)


def _uninitialized(node: Node, texts: Texts) -> str:
    return f"uninitialized({texts.type(node.output.type)})"


# ---- Operators ---------------------------------------------------------------------------------


def _operator_call(node: Node, texts: Texts) -> str:
    schema = schema_of(node)
    if schema is None:
        return _list(node.inputs, texts, f"{_operator_name(node.kind)}(", ")")
    return f"{_operator_name(node.kind)}({', '.join(_specified(node, schema, texts))})"


def _operator_name(kind: str) -> str:
    namespace, _, name = kind.partition("::")
    if kind in ("aten::backward", "aten::grad"):
        return f"torch.autograd.{name}"
    return f"torch.{name}" if namespace == "aten" else f"ops.{namespace}.{name}"


def _specified(node: Node, schema: Schema, texts: Texts) -> list[str]:
    """Return the texts of arguments, without trailing ones that equal the schema's defaults."""
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
    found = [
        _argument(formal, texts.use(value))
        for formal, value in zip(
            [*formals, *[None] * len(inputs)][:count], inputs[:count], strict=True
        )
    ]
    if outs and len(formals) == len(inputs):
        results = zip(formals[-outs:], inputs[-outs:], strict=True)
        found += [f"{formal.name}={texts.use(value)}" for formal, value in results]
    return found


def _argument(formal: Argument | None, text: str) -> str:
    return f"{formal.name}={text}" if formal is not None and formal.kwarg_only else text


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


_WRITERS: dict[str, Callable[[Node, Texts], str]] = {
    "prim::Constant": _constant,
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
    "prim::TupleIndex": _tuple_item,
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
    "prim::tolist": _to_list,
    "prim::EnumValue": lambda node, texts: f"({texts.use(node.input)}).value",
    "prim::EnumName": lambda node, texts: f"({texts.use(node.input)}).name",
}
