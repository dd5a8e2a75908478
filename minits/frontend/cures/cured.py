"""From an error to one with better cures."""

from __future__ import annotations

from collections.abc import Callable

from minits.diagnostics import CompileError, Diagnostic, each_once
from minits.frontend.cures import annotations as types
from minits.frontend.cures import (
    builtin_calls,
    libraries,
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
    "TS204": (optional_values.default_none, libraries.empty_ordered),
    "TS301": (
        libraries.of_collections, libraries.category, libraries.of_numpy,
        builtin_calls.key_function, builtin_calls.function_as_value,
    ),
    "TS302": (
        libraries.of_logger, libraries.of_numpy,
        builtin_calls.method_of_python, optional_values.dict_get,
        tested_values.tested_expression, tested_values.no_variable, names.similar,
    ),
    "TS305": (
        builtin_calls.spread_list, builtin_calls.unpacked_shape, builtin_calls.unpacked_tensor,
    ),
    "TS308": (module_indices.literal_index,),
    "TS311": (names.similar, names.assigned_in_loop),
    "TS318": (builtin_calls.index_after_dots,),
    "TS401": (libraries.from_numpy,),
    "TS402": (
        libraries.of_collections,
        builtin_calls.function_of_python,
        builtin_calls.number_of_text,
        optional_values.compared_with_none,
        optional_values.dict_get,
        tested_values.tested_expression,
        tested_values.no_variable,
        builtin_calls.separate_tensors,
        builtin_calls.sum_of_tensors,
        builtin_calls.rounded,
        builtin_calls.true_division,
        builtin_calls.default_of_empty,
    ),
    "TS403": (libraries.of_numpy, libraries.of_logger),
    "TS407": (libraries.of_numpy, builtin_calls.iterator),
    "TS501": (types.first_assignment,),
    "TS502": (types.no_return_at_the_end,),
    "TS504": (types.returned_none, optional_values.dict_get, tested_values.tested_expression),
    "TS601": (types.empty_attribute,),
    "TS612": (libraries.of_logger,),
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
    return type(fault)(_one_of_a_library(each_once(found)))


def _one_of_a_library(faults: list[Diagnostic]) -> list[Diagnostic]:
    """Leave out all faults but the first of a library's function or class that a place calls."""
    seen: set[object] = set()
    kept = []
    for each in faults:
        place = each.callers[-1].range if each.callers and libraries.is_library(each) else None
        if place is None or place not in seen:
            kept.append(each)
        seen.add(place)
    return kept


def _cured(fault: Diagnostic, definition: tree.FunctionDef) -> Diagnostic:
    if fault.callers:
        return libraries.called_library(fault, definition)
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
