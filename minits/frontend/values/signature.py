"""The schema that a function declares: parameters, annotations, type comments, defaults.

Source: torch/csrc/jit/frontend/script_type_parser.cpp (`parseSchemaFromDef`),
torch/jit/frontend.py (`build_param_list`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from minits.diagnostics import IN_EXTENDED, CompileError, error, not_supported
from minits.frontend.calls.defaults import UNFIT, default_value, is_mutable
from minits.frontend.calls.unannotated import annotated
from minits.frontend.values.scope import Scope
from minits.frontend.values.type_comments import read_comment
from minits.ir.constants import shared_constant
from minits.ops.schema import MISSING, Argument, Schema
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.subtyping import union_of
from minits.types.types import Type

_BROADCASTING = r"BroadcastingList(\d*)"
_SIZE = r"_size_(\d)_t"
"""torch.nn's aliases of such lists of ints."""


def read_signature(
    name: str,
    definition: tree.FunctionDef,
    scope: Scope,
    defaults: dict[str, Any],
    is_method: bool,
    unfit: list[CompileError] | None = None,
    assumed: Mapping[str, Type] = MappingProxyType({}),
) -> Schema:
    """Return the declared schema without `self`; no returns where none is declared.

    An argument without annotation is what is `assumed`, or a Tensor. Raises `CompileError` for what
    cannot be declared.

    unfit: gets the faults of defaults that are not of their parameters' types, which torch looks
        for when the body has been compiled; without the list they are raised.
    """
    parameters = named_parameters(definition, scope.dialect)
    if is_method and not parameters:
        raise error(
            origin(definition),
            "TS607",
            f"methods must have a self argument, '{name}' has none",
            fix="add the parameter",
        )
    if is_method:
        parameters = parameters[1:]
    keyword_only = {parameter.arg for parameter in definition.args.kwonlyargs}
    annotations = [parameter.annotation for parameter in parameters]
    returns = definition.returns
    comment = read_comment(definition, parameters, scope.dialect)
    if comment is not None:
        annotations, returns = list(comment[0]), comment[1]
    arguments = tuple(
        _argument(
            parameter,
            annotation,
            assumed.get(parameter.arg, t.TENSOR),
            scope,
            defaults,
            parameter.arg in keyword_only,
            unfit,
        )
        for parameter, annotation in zip(parameters, annotations, strict=True)
    )
    results = () if returns is None else (Argument("", scope.type(returns)),)
    return Schema(name, "", arguments, results)


def named_parameters(definition: tree.FunctionDef, dialect: str) -> list[tree.arg]:
    """Return all parameters. Raises `NotSupportedError` for those that stand for several."""
    arguments = definition.args
    positional = [*arguments.posonlyargs, *arguments.args]
    for starred, text in ((arguments.vararg, "*"), (arguments.kwarg, "**")):
        if starred is not None:
            raise not_supported(
                starred.range,
                "TS191",
                f"Compiled functions can't take variable number of arguments: {text}{starred.arg}",
                notes=[IN_EXTENDED],
                fix="name every parameter",
            )
    if dialect == "torch":
        _refuse_defaults_by_name(arguments)
    return [*positional, *arguments.kwonlyargs]


def _refuse_defaults_by_name(arguments: tree.arguments) -> None:
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            raise not_supported(
                parameter.range,
                "TS190",
                "Compiled functions can't take variable number of arguments or use keyword-only "
                f"arguments with defaults: {parameter.arg}",
                notes=[IN_EXTENDED],
                fix="put it before the `*`, or drop the default",
            )


def _argument(
    parameter: tree.arg,
    annotation: tree.expr | None,
    without_annotation: Type,
    scope: Scope,
    defaults: dict[str, Any],
    keyword_only: bool,
    unfit: list[CompileError] | None,
) -> Argument:
    size: int | None = None
    type = without_annotation
    if annotation is not None:
        type, size = read_annotation(annotation, scope)
    default = defaults.get(parameter.arg, MISSING)
    if is_mutable(default):
        raise error(
            parameter.range,
            "TS215",
            f"Mutable default parameters are not supported: all calls would share that of "
            f"'{parameter.arg}'",
            fix="use None as the default, and make the value in the function",
        )
    value = default if default is MISSING or size is not None else default_value(default, type)
    is_inferred = annotation is None and without_annotation == t.TENSOR
    if value is UNFIT:
        assumed = " (it has no annotation)" if annotation is None else ""
        fix, edit = "annotate the parameter with the type of its default", None
        if annotation is None and default.__class__ in (bool, int, float, str):
            name = default.__class__.__name__
            fix, edit = annotated(parameter.arg, name, parameter.range)
        fault = error(
            parameter.range,
            "TS204",
            f"Expected a default value of type {type.annotation} on parameter '{parameter.arg}'"
            f"{assumed}, found {default.__class__.__name__}",
            fix=fix,
            edit=edit,
        )
        if unfit is None:
            raise fault
        unfit.append(fault)
        value = MISSING
    return Argument(
        parameter.arg,
        type,
        value,
        keyword_only,
        size,
        is_inferred=is_inferred,
        declared_at=None if annotation is not parameter.annotation else parameter.range,
        constant=shared_constant(value),
    )


def read_annotation(annotation: tree.expr, scope: Scope) -> tuple[Type, int | None]:
    """Return the type of an annotation; `BroadcastingList2[int]` is a list of known length.

    Raises `CompileError`.
    """
    match annotation:
        case tree.Name(id=name) if name[:6] == "_size_" and re.fullmatch(_SIZE, name):
            return t.ListType(t.INT), int(name[6])
        case tree.Subscript(value=tree.Name(id=name), slice=element):
            is_broadcasting = name.startswith("BroadcastingList")
            found = re.fullmatch(_BROADCASTING, name) if is_broadcasting else None
            if found is None and is_broadcasting:
                raise error(
                    origin(annotation),
                    "TS201",
                    "subscript of Broadcastable list must be a positive integer: '"
                    f"{name.removeprefix('BroadcastingList')}' in {name} is none",
                    fix="write the length in digits, as in BroadcastingList2, or List",
                )
            if found is not None:
                return t.ListType(scope.type(element)), int(found[1] or 0)
            if name == "Optional" and not isinstance(element, tree.Tuple):
                inner, size = read_annotation(element, scope)
                return union_of((inner, t.NONE)), size
    return scope.type(annotation), None
