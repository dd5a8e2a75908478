"""Special forms, whose arguments are not ordinary values: `range`, `isinstance`, `cast`, ...

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitApplySpecialForm`).
"""

from __future__ import annotations

from collections.abc import Callable

from minits.diagnostics import CompileError, Faults, Note, error, with_faults_of
from minits.frontend.calls.schema_matching import NamedValue, convert, make_list, unpack_tuple
from minits.frontend.emit import remote_calls, subscripts, type_tests
from minits.frontend.emit.arguments import emit_arguments, emit_arguments_of, emit_type
from minits.frontend.values.argument_count import check_count
from minits.frontend.values.builtin_calls import emit_builtin_call
from minits.frontend.values.builtins import (
    ClassValue,
    LegacyTensorConstructor,
    SpecialForm,
)
from minits.frontend.values.closures import ClosureValue
from minits.frontend.values.emitter import Emitter, Form
from minits.frontend.values.iterables import IterableTree, Range, Slice
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.frontend.values.when_failed import with_arguments, with_parts
from minits.ir.constants import insert_constant
from minits.ir.graph import Value
from minits.lazily import lazily
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.dtypes import enum_code
from minits.types.int64 import MAX_INT
from minits.types.subtyping import is_subtype, union_members
from minits.types.types import Type


def emit(emitter: Emitter, callee: SpecialForm, call: tree.Call, hint: Type | None) -> SugaredValue:
    """Emit the call of a special form."""
    if isinstance(callee, LegacyTensorConstructor):
        return _legacy_tensor(emitter, callee, call)
    return emitter.visitor.forms[callee.form](emitter, call, hint)


# ---- Types -------------------------------------------------------------------------------------


