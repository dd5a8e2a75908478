"""Cures for module lists and dicts that are indexed with what is not known while compiling."""

from __future__ import annotations

from collections.abc import Iterator

from minits.diagnostics import Diagnostic
from minits.edits import Edit, Replacement
from minits.frontend.cures.site import Cure, Site, fresh_name
from minits.syntax import tree


def literal_index(site: Site, fault: Diagnostic) -> Cure | None:
    """An index that a loop counts is given up for `enumerate`; another one is searched for."""
    node = site.nearest(tree.Subscript)
    if not isinstance(node, tree.Subscript):
        return None
    held, index = node.value.range.text, node.slice.range.text
    if "ModuleDict" in fault.message:
        return Cure(
            f"go over its items, and choose by the name: for name, module in {held}.items(): "
            f"if name == {index}: ..."
        )
    for loop in site.path:
        if isinstance(loop, tree.For) and _counts(loop, held) == index:
            return _enumerated(site, loop, held, index)
    return Cure(
        f"go over it, and choose by the number: for number, module in enumerate({held}): "
        f"if number == {index}: ..."
    )


def _counts(loop: tree.For, held: str) -> str | None:
    """Return the variable of `for i in range(len(held))`."""
    match loop:
        case tree.For(
            target=tree.Name(id=name),
            iter=tree.Call(
                func=tree.Name(id="range"),
                args=(tree.Call(func=tree.Name(id="len"), args=(measured,), keywords=()),),
                keywords=(),
            ),
        ) if measured.range.text == held:
            return str(name)
    return None


def _enumerated(site: Site, loop: tree.For, held: str, index: str) -> Cure:
    name = held.rpartition(".")[2]
    singular = name[:-1] if name.endswith("s") and len(name) > 2 else "module"
    item = fresh_name(site.definition, singular)
    uses = list(_uses(loop, held, index))
    used_otherwise = _count(loop, index) - 1 > len(uses)  # one is the target
    target, iterated = f"{index}, {item}", f"enumerate({held})"
    if not used_otherwise:
        target, iterated = item, held
    edits = [
        Replacement(loop.target.range, target),
        Replacement(loop.iter.range, iterated),
        *(Replacement(each.range, item) for each in uses),
    ]
    is_own = not any(
        isinstance(part, tree.Assign) and part.targets[0].range.text in (index, held)
        for part in tree.walk(loop)
    )
    fix = f"go over it with `for`: for {target} in {iterated}"
    return Cure(fix, Edit(tuple(edits)) if is_own else None)


def _uses(loop: tree.For, held: str, index: str) -> Iterator[tree.Node]:
    for part in tree.walk(loop):
        if isinstance(part, tree.Subscript) and part.range.text == f"{held}[{index}]":
            yield part


def _count(loop: tree.For, name: str) -> int:
    return sum(isinstance(part, tree.Name) and part.id == name for part in tree.walk(loop))
