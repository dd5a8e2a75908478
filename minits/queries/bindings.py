"""The names that a function, class or file binds, and where: by its syntax alone."""

from __future__ import annotations

from collections.abc import Iterator

from minits.queries.record import target_names
from minits.source import SourceRange
from minits.syntax import tree

Definition = tree.FunctionDef | tree.ClassDef
_SCOPES = (tree.FunctionDef, tree.ClassDef, tree.Lambda)


def name_range(definition: Definition) -> SourceRange:
    """Return the range of the name of a function or class."""
    source, start, end = definition.range
    begin = source.text.index(definition.name, source.text.index(_keyword(definition), start) + 3)
    return SourceRange(source, begin, min(begin + len(definition.name), end))


def _keyword(definition: Definition) -> str:
    return "def" if isinstance(definition, tree.FunctionDef) else "class"


def bindings(scope: tree.Module | Definition) -> Iterator[tuple[str, SourceRange]]:
    """Yield the names that a scope binds itself, in the order of the text."""
    if isinstance(scope, tree.FunctionDef):
        parameters = scope.args
        for each in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs):
            yield each.arg, _begin(each, len(each.arg))
        for starred in filter(None, (parameters.vararg, parameters.kwarg)):
            yield starred.arg, _begin(starred, len(starred.arg))
    for node in _own_nodes(scope):
        match node:
            case tree.FunctionDef(name=name) | tree.ClassDef(name=name):
                yield name, name_range(node)
            case tree.alias(name=name, asname=asname):
                yield asname or name.partition(".")[0], node.range
            case tree.comprehension(target=target):
                yield from _names(target)
            case tree.NamedExpr(target=tree.Name(id=name) as target):
                yield name, target.range
            case tree.stmt():
                yield from ((target.id, target.range) for target in target_names(node))


def _begin(node: tree.Node, length: int) -> SourceRange:
    return SourceRange(node.range.source, node.range.start, node.range.start + length)


def _names(target: tree.expr) -> Iterator[tuple[str, SourceRange]]:
    for node in tree.walk(target):
        if isinstance(node, tree.Name):
            yield node.id, node.range


def _own_nodes(scope: tree.Module | Definition) -> Iterator[tree.Node]:
    """Yield the nodes of a scope, and of scopes inside it only their first, in pre-order."""
    stack: list[tree.Node] = list(reversed(scope.body))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack += reversed(tree.children(node))


def members(cls: tree.ClassDef) -> Iterator[tuple[str, SourceRange]]:
    """Yield the members of a class: methods and annotations, then attributes of `self`.

    Those that `__init__` assigns come first.
    """
    yield from bindings(cls)
    methods = [each for each in cls.body if isinstance(each, tree.FunctionDef)]
    for method in sorted(methods, key=lambda each: each.name != "__init__"):
        itself = method.args.args[0].arg if method.args.args else "self"
        for node in tree.walk(method):
            for target in _targets(node):
                match target:
                    case tree.Attribute(value=tree.Name(id=base), attr=name) if base == itself:
                        yield name, attribute_range(target)


def attribute_range(node: tree.Attribute) -> SourceRange:
    """Return the range of the name behind the dot."""
    return SourceRange(node.range.source, node.range.end - len(node.attr), node.range.end)


def _targets(node: tree.Node) -> tuple[tree.expr, ...]:
    match node:
        case tree.Assign(targets=targets):
            return tuple(
                item
                for each in targets
                for item in (each.elts if isinstance(each, tree.Tuple) else (each,))
            )
        case tree.AnnAssign(target=target):
            return (target,)
    return ()
