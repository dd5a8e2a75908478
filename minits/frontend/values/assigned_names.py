"""The variables that a statement binds."""

from __future__ import annotations

from minits.syntax import tree


def assigned_names(statement: tree.stmt) -> list[str]:
    """Return the variables that a statement, or a statement nested in it, assigns."""
    roots: list[tree.expr] = []
    named: list[str] = []
    for part in tree.walk(statement):
        match part:
            case tree.Assign(targets=targets):
                roots += targets
            case tree.AnnAssign(target=target) | tree.AugAssign(target=target):
                roots.append(target)
            case tree.For(target=target) | tree.AsyncFor(target=target):
                roots.append(target)
            case tree.NamedExpr(target=target):
                roots.append(target)
            case tree.With(items=items) | tree.AsyncWith(items=items):
                roots += [item.optional_vars for item in items if item.optional_vars is not None]
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
    return [*named, *[name for root in roots for name in _target_names(root)]]


def _target_names(target: tree.expr) -> list[str]:
    match target:
        case tree.Name(id=name):
            return [name]
        case tree.Tuple(elts=items) | tree.List(elts=items):
            return [name for item in items for name in _target_names(item)]
        case tree.Starred(value=value):
            return _target_names(value)
    return []
