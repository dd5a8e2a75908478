"""The inputs and outputs of a trace: tensors, and tuples, lists and dicts of them.

    f((a, b))        records     %1 : Tensor, %2 : Tensor = prim::TupleUnpack(%pair)
    return [x, y]    records     %9 : Tensor[] = prim::ListConstruct(%x, %y)

Source: torch/csrc/jit/frontend/tracer.cpp (`addInput`, `getOutput`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from torch import Tensor

from minits.diagnostics import error
from minits.ir.graph import Value
from minits.ops.tensor_text import type_of_tensor
from minits.tracing.recorder import Recorder
from minits.tracing.warning import warn
from minits.types import types as t
from minits.types.types import Type


def tensors_of(value: Any) -> Iterator[Tensor]:
    """Yield the tensors of a value: itself, or those in tuples, lists and mappings."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_of(item)
    elif isinstance(value, Mapping):
        yield from tensors_of(list(value.values()))


# ---- Inputs --------------------------------------------------------------------------------------


def add_inputs(recorder: Recorder, values: list[Any], names: list[str]) -> list[Any]:
    """Make each value an input of the graph; return what the program is to be called with.

    Raises `CompileError` (TS821) for a value that a trace cannot take.
    """
    named = names[: len(values)] if len(names) >= len(values) else [None] * len(values)
    try:
        types = [_input_type(value) for value in values]
    except _NoInput as unfit:
        raise error(
            None,
            "TS821",
            f"Type '{_annotation(tuple(values))}' cannot be traced: only tensors, and tuples, "
            f"lists and dicts of tensors, can be inputs of a trace; {unfit}",
            fix="leave it to a function or module that the trace calls, or script the program",
        ) from None
    inputs = [recorder.graph.add_input(*each) for each in zip(named, types, strict=True)]
    return [_add_input(recorder, *each) for each in zip(values, inputs, strict=True)]


class _NoInput(Exception):
    """The reason why a value is no input."""


def _input_type(value: Any) -> Type:
    """Return the type of an input. Raises `CompileError` and `_NoInput`."""
    if isinstance(value, Tensor):
        return t.TENSOR
    if isinstance(value, tuple):
        return t.TupleType(tuple(map(_input_type, value)))
    if isinstance(value, list) and value:
        return t.ListType(_type_of_inputs(value))
    if isinstance(value, dict) and value:
        return t.DictType(_key_type(value), _type_of_inputs(value.values()))
    if isinstance(value, (list, dict)):
        raise _NoInput(f"List trace inputs must have elements, as must dicts: found {value}")
    raise _NoInput(f"found a value of type {type(value).__name__}")


def _annotation(value: Any) -> str:
    """Return the type of a value as it would be written in Python."""
    if isinstance(value, tuple):
        return f"Tuple[{', '.join(map(_annotation, value))}]"
    if isinstance(value, list):
        return f"List[{', '.join(dict.fromkeys(map(_annotation, value)))}]"
    if isinstance(value, dict):
        parts = [next(map(_annotation, each), "") for each in (value, value.values())]
        return f"Dict[{', '.join(filter(None, parts))}]"
    return "Tensor" if isinstance(value, Tensor) else type(value).__name__


def _common_type(types: Iterable[Type], code: str, role: str, fix: str) -> Type:
    """Return the type of the items of a list or dict. Raises `CompileError` if they have several.

    role: "input" or "output", of the trace.
    """
    first, *others = dict.fromkeys(types)
    if others:
        raise error(
            None,
            code,
            f"the items of a list or dict that is an {role} of a trace have one type: found "
            + " and ".join(map(str, (first, *others)))
            + ", which are not consistent",
            fix=fix,
        )
    return first


def _type_of_inputs(values: Iterable[Any]) -> Type:
    return _common_type(map(_input_type, values), "TS821", "input", "pass a tuple")


def _type_of_outputs(values: Iterable[Value]) -> Type:
    types = (value.type for value in values)
    return _common_type(types, "TS822", "output", "return a tuple")


def _key_type(value: dict[Any, Any]) -> Type:
    key = next(iter(value))
    if isinstance(key, str):
        return t.STR
    if isinstance(key, Tensor):
        return t.TENSOR
    if isinstance(key, (bool, int, float)):
        return {bool: t.BOOL, int: t.INT, float: t.FLOAT}[type(key)]
    raise _NoInput(f"found a key of type {type(key).__name__}")


