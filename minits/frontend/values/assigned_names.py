"""The variables that a statement binds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from minits.syntax import tree


def assigned_names(statement: tree.Node) -> list[str]:
    """Return the variables that a statement, or a statement or expression in it, assigns."""
    named: list[str] = []
    for part in tree.walk(statement):
        match part:
            case tree.Import(names=names) | tree.ImportFrom(names=names):
                named += [each.asname or each.name.partition(".")[0] for each in names]
            case tree.FunctionDef(name=name) | tree.AsyncFunctionDef(name=name):
                named.append(name)
            case tree.ClassDef(name=name):
                named.append(name)
            case tree.Global(names=names) | tree.Nonlocal(names=names):
                named += names
            case tree.MatchAs(name=str(name)) | tree.MatchStar(name=str(name)):
                named.append(name)
            case tree.ExceptHandler(name=str(name)):
                named.append(name)
    return [*named, *target_names(_targets(statement))]


def assigned_attributes(statement: tree.Node) -> list[str]:
    """Return the attributes of variables that a statement, or a statement in it, assigns."""
    return [
        part.attr
        for target in _targets(statement)
        for part in tree.walk(target)
        if isinstance(part, tree.Attribute) and isinstance(part.value, tree.Name)
    ]


def _targets(statement: tree.Node) -> Iterator[tree.expr]:
    for part in tree.walk(statement):
        match part:
            case tree.Assign(targets=targets):
                yield from targets
            case tree.AnnAssign(target=target) | tree.AugAssign(target=target):
                yield target
            case tree.For(target=target) | tree.AsyncFor(target=target):
                yield target
            case tree.NamedExpr(target=target):
                yield target
            case tree.With(items=items) | tree.AsyncWith(items=items):
                yield from (each.optional_vars for each in items if each.optional_vars)


def target_names(targets: Iterable[tree.expr]) -> list[str]:
    """Return the variables that targets of an assignment bind."""
    names: list[str] = []
    for target in targets:
        match target:
            case tree.Name(id=name):
                names.append(name)
            case tree.Tuple(elts=items) | tree.List(elts=items):
                names += target_names(items)
            case tree.Starred(value=value):
                names += target_names((value,))
    return names
