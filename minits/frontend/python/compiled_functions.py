"""Functions that exist as Python objects: their source and their compilation.

Compiled functions are kept in the Python function, so each is compiled once, and goes with it.

Source: torch/_jit_internal.py (the marks that decorators leave), torch/jit/frontend.py
(`get_jit_def`) and torch/jit/_script.py (overloads).
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from minits import torch_internals as internals
from minits.compilation_journal import enter
from minits.compilation_state import STATE
from minits.diagnostics import error
from minits.frontend.python.compilation import example_types, is_first
from minits.frontend.python.declared_overloads import declarations_of
from minits.frontend.python.scopes import ClosureScope, PythonScope
from minits.frontend.python.sources import function_definition
from minits.frontend.python.wrappers import with_contexts
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.qualified_names import qualified_name
from minits.frontend.values.signature import read_signature
from minits.frontend.values.type_comments import require_type_comments
from minits.identity import Identity
from minits.lazily import lazily
from minits.live_annotations import python_signature
from minits.syntax import tree
from minits.types import types as t
from minits.types.inference import CannotInfer, infer_type
from minits.types.subtyping import is_subtype

if TYPE_CHECKING:
    from minits.frontend.values.scope import SelfArgument

is_current = lazily("minits.frontend.python.currency:is_current")


def default_values(function: Any) -> dict[str, Any]:
    """Return the defaults of a function's parameters."""
    parameters = python_signature(function).parameters.values()
    return {
        parameter.name: parameter.default
        for parameter in parameters
        if parameter.default is not inspect.Parameter.empty
    }


def compile_function(function: Any, dialect: str = "torch") -> CompiledFunction:
    """Return the compiled function of a Python function, to be defined when it is needed."""
    if hasattr(function, "__prepare_scriptable__"):
        function = function.__prepare_scriptable__()
    if hasattr(function, "__script_if_tracing_wrapper"):
        function = function.__original_fn
    compiled = STATE.functions.get(function) or {}
    known: CompiledFunction | None = compiled.get(dialect)
    is_asked_first = is_first((Identity(function), dialect))
    examples = example_types(function)
    is_other = known is not None and examples and known.assumed_types != examples
    if known is None or is_other or (is_asked_first and not is_current(known)):
        known = make_compiled_function(function, dialect)
        enter(STATE.functions, function, {**compiled, dialect: known})
    return known


def make_compiled_function(
    function: Any,
    dialect: str,
    itself: SelfArgument | None = None,
    name: str | None = None,
    declaration: Any = None,
    around: PythonScope | None = None,
    scope: PythonScope | None = None,
) -> CompiledFunction:
    """Make a compiled function or method.

    `declaration` is the overload whose signature the implementation `function` is compiled with.
    `around` knows further names; `scope`, if given, all of them.
    """
    definition = _prepared(function)
    definition = with_contexts(function, definition)
    defaults = default_values(function)
    scope = scope or ClosureScope(function, dialect, around)
    if declaration is not None:
        definition = _with_signature(definition, function_definition(declaration))
        defaults = {**defaults, **default_values(declaration)}
        defaults = _fitting(defaults, definition, scope, is_method=itself is not None)
    made = CompiledFunction(
        name or definition.name,
        STATE.unique_name(qualified_name(function)) if itself is None else qualified_name(function),
        definition,
        scope,
        itself=itself,
        defaults=defaults,
        dialect=dialect,
        check=_require_supported,
    )
    made.assumed_types = example_types(function)
    return made


def _require_supported(definition: tree.FunctionDef, dialect: str) -> None:
    from minits.syntax.fence import require_supported

    if dialect == "torch":
        require_type_comments(definition)
    require_supported(definition, dialect)


def _fitting(
    defaults: dict[str, Any], definition: tree.FunctionDef, scope: PythonScope, is_method: bool
) -> dict[str, Any]:
    """Leave out the implementation's defaults that an overload's types do not admit."""
    schema = read_signature(definition.name, definition, scope, {}, is_method)
    types = {argument.name: argument.type for argument in schema.arguments}
    return {
        name: value
        for name, value in defaults.items()
        if name not in types or _admits(types[name], value)
    }


def _admits(type: t.Type, value: Any) -> bool:
    if value.__class__ is int and is_subtype(t.FLOAT, type):
        return True
    try:
        return is_subtype(infer_type(value), type)
    except CannotInfer:
        return False


def _prepared(function: Any) -> tree.FunctionDef:
    """The tree of a function; the body of an `@unused` one only raises."""
    definition = function_definition(function)
    if not internals.is_dropped(function):
        return definition
    loc = definition.range
    any_type = tree.Name(loc, "Any")
    parameters = definition.args

    def untyped(arguments: tuple[tree.arg, ...]) -> tuple[tree.arg, ...]:
        return tuple(tree.replaced(argument, annotation=any_type) for argument in arguments)

    message = tree.Constant(loc, "Cannot call @unused methods", None)
    raised = tree.Call(loc, tree.Name(loc, "RuntimeError"), (message,), ())
    return tree.replaced(
        definition,
        body=(tree.Raise(loc, raised, None),),
        args=tree.replaced(
            parameters,
            args=untyped(parameters.args),
            kwonlyargs=untyped(parameters.kwonlyargs),
            vararg=None,
            kwarg=None,
        ),
    )


def _with_signature(
    implementation: tree.FunctionDef, declaration: tree.FunctionDef
) -> tree.FunctionDef:
    return tree.replaced(
        implementation,
        args=declaration.args,
        returns=declaration.returns,
        type_comment=declaration.type_comment,
    )


# ---- Overloads ---------------------------------------------------------------------------------


def compile_overloads(function: Any, dialect: str) -> list[CompiledFunction]:
    """Return the overloads of a function declared with `_overload`; none for other functions."""
    declarations = declarations_of(function)
    if not declarations:
        return []
    require_implementation(function, "function", declarations)
    compiled = STATE.overloads.get(function) or {}
    known: list[CompiledFunction] = compiled.get(dialect, [])
    if not known or not all(map(is_current, known)):
        known = [
            make_compiled_function(function, dialect, declaration=declaration)
            for declaration in declarations
        ]
        enter(STATE.overloads, function, {**compiled, dialect: known})
    return known


def require_implementation(function: Any, kind: str, declarations: list[Any]) -> None:
    """Raises `CompileError` where an overloaded function is nothing but its last declaration."""
    if function in declarations:
        name = qualified_name(function)
        raise error(
            function_definition(function).range,
            "TS614",
            f'Implementation for the {kind} "{name}" is missing: its last definition is an '
            "overload, too",
            fix=f"define {function.__name__} once more below, without the decorator",
        )
