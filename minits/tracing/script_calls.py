"""Calls of compiled functions and modules within a trace: one node each, control flow kept.

    clip(x, 3)       with clip = minits.script(...), records
    %2 : int = prim::Constant[value=3]()
    %3 : Function = prim::Constant[name="clip"]()
    %4 : Tensor = prim::CallFunction(%3, %x, %2)

While a trace runs, `ScriptFunction` and `ScriptMethod` have the `__call__` of this file.

Source: torch/csrc/jit/python/pybind_utils.h (`runAndInsertCall`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from torch import Tensor

from minits.diagnostics import error
from minits.identity import Identity
from minits.ir.graph import Value
from minits.runtime.script import ScriptFunction, ScriptMethod
from minits.tracing.interface import item_of, tensors_of
from minits.tracing.recorder import Recorder
from minits.tracing.warning import BAKED_IN, warn
from minits.tracing_state import active_recorder
from minits.types import types as t
from minits.types.subtyping import union_members
from minits.users_objects import known_info


def record(recorder: Recorder, script: ScriptFunction, call: Callable[[], Any], args: Any) -> Any:
    """Record a call, make it, and return its result. Raises `CompileError` (TS826)."""
    function = script._minits
    with recorder.at_program_line():
        types = [argument.type for argument in function.schema.arguments]
        inputs = [value_of(recorder, *each) for each in zip(args, types, strict=True)]
        returns = [function.schema.returns[0].type]
        if function.itself is None:
            callee = recorder.insert("prim::Constant", types=[t.FunctionType(function)])
            callee.set_attr("name", "s", function.name)
            node = recorder.insert("prim::CallFunction", [callee.output, *inputs], returns)
        else:
            node = recorder.insert("prim::CallMethod", inputs, returns)
            node.set_attr("name", "s", function.name)
        result = call()
        bind_result(recorder, result, node.output)
    return result


def bound(recorder: Recorder, script: ScriptFunction, args: Any, kwargs: Any) -> list[Any]:
    """Return the arguments of a call, in order. Warns where a tensor becomes a number for it."""
    with recorder.paused():
        values = script.bound(args, kwargs)
    kept = set(map(id, tensors_of(values)))
    given = tensors_of([*args, *kwargs.values()])
    if any(recorder.knows(tensor) and id(tensor) not in kept for tensor in given):
        warn(f"a compiled function is given a tensor as a number: {BAKED_IN}")
    return values


def value_of(recorder: Recorder, value: Any, type: t.Type) -> Value:
    """Return the value of an argument, for a parameter of a type.

    As in torch, lists of other things than tensors are constants. Raises `CompileError` (TS826) for
    an unknown module.
    """
    if isinstance(value, Tensor):
        return recorder.value_of(value)
    if known_info(value) is not None:
        return _module(recorder, value)
    for each in union_members(type):
        if isinstance(value, list) and isinstance(each, t.ListType):
            if each.element == t.TENSOR:
                return recorder.list_of([recorder.value_of(item) for item in value], t.TENSOR)
            _warn_of_items(recorder, value)
            return recorder.constant(value, each)
        if isinstance(value, tuple) and isinstance(each, t.TupleType):
            items = zip(value, each.elements, strict=True)
            return recorder.tuple_of([value_of(recorder, *item) for item in items])
        if isinstance(value, dict) and isinstance(each, t.DictType):
            inputs = [
                value_of(recorder, *part)
                for key, item in value.items()
                for part in ((key, each.key), (item, each.value))
            ]
            return recorder.insert("prim::DictConstruct", inputs, [each]).output
    return recorder.constant(value)


def _warn_of_items(recorder: Recorder, items: list[Any]) -> None:
    if any(map(recorder.knows, tensors_of(items))):
        warn(f"a compiled function is given tensors in a list of containers: {BAKED_IN}")


def _module(recorder: Recorder, module: Any) -> Value:
    found = recorder.modules.get(Identity(module))
    if found is None:
        raise error(
            recorder.range,
            "TS826",
            f"{type(module).__name__} is called, but is no submodule of what is traced",
            fix="make it an attribute of the module that is traced",
        )
    return found


def bind_result(recorder: Recorder, result: Any, value: Value) -> None:
    """Let the tensors in a result be parts of a value."""
    if isinstance(result, Tensor):
        recorder.bind_output(result, value)
    elif isinstance(result, tuple) and isinstance(value.type, t.TupleType):
        _bind_items(recorder, result, value, "prim::TupleUnpack", value.type.elements)
    elif isinstance(result, list) and isinstance(value.type, t.ListType):
        types = [value.type.element] * len(result)
        _bind_items(recorder, result, value, "prim::ListUnpack", types)
    elif isinstance(result, dict) and isinstance(value.type, t.DictType):
        for key, item in result.items():
            bind_result(recorder, item, item_of(recorder, value, key))


def _bind_items(recorder: Recorder, items: Any, value: Value, kind: str, types: Any) -> None:
    unpacked = recorder.insert(kind, [value], types).outputs
    for item, each in zip(items, unpacked, strict=True):
        bind_result(recorder, item, each)


# ---- In the place of `__call__` ------------------------------------------------------------------


def _recording(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `__call__` that records the call; outside of traces it is the original."""

    def call(self: ScriptFunction, *args: Any, **kwargs: Any) -> Any:
        recorder = active_recorder()
        if recorder is None:
            return original(self, *args, **kwargs)
        values = bound(recorder, self, args, kwargs)
        return record(recorder, self, lambda: original(self, *args, **kwargs), values)

    return call


@contextmanager
def recorded_calls() -> Iterator[None]:
    """Record calls of compiled functions meanwhile."""
    with (
        patch.object(ScriptFunction, "__call__", _recording(ScriptFunction.__call__)),
        patch.object(ScriptMethod, "__call__", _recording(ScriptMethod.__call__)),
    ):
        yield
