"""`script`, the way into the compiler.

What is needed for functions is imported with this module, what is needed for modules, classes and
containers when the first of them is compiled.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from torch import nn

from minits import torch_internals as internals
from minits.diagnostics import error
from minits.frontend.python.compilation import ExampleTypes, compilation, use_examples
from minits.frontend.python.compiled_functions import compile_function, make_compiled_function
from minits.frontend.python.scopes import CallbackScope, CallerScope, PythonScope
from minits.frontend.python.torch_jit_objects import callable_of, taken_over
from minits.gc_pause import gc_paused
from minits.internal_error import internal_errors
from minits.jit_enabled import is_enabled
from minits.recursion import deep_recursion
from minits.runtime.script import ScriptFunction
from minits.runtime.script_variants import VariadicFunction, compiled_function
from minits.types import types as t
from minits.users_objects import known_info

if TYPE_CHECKING:
    from minits.runtime.script_module import RecursiveScriptModule, ScriptModule

__all__ = ["DIALECTS", "script"]

DIALECTS = ("torch", "extended")
Names = Callable[[str], Any]
Examples = list[tuple[Any, ...]] | dict[Callable[..., Any], list[tuple[Any, ...]]]

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")
S = TypeVar("S", bound="ScriptModule")


# ---- Types: a class stays itself, a function keeps its parameters --------------------------------


@overload
def script(  # type: ignore[overload-overlap]  # a class is called, too
    obj: type[C],
    optimize: Any = ...,
    _frames_up: int = ...,
    _rcb: Names | None = ...,
    example_inputs: Examples | None = ...,
    *,
    dialect: str = ...,
) -> type[C]: ...
@overload
def script(
    obj: S,
    optimize: Any = ...,
    _frames_up: int = ...,
    _rcb: Names | None = ...,
    example_inputs: Examples | None = ...,
    *,
    dialect: str = ...,
) -> S: ...
@overload
def script(
    obj: nn.Module,
    optimize: Any = ...,
    _frames_up: int = ...,
    _rcb: Names | None = ...,
    example_inputs: Examples | None = ...,
    *,
    dialect: str = ...,
) -> RecursiveScriptModule: ...
@overload
def script(  # type: ignore[overload-cannot-match]  # here alone, where torch is Any
    obj: Callable[P, R],
    optimize: Any = ...,
    _frames_up: int = ...,
    _rcb: Names | None = ...,
    example_inputs: Examples | None = ...,
    *,
    dialect: str = ...,
) -> ScriptFunction[P, R]: ...


def script(
    obj: Any,
    optimize: Any = None,
    _frames_up: int = 0,
    _rcb: Callable[[str], Any] | None = None,
    example_inputs: Examples | None = None,
    *,
    dialect: str = "torch",
) -> Any:
    """Compile a function, an nn.Module instance or a class; share an object with compiled code.

    Return a `ScriptFunction` for a function, a `ScriptModule` for a module, a `ScriptList` or
    `ScriptDict`, which compiled code takes without a copy, for a list or dict; a class, or an
    object of one, is returned as it is, as is what is compiled already, and everything where
    `MINITS_JIT=0` or `PYTORCH_JIT=0` is in the environment. What torch.jit has compiled is taken
    over, with its parameters (docs/archives.md). `dialect="extended"` also accepts what
    docs/extensions.md lists.

    The methods of a class see the names of the caller, `_frames_up` calls further out. If `_rcb` is
    given, functions and methods of classes see what it returns for a name, unless that is None.

    example_inputs: tuples of arguments, in a list, or lists of such by what they are arguments of.
        `obj` runs with them, and they tell the types of parameters without annotation, of all
        functions that are called meanwhile. Other such parameters are Tensors.
    optimize: has no effect, and gives a warning.

    Raises `CompileError` with every fault of the program, `NotSupportedError` where its syntax is
    not TorchScript, `InternalError` where minits itself is at fault, and `ValueError` for an
    unknown dialect or examples of another form.
    """
    if dialect not in DIALECTS:
        raise ValueError(f"unknown dialect {dialect!r}; known are {', '.join(DIALECTS)}")
    if optimize is not None:
        warnings.warn("`optimize` has no effect", FutureWarning, stacklevel=2 + _frames_up)
    if not is_enabled():
        return obj
    scope: PythonScope | None = None if _rcb is None else CallbackScope(_rcb, dialect)
    types = _types_of_examples(obj, example_inputs, dialect)
    with (
        gc_paused(),
        deep_recursion(),
        internal_errors("minits.script"),
        compilation(),
    ):
        use_examples(types)
        if inspect.isclass(obj):
            from minits.frontend.python.script_classes import script_class

            return script_class(obj, scope or CallerScope(sys._getframe(1 + _frames_up), dialect))
        if inspect.isfunction(obj) and scope is not None:
            return compiled_function(make_compiled_function(obj, dialect, scope=scope), obj)
        return _script(obj, dialect)


def _types_of_examples(obj: Any, examples: Examples | None, dialect: str) -> ExampleTypes:
    """Return the types of parameters, by function, that examples show. Raises ValueError."""
    is_compiled = isinstance(obj, ScriptFunction) or known_info(obj) is not None
    if not examples or is_compiled or internals.is_jit_object(obj):
        return {}
    from minits.frontend.python.example_types import types_of_examples

    return types_of_examples(obj, examples, dialect)


def _script(obj: Any, dialect: str) -> Any:
    if isinstance(obj, (ScriptFunction, VariadicFunction)):
        return obj
    if internals.is_jit_module(obj):
        return taken_over(obj)
    obj = callable_of(obj)
    if isinstance(obj, ScriptFunction):
        return obj
    if isinstance(obj, nn.Module):
        return _script_module(obj, dialect)
    if isinstance(obj, (list, dict)):
        return _script_container(obj)
    if inspect.isfunction(obj) or inspect.ismethod(obj):
        function = getattr(obj, "__func__", obj)
        return compiled_function(compile_function(function, dialect), function)
    return _script_object(obj, dialect)


def _script_module(obj: nn.Module, dialect: str) -> Any:
    from minits.frontend.modules.cycles import require_no_cycle
    from minits.frontend.modules.initialized import check_initialized
    from minits.runtime.made_modules import prepared, script_module
    from minits.runtime.script_module import ScriptModule

    if isinstance(obj, ScriptModule):
        check_initialized(obj)
        return obj
    require_no_cycle(obj)
    return script_module(prepared(obj, {}), dialect)


def _script_container(obj: list[Any] | dict[Any, Any]) -> Any:
    from minits.runtime.script_containers import script_dict, script_list

    return script_list(obj) if isinstance(obj, list) else script_dict(obj)


def _script_object(obj: Any, dialect: str) -> Any:
    """Compile the class of an object, which compiled code then takes as it is."""
    from minits.frontend.python.class_registry import required_class_type
    from minits.frontend.python.sources import statement_of
    from minits.ops.from_python import convert_value

    type_ = required_class_type(type(obj), dialect)
    if not isinstance(type_, t.ClassType):
        raise error(
            statement_of(type(obj)),
            "TS614",
            f"this {type(obj).__name__} cannot be compiled",
            fix=f"compile the function that it wraps: {obj.__wrapped__.__name__}.__wrapped__"
            if hasattr(obj, "__wrapped__")
            else "pass a function, a class or an nn.Module instance",
        )
    try:
        convert_value(type_, obj)
    except TypeError as why:
        fix = "assign the attribute a value of its type"
        raise error(statement_of(type(obj)), "TS614", str(why), fix=fix) from None
    return obj
