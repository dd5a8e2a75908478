"""Cures for values that may be None."""

from __future__ import annotations

import re

from minits.diagnostics import Diagnostic
from minits.edits import replacing
from minits.frontend.cures.annotations import optional_of
from minits.frontend.cures.site import Cure, Site, is_simple
from minits.source import SourceRange
from minits.syntax import tree

_NONE_OR_MODULE = r"Optional\[|type (NoneType|__torch__\.\S+) to bool"
_CONTAINER = r"torch\.nn\.modules\.container\.\S*(List|Dict|Sequential) to bool"


def compared_with_none(site: Site, fault: Diagnostic) -> Cure | None:
    """`x != None` is `x is not None`."""
    match site.nearest(tree.Compare):
        case (
            tree.Compare(
                left=left, ops=("==" | "!=" as operator,), comparators=(tree.Constant(value=None),)
            ) as node
        ):
            name = "is" if operator == "==" else "is not"
            right = node.comparators[0].range
            between = SourceRange(left.range.source, left.range.end, right.start)
            written = between.text.replace(operator, name, 1)
            fix = f"write {left.range.text} {name} None"
            return Cure(fix, replacing(between, written))
    return None


def default_none(site: Site, fault: Diagnostic) -> Cure | None:
    """`n: int = None` is Optional."""
    node = site.nearest(tree.arg)
    if not isinstance(node, tree.arg) or node.annotation is None:
        return None
    if not fault.message.endswith("found NoneType"):
        return None
    optional = optional_of(node.annotation)
    return Cure(f"annotate it {optional}", replacing(node.annotation.range, optional))


def dict_get(site: Site, fault: Diagnostic) -> Cure | None:
    """`d.get(key)` may be None."""
    if "Optional[" not in fault.message:
        return None
    gets = [
        part
        for part in tree.walk(site.node)
        if isinstance(part, tree.Call)
        and isinstance(part.func, tree.Attribute)
        and part.func.attr == "get"
        and len(part.args) == 1
    ]
    if len(gets) != 1:
        return None
    function, key = gets[0].func, gets[0].args[0].range.text
    assert isinstance(function, tree.Attribute)
    text = function.value.range.text
    return Cure(f"give it a default: {text}.get({key}, ...), or read {text}[{key}]")


def truth(site: Site, fault: Diagnostic) -> Cure | None:
    """`if n:` of an Optional, or of a module that may be None, tests for None alone."""
    node, parent = site.node, site.parent
    if not is_simple(node) or re.search(_NONE_OR_MODULE, fault.message) is None:
        return None
    text = node.range.text
    if re.search(_CONTAINER, fault.message) is not None:
        test = f"len({text}) > 0"
        alone = isinstance(parent, (tree.If, tree.While, tree.BoolOp, tree.IfExp))
        return Cure(f"test its length: {test}", replacing(node.range, test) if alone else None)
    test = f"{text} is not None"
    if isinstance(parent, tree.UnaryOp):
        test = f"{text} is None"
        return Cure(f"write {test}", replacing(parent.range, test, is_safe=False))
    alone = isinstance(parent, (tree.If, tree.While, tree.Assert, tree.BoolOp, tree.IfExp))
    edited = test if alone else f"({test})"
    return Cure(f"write {test}", replacing(node.range, edited, is_safe=False))
