"""Cures for names that are not there."""

from __future__ import annotations

import re

from minits.diagnostics import Diagnostic
from minits.edits import replacing
from minits.frontend.cures.site import Cure, Site
from minits.source import SourceRange
from minits.syntax import tree

_SIMILAR = re.compile(r"did you mean '(\w+)'\?")


def similar(site: Site, fault: Diagnostic) -> Cure | None:
    """The name that is spelled like another one becomes that one."""
    found = _SIMILAR.fullmatch(fault.fix or "")
    node = site.node
    if found is None or fault.range is None:
        return None
    source, _, end = node.range
    if isinstance(node, tree.Attribute):
        loc = SourceRange(source, end - len(node.attr), end)
    elif isinstance(node, tree.Name):
        loc = node.range
    else:
        return None
    return Cure(fault.fix, replacing(loc, found[1], is_safe=False))


def assigned_in_loop(site: Site, fault: Diagnostic) -> Cure | None:
    """A variable that only the body of a loop assigns has no value after it."""
    node = site.node
    if not isinstance(node, tree.Name):
        return None
    for loop in tree.walk(site.definition):
        if not isinstance(loop, (tree.For, tree.While)) or loop.range.end > node.range.start:
            continue
        if any(_assigns(part, node.id) for part in tree.walk(loop)):
            return Cure(f"assign '{node.id}' before the loop, whose body may not run")
    return None


def _assigns(part: tree.Node, name: str) -> bool:
    targets: tuple[tree.Node, ...] = ()
    match part:
        case tree.Assign(targets=found):
            targets = found
        case tree.AnnAssign(target=found) | tree.For(target=found):
            targets = (found,)
    names = (each for target in targets for each in tree.walk(target))
    return any(isinstance(each, tree.Name) and each.id == name for each in names)
