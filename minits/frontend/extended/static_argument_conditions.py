"""Conditions about `*args` and `**kwargs` of a variant, which are known while compiling.

    if "scale" in kwargs:       if len(args) > 1:       if args:       if not kwargs:

Only the branch taken is compiled, so that it may use what the call has.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from minits.frontend.emit import conditions
from minits.frontend.extended.keyword_arguments import KeywordArguments
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.refinement import Condition
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.types import Type

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq,
    "!=": operator.ne, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def emit(emitter: Emitter, node: tree.expr) -> Condition | None:
    """Return a condition about the arguments; None for any other."""
    truth = known_truth(emitter, node)
    return None if truth is None else conditions.known(emitter, origin(node), truth)


def emit_comparison(
    emitter: Emitter, node: tree.Compare, n_binders: int, hint: Type | None
) -> SugaredValue | None:
    """Return the value of a comparison about the arguments; None for any other."""
    found = emit(emitter, node)
    return None if found is None else SimpleValue(found.value)


def known_truth(emitter: Emitter, node: tree.expr) -> bool | None:
    """Return the truth of a condition about the arguments; None for any other."""
    if emitter.function.template is None:
        return None
    match node:
        case tree.Compare(left=tree.Constant(value=key), ops=("in",), comparators=(tree.Name(),)):
            return _has_key(emitter, key, node.comparators[0])
        case tree.Compare(left=left, ops=(op,), comparators=(tree.Constant(value=int(bound)),)):
            length = _measured(emitter, left)
            compare = _COMPARISONS.get(op)
            return None if length is None or compare is None else compare(length, bound)
        case tree.Name(id=name):
            length = known_length(emitter, name)
        case _:
            length = _measured(emitter, node)
    return None if length is None else length > 0


def known_length(emitter: Emitter, name: str) -> int | None:
    """Return the number of arguments in `*args` or `**kwargs`; None for another variable."""
    found = emitter.environment.sugared(name)
    if isinstance(found, KeywordArguments):
        return len(found.values)
    template = emitter.function.template
    starred = template.definition.args.vararg if template is not None else None
    if starred is None or starred.arg != name:
        return None
    type = emitter.environment.type_of(name)
    return len(type.elements) if isinstance(type, t.TupleType) else None


def _measured(emitter: Emitter, node: tree.expr) -> int | None:
    """Return `len(args)` or `len(kwargs)`; None for another expression."""
    match node:
        case tree.Call(func=tree.Name(id="len"), args=(tree.Name(id=name),)):
            return known_length(emitter, name)
    return None


def _has_key(emitter: Emitter, key: object, right: tree.expr) -> bool | None:
    found = emitter.environment.sugared(right.id) if isinstance(right, tree.Name) else None
    return key in found.values if isinstance(found, KeywordArguments) else None
