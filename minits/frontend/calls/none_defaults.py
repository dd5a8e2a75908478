"""Defaults of None for parameters that are Tensors, which torch.jit lets a program declare.

    def f(x, lengths=None):                    `lengths` has no annotation, so it is a Tensor
        if lengths is not None:                always true
    ->  def f(x, lengths: Optional[Tensor] = None):

A call in a program that leaves the argument out is an error (TS216). The definition is none, since
callers may give the argument: it is warned of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minits.compile_warnings import warning
from minits.diagnostics import Diagnostic
from minits.edits import Edit, replacing
from minits.frontend.calls.spelled_types import known_in, spelled
from minits.frontend.calls.unannotated import Annotated, annotated
from minits.library_files import is_library
from minits.ops.schema import Argument, Schema
from minits.syntax import tree
from minits.types import types as t

_OPTIONAL = "Optional[Tensor]"


def is_none_of_tensor(argument: Argument) -> bool:
    """Return whether a parameter is a Tensor whose default is None."""
    return argument.default is None and argument.type == t.TENSOR


def warnings_of_none(definition: tree.FunctionDef, schema: Schema) -> Iterator[Diagnostic]:
    """Yield a warning for each parameter of a user's function that is a Tensor by default None."""
    if is_library(definition.range.source.filename):
        return
    found = tree.walk(definition.args)
    parameters = {each.arg: each for each in found if isinstance(each, tree.arg)}
    for argument in filter(is_none_of_tensor, schema.arguments):
        parameter = parameters.get(argument.name)
        if parameter is None:
            continue
        why = "has no annotation, so it is a Tensor" if argument.is_inferred else "is a Tensor"
        fix, edit = optional_tensor(argument)
        if edit is not None and not _is_tested(definition, argument.name):
            edit = Edit(edit.replacements, is_safe=False)  # its uses may want a Tensor
        yield warning(
            parameter.range,
            "TS217",
            f"'{argument.name}' {why}, and its default is None: a call in compiled code cannot "
            f"leave it out, and `{argument.name} is None` is never true",
            fix=fix,
            edit=edit,
        )


def helps_for_none(schema: Schema, values: Sequence[object]) -> Iterator[str]:
    """Yield the cure of each such parameter that a call from Python has given no tensor."""
    for argument, value in zip(schema.arguments, values, strict=False):
        if value is None and is_none_of_tensor(argument):
            cure = optional_tensor(argument).fix
            yield f"help: '{argument.name}' is None in this call, and its type is Tensor: {cure}"


def optional_tensor(argument: Argument) -> Annotated:
    """Return the cure of such a parameter: its annotation `Optional[Tensor]`, and the edit."""
    name, place, edit = argument.name, argument.declared_at, None
    written = _OPTIONAL if place is None else spelled(_OPTIONAL, place.source.filename)
    if argument.is_inferred:
        edit = annotated(name, _OPTIONAL, place).edit
    elif place is not None and known_in(written, place.source.filename):
        edit = replacing(place, f"{name}: {written}")
    return Annotated(f"annotate `{name}: {written} = None`", edit)


def _is_tested(definition: tree.FunctionDef, name: str) -> bool:
    """Return whether a function asks if a variable is None."""
    for node in tree.walk(definition):
        match node:
            case tree.Compare(
                left=tree.Name(id=left),
                ops=("is" | "is not",),
                comparators=(tree.Constant(value=None),),
            ) if left == name:
                return True
    return False
