"""Module classes made into instances, so that they can be compiled.

    class Net(nn.Module):
        def __init__(self, width: int, scale: float = 1.0): ...

is made with the arguments of a call in the file, if it has one of literals and of names of the
module, such as `Net(8)`; else without arguments; else with sample arguments for the annotations,
`Net(width=8)`. Parameters are on the device `meta`, so that large modules take no memory.
"""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

from minits.check.compiled_names import TextScan, dotted
from minits.diagnostics import CompileError
from minits.internal_error import told
from minits.records import dataclass

_SIZES = (8, 2, 1)
"""Numbers to try, in this order, for all parameters that are ints."""
_KEEPING = ("eval", "train", "to", "cuda", "cpu", "half", "float", "double", "requires_grad_")
"""Methods of modules that return the module."""


class NotMade(Exception):
    """Raised for a class of which no instance can be made; its text says why.

    cause: what its `__init__` raised, for a program that Python cannot run either.
    """

    def __init__(self, reason: str, cause: Exception | None = None) -> None:
        super().__init__(reason)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Made:
    """An instance, and the expression that made it; of samples, if the file does not make it so."""

    value: nn.Module
    expression: str
    is_sample: bool = False


def make_instance(cls: type[nn.Module], names: dict[str, Any], scan: TextScan) -> Made:
    """Return an instance of a module class. Raises `NotMade`, and `CompileError` of its code.

    names: those of the module that the class is in.
    """
    if inspect.isabstract(cls):
        raise NotMade("it is abstract")
    for call in scan.constructions.get(cls.__name__, ()):
        try:
            return evaluate_module(call, names)
        except NotMade:
            continue  # its arguments are known when it runs
    required = _required(cls)
    if not required:
        return _without_arguments(cls)
    failures: list[Exception] = []
    for arguments in _sample_arguments(cls, required, names, scan):
        try:
            value = _on_meta(cls, **arguments)
        except CompileError:
            raise
        except Exception as problem:
            failures.append(problem)
            continue
        shown = ", ".join(f"{name}={_shown(each)}" for name, each in arguments.items())
        return Made(value, f"{cls.__name__}({shown})", is_sample=True)
    why = told(type(failures[-1]).__name__, str(failures[-1]).partition("\n")[0])
    raise NotMade(f"sample arguments do not make one: {why}", _certain(failures))


def evaluate_module(expression: ast.expr, names: dict[str, Any]) -> Made:
    """Return the module that an expression makes of literals and names.

    Raises `NotMade`, and `CompileError` of its code.
    """
    if not _is_evaluable(expression, names):
        raise NotMade("its arguments are not known before it runs")
    code = compile(ast.Expression(ast.fix_missing_locations(expression)), "<check>", "eval")
    try:
        value = _on_meta(lambda: eval(code, dict(names)))
    except CompileError:
        raise
    except Exception as problem:
        raise NotMade(told(type(problem).__name__, str(problem))) from None
    return Made(value, ast.unparse(expression))


def _without_arguments(cls: type[nn.Module]) -> Made:
    try:
        return Made(_on_meta(cls), f"{cls.__name__}()")
    except CompileError:
        raise
    except Exception as problem:
        why = told(type(problem).__name__, str(problem).partition("\n")[0])
        raise NotMade(f"{cls.__name__}() raised {why}", _certain([problem])) from None


def _certain(problems: list[Exception]) -> Exception | None:
    """Return an exception that no other arguments would have avoided: of a misspelt name."""
    if all(isinstance(each, NameError) or _is_of_module(each) for each in problems):
        return problems[-1]
    return None


def _is_of_module(problem: Exception) -> bool:
    return isinstance(problem, AttributeError) and inspect.ismodule(problem.obj)


def _on_meta(make: Callable[..., nn.Module], **arguments: Any) -> nn.Module:
    """Make a module on `meta`, or where that fails as usual."""
    try:
        with torch.device("meta"):
            return make(**arguments)
    except CompileError:
        raise
    except Exception as problem:
        if _certain([problem]):
            raise
    return make(**arguments)


def _required(cls: Any) -> list[inspect.Parameter]:
    try:
        parameters = inspect.signature(cls).parameters.values()
    except (TypeError, ValueError) as problem:
        raise NotMade(f"its parameters are not known: {problem}") from None
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [each for each in parameters if each.default is each.empty and each.kind not in variable]


def _sample_arguments(
    cls: Any, required: list[inspect.Parameter], names: dict[str, Any], scan: TextScan
) -> Iterator[dict[str, Any]]:
    """Yield arguments that the annotations allow. Raises `NotMade` where one does not tell."""
    try:
        hints = typing.get_type_hints(cls.__init__)
    except Exception as problem:
        reason = f"the annotations of __init__ have no meaning: {problem}"
        raise NotMade(reason) from None
    for parameter in required:
        if parameter.name not in hints:
            raise NotMade(
                f"'{parameter.name}' of __init__ has no annotation and no default, and no call "
                f"in the file makes it"
            )
    for size in _SIZES:
        yield {each.name: _sample(hints[each.name], each.name, size) for each in required}


def _sample(hint: Any, name: str, size: int) -> Any:
    """Return a value of an annotated type. Raises `NotMade` where it says too little."""
    samples: dict[Any, Any] = {
        int: size, float: 0.5, bool: False, type(None): None, torch.device: torch.device("cpu"),
        torch.dtype: torch.float32,
    }  # fmt: skip
    if hint in samples:
        return samples[hint]
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return parts[0]
    if type(None) in parts:
        return None
    if origin is tuple and parts and parts[-1] is not Ellipsis:
        return tuple(_sample(part, name, size) for part in parts)
    if origin is tuple and parts:
        return (_sample(parts[0], name, size),) * 2
    if isinstance(origin, type) and issubclass(list, origin) and len(parts) == 1:
        return [_sample(parts[0], name, size)] * 2
    if hint is torch.Tensor:
        return torch.zeros(size)
    shown = getattr(hint, "__name__", str(hint))
    raise NotMade(f"no sample is known for '{name}: {shown}' of __init__")


def _shown(value: Any) -> str:
    return f"torch.zeros({len(value)})" if isinstance(value, torch.Tensor) else repr(value)


def _is_evaluable(node: ast.AST, names: dict[str, Any]) -> bool:
    """Return whether an expression can be evaluated without surprises: it makes modules only."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name in names or name in ("True", "False", "None")
        case ast.Attribute(value=value):
            return _is_evaluable(value, names) and dotted(value) is not None
        case ast.Call(func=function, args=arguments, keywords=keywords):
            parts = [*arguments, *(each.value for each in keywords)]
            return _makes_module(function, names) and all(_is_evaluable(p, names) for p in parts)
        case ast.Starred(value=value) | ast.UnaryOp(operand=value):
            return _is_evaluable(value, names)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(_is_evaluable(part, names) for part in parts)
        case ast.Dict(keys=keys, values=values):
            return all(k is not None and _is_evaluable(k, names) for k in keys) and all(
                _is_evaluable(value, names) for value in values
            )
        case ast.BinOp(left=left, right=right):
            return _is_evaluable(left, names) and _is_evaluable(right, names)
    return False


def _makes_module(function: ast.expr, names: dict[str, Any]) -> bool:
    if isinstance(function, ast.Attribute) and function.attr in _KEEPING:
        return _is_evaluable(function.value, names)
    name = dotted(function)
    if name is None:
        return False
    value: Any = names.get(name.partition(".")[0])
    for part in name.split(".")[1:]:
        value = getattr(value, part, None)
    return inspect.isclass(value) and issubclass(value, nn.Module)
