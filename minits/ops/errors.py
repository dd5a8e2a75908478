"""The exceptions that a compiled program raises while it runs.

Everything is a `RuntimeError`, as with torch.jit, and also an instance of the Python class that the
same fault has in Python: a list index out of range is an `IndexError` too.

Source: torch/csrc/jit/runtime/jit_exception.h.
"""

from __future__ import annotations

import builtins
import re
from functools import cache
from typing import TypeVar


class ScriptError(RuntimeError):
    """A compiled program failed, or raised."""


Fault = TypeVar("Fault", bound=ScriptError)


class ScriptRaise(ScriptError):
    """A `raise` or a failing `assert` of the program.

    `class_name` is the qualified name of the class that the program named, if it did; `message` is
    what the program said.
    """

    class_name: str | None = None
    message: str = ""


class ScriptIndexError(ScriptError, IndexError):
    """An index is out of range."""


class ScriptKeyError(ScriptError, KeyError):
    """A key is in no dict."""

    __str__ = RuntimeError.__str__


class ScriptZeroDivisionError(ScriptError, ZeroDivisionError):
    """An integer is divided by 0."""


class ScriptTypeError(ScriptError, TypeError):
    """An operator does not take values of these kinds."""


class ScriptValueError(ScriptError, ValueError):
    """A value is none of those expected."""


_ASSERTION = "AssertionError: "


def raised(message: str, class_name: str | None = None) -> ScriptRaise:
    """Make the exception of `raise class_name(message)`."""
    shown = message
    if class_name is None and message.startswith(_ASSERTION):
        name, shown = "AssertionError", message[len(_ASSERTION) :]
    elif class_name is None and message == _ASSERTION.rstrip(": "):
        name, shown = message, ""
    else:
        name = (class_name or "RuntimeError").rpartition(".")[2]
    error = _class_for(name)(shown)
    error.class_name, error.message = class_name, message
    return error


def raised_by_operator(message: str, class_name: str) -> Exception:
    """Return the exception of an operator, for a pass that replaces the operator's own check."""
    error: Exception = getattr(builtins, class_name.rpartition(".")[2])(message)
    return error


@cache
def _class_for(name: str) -> type[ScriptRaise]:
    """Return a class that is a `ScriptRaise` and the builtin exception `name`, if there is one."""
    builtin = getattr(builtins, name, None)
    return _also(ScriptRaise, name, builtin if isinstance(builtin, type) else Exception)


def _also(base: type[Fault], name: str, builtin: type) -> type[Fault]:
    """Return a class that is a `base` and a builtin exception, if it can be both."""
    bases: tuple[type, ...] = (base,)
    if issubclass(builtin, Exception) and not issubclass(base, builtin):
        bases = (base, builtin)
    try:
        return type(name, bases, {"__str__": RuntimeError.__str__})
    except TypeError:  # a class of another memory layout, such as OSError
        return type(name, (base,), {})


def raised_in_python(error: Exception) -> ScriptError:
    """Return the error that a program raises where a Python function it calls raised `error`.

    Its class derives from `ScriptError` and from the builtin class of `error`.
    """
    name = error.__class__.__name__
    builtin = next(cls for cls in type(error).__mro__ if cls.__module__ == "builtins")
    return _also(ScriptError, name, builtin)(f"{name}: {error}")


def as_script_error(error: Exception) -> Exception:
    """Return the error that a compiled function raises for an exception of its generated code.

    Generated code indexes lists, dicts and tensors with Python's own operators.
    """
    if isinstance(error, RuntimeError):
        return error
    if isinstance(error, KeyError):
        from minits.ops.implementations.text import format_value

        return _like(error, ScriptKeyError(f"KeyError: {format_value(error.args[0])}"))
    if isinstance(error, IndexError):
        return _like(error, ScriptIndexError(_of_operator(str(error))))
    if isinstance(error, ZeroDivisionError):
        return _like(error, ScriptZeroDivisionError("division by 0"))
    if isinstance(error, ValueError):
        return _like(error, ScriptValueError(*error.args))
    if isinstance(error, TypeError):
        return _like(error, ScriptTypeError(*error.args))
    return error


def _of_operator(message: str) -> str:
    """Return the message of TorchScript's operator for that of Python's subscript.

    The slices of `x[:, :, 1:]` are operators, one for each dimension, the first ones first.
    """
    found = re.fullmatch(r"too many indices for tensor of dimension (\d+)", message)
    if found is None:
        return message.replace("list assignment index", "list index")
    dims = int(found[1])
    if dims == 0:
        return "slice() cannot be applied to a 0-dim tensor."
    bounds = f"[{-dims}, {dims - 1}]"
    return f"Dimension out of range (expected to be in range of {bounds}, but got {dims})"


def _like(old: Exception, new: ScriptError) -> ScriptError:
    return new.with_traceback(old.__traceback__)
