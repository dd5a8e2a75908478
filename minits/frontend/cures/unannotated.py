"""Cures for parameters without annotation, by the way in which the function uses them.

def f(x, n):
    for _ in range(n):      n is a Tensor, and range wants ints
        x = x + 1           -> def f(x, n: int)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from minits.diagnostics import Diagnostic
from minits.frontend.calls.unannotated import annotated
from minits.frontend.cures.site import Cure, Site
from minits.syntax import tree


def by_use(site: Site, fault: Diagnostic) -> Cure | None:
    """A fault of a Tensor at a parameter without annotation that is used as another type."""
    if "ensor" not in fault.message or site.definition.type_comment:
        return None
    parameters = {each.arg: each for each in _parameters(site.definition) if _is_bare(each)}
    for name in _names(site):
        wanted = next((w for w in _types_by_use(site.definition, name) if w is not None), None)
        if wanted is None:
            continue
        origin, wanted = _origin(site.definition, name, wanted, parameters)
        if origin in parameters:
            return Cure(*annotated(origin, wanted, parameters[origin].range))
    return None


def _parameters(definition: tree.FunctionDef) -> list[tree.arg]:
    args = definition.args
    return [*args.posonlyargs, *args.args, *args.kwonlyargs]


def _is_bare(parameter: tree.arg) -> bool:
    return parameter.annotation is None and not parameter.type_comment


def _names(site: Site) -> list[str]:
    """Return the variables at a fault: those of its node, or of the call or statement around it."""
    node = site.nearest(tree.Call, tree.Subscript, tree.Attribute, tree.stmt)
    assert node is not None
    if isinstance(node, tree.Attribute) and isinstance(site.parent, tree.Call):
        node = site.parent
    if isinstance(node, (tree.For, tree.While, tree.If, tree.With)):
        node = site.node
    found = (part.id for part in tree.walk(node) if isinstance(part, tree.Name))
    return list(dict.fromkeys(found))


def _origin(
    definition: tree.FunctionDef, name: str, wanted: str, parameters: Mapping[str, tree.arg]
) -> tuple[str | None, str]:
    """Return the parameter that a variable comes from, and the type that it then needs.

    for name in names: name.upper()     names, List[str]
    stop = n + 1; range(stop)           n, int
    """
    if name in parameters:
        return name, wanted
    values = []
    for part in tree.walk(definition):
        match part:
            case (
                tree.For(target=target, iter=items) | tree.comprehension(target=target, iter=items)
            ):
                if target.range.text == name:
                    return items.range.text, f"List[{wanted}]"
            case tree.Assign(targets=(target,), value=value) if target.range.text == name:
                values.append(value)
    if len(values) == 1 and isinstance(values[0], (tree.BinOp, tree.UnaryOp)):
        names = (part.id for part in tree.walk(values[0]) if isinstance(part, tree.Name))
        return next((each for each in names if each in parameters), None), wanted
    return None, wanted


# ---- The type that a use tells -------------------------------------------------------------------

_OF_STRINGS = {name for name in dir(str) if not name.startswith("_")}
_OF_LISTS = {"append", "extend", "insert"}
_OF_DICTS = {"items", "keys", "values", "get", "update"}
_OTHERS = {"count", "index", "expand", "split", "copy"}
"""Methods of strings that tensors or lists have as well."""


def _types_by_use(definition: tree.FunctionDef, name: str) -> Iterator[str | None]:
    for parent in tree.walk(definition):
        yield _type_by_use(parent, name)


def _type_by_use(parent: tree.Node, name: str) -> str | None:
    """Return the type that a node needs of a variable that it has as a part."""
    match parent:
        case tree.Call(func=tree.Name(id="range"), args=args) if _is_among(name, args):
            return "int"
        case tree.Call(func=tree.Attribute(value=tree.Name(id=owner), attr=method), args=args):
            return _type_of_method(method, args) if owner == name else None
        case tree.Subscript(value=tree.Name(id=owner), slice=tree.Constant(value=str())):
            return "Dict[str, Tensor]" if owner == name else None
        case tree.Assign(targets=(tree.Tuple(elts=parts),), value=tree.Name(id=given)):
            return f"Tuple[{', '.join(['Tensor'] * len(parts))}]" if given == name else None
        case tree.Compare(left=left, comparators=(other,)) if _is_among(name, (left, other)):
            return "str" if any(map(_is_text, (left, other))) else None
    return None


def _is_among(name: str, nodes: tuple[tree.expr, ...]) -> bool:
    return any(isinstance(each, tree.Name) and each.id == name for each in nodes)


def _is_text(node: tree.expr) -> bool:
    return isinstance(node, tree.Constant) and isinstance(node.value, str)


def _type_of_method(method: str, args: tuple[tree.expr, ...]) -> str | None:
    if method in _OF_LISTS:
        match args:
            case (*_, tree.Constant(value=bool() | int() | float() | str() as item)):
                return f"List[{type(item).__name__}]"
        return "List[Tensor]"
    if method in _OF_DICTS:
        return "Dict[str, Tensor]"
    return "str" if method in _OF_STRINGS - _OTHERS else None
