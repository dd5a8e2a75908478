"""`typing.cast(T, value)` in the extended dialect: a refinement that is checked at run time.

    y = cast(Tensor, mask)       =      y = _unwrap_optional(mask)     # raises for None

From `Optional[T]` to `T` it is `aten::_unwrap_optional`; from any other type it is an assertion of
`isinstance`.
"""

from __future__ import annotations

from minits.diagnostics import error
from minits.frontend.emit.arguments import emit_type
from minits.frontend.values.argument_count import check_count
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.graph import Value
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.subtyping import is_subtype
from minits.types.types import Type


def emit_cast(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """Emit a cast. Raises `CompileError` for one that can never hold."""
    loc = origin(call)
    check_count(emitter, call, "cast", 2)
    type = emit_type(emitter, *call.args)
    value = emitter.emit_expression(call.args[1], None)
    if is_subtype(value.type, type):
        return SimpleValue(value)
    if isinstance(value.type, t.OptionalType) and is_subtype(value.type.element, type):
        return SimpleValue(emit_builtin_call(emitter.graph, loc, "aten::_unwrap_optional", [value]))
    if not is_subtype(type, value.type):
        raise error(
            loc,
            "TS702",
            f"a value of type {value.type.annotation} is never {type.annotation}",
            fix="convert the value instead",
        )
    return SimpleValue(_checked_refinement(emitter, call, value, type))


def _checked_refinement(emitter: Emitter, call: tree.Call, value: Value, type: Type) -> Value:
    graph, loc = emitter.graph, origin(call)
    test = graph.emit("prim::isinstance", [value], [t.BOOL], loc)
    test.set_attr("types", "tys", (type,))
    check = graph.emit("prim::If", [test.output], [], loc)
    check.add_block()
    with graph.inserting_at(check.add_block()):
        message = f"AssertionError: cast to {type.annotation} failed"
        emit_builtin_call(graph, loc, "prim::RaiseException", [message, None])
    return emitter.unchecked_cast(value, type)
