"""Uses of `**kwargs` in a function, and whether all of them can be evaluated at compile time."""

from __future__ import annotations

from collections.abc import Iterator

from minits.syntax import tree

FORM = "$keyword_arguments"
"""By this name, which no program has, a variant's first statement makes its `KeywordArguments`."""

_METHODS = ("get", "pop", "keys", "values", "items")


def is_known_by_name(definition: tree.FunctionDef, name: str) -> bool:
    """Return whether all that a function does with `**name` can be done while compiling."""
    nodes = [node for statement in definition.body for node in tree.walk(statement)]
    allowed = {id(use) for node in nodes for use in _allowed_uses(node)}
    changed = {id(target) for node in nodes for target in _changed(node)}
    return all(
        id(node) in allowed and id(node) not in changed
        for node in nodes
        if isinstance(node, tree.Name) and node.id == name
    )


def _allowed_uses(node: tree.Node) -> Iterator[tree.Node]:
    match node:
        case tree.keyword(arg=None, value=value):
            yield value
        case tree.Subscript(value=value, slice=tree.Constant()):
            yield value
        case tree.Attribute(value=value, attr=attribute) if attribute in _METHODS:
            yield value
        case tree.Compare(ops=("in" | "not in",), comparators=(value,)):
            yield value
        case tree.Call(func=tree.Name(id="len"), args=(value,)):
            yield value
        case tree.If(test=value) | tree.IfExp(test=value) | tree.UnaryOp(op="not", operand=value):
            yield value
        case tree.For(iter=value) | tree.comprehension(iter=value):
            yield value


def _changed(node: tree.Node) -> Iterator[tree.Node]:
    """Yield the containers, `d` in `d[k] = v`, whose items a statement assigns or deletes."""
    targets: tuple[tree.expr, ...] = ()
    match node:
        case tree.Assign(targets=targets) | tree.Delete(targets=targets):
            pass
        case tree.AugAssign(target=target) | tree.AnnAssign(target=target):
            targets = (target,)
    for target in targets:
        yield from (part.value for part in tree.walk(target) if isinstance(part, tree.Subscript))
