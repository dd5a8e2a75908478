"""Forms that programs have beside Python itself: `annotate`, `fork`, `ignore`, `Final`, ...

Each is here as it is in plain Python, where a program is not compiled, and has the name that it has
in `torch.jit`. The front end knows all of them by these names, torch's own ones as well, and reads
the same attribute of functions, so that marks of either kind can be mixed.

Source: torch/_jit_internal.py, torch/jit/__init__.py, torch/jit/_async.py, torch/jit/_script.py.
"""

from __future__ import annotations

import builtins
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple, ParamSpec, Protocol, TypeVar, overload

from torch.futures import Future

from minits import torch_internals as internals
from minits.ops.errors import ScriptRaise as Error
from minits.tracing_state import TRACING, active_recorder

__all__ = [
    "Attribute", "Error", "Final", "Future", "annotate", "export", "fork", "ignore", "is_scripting",
    "is_tracing", "isinstance", "unused", "wait",
]  # fmt: skip

P = ParamSpec("P")
T = TypeVar("T")
Marked = TypeVar("Marked", bound=Callable[..., Any])


class _Mark(Protocol):
    """A decorator that returns the function, or method, that it is given."""

    def __call__(self, function: Marked, /) -> Marked: ...


class Attribute(NamedTuple):
    """A value of a module's attribute, with the type that it has in compiled methods."""

    value: Any
    type: Any


@overload
def annotate(the_type: type[T], the_value: Any) -> T: ...
@overload
def annotate(the_type: Any, the_value: T) -> T: ...


def annotate(the_type: Any, the_value: Any) -> Any:
    """Return the value. In a program it has the given type: `annotate(List[int], [])`."""
    return the_value


def is_scripting() -> bool:
    """Return False. In a program it is true, and a branch that it rules out is not compiled."""
    return False


def is_tracing() -> bool:
    """Return whether a trace is being recorded in this thread. In a program it is false."""
    if is_scripting():
        return False
    return TRACING.recorder is not None


def isinstance(obj: Any, target_type: Any) -> bool:
    """Return whether a value is of a type, or of one in a tuple, with the types within containers.

    In a program the value has that type in the branch behind. Raises `CompileError` for what is no
    type of TorchScript.
    """
    from minits.diagnostics import error
    from minits.ops.implementations.instances import is_instance
    from minits.types.annotations import type_from_python

    types = []
    for target in target_type if type(target_type) is tuple else (target_type,):
        known = type_from_python(target)
        if known is None:
            message = f"{target!r} is no type of TorchScript"
            raise error(None, "TS201", message, fix="give a type such as List[int] or Tensor")
        types.append(known)
    return any(is_instance(obj, each) for each in types)


def fork(func: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
    """Start a call, which another thread makes, and return its future: see `codegen/tasks.py`.

    In a program: the same. While `minits.trace` runs, the call is made and recorded here.
    """
    recorder = active_recorder()
    if recorder is not None:
        from minits.tracing.forks import record_fork

        return record_fork(recorder, func, *args, **kwargs)
    from minits.codegen.tasks import fork

    return fork(partial(func, **kwargs) if kwargs else func, *args, is_of_python=True)


def wait(future: Future[T]) -> T:  # type: ignore[type-var]  # here, where torch is Any
    """Return the result of a call that was forked, once there is one.

    Raises what the call raised; of a call that a program forked, always a `RuntimeError`.
    """
    result: T = future.wait()
    return result


def export(fn: Marked) -> Marked:
    """Mark a method that is compiled although `forward` does not call it."""
    return _marked(fn, internals.EXPORTED)


def unused(fn: T) -> T:
    """Mark a function, method or property of which a call in compiled code only raises."""
    functions: tuple[Any, ...] = (fn.fget, fn.fset) if builtins.isinstance(fn, property) else (fn,)
    for function in functions:
        if function is not None:
            _marked(function, internals.UNUSED)
    return fn


@overload
def ignore(drop: Marked) -> Marked: ...
@overload
def ignore(drop: bool = ..., *, drop_on_export: bool = ...) -> _Mark: ...


def ignore(drop: Any = False, *, drop_on_export: bool = False) -> Any:
    """Mark a function or method that stays Python's: `@ignore`, or `@ignore(drop=True)`.

    With `drop=True`, a call in compiled code raises, as that of an `@unused` function.
    `drop_on_export` is an old name of `drop`, of which a FutureWarning tells. Raises TypeError for
    a `drop` that is no bool.
    """
    if callable(drop):
        return _marked(drop, internals.IGNORED)
    if type(drop) is not bool:
        raise TypeError(f"ignore() takes a bool for drop, not {drop!r}")
    if drop_on_export:
        text = "ignore(drop_on_export=True) is deprecated: TorchScript will now drop the function "
        text += "when it compiles a call; mark it with `unused`"
        warnings.warn(text, FutureWarning, stacklevel=2)
        drop = True
    return partial(_marked, modifier=internals.UNUSED if drop else internals.IGNORED)


def _marked(function: Marked, modifier: Any) -> Marked:
    setattr(function, internals.MODIFIER, modifier)  # a class may be marked, too
    return function
