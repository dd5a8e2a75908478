"""Hooks of modules: functions that run before and after `forward` where a module is called.

    layer.register_forward_pre_hook(first)  # first(self, inputs: Tuple[...]): None or inputs
    layer.register_forward_hook(last)       # last(self, inputs: Tuple[...], output): None or output

Source: torch/csrc/jit/python/python_sugared_value.cpp (`ModuleValue::call`),
aten/src/ATen/core/class_type.cpp (`checkForwardPreHookSchema`, `checkForwardHookSchema`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from minits.diagnostics import CompileError, Faults, error
from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.python.compiled_functions import make_compiled_function
from minits.frontend.values.builtins import FunctionValue, make_tuple
from minits.syntax.torch_ranges import origin
from minits.types import types as t

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from minits.frontend.modules.module_info import ModuleInfo
    from minits.frontend.modules.module_value import ModuleValue
    from minits.frontend.values.emitter import Emitter
    from minits.frontend.values.function import CompiledFunction
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
        # torch looks at the hooks after forward first
        for kind, functions in zip(("Hook", "Pre-hook"), reversed(self.functions), strict=True):
            for function in functions:
                self._check_name(info, kind, function, known)
        compiled, faults = {}, Faults()
        for name, function in known.items():
            made = make_compiled_function(function, info.dialect, info, name)
            made.qualified_name = f"{info.type.name}.{name}"
            made.is_hook = True
            with faults.gathered():
                made.ensure_defined()
            compiled[name] = made
        faults.raise_all()
        self._compiled = compiled

    @staticmethod
    def _check_name(info: ModuleInfo, kind: str, function: Any, known: dict[str, Any]) -> None:
        name, fix = getattr(function, "__name__", None), "give each hook a name of its own"
        if not isinstance(name, str):
            raise _no_function(info, kind, function)
        if known.setdefault(name, function) is not function:
            message = (
                f"{kind} '{name}' on {info.cls.__name__} has at least two different python "
                "definitions. Please use unique names for all hooks."
            )
            raise error(None, "TS616", message, fix=fix)
        if name in info.type.methods:
            message = (
                f"Can't define hook: {name} on class: {info.type.name} because a method or hook "
                "with that name already exists."
            )
            raise error(None, "TS616", message, fix=fix)


def _no_function(info: ModuleInfo, kind: str, hook: Any) -> CompileError:
    of = type(hook)
    return error(
        None,
        "TS616",
        f"{kind} on {info.cls.__name__} is an object of class {of.__qualname__}, and only hooks "
        "that are functions can be compiled",
        fix="trace the module (minits.trace), or remove the hook before; those of torch.nn.utils "
        "have functions for that, such as remove_weight_norm",
    )


def check_hooks(info: ModuleInfo) -> None:
    """Define a type's hooks and check their signatures. Raises `CompileError`."""
    if not info.hooks:
        return
    if "forward" in info.type.overloads:
        raise error(
            None,
            "TS616",
            f"forward of {info.cls.__name__} has overloads, and a hook can be compiled with one "
            "function alone",
            fix="remove the hook, compile, and register it on the compiled module: it runs there "
            "as in Python",
        )
    before, after = info.hooks.compiled(info)
    forward = info.method("forward")
    assert forward is not None
    arguments = tuple(argument.type for argument in forward.schema.arguments[1:])
    for hook in before:
        fault = _input_fault(hook, arguments, 2) or _result_fault(hook, arguments)
        _refuse(info, hook, "Pre-hook", fault, arguments, "")
    output = forward.schema.returns[0].type
    for hook in after:
        fault = _input_fault(hook, arguments, 3) or _output_fault(hook, output)
        _refuse(info, hook, "Hook", fault, arguments, f", output: {output.annotation}")
        output = hook.schema.returns[0].type


def _refuse(
    info: ModuleInfo,
    hook: CompiledFunction,
    kind: str,
    fault: str | None,
    arguments: tuple[t.Type, ...],
    output: str,
) -> None:
    if fault is not None:
        name = info.type.name.rpartition(".")[2]
        inputs = t.TupleType(arguments).annotation
        raise error(
            origin(hook.definition),
            "TS616",
            f"{kind} '{hook.name}' on module '{name}' {fault}",
            fix=f"write def {hook.name}(self, inputs: {inputs}{output})",
        )


def _input_fault(hook: CompiledFunction, arguments: tuple[t.Type, ...], wanted: int) -> str | None:
    """Return the error of a hook whose parameters do not fit the arguments of `forward`, or None.

    wanted: the number of parameters, `self` included.
    """
    found = hook.schema.arguments
    if len(found) != wanted:
        return f"was expected to only have exactly {wanted} inputs but it had {len(found)} inputs"
    inputs = found[1].type
    if not isinstance(inputs, t.TupleType):
        given = inputs.annotation
        return (
            f"expected the input argument to be typed as a Tuple but found type: '{given}' instead"
        )
    received = f"Received type: '{inputs.annotation}'"
    if len(inputs.elements) != len(arguments):
        what = "wrong number of contained types for the input argument's Tuple"
        return f"has the {what}. {received}"
    if inputs.elements != arguments:
        return f"has the wrong inner types for the input tuple argument. {received}"
    return None


def _result_fault(hook: CompiledFunction, arguments: tuple[t.Type, ...]) -> str | None:
    """Return the error of a pre-hook whose result does not fit, or None.

    It must be None, the tuple of forward's arguments, or forward's only argument.
    """
    if hook.definition.returns is None:
        return "is missing a return annotation. Return annotations are required, please add one."
    result = hook.schema.returns[0].type
    wrong = f"returned the wrong type of: '{result.annotation}'."
    elements = result.elements if isinstance(result, t.TupleType) else None
    if elements is not None and (result,) == arguments:
        return (
            f"{wrong} When forward has a single tuple input argument, the return needs to be "
            "'None' or a nested tuple containing forward's input tuple argument as in: "
            f"'Tuple[{result.annotation}]'"
        )
    fits = result == t.NONE or elements == arguments or (result,) == arguments
    return None if fits else wrong


def _output_fault(hook: CompiledFunction, output: t.Type) -> str | None:
    found = hook.schema.arguments[2].type
    if found == output:
        return None
    received = f"Received type: '{found.annotation}'. Expected type: '{output.annotation}'"
    return f"has the wrong type for the output argument. {received}"


def call_with_hooks(
    module: ModuleValue,
    loc: SourceRange,
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
        result = FunctionValue(hook).call(loc, emitter, given, kwargs, n_binders)
        return result.as_value(loc, emitter)

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
    forward = module.attr(loc, emitter, "forward")
    output = forward.call(loc, emitter, args, kwargs, n_binders).as_value(loc, emitter)
    for hook in after:
        result = run(hook, inputs, output)
        if result.type != t.NONE:
            output = result
    return output
