"""`f(**kwargs)` in the extended dialect: the arguments by their names, as if they were written out.

What is spread are the `**kwargs` of the function around, or a dict that is written there. `len` of
them is known too.
"""

from __future__ import annotations

from collections.abc import Iterator

from minits.diagnostics import Faults, not_supported
from minits.frontend.emit import expressions
from minits.frontend.extended.keyword_arguments import KeywordArguments
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import SugaredValue
from minits.frontend.values.when_failed import emit_alone
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types.types import Type


def emit_length(
    emitter: Emitter, call: tree.Call, n_binders: int, hint: Type | None
) -> SugaredValue | None:
    """Return `len(kwargs)`, or None for another call."""
    match call:
        case tree.Call(func=tree.Name(id="len"), args=(tree.Name(id=name),)):
            found = emitter.environment.sugared(name)
            if isinstance(found, KeywordArguments):
                return SimpleValue(found.len(origin(call), emitter))
    return None


def emit_spreading(
    emitter: Emitter, call: tree.Call, n_binders: int, hint: Type | None
) -> SugaredValue | None:
    """Emit a call with `**`, all keyword arguments written out; None for another call."""
    if all(keyword.arg is not None for keyword in call.keywords):
        return None
    keywords: list[tree.keyword] = []
    faults = Faults()
    for keyword in call.keywords:
        with faults.gathered():
            keywords += _written_out(emitter, keyword)
    if faults:
        with faults.gathered():
            emit_alone(emitter, [call.func, *call.args, *_yet_to_emit(call)])
    faults.raise_all()
    written_out = tree.replaced(call, keywords=tuple(keywords))
    return expressions.emit(emitter, written_out, n_binders, hint)


def _yet_to_emit(call: tree.Call) -> list[tree.expr]:
    """Return the values of keyword arguments that writing them out does not emit."""
    return [
        keyword.value
        for keyword in call.keywords
        if keyword.arg is not None or isinstance(keyword.value, tree.Dict)
    ]


def _written_out(emitter: Emitter, keyword: tree.keyword) -> Iterator[tree.keyword]:
    if keyword.arg is not None:
        yield keyword
        return
    if isinstance(keyword.value, tree.Dict):
        yield from _entries(keyword.value)
        return
    loc = origin(keyword.value)
    found = emitter.emit_sugared(keyword.value)
    if not isinstance(found, KeywordArguments):
        raise _not_known(keyword.value)
    for name, value in found.values.items():
        variable = emitter.temporary("$keyword")
        emitter.environment.set(loc, variable, value)
        yield tree.keyword(loc, name, tree.Name(loc, variable))


def _entries(display: tree.Dict) -> Iterator[tree.keyword]:
    for key, value in zip(display.keys, display.values, strict=True):
        if not (isinstance(key, tree.Constant) and isinstance(key.value, str)):
            raise _not_known(display)
        yield tree.keyword(value.range, key.value, value)


def _not_known(node: tree.expr) -> Exception:
    return not_supported(
        origin(node),
        "TS115",
        "keyword-arg expansion needs names that are known while compiling: those of **kwargs of "
        "this function, which nothing changes, or of a dict that is written here",
        fix="write the arguments out",
    )