def _add_input(recorder: Recorder, value: Any, into: Value, is_item: bool = False) -> Any:
    """Bind what a value holds. The items of lists and dicts have no types of their own."""
    if not is_item:
        recorder.notes.types[into] = text_of_type(value, into.type)
    if isinstance(value, Tensor):
        if recorder.knows(value):
            value = value.view(value.shape)
        recorder.bind_output(value, into)
        return value
    if isinstance(value, tuple):
        unpacked = recorder.insert("prim::TupleUnpack", [into], into.type.elements).outputs  # type: ignore[attr-defined]
        return tuple(_add_input(recorder, *each) for each in zip(value, unpacked, strict=True))
    if isinstance(value, list):
        unpacked = _unpacked_list(recorder, into, len(value))
        pairs = zip(value, unpacked, strict=True)
        return [_add_input(recorder, item, each, is_item=True) for item, each in pairs]
    assert isinstance(into.type, t.DictType)
    return {
        key: _add_input(recorder, item, item_of(recorder, into, key), is_item=True)
        for key, item in value.items()
    }


def item_of(recorder: Recorder, named: Value, key: Any) -> Value:
    """Record the item of a dict; its key has no line."""
    assert isinstance(named.type, t.DictType)
    read = recorder.value_of(key) if isinstance(key, Tensor) else recorder.constant(key)
    read.node.range = None
    return recorder.insert("aten::__getitem__", [named, read], [named.type.value]).output


def _unpacked_list(recorder: Recorder, value: Value, length: int) -> list[Value]:
    assert isinstance(value.type, t.ListType)
    return recorder.insert("prim::ListUnpack", [value], [value.type.element] * length).outputs


def text_of_type(value: Any, type: Type) -> str:
    """Return the type of an input or output as the graph shows it."""
    if isinstance(value, Tensor):
        return type_of_tensor(value)
    if isinstance(value, tuple):
        assert isinstance(type, t.TupleType)
        return f"({', '.join(map(text_of_type, value, type.elements))})"
    return str(type)


# ---- Outputs -------------------------------------------------------------------------------------


def add_output(recorder: Recorder, value: Any) -> None:
    """Make what the program returned the output of the graph. Raises `CompileError`."""
    if value is None:
        raise error(
            None,
            "TS822",
            "what is traced returns nothing: a trace records no effects but those on tensors",
            fix="return the tensors that it computes",
        )
    recorder.graph.block.add_output(output_value(recorder, value))


def output_value(recorder: Recorder, value: Any) -> Value:
    """Return the value of something that leaves the program. Raises `CompileError`."""
    if isinstance(value, Tensor):
        return _output_tensor(recorder, value)
    if isinstance(value, tuple):
        return recorder.tuple_of([output_value(recorder, item) for item in value])
    if isinstance(value, list) and value:
        _warn_of_container(recorder, "list")
        items = [output_value(recorder, item) for item in value]
        return recorder.list_of(items, _type_of_outputs(items))
    if isinstance(value, dict) and value:
        return _dict_of(recorder, value)
    raise error(
        None,
        "TS822",
        "Only tensors, and tuples, lists and dicts of tensors, can be output from traced "
        f"functions: a value of type {type(value).__name__} cannot be understood by the tracer, "
        "only outputs matching those",
        fix="return tensors",
    )


def _output_tensor(recorder: Recorder, tensor: Tensor) -> Value:
    value = recorder.find(tensor)
    if value is None:
        raise error(
            None,
            "TS822",
            "Output of traced region did not have observable data dependence with trace inputs; "
            "this probably indicates your program cannot be understood by the tracer. A tensor is "
            "returned that was not computed by operators that the trace has seen: it would be the "
            "same for all inputs",
            fix="return it from a script, or compute it from an input",
        )
    return value


def _dict_of(recorder: Recorder, value: dict[Any, Any]) -> Value:
    if recorder.strict:
        raise error(
            None,
            "TS823",
            "Encountering a dict at the output: the trace is only right if its keys are the same "
            "for all inputs",
            fix="return a NamedTuple, or pass strict=False if you know that the keys do not change",
        )
    try:
        key_type = _key_type(value)
    except _NoInput as unfit:
        raise error(None, "TS822", f"a dict with keys of no type is returned: {unfit}") from None
    inputs = []
    for key, item in value.items():
        inputs.append(recorder.value_of(key) if isinstance(key, Tensor) else recorder.constant(key))
        inputs.append(output_value(recorder, item))
    type = t.DictType(key_type, _type_of_outputs(inputs[1::2]))
    return recorder.insert("prim::DictConstruct", inputs, [type]).output


def _warn_of_container(recorder: Recorder, kind: str) -> None:
    if recorder.strict:
        warn(
            f"a {kind} is returned, which might cause the trace to be incorrect: it is only right "
            "if the length is the same for all inputs. Return a tuple, or pass strict=False if you "
            "know that it does not change"
        )
