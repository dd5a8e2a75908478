"""Calls of operators whose arguments fit as they are: the overload follows from their types alone.

    aten::add(Tensor, Tensor)      add.Tensor, with the default of `alpha`; a Tensor
    aten::append(List[int], int)   append.t; a List[int]

A program makes few such calls in many places. What the first one of a kind finds out is kept, so
that the others neither try overloads nor match arguments. Nothing is kept of calls with keywords,
with Python values, with conversions, with empty lists that may become lists of anything, of types
that name a class of the program, and where an overload that was tried in vain has made values: the
numbers of later ones count these, in torch, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.bounded_cache import BoundedCache
from minits.frontend.calls.schema_matching import (
    MatchedSchema,
    NamedValue,
    insert_default_of,
    match_schemas,
)
from minits.ir.graph import Graph, Value
from minits.ops.schema import Schema
from minits.records import dataclass
from minits.source import SourceRange
from minits.types.remembered import names_class
from minits.types.subtyping import evaluate_variables, has_variables, match_variables
from minits.types.types import Type

MOST_CALLS = 4096


@dataclass(slots=True)
class _Known:
    """A resolved call: its overload, one of `overloads`, and the types of the results."""

    overloads: Sequence[Schema]
    schema: Schema
    return_types: list[Type]
    is_generic: bool
    """Whether types of the results contain those of arguments."""

    def types_for(self, values: Sequence[Value]) -> list[Type]:
        """Return the types of the results for these arguments.

        Types that contain one of an argument's are objects of each call, which a pass may tell
        apart as torch's does (`passes/emission/exits.py`).
        """
        if not self.is_generic:
            return self.return_types
        bound: dict[str, Type] = {}
        for argument, value in zip(self.schema.arguments, values, strict=False):
            match_variables(argument.type, value.type, bound)
        return [
            evaluate_variables(result.type, bound) or known
            for result, known in zip(self.schema.returns, self.return_types, strict=True)
        ]


_Key = tuple[str, bool, tuple[Type, ...]]
_known: BoundedCache[_Key, _Known] = BoundedCache(MOST_CALLS)
"""Resolved calls, by operator, whether it is called as a method, and the arguments' types."""


def match_exactly(
    overloads: Sequence[Schema],
    graph: Graph,
    loc: SourceRange | None,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue] = (),
    self_value: NamedValue | None = None,
) -> MatchedSchema | None:
    """Return the first overload that takes the arguments without converting any, or None.

    overloads: those that are registered for one operator.
    """
    values = _values(args, self_value)
    if kwargs or not overloads or values is None:
        return _matched(overloads, graph, loc, args, kwargs, self_value)
    key = overloads[0].name, self_value is not None, tuple([value.type for value in values])
    known = _known.get(key)
    if known is not None and known.overloads is overloads:
        missing = known.schema.arguments[len(values) :]
        inputs = values + [insert_default_of(graph, argument, loc) for argument in missing]
        return MatchedSchema(known.schema, inputs, known.types_for(values))
    before = graph.values_made
    found = _matched(overloads, graph, loc, args, kwargs, self_value)
    if found is None or any(map(names_class, key[2])):
        return found
    made = graph.values_made - before
    if _takes_as_they_are(found, values) and made == len(found.inputs) - len(values):
        is_generic = any(has_variables(result.type) for result in found.schema.returns)
        _known.put(key, _Known(overloads, found.schema, found.return_types, is_generic))
    return found


def _matched(
    overloads: Sequence[Schema],
    graph: Graph,
    loc: SourceRange | None,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    self_value: NamedValue | None,
) -> MatchedSchema | None:
    found = match_schemas(overloads, graph, loc, args, kwargs, self_value, conversions=(False,))
    return found if isinstance(found, MatchedSchema) else None


def _values(args: Sequence[NamedValue], self_value: NamedValue | None) -> list[Value] | None:
    """Return the arguments' values, or None where their types do not say all."""
    values = [arg.value for arg in (args if self_value is None else (self_value, *args))]
    for value in values:
        if value.__class__ is not Value or value.node.kind == "prim::EmptyListLiteral":
            return None
    return values


def _takes_as_they_are(found: MatchedSchema, values: Sequence[Value]) -> bool:
    """Return whether the inputs begin with the values themselves; defaults are the rest."""
    n_inputs = max(len(values), len(found.schema.arguments))
    same = all(value is taken for value, taken in zip(values, found.inputs, strict=False))
    return same and len(found.inputs) == n_inputs
