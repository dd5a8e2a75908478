"""`minits build --input`: what is known of a call, and the library compared with the interpreter.

Before, for a call with None for `mask`:
    def forward(self, x: Tensor, mask: Optional[Tensor] = None)
After, where no branch for a mask is left:
    def forward(self, x: Tensor, mask: None = None)

The library refuses another mask then.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import torch

from minits.codegen.script_traceback import class_name_of, message_of
from minits.internal_error import InternalError
from minits.ir.constants import insert_constant
from minits.native_build.loading import load_native
from minits.native_build.programs import Exported
from minits.passes.pipeline import run_pipeline
from minits.records import replace
from minits.runtime.argument_faults import ArgumentError
from minits.types import types as t

RELATIVE, ABSOLUTE = 1e-4, 1e-5
"""Tolerances: a library calls some operators of torch in the place of others, such as a difference
for a sum, which round otherwise."""


def called_program(
    programs: Sequence[Exported], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Exported, list[Any]]:
    """Return the program that a call is of, and its arguments in order.

    It is the only function, or of the overloads of `forward` the first that takes the arguments.
    Raises `ArgumentError` where there is none.
    """
    named = [each for each in programs if each.owner is None or each.name == "forward"]
    fault = ArgumentError("--input is for one function, or for a module with forward")
    if len({each.name for each in named}) != 1:
        raise fault
    for program in named:
        try:
            values = program.function.bound(args, kwargs)
        except ArgumentError as found:
            fault = found
        else:
            names = [parameter.name for parameter in program.parameters]
            given = max([len(args), *(names.index(name) + 1 for name in kwargs)])
            return program, values[len(values) - len(names) :][:given]
    raise fault


def specialised(program: Exported, arguments: Sequence[Any]) -> Exported:
    """Return a program whose Optional parameters for which None is given take nothing else."""
    graph, parameters = program.graph, [*program.parameters]
    inputs = graph.inputs[len(graph.inputs) - len(parameters) :]
    for number, value in enumerate(arguments):
        if value is not None or not isinstance(parameters[number].type, t.OptionalType):
            continue
        with graph.inserting_at(next(iter(graph.block.nodes), graph.block)):
            none = insert_constant(graph, None, t.NONE, None)
        inputs[number].replace_all_uses_with(none)
        inputs[number].type = t.NONE
        parameters[number] = replace(parameters[number], type=t.NONE)
    run_pipeline(graph, "optimize")
    declaration = program.declared(parameters)
    return replace(program, parameters=tuple(parameters), declaration=declaration)


def check_library(folder: Path, program: Exported, arguments: Sequence[Any]) -> str:
    """Call a library and the interpreter with the same arguments, and return a line that tells it.

    Raises `InternalError` where the results differ.
    """
    native = getattr(load_native(folder), program.name)
    ours = _outcome(native, arguments)
    expected = _outcome(program.function.interpret, arguments)
    if not _are_equal(ours, expected):
        raise InternalError(
            f"the library's {program.name} gives {_shown(ours)} for the input, and the "
            f"interpreter {_shown(expected)}"
        )
    return f"checked: {program.name} gives {_shown(ours)} for the input, as the interpreter does"


def _outcome(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Return the result of a call, or the class and the message of its error.

    Random numbers are the same for each call.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        try:
            return function(*copy.deepcopy(list(arguments)))
        except Exception as error:
            return type(error)(f"{class_name_of(error)}: {message_of(error)}")


def _are_equal(found: Any, expected: Any) -> bool:
    """Return whether two results are equal, floats within the tolerances."""
    if isinstance(found, Exception) or isinstance(expected, Exception):
        return str(found) == str(expected) and isinstance(found, Exception)
    if isinstance(expected, torch.Tensor):
        return (
            isinstance(found, torch.Tensor)
            and (found.dtype, found.shape) == (expected.dtype, expected.shape)
            and torch.allclose(found, expected, RELATIVE, ABSOLUTE, equal_nan=True)
        )
    if isinstance(expected, (float, complex)):
        numbers = [torch.tensor(each, dtype=torch.complex128) for each in (found, expected)]
        return type(found) is type(expected) and _are_equal(*numbers)
    if isinstance(expected, (list, tuple)):
        pairs = [*zip(found, expected, strict=False)]
        are_alike = len(found) == len(expected) and _class_of(found) == _class_of(expected)
        return are_alike and all(_are_equal(*pair) for pair in pairs)
    if isinstance(expected, Enum):
        return _class_of(found) == _class_of(expected) and bool(found.name == expected.name)
    if isinstance(expected, dict):
        return [*found] == [*expected] and _are_equal([*found.values()], [*expected.values()])
    return bool(found == expected) and type(found) is type(expected)


def _class_of(value: Any) -> tuple[str, Sequence[str]]:
    """Return the name of a value's class, and the fields of a NamedTuple."""
    return value.__class__.__name__, getattr(value, "_fields", ())


def _shown(value: Any) -> str:
    """Return a short text of a result."""
    if isinstance(value, torch.Tensor) and value.numel() > 1:
        return f"a tensor {str(value.dtype).removeprefix('torch.')}{[*value.shape]}"
    if isinstance(value, (list, tuple)) and value and not hasattr(value, "_fields"):
        start, end = "[]" if isinstance(value, list) else "()"
        more = ", ..." if len(value) > 3 else ""
        return f"{start}{', '.join(map(_shown, value[:3]))}{more}{end}"
    text = str(value) if isinstance(value, Exception) else repr(value)
    return text if len(text) < 60 else f"{text[:57]}..."
