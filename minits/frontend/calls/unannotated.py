"""Parameters without annotation, which are Tensors, and are used or given as something else.

    def nearest(x, k):              nearest(x, 3) gives an int:
        return x.topk(k)[1]         -> def nearest(x, k: int):

The parameter may be the callee's, where the call gives it another type, or the caller's own, where
an operator wants another type.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from minits.edits import Edit, inserting, replacing
from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.calls.schema_mismatches import Mismatch
from minits.frontend.calls.spelled_types import known_in, spelled
from minits.frontend.calls.untyped_containers import stores_of
from minits.ir.graph import Node
from minits.source import SourceRange
from minits.types import types as t
from minits.types.types import Type

MATCHED = r"previously matched to type (int|float|bool|str) is matched"
"""Words in the reason for a value of another type than the others of its container."""


class Annotated(NamedTuple):
    """The words that name the annotation that a parameter lacks, and the edit that writes it."""

    fix: str
    edit: Edit | None


def annotated(name: str, annotation: str, place: SourceRange | None) -> Annotated:
    """Return the cure that annotates a parameter; `place` is its name where it is declared."""
    annotation = re.sub(r"__torch__[\w.]*\.(\w+)", r"\1", annotation)
    edit = None
    if place is not None:
        annotation = spelled(annotation, place.source.filename)
        if known_in(annotation, place.source.filename):
            edit = _annotating(place, annotation)
    fix = f"`{name}` has no annotation, so it is a Tensor; annotate `{name}: {annotation}`"
    return Annotated(fix, edit)


def is_in_library(place: SourceRange | None) -> bool:
    """Return whether a text is of an installed package, which nobody edits."""
    return place is not None and "site-packages" in place.source.filename


def _annotating(place: SourceRange, annotation: str) -> Edit:
    """Return the edit `n` -> `n: int`, and `n=3` -> `n: int = 3`."""
    source, _, end = place
    if source.text[end : end + 1] == "=":
        return replacing(SourceRange(source, end, end + 1), f": {annotation} = ")
    return inserting(place, after=f": {annotation}")


def unannotated_in_call(values: Sequence[NamedValue], nearest: Mismatch) -> Annotated | None:
    """Return the cure of a call that fits no overload, if a parameter lacks its annotation."""
    argument, found = nearest.argument, nearest.found
    if argument is None or found is None:
        return None
    if argument.is_inferred and not is_in_library(argument.declared_at):
        given = t.OptionalType(t.TENSOR) if found == t.NONE else found
        return annotated(argument.name, given.annotation, argument.declared_at)
    for value in values:
        store = _inferred(value)
        if store is None:
            continue
        wanted = None
        others = re.search(MATCHED, nearest.reason)
        if others is not None and found == t.TENSOR:
            return annotated(store["name"], others[1], store.range)
        if found == t.TENSOR and nearest.range in (None, value.range):
            wanted = argument.type
        elif argument.type == t.TENSOR and len(values) == 2 and nearest.range != value.range:
            wanted = found  # the other operand, as in `mode == "sum"`
        if wanted is not None and _is_plain(wanted):
            text = _wanted(wanted, argument.size is not None, len(values))
            return annotated(store["name"], text, store.range)
    return None


def _inferred(value: NamedValue) -> Node | None:
    """Return the store of a parameter without annotation, if a value was loaded from it alone."""
    stores = stores_of(value.value)
    is_inferred = len(stores) == 1 and "is_inferred" in stores[0].attributes
    return stores[0] if is_inferred else None


def _is_plain(type: Type) -> bool:
    """Return whether a type is one of numbers, text, and lists and dicts of them or of tensors."""
    plain = (t.INT, t.FLOAT, t.BOOL, t.STR)
    if isinstance(type, t.OptionalType):
        return _is_plain(type.element)
    if isinstance(type, t.ListType):
        return type.element == t.TENSOR or _is_plain(type.element)
    if isinstance(type, t.DictType):
        return type.value == t.TENSOR or _is_plain(type.value)
    return type in plain


def _wanted(type: Type, is_broadcasting: bool, given: int) -> str:
    """Return the annotation: one int for a list of sizes that takes one, or is one of several."""
    if isinstance(type, t.OptionalType):
        type = type.element
    several = is_broadcasting or given > 2
    is_sizes = isinstance(type, t.ListType) and type.element in (t.INT, t.FLOAT)
    if is_sizes and several:
        assert isinstance(type, t.ListType)
        type = type.element
    return type.annotation
