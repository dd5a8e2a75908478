"""Types are their texts, as torch prints them: `Tensor`, `int`, and `Tensor?` for an Optional."""

import ast

from examples.tiny.syntax import fault

NAMES = ("Tensor", "int", "float", "bool")


def annotation(tree: ast.expr | None) -> str:
    match tree:
        case None:
            return "Tensor"  # TorchScript's rule
        case ast.Name(name) | ast.Attribute(attr=name) if name in NAMES:
            return name
        case ast.Subscript(ast.Name("Optional"), element):
            return annotation(element) + "?"
    raise fault(tree, f"{ast.unparse(tree)} is not a type")


def refined(type: str) -> str:
    """Return what an Optional is once it is known not to be None."""
    return type.removesuffix("?")


def unified(a: str, b: str) -> str | None:
    """Return the type of a variable that has type `a` on one way and `b` on the other."""
    if a == b:
        return a
    for wide, narrow in ((a, b), (b, a)):
        if narrow in ("NoneType", refined(wide)):
            return refined(wide) + "?"
    return None
