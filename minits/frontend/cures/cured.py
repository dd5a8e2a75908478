"""From an error to one with better cures."""

from __future__ import annotations

import sysconfig
from collections.abc import Callable
from pathlib import Path

from minits.diagnostics import CompileError, Diagnostic, each_once
from minits.frontend.calls.hints import INSTEAD
from minits.frontend.cures import annotations as types
from minits.frontend.cures import (
    builtin_calls,
    module_indices,
    names,
    optional_values,
    refused_syntax,
    tested_values,
    unannotated,
)
from minits.frontend.cures.site import Cure, Site, site_of
from minits.records import replace
from minits.syntax import tree

Find = Callable[[Site, Diagnostic], "Cure | None"]
"""Returns the cure of an error at its place, or None if it knows none."""

_CURES: dict[str, tuple[Find, ...]] = {
    "TS101": (refused_syntax.walrus,),
    "TS104": (builtin_calls.key_function,),
    "TS108": (refused_syntax.local_import,),
    "TS110": (refused_syntax.set_in_test,),
    "TS112": (refused_syntax.unary_plus,),
    "TS113": (refused_syntax.formatted_value,),
    "TS115": (refused_syntax.spread_dict, refused_syntax.spread_keywords),
    "TS190": (refused_syntax.keyword_only,),
    "TS196": (refused_syntax.augmented,),
    "TS197": (refused_syntax.annotation_alone,),
    "TS201": (types.unknown_type,),
    "TS204": (optional_values.default_none,),
    "TS301": (builtin_calls.key_function, builtin_calls.function_as_value),
    "TS302": (
        builtin_calls.method_of_python, optional_values.dict_get,
        tested_values.tested_expression, tested_values.no_variable, names.similar,
    ),
    "TS305": (
        builtin_calls.spread_list, builtin_calls.unpacked_shape, builtin_calls.unpacked_tensor,
    ),
    "TS308": (module_indices.literal_index,),
    "TS311": (names.similar, names.assigned_in_loop),
    "TS318": (builtin_calls.index_after_dots,),
    "TS402": (
        builtin_calls.function_of_python,
        optional_values.compared_with_none,
        optional_values.dict_get,
        tested_values.tested_expression,
        tested_values.no_variable,
        builtin_calls.separate_tensors,
        builtin_calls.rounded,
        builtin_calls.true_division,
    ),
    "TS501": (types.first_assignment,),
    "TS504": (optional_values.dict_get, tested_values.tested_expression),
    "TS506": (builtin_calls.grad_mode,),
    "TS508": (optional_values.truth,),
}  # fmt: skip


_OF_ANY_CODE = (tested_values.tested_expression, types.empty_container)


def cured(fault: CompileError, definition: tree.FunctionDef) -> CompileError:
    """Return the error with cures for the places in a function; raise it `from None`.

    Errors of functions that it calls stay as they are.
    """
    found = [_cured(each, definition) for each in fault.diagnostics]
    if not found:
        return fault
    return type(fault)(each_once(found))


def _cured(fault: Diagnostic, definition: tree.FunctionDef) -> Diagnostic:
    if fault.callers:
        return _called(fault)
    if fault.edit is not None:
        return fault
    site = site_of(definition, fault)
    if site is None:
        return fault
    special = _CURES.get(fault.code, ())
    for find in (
        unannotated.by_use,
        *special,
        tested_values.tested_expression,
        types.empty_container,
    ):
        cure = find(site, fault)
        if cure is not None:
            return replace(fault, fix=cure.fix, edit=cure.edit)
    return fault


_STANDARD_LIBRARY = sysconfig.get_path("stdlib")


def _called(fault: Diagnostic) -> Diagnostic:
    """Return the error of a function that is called; nobody mends those of Python's library."""
    filename = fault.range.source.filename if fault.range is not None else ""
    if not filename.startswith(_STANDARD_LIBRARY) or "site-packages" in filename:
        return fault
    name = Path(filename).stem
    fix = f"the module {name} is Python's own: {INSTEAD}"
    if name == "copy":
        fix = "copy a tensor by x.clone(), a list by list(x), a dict by x.copy()"
    return replace(fault, fix=fix, edit=None)
