"""Hooks of modules: functions that run before and after `forward` where a module is called.

    layer.register_forward_pre_hook(first)  # first(self, inputs: Tuple[...]): None or inputs
    layer.register_forward_hook(last)       # last(self, inputs: Tuple[...], output): None or output

Source: torch/csrc/jit/python/python_sugared_value.cpp (`ModuleValue::call`),
aten/src/ATen/core/class_type.cpp (`checkForwardPreHookSchema`, `checkForwardHookSchema`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minits.diagnostics import error
from minits.frontend.builtins import FunctionValue, make_tuple
from minits.frontend.live import make_function
from minits.frontend.matching import NamedValue
from minits.frontend.ranges import origin
from minits.types import types as t

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from minits.frontend.emitter import Emitter
    from minits.frontend.function import CompiledFunction
    from minits.frontend.module_types import ModuleInfo
    from minits.frontend.module_value import ModuleValue
    from minits.ir.graph import Value
    from minits.source import SourceRange


class Hooks:
    """The hooks of a module's type: those before and those after `forward`, in their order.

    `functions` are the Python functions; they are compiled once, by `compiled`.
    """

    def __init__(self, before: Iterable[Any] = (), after: Iterable[Any] = ()) -> None:
        self.functions = tuple(before), tuple(after)
        self._compiled: dict[str, CompiledFunction] = {}

    def __bool__(self) -> bool:
        return any(self.functions)

    def compiled(self, info: ModuleInfo) -> tuple[list[CompiledFunction], list[CompiledFunction]]:
        """Return the compiled hooks before and after forward. Raises `CompileError`."""
        before, after = self.functions
        if not self._compiled:
            self._make(info)
        return [self._compiled[f.__name__] for f in before], [
            self._compiled[f.__name__] for f in after
        ]

    def _make(self, info: ModuleInfo) -> None:
        known: dict[str, Any] = {}
        for function in (*self.functions[0], *self.functions[1]):
            name = function.__name__
            if known.setdefault(name, function) is not function:
                message = f"Hook '{name}' on {info.cls.__name__} has the name of another hook"
                raise error(None, "TS616", message, fix="give each hook its own name")
        for name, function in known.items():
            made = make_function(function, info.dialect, info, name)
            made.qualified_name = f"{info.type.name}.{name}"
            made.is_hook = True
            made.ensure_defined()
            self._compiled[name] = made


def check_hooks(info: ModuleInfo) -> None:
    """Define a type's hooks and check their signatures. Raises `CompileError`."""
    if not info.hooks:
        return
    before, after = info.hooks.compiled(info)
    forward = info.method("forward")
    assert forward is not None
    _, *arguments = forward.schema.arguments
    inputs: t.Type = t.TupleType(tuple(argument.type for argument in arguments))
    for hook in before:
        _check(hook, [inputs])
        alone = arguments[0].type if len(arguments) == 1 else inputs
        _check_result(hook, (t.NONE, inputs, alone))
    output = forward.schema.returns[0].type
    for hook in after:
        _check(hook, [inputs, output])
        output = hook.schema.returns[0].type


def _check(hook: CompiledFunction, wanted: Sequence[t.Type]) -> None:
    """Check the types of what a hook takes beside `self`."""
    found = [argument.type for argument in hook.schema.arguments[1:]]
    if found != list(wanted):
        expected = ", ".join(type.annotation for type in wanted)
        given = ", ".join(type.annotation for type in found)
        raise error(
            origin(hook.definition),
            "TS616",
            f"the hook '{hook.name}' takes self, {given}",
            fix=f"annotate it to take self, {expected}",
        )


def _check_result(hook: CompiledFunction, wanted: Sequence[t.Type]) -> None:
    found = hook.schema.returns[0].type
    if found not in wanted:
        raise error(
            origin(hook.definition),
            "TS616",
            f"the hook '{hook.name}' returns {found.annotation}",
            fix=f"return None or {wanted[1].annotation}, the arguments of forward",
        )


def call_with_hooks(
    module: ModuleValue,
    range: SourceRange,
    emitter: Emitter,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    n_binders: int,
) -> Value:
    """Emit a call of a module that has hooks, and return its result."""
    graph = emitter.graph
    before, after = module.info.hooks.compiled(module.info)

    def run(hook: CompiledFunction, *values: Value) -> Value:
        given = [NamedValue(module.value), *map(NamedValue, values)]
        result = FunctionValue(hook).call(range, emitter, given, kwargs, n_binders)
        return result.as_value(range, emitter)

    inputs = make_tuple(emitter, [arg.ir_value(graph) for arg in args])
    for hook in before:
        result = run(hook, inputs)
        if result.type != t.NONE:
            is_tuple = isinstance(result.type, t.TupleType)
            inputs = result if is_tuple else make_tuple(emitter, [result])
    if before:
        assert isinstance(inputs.type, t.TupleType)
        unpacked = graph.emit("prim::TupleUnpack", [inputs], inputs.type.elements).outputs
        args = [NamedValue(value) for value in unpacked] if args else args
    forward = module.attr(range, emitter, "forward")
    output = forward.call(range, emitter, args, kwargs, n_binders).as_value(range, emitter)
    for hook in after:
        result = run(hook, inputs, output)
        if result.type != t.NONE:
            output = result
    return output
