"""No table of minits/ is keyed by the `id()` of an object that it does not hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import minits
from minits.identity import Identity

ROOT = Path(minits.__file__).parent
ASKS = re.compile(r"(?<![\w.])id[(),]")
READS = ("get", "pop", "discard", "remove")
LISTED = {
    "archive/writing/value_pickling.py:_shared": "the writer keeps all that it writes alive",
    "identity.py:__hash__": "the key holds it",
    "freezing/kept_attributes.py:identity": "a value of the module that is frozen",
    "kept.py:_attach": "the entry knows its owner, and `_kept` compares it",
    "native/call_regions.py:_content": "of a constant of the graph that the regions are in",
    "native/call_regions.py:_text": "of a node of the graph that the regions are in",
    "native/given.py:_word_of_number": "the address of an object that the caller holds",
    "native/recomputing.py:_frames": "compared at once",
    "ir/printer.py:print_value": "shown",
    "ops/implementations/hashing.py:identity": "`id(x)` of the program",
    "ops/implementations/text.py:_format_other": "shown",
    "ops/implementations/instances.py:__repr__": "shown",
    "passes/constant_pooling.py:_content": "of a node in the table of constants",
    "passes/cse.py:_key": "of the node that the table has under this key",
    "passes/emission/exits.py:_identity": "the type of the value that the table has",
    "queries/record.py:__init__": "nodes of the tree that the reading holds",
    "runtime/loaded_objects.py:__repr__": "shown",
    "runtime/stored.py:_names_of_types": "types of a module of minits",
}
"""Functions that use `id` in other ways than those which `unheld` knows, and why they may."""


def test_tables_hold_what_they_know_by_identity() -> None:
    found = {
        f"{file.relative_to(ROOT)}:{function.name}"
        for file in sorted(ROOT.rglob("*.py"))
        if ASKS.search(text := file.read_text())
        for function in functions(ast.parse(text))
        if any(unheld(function))
    }
    assert found == {*LISTED}


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def unheld(function: ast.FunctionDef) -> Iterator[ast.Name]:
    """Yield the uses of `id` which may outlive the object: all but lookups, local tables, and
    entries that have the object in their values.
    """
    local = {
        name.id
        for node in own(function)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in (target.elts if isinstance(target, ast.Tuple) else [target])
        if isinstance(name, ast.Name)
    }
    fine: set[int] = set()
    for node in own(function):
        fine.update(id(name) for part in fine_parts(node, local) for name in uses(part))
    for node in own(function):
        if isinstance(node, ast.Name) and node.id == "id" and id(node) not in fine:
            yield node


def own(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a function but those of functions in it."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [
            each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.FunctionDef)
        ]


def fine_parts(node: ast.AST, local: set[str]) -> Iterator[ast.AST]:
    """Yield the parts of a node in which `id` needs nobody to hold the object."""
    match node:
        case ast.Compare():
            yield node
        case ast.Call(func=ast.Name(id="len")):
            yield node
        case ast.Call(func=ast.Attribute(attr=name), args=[key, *_]) if name in READS:
            yield key
        case ast.Subscript(slice=key, ctx=ast.Load()):
            yield key
        case ast.Call(func=ast.Attribute(value=ast.Name(id=table))) if table in local:
            yield node
        case ast.Call(func=ast.Attribute(), args=[key, value]) if holds(key, value):
            yield key
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Subscript) and (
                    holds(target.slice, value) or root(target) in local
                ):
                    yield target
            if any(isinstance(target, ast.Name) for target in targets):
                yield value
        case ast.AugAssign(target=ast.Subscript() as target) if root(target) in local:
            yield target
        case ast.AnnAssign(target=ast.Name(), value=ast.AST() as value):
            yield value
        case ast.DictComp(key=key, value=value) if holds(key, value):
            yield key
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if key is not None and holds(key, value):
                    yield key


def holds(key: ast.expr, value: ast.expr) -> bool:
    """Whether all objects whose `id` is in a key are parts of the value."""
    parts = {ast.dump(part) for part in ast.walk(value)}
    calls = [
        node
        for node in ast.walk(key)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "id"
    ]
    return bool(calls) and all(ast.dump(argument) in parts for c in calls for argument in c.args)


def root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def uses(part: ast.AST) -> Iterator[ast.Name]:
    return (n for n in ast.walk(part) if isinstance(n, ast.Name) and n.id == "id")


def test_what_the_check_finds() -> None:
    text = """
def wrong(self, x, seen):
    self.seen.add(id(x))
def wrong_too(self, x):
    self.names[id(x)] = "name"
def also_wrong(x, seen):
    seen.add(id(x))
def right(self, x):
    self.names[id(x)] = x, "name"
    seen = set()
    seen.add(id(x))
    return id(x) in self.names or id(x) in seen
"""
    found = [each.name for each in functions(ast.parse(text)) if any(unheld(each))]
    assert found == ["wrong", "wrong_too", "also_wrong"]


def test_an_identity_holds_its_object() -> None:
    first, second = [1], [1]
    assert Identity(first) == Identity(first) != Identity(second)
    assert {Identity(first): "first"}.get(Identity(second)) is None
    assert Identity(first).value is first
