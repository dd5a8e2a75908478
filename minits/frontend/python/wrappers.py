"""Decorators of functions: contexts of torch become `with`, others are refused or told.

    @torch.no_grad()                      def scaled(x: Tensor):
    def scaled(x: Tensor):      -->           with torch.no_grad():
        return x * 2                              return x * 2

A decorator returns a wrapper, whose `__wrapped__` is the function; that one is compiled.

Differs: torch.jit compiles the function and leaves out what the wrapper does, without a word.
"""

from __future__ import annotations

import inspect
from typing import Any

import torch

from minits import torch_internals as internals
from minits.compile_warnings import warn, warning
from minits.diagnostics import CompileError, error
from minits.library_files import is_library
from minits.source import SourceRange
from minits.syntax import tree

TORCH = "<torch>"
"""A name that means torch in the scope of each function, whatever its file calls it."""


def wrapped_function(function: Any) -> Any:
    """Return the innermost function of a decorated one: its file and names are those compiled."""
    found = inspect.unwrap(function)
    return found if hasattr(found, "__code__") else function


def with_contexts(function: Any, definition: tree.FunctionDef) -> tree.FunctionDef:
    """Return the definition of a decorated function, its body in the contexts of its decorators.

    Warns of a wrapper in the program's own files, whose code is left out as in torch.jit. Raises
    `CompileError` (TS614) for what TorchScript has no `with` for.
    """
    loc, contexts = definition.range, []
    while hasattr(function, "__wrapped__") and hasattr(function, "__code__"):
        context = internals.context_of_wrapper(function)
        if context is not None:
            contexts.append(_expression(context, definition))
        elif internals.is_transform_wrapper(function):
            raise _refused(
                definition,
                f"torch.func.{_name_of_code(function)}",
                f"compile the function that it wraps, {definition.name}.__wrapped__, and apply the "
                "transform to what minits.script returns",
            )
        elif not is_library(function.__code__.co_filename):
            _warn_of(function, definition)
        function = function.__wrapped__
    for each in reversed(contexts):
        item = tree.withitem(loc, each, None)
        body = (tree.With(loc, (item,), definition.body, None),)
        definition = tree.replaced(definition, body=body)
    return definition


# ---- Functions that are read as text ---------------------------------------------------------


def with_written_contexts(definition: tree.FunctionDef) -> tree.FunctionDef:
    """Return a definition, its body in the contexts that its written decorators name."""
    for decorator in reversed(definition.decorator_list):
        if _written_name(decorator) in ("no_grad", "autocast"):
            made = decorator
            if not isinstance(decorator, tree.Call):
                made = tree.Call(decorator.range, decorator, (), ())
            item = tree.withitem(decorator.range, made, None)
            body = (tree.With(decorator.range, (item,), definition.body, None),)
            definition = tree.replaced(definition, body=body)
    return definition


def require_known_contexts(definition: tree.FunctionDef) -> None:
    """Raise `CompileError` (TS614) for a written decorator that TorchScript has no `with` for."""
    for decorator in definition.decorator_list:
        name = _written_name(decorator)
        if name in ("inference_mode", "enable_grad", "set_grad_enabled", "vmap"):
            raise _refused(definition, f"torch.{name}", _fix_without(name))


def _written_name(decorator: tree.expr) -> str:
    return decorator.range.text.partition("(")[0].rpartition(".")[2].removeprefix("@").strip()


# ---- Contexts ----------------------------------------------------------------------------------


def _expression(context: Any, definition: tree.FunctionDef) -> tree.expr:
    """Return the expression that makes such a context. Raises `CompileError` (TS614)."""
    loc = definition.range
    match context:
        case torch.no_grad() | torch.set_grad_enabled(mode=False):
            return _call(loc, "no_grad")
        case torch.autocast():
            return _call(
                loc,
                "autocast",
                tree.Constant(loc, context.device, None),
                dtype=_of_torch(loc, str(context.fast_dtype).removeprefix("torch.")),
                enabled=tree.Constant(loc, context._enabled, None),
            )
    name = type(context).__name__
    raise _refused(definition, f"torch.{name}", _fix_without(name))


def _fix_without(name: str) -> str:
    if name == "inference_mode":
        instead = "decorate it with torch.no_grad() instead, or "
    else:
        instead = "leave the decorator out, and "
    return f"{instead}call the compiled function within torch.{name}()"


def _refused(definition: tree.FunctionDef, name: str, fix: str) -> CompileError:
    """Return the error of a decorator that has no meaning in TorchScript, at its line."""
    short = name.rpartition(".")[2]
    written = [each for each in definition.decorator_list if short in each.range.text]
    message = f"{definition.name} is decorated by {name}, which TorchScript does not have"
    loc = written[0].range if written else definition.range
    return error(loc, "TS614", message, fix=fix)


def _warn_of(wrapper: Any, definition: tree.FunctionDef) -> None:
    code = wrapper.__code__
    message = (
        f"{definition.name} is compiled without its decorator, whose function {code.co_name} "
        f"({code.co_filename}, line {code.co_firstlineno}) does not run in compiled code"
    )
    name = definition.name
    fix = f"compile {name}.__wrapped__, or write into {name} what the decorator does"
    warn(warning(definition.range, "TS618", message, fix=fix))


def _name_of_code(wrapper: Any) -> str:
    """Return the name of the transform whose wrapper this is: `vmap`."""
    names = ("vmap", "grad_and_value", "grad", "vjp", "jvp", "functionalize", "jacrev", "jacfwd")
    code = wrapper.__code__
    found = (name for name in names if code in getattr(torch.func, name).__code__.co_consts)
    return next(found, code.co_name)


def _of_torch(loc: SourceRange, name: str) -> tree.expr:
    return tree.Attribute(loc, tree.Name(loc, TORCH), name)


def _call(loc: SourceRange, name: str, *args: tree.expr, **keywords: tree.expr) -> tree.expr:
    named = tuple(tree.keyword(loc, key, value) for key, value in keywords.items())
    return tree.Call(loc, _of_torch(loc, name), args, named)