def _annotate(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """`torch.jit.annotate(T, value)`."""
    check_count(emitter, call, "annotate", 2)
    graph, loc = emitter.graph, origin(call)
    type = emit_type(emitter, *call.args)
    value = emitter.emit_expression(call.args[1], type)
    value = convert(graph, loc, type, value)
    if not is_subtype(value.type, type):
        raise error(
            loc,
            "TS210",
            f"expected an expression of type {type.annotation} but found {value.type.annotation}",
            fix="name the type of the value, or convert the value",
        )
    if t.NONE in union_members(type) and value.type == t.NONE:
        value = graph.emit("prim::Constant", [], [type]).output
    return SimpleValue(value)


def _unchecked_cast(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """`torch.jit._unwrap_optional`'s relative: the program vouches for the type."""
    check_count(emitter, call, "unchecked_cast", 2)
    type = emit_type(emitter, *call.args)
    value = emitter.emit_expression(call.args[1])
    if value.node.kind != "prim::unchecked_cast" or value.type != type:
        value = emitter.unchecked_cast(value, type)
    return SimpleValue(value)


def _cast(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """Refuse `typing.cast(T, value)`. Raises `CompileError`."""
    refused = error(
        origin(call),
        "TS701",
        "typing.cast is not TorchScript",
        notes=[Note("the extended dialect accepts it, as a refinement checked at run time")],
        fix="use --dialect extended, or `assert x is not None`",
    )
    raise with_parts(emitter, refused, *call.args[1:])


def _uninitialized(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    check_count(emitter, call, "uninitialized", 1)
    type = emit_type(emitter, call.args[0])
    return SimpleValue(emitter.graph.emit("prim::Uninitialized", [], [type], origin(call)).output)


def _type_test(name: str) -> Form:
    def emit_test(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
        return SimpleValue(type_tests.emit(emitter, name, call).value)

    return emit_test


def _getattr(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    check_count(emitter, call, "getattr", 2, 3)
    loc = origin(call)
    holder, name = call.args[:2]
    if not (isinstance(name, tree.Constant) and isinstance(name.value, str)):
        message = "getattr's second argument must be a string literal"
        wrong = error(loc, "TS405", message, fix="write the attribute after a dot")
        raise with_parts(emitter, wrong, holder)
    base = emitter.emit_sugared(holder, 1)
    if len(call.args) == 3 and not base.has_attr(loc, emitter, name.value):
        return emitter.emit_sugared(call.args[2], 1)
    return base.attr(loc, emitter, name.value)


# ---- Iterables ---------------------------------------------------------------------------------


def _range(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    values = [value.value for value in emit_arguments(emitter, call.args)]
    return Range(origin(call), emitter, values)


def _enumerate(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    loc = origin(call)
    count = len(call.args) + len(call.keywords)
    wrong = [keyword.arg for keyword in call.keywords if keyword.arg != "start"]
    if not call.args or count > 2 or wrong:
        bound = "at most 2" if count else "at least 1"
        message = f"enumerate expected {bound} arguments, got {count}"
        if wrong:
            message = f"enumerate expected kwarg name 'start', got '{wrong[0]}'"
        wrong_count = error(loc, "TS405", message, fix="pass an iterable and perhaps `start`")
        raise with_arguments(emitter, wrong_count, call)
    starts = [*call.args[1:], *(keyword.value for keyword in call.keywords)]

    def emit_iterable() -> SugaredValue:
        return emitter.emit_sugared(call.args[0], 1).iter(loc, emitter)

    try:
        bounds = [emitter.emit_sugared(start, 1).as_value(loc, emitter) for start in starts]
    except CompileError as fault:
        raise with_faults_of(fault, emit_iterable) from None
    bounds.append(emitter.literal(MAX_INT, loc))
    iterable = emit_iterable()
    found = IterableTree()
    found.add(loc, Range(loc, emitter, bounds, iterable.static_len))
    found.add(loc, iterable)
    return found


def _zip(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """Keyword arguments, such as `strict=True`, mean nothing, as in torch."""
    loc = origin(call)
    if not call.args:
        message = "zip expected at least 1 arguments, got 0"
        raise error(loc, "TS405", message, fix="name what to go over together")
    found, faults = IterableTree(), Faults()
    for argument in call.args:
        with faults.gathered():
            found.add(loc, emitter.emit_sugared(argument, 1).iter(loc, emitter))
    faults.raise_all()
    return found


def _slice(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    if call.keywords:
        message = "Slice does not accept any keyword arguments"
        wrong = error(origin(call), "TS405", message, fix="write slice(start, stop, step)")
        raise with_arguments(emitter, wrong, call)
    check_count(emitter, call, "slice", 1, 3)
    loc, graph = origin(call), emitter.graph
    values = [value.value for value in emit_arguments(emitter, call.args)]
    given = [None, *values, None] if len(values) == 1 else [*values, None][:3]
    defaults = (0, MAX_INT, 1)
    bounds = [
        insert_constant(graph, default, loc=loc) if bound is None or bound.type == t.NONE else bound
        for bound, default in zip(given, defaults, strict=True)
    ]
    return Slice(*bounds)


# ---- Tensors and objects -----------------------------------------------------------------------


def _tolist(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """`x.tolist()`: the type that is expected says how deep the list is, and of what."""
    loc, graph = origin(call), emitter.graph
    assert isinstance(call.func, tree.Attribute)
    operand = emitter.emit_sugared(call.func.value, 1).as_value(origin(call.func.value), emitter)
    if hint is None:
        raise error(
            loc,
            "TS211",
            "Expected type hint for result of tolist()",
            fix="annotate the variable: values: List[float] = x.tolist()",
        )
    depth, element = 0, hint
    while isinstance(element, t.ListType):
        depth, element = depth + 1, element.element
    codes: dict[Type, int] = {t.INT: 0, t.FLOAT: 1, t.BOOL: 2, t.COMPLEX: 3}
    code = codes.get(element)
    if code is None:
        message = (
            f"{element.annotation} is not one of the supported element types for tolist: int, "
            f"float, complex, bool; it cannot make a {hint.annotation}"
        )
        raise error(loc, "TS211", message, fix="annotate a list of one of these types")
    inputs = [operand, insert_constant(graph, depth), insert_constant(graph, code)]
    return SimpleValue(graph.emit("prim::tolist", inputs, [hint]).output)


def _tensor_getitem(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """`x.__getitem__(index)`: other than `x[index]`, it takes nothing but tensors and None."""
    check_count(emitter, call, "__getitem__", 1)
    loc = origin(call)
    assert isinstance(call.func, tree.Attribute)
    try:
        value = emitter.emit_sugared(call.func.value, 1).as_value(loc, emitter)
    except CompileError as fault:
        raise with_arguments(emitter, fault, call) from None
    index = emitter.emit_sugared(call.args[0], 1).as_value(loc, emitter)
    is_tuple = isinstance(index.type, t.TupleType)
    indices = unpack_tuple(emitter.graph, index) if is_tuple else [index]
    for found in indices:
        if not is_subtype(found.type, t.OptionalType(t.TENSOR)):
            raise error(
                loc,
                "TS405",
                "Expected a list element that subtypes 'Optional[Tensor]' but got an element of "
                f"type '{found.type.annotation}': __getitem__ of a tensor takes tensors and None",
                fix="write a subscript, x[index]",
            )
    return SimpleValue(subscripts.emit_index(emitter, loc, value, indices))


def _new(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """`C.__new__(C)`."""
    check_count(emitter, call, "__new__", 1)
    cls = emitter.emit_sugared(call.args[0], 1)
    if not isinstance(cls, ClassValue):
        message = f"Expected class value as argument to __new__, got {cls.kind}"
        raise error(origin(call), "TS405", message, fix="name the class: C.__new__(C)")
    node = emitter.graph.emit("prim::CreateObject", [], [cls.type], origin(call))
    return SimpleValue(node.output)


def _legacy_tensor(
    emitter: Emitter, callee: LegacyTensorConstructor, call: tree.Call
) -> SugaredValue:
    """`torch.FloatTensor(2, 3)`, `torch.FloatTensor([1.0])`; a device is taken, and not used."""
    graph, loc = emitter.graph, origin(call)
    args, kwargs = emit_arguments_of(emitter, call)
    values = [value.value for value in args]
    names = [keyword.name for keyword in kwargs]
    if names not in ([], ["device"]):
        got = f"kwarg {names[0]}" if len(names) == 1 else "multiple kwargs"
        message = (
            "Legacy Tensor Constructor only supports two schemas in TorchScript: a size or data, "
            f"and a device. Got {got}"
        )
        fix = "write torch.empty(size, dtype=...) or torch.tensor(data, dtype=...)"
        raise error(loc, "TS405", message, fix=fix)
    dtype = NamedValue(insert_constant(graph, enum_code(callee.dtype)), "dtype", loc)
    if all(value.type == t.INT for value in values):
        operator = "aten::empty" if values else "aten::tensor"
        size = make_list(graph, t.INT, values)
        return SimpleValue(emit_builtin_call(graph, None, operator, [size], [dtype]))
    if len(values) != 1:
        message = "Got multiple positional arguments that were not all integers"
        fix = "give sizes, all of them ints, or the elements in one list"
        raise error(loc, "TS405", message, fix=fix)
    return SimpleValue(emit_builtin_call(graph, None, "aten::tensor", values, [dtype]))


def _closure_form(form: str, written: str, make_type: Callable[[Type], Type]) -> Form:
    """Return the form `fork(f, *args)` or its like: the call, in a block that runs on its own."""

    def emit(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
        if not call.args:
            message = f"Expected at least one argument to {form}(): the function to call"
            fix = f"write {written}(f, x) for f(x)"
            raise error(origin(call), "TS405", message, fix=fix)
        passed = tree.replaced(call, args=call.args[1:])
        try:
            called = emitter.emit_sugared(call.args[0], 1)
        except CompileError as fault:
            raise with_arguments(emitter, fault, passed) from None
        kind = f"prim::{form}Closure"
        if isinstance(called, ClosureValue):
            type = make_type(called.result)
            return SimpleValue(called.run_by(kind, type, emitter, origin(call)))
        result = _emit_in_closure(emitter, passed, called, kind)
        return SimpleValue(result.set_type(make_type(result.type)))

    return emit


def _emit_in_closure(emitter: Emitter, call: tree.Call, called: SugaredValue, kind: str) -> Value:
    """Emit a node of a kind that calls `called` with the arguments of `call`.

    Its output has the type of the call's result.
    """
    loc, graph = origin(call), emitter.graph
    args, kwargs = emit_arguments_of(emitter, call)
    node = graph.emit(kind, [], [t.TENSOR], loc)
    with graph.inserting_at(node):
        closure = graph.emit("prim::Closure", [], [t.NONE])
        block = closure.add_block()
        with emitter.block_environment(block):
            result = called.call(loc, emitter, args, kwargs, 1).as_value(loc, emitter)
        block.add_output(result)
    node.add_input(closure.output)
    return node.output.set_type(result.type)


def _super(emitter: Emitter, call: tree.Call, hint: Type | None) -> SugaredValue:
    """Refuse `super()`. Raises `CompileError`."""
    raise error(
        origin(call.func),
        "TS403",
        "Cannot instantiate class 'super' in a script function",
        notes=[Note("the extended dialect accepts it, in methods")],
        fix="move what both methods do into a method or function of another name",
    )


FORMS: dict[str, Form] = {
    "annotate": _annotate,
    "unchecked_cast": _unchecked_cast,
    "cast": _cast,
    "uninitialized": _uninitialized,
    "isinstance": _type_test("isinstance"),
    "hasattr": _type_test("hasattr"),
    "getattr": _getattr,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "slice": _slice,
    "tuple": lazily("minits.frontend.emit.container_forms:emit_tuple"),
    "list": lazily("minits.frontend.emit.container_forms:emit_list"),
    "dict": lazily("minits.frontend.emit.container_forms:emit_dict"),
    "tolist": _tolist,
    "__getitem__": _tensor_getitem,
    "__new__": _new,
    "fork": _closure_form("fork", "torch.jit.fork", t.FutureType),
    "awaitable": _closure_form("awaitable", "torch.jit._awaitable", t.AwaitType),
    **{name: remote_calls.remote_call(name) for name in remote_calls.RESULTS},
    "super": _super,
}
