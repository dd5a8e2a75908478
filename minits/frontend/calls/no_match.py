"""The error for a call that fits no overload.

Source: torch/csrc/jit/frontend/schema_matching.cpp (`matchSchemas`).
Differs: the overload that came nearest is shown, not all of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from minits.diagnostics import CompileError, Note, error
from minits.edits import Edit, replacing
from minits.frontend.calls import hints
from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.calls.schema_mismatches import Mismatch
from minits.frontend.calls.unannotated import MATCHED, unannotated_in_call
from minits.frontend.calls.untyped_containers import annotation_of_empty, stores_of
from minits.source import SourceRange
from minits.types import types as t
from minits.types.subtyping import what_is_missing
from minits.types.types import Type


def no_match(
    loc: SourceRange | None,
    name: str,
    mismatches: Sequence[Mismatch],
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    self_value: NamedValue | None = None,
) -> CompileError:
    """Return the error for a call that fits no overload; it shows the nearest overload."""
    nearest = max(mismatches, key=lambda mismatch: _nearness(mismatch, args, self_value))
    shown = name.removeprefix("aten::").removeprefix("prim::")
    given = [value for value in ([self_value] if self_value else []) if value]
    types = [_type_name(value) for value in [*given, *args]]
    types += [f"{keyword.name}={_type_name(keyword)}" for keyword in kwargs]
    found = f"{shown}({', '.join(types)})"
    notes = [Note(f"the nearest overload is {nearest.schema}")]
    message = f"{nearest.reason} The call is {found}"
    if len(mismatches) > 1:
        message = f"Arguments for call are not valid: no overload takes {found}. {nearest.reason}"
        others = len(mismatches) - 1
        plural = "overloads do" if others > 1 else "overload does"
        notes.append(Note(f"{others} other {plural} not fit either"))
    notes += _missing_methods(nearest)
    values = [*given, *args, *kwargs]
    notes += _origins(values, nearest)
    fix, edit = unannotated_in_call(values, nearest) or (None, None)
    fix = fix or _annotated_container(values, nearest) or _cure(nearest)
    wrong = _unknown_keyword(mismatches, kwargs)
    if wrong is not None:
        fix, edit = _other_keyword(mismatches, wrong)
    return error(loc, "TS402", message, notes=notes, fix=fix or _fitting(nearest), edit=edit)


def _unknown_keyword(
    mismatches: Sequence[Mismatch], kwargs: Sequence[NamedValue]
) -> NamedValue | None:
    """Return the keyword argument that no overload has."""
    known = _parameters(mismatches)
    return next((each for each in kwargs if each.name not in known), None)


def _parameters(mismatches: Sequence[Mismatch]) -> list[str]:
    names = (argument.name for each in mismatches for argument in each.schema.arguments)
    return list(dict.fromkeys(names))


def _other_keyword(mismatches: Sequence[Mismatch], wrong: NamedValue) -> tuple[str, Edit | None]:
    import difflib

    known = [name for name in _parameters(mismatches) if name not in ("self", "out")]
    close = difflib.get_close_matches(str(wrong.name), known, 1, 0.6)
    if not close:
        return f"its parameters are {', '.join(known)}", None
    edit = None
    if wrong.range is not None and wrong.range.text.startswith(f"{wrong.name}"):
        source, start, _ = wrong.range
        place = SourceRange(source, start, start + len(str(wrong.name)))
        edit = replacing(place, close[0], is_safe=False)
    return f"did you mean '{close[0]}'?", edit


def _fitting(nearest: Mismatch) -> str:
    """Return the hint of last resort: what the nearest overload takes."""
    found, argument = nearest.found, nearest.argument
    if found is None or argument is None:
        return "give the arguments that the nearest overload declares"
    others = re.search(MATCHED, nearest.reason)
    if others is not None:
        return f"give a value of type {others[1]} for '{argument.name}', as the others are"
    if isinstance(argument.type, t.VarType):
        return f"give a value of the type of the others for '{argument.name}'"
    holds = isinstance(found, (t.ListType, t.TupleType)) and argument.type == t.TENSOR
    wanted = f"give a value of type {argument.type.annotation} for '{argument.name}'"
    return f"{wanted}, such as an item of this one" if holds else wanted


def _missing_methods(mismatch: Mismatch) -> list[Note]:
    """Return a note on the methods that a class lacks for the interface expected."""
    found = mismatch.found
    wanted = mismatch.argument.type if mismatch.argument is not None else None
    if not (isinstance(found, t.ClassType) and isinstance(wanted, t.ClassType)):
        return []
    missing = what_is_missing(found, wanted) if wanted.is_interface else None
    if missing is None:
        return []
    names = f"{found.short_name} is not compatible with interface {wanted.short_name}"
    return [Note(f"{names}: {missing}")]


def _origins(values: Sequence[NamedValue], mismatch: Mismatch) -> list[Note]:
    """Return a note on the assignment that gave a variable the type which does not fit."""
    found = mismatch.found
    for given in values:
        if mismatch.range not in (None, given.range):
            continue
        if found is None or given.type != found:
            continue
        for store in stores_of(given.value):
            if store.input.type != found or store.range is None:
                continue
            if "is_inferred" in store.attributes and mismatch.argument is not None:
                return [Note(_INFERRED.format(mismatch.argument.name), store.range)]
            return [Note(f"'{store['name']}' got the type {found.annotation} here", store.range)]
    return []


def _annotated_container(values: Sequence[NamedValue], mismatch: Mismatch) -> str | None:
    """Return the annotation that an empty list or dict needs, whose default type is of tensors.

    None if the call is not one on such a container.
    """
    types = [value.type for value in values if value.type is not None]
    if len(types) != len(values) or not types:
        return None
    container, last = types[0], types[-1]
    if isinstance(container, t.DictType) and len(types) == 3:
        return annotation_of_empty(values[0].value, t.DictType(types[1], last))
    if isinstance(container, t.ListType) and len(types) > 1:
        formal = mismatch.argument.type if mismatch.argument is not None else None
        is_list = isinstance(formal, t.ListType) and isinstance(last, t.ListType)
        return annotation_of_empty(values[0].value, last if is_list else t.ListType(last))
    return None


_INFERRED = (
    "Inferred the value for argument '{}' to be of type 'Tensor' because it was not annotated with "
    "an explicit type"
)


def _nearness(
    mismatch: Mismatch, args: Sequence[NamedValue], self_value: NamedValue | None
) -> tuple[int, int]:
    given = len(args) + (self_value is not None)
    required = sum(not argument.has_default for argument in mismatch.schema.arguments)
    lacks_out = mismatch.argument is not None and mismatch.argument.name == "out"
    return -1 if lacks_out else mismatch.progress, -abs(required - given)


def _type_name(value: NamedValue) -> str:
    type = value.type
    return type.annotation if type is not None else type_of_python(value.value)


def type_of_python(value: Any) -> str:
    return "None" if value is None else value.__class__.__name__


def _cure(mismatch: Mismatch) -> str | None:
    found, argument = mismatch.found, mismatch.argument
    if found is None or argument is None:
        return None
    if isinstance(found, t.OptionalType) and isinstance(argument.type, t.OptionalType):
        return None
    return hints.for_abstract(found, "the value") or _conversion(found, argument.type)


def _conversion(found: Type, wanted: Type) -> str | None:
    casts = {t.INT: "int(...)", t.FLOAT: "float(...)", t.BOOL: "bool(...)", t.STR: "str(...)"}
    scalars = (t.INT, t.FLOAT, t.BOOL, t.TENSOR)
    if wanted in casts and found in scalars:
        return f"convert it: {casts[wanted]}"
    if wanted == t.TENSOR and found in scalars:
        return "make it a tensor: torch.tensor(...)"
    if isinstance(found, t.EnumType) and found.value_type == wanted:
        return "take the value of the member: `.value`"
    if isinstance(wanted, t.EnumType) and wanted.value_type == found:
        name = wanted.name.rpartition(".")[2]
        return f"give a member of {name}; annotate the attribute that it comes from: `: {name}`"
    return None
