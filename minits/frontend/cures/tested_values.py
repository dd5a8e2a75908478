"""The cure for attributes and items that may be None: a local variable, which can be narrowed.

    if self.held is not None:       held = self.held
        x = x + self.held           if held is not None:
                                        x = x + held

    if self.held is None:           held = self.held
        self.held = x               if held is None:
    return self.held[0]                 held = x
                                        self.held = held
                                    return held[0]

Assignments to the attribute go through the variable as far as it is read afterwards. Where a method
is called that may assign the attribute, the variable is bound after that, and asserted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from minits.diagnostics import Diagnostic
from minits.edits import Edit, Replacement
from minits.frontend.cures.site import Cure, Site, fresh_name, margin_of
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.blocks import Block, blocks_of, is_loop

_NARROWED = (tree.Attribute, tree.Subscript, tree.Call)
_OPTIONAL = "Optional["


def tested_expression(site: Site, fault: Diagnostic) -> Cure | None:
    """`if self.w is not None: x + self.w`: only variables are narrowed, so one is made."""
    if _OPTIONAL not in fault.message:
        return None
    used = _expressions(site)
    for test, branch in _conditions(site):
        for tested in _tested(test):
            text = tested.range.text
            if text in used:
                name = _name_for(site, text)
                fix = (
                    f"only variables are narrowed: bind it to a local variable, {name} = {text}, "
                    f"and test and use {name}"
                )
                return Cure(fix, _binding(site, branch, tested, name))
    return None


def no_variable(site: Site, fault: Diagnostic) -> Cure | None:
    """`self.w + 1`: what is tested has to be a variable first."""
    if f"'{_OPTIONAL}" not in fault.message:
        return None
    value = _wrong_operand(site.node, fault.message)
    if not isinstance(value, _NARROWED):
        return None
    text = value.range.text
    name = _name_for(site, text)
    return Cure(
        f"bind it to a local variable, and test that first: {name} = {text}; "
        f"if {name} is not None: ..."
    )


def _wrong_operand(node: tree.Node, message: str) -> tree.Node | None:
    """Return the operand of an operation, or the object of an attribute, that may be None."""
    match node:
        case tree.Attribute(value=value):
            is_it = message.startswith(f"'{_OPTIONAL}") or "argument 'self'" in message
            return value if is_it else None
        case tree.BinOp(left=left, right=right):
            return left if "argument 'self'" in message else right
    return None


def _name_for(site: Site, text: str) -> str:
    wanted = text.rpartition(".")[2]
    return fresh_name(site.definition, wanted if wanted.isidentifier() else "value")


def _conditions(site: Site) -> list[tuple[tree.expr, tree.Node]]:
    """Return the conditions around a place, and those before it, with their statements."""
    found: list[tuple[tree.expr, tree.Node]] = [
        (each.test, each) for each in site.path if isinstance(each, (tree.If, tree.IfExp))
    ]
    statement = site.statement()
    for block in (block for _, block in _blocks_around(site)):
        for each in block:
            if isinstance(each, (tree.Assert, tree.If)) and _is_before(each, statement):
                found.append((each.test, each))
    return found


def _blocks_around(site: Site) -> Iterator[tuple[tree.stmt, Block]]:
    """Yield the blocks that hold the place, from the inside out, each with its statement."""
    for node in site.path:
        if isinstance(node, tree.stmt):
            for block in blocks_of(node).values():
                if any(each in site.path for each in block):
                    yield node, block


def _tested(test: tree.expr) -> list[tree.expr]:
    """Return the expressions, other than variables, that a condition compares with None."""
    return [
        part.left
        for part in tree.walk(test)
        if isinstance(part, tree.Compare)
        and part.ops in (("is",), ("is not",))
        and isinstance(part.comparators[0], tree.Constant)
        and part.comparators[0].value is None
        and isinstance(part.left, _NARROWED)
    ]


def _expressions(site: Site) -> set[str]:
    """Return the texts of the expressions at a place: those of the node, or of its statement."""
    statement = site.statement()
    blocks = [each for block in blocks_of(statement).values() for each in block]
    inner = {id(part) for each in blocks for part in tree.walk(each)}
    own = [part for part in tree.walk(statement) if id(part) not in inner]
    return {part.range.text for part in own if isinstance(part, _NARROWED)}


# ---- The edit ------------------------------------------------------------------------------------


def _binding(site: Site, branch: tree.Node, tested: tree.expr, name: str) -> Edit | None:
    """Return the edit that binds a variable before the statement of the test, or at the use."""
    if not isinstance(tested, (tree.Attribute, tree.Subscript)):
        return None
    text = tested.range.text
    outer, block = _statement_of(site, branch)
    if outer is None:
        return None
    if _stays_none(site, branch, text):
        return _bound_at_use(site, text, name)
    region = block[next(i for i, each in enumerate(block) if each is outer) :]
    return _bound_before_test(outer, region, text, name)


def _stays_none(site: Site, branch: tree.Node, text: str) -> bool:
    """Return whether an `if` before the place leaves a variable None: its block assigns none.

    if self.held is None:
        self.fill(x)            a method assigns the attribute
    return x + self.held
    """
    if not isinstance(branch, tree.If) or branch in site.path:
        return False
    ends = (tree.Return, tree.Raise, tree.Continue, tree.Break)
    return not isinstance(branch.body[-1], ends) and not _uses(branch.body, text).stores


def _statement_of(site: Site, branch: tree.Node) -> tuple[tree.stmt | None, Block]:
    """Return the statement that holds a condition, with its block; of an `elif` the whole `if`."""
    for _, block in _blocks_around(site):
        for each in block:
            if _covers(each, branch) and not each.range.text.startswith("elif"):
                is_here = each is branch or each in site.path
                if is_here and not _is_deeper(each, branch):
                    return each, block
    return None, ()


def _is_deeper(statement: tree.stmt, branch: tree.Node) -> bool:
    """Return whether a block of the statement, other than an `elif`, holds the condition."""
    for block in blocks_of(statement).values():
        for each in block:
            if _covers(each, branch):
                return not each.range.text.startswith("elif") or _is_deeper(each, branch)
    return False


class _Uses(NamedTuple):
    loads: Sequence[tree.Node]
    stores: list[tree.Assign | tree.AugAssign]
    """The assignments to the expression alone."""
    others: bool
    """Whether it is assigned in another way, as in `self.a, b = ...`."""


def _uses(region: Block, text: str) -> _Uses:
    parts = [part for each in region for part in tree.walk(each)]
    stores: list[tree.Assign | tree.AugAssign] = []
    targets: list[tree.expr] = []
    others: list[tree.expr] = []
    for part in parts:
        match part:
            case tree.Assign(targets=(target,)) | tree.AugAssign(target=target):
                is_it = target.range.text == text
                if is_it:
                    stores.append(part)
                    targets.append(target)
                else:
                    others.append(target)
            case tree.AnnAssign(target=target) | tree.For(target=target):
                others.append(target)
            case tree.Assign(targets=several) | tree.Delete(targets=several):
                others += several
    loads = [
        part
        for part in parts
        if isinstance(part, _NARROWED) and part.range.text == text and part not in targets
    ]
    return _Uses(loads, stores, any(_assigns(each, text) for each in others))


def _assigns(target: tree.expr, text: str) -> bool:
    """Return whether an assignment to a target gives the expression another value."""
    written = target.range.text
    match target:
        case tree.Tuple(elts=parts) | tree.List(elts=parts):
            return any(_assigns(each, text) for each in parts)
        case tree.Starred(value=part):
            return _assigns(part, text)
        case tree.Name(id=name):
            return re.search(rf"(?<![\w.]){name}\b", text) is not None
        case tree.Attribute():
            return text == written or text.startswith((f"{written}.", f"{written}["))
    return text.partition("[")[0] == written.partition("[")[0]


def _bound_before_test(outer: tree.stmt, region: Block, text: str, name: str) -> Edit | None:
    margin = margin_of(outer)
    uses = _uses(region, text)
    if margin is None or uses.others:
        return None
    edits = [Replacement(_before(outer), f"{name} = {text}\n{margin}")]
    edits += [Replacement(part.range, name) for part in uses.loads]
    for store in uses.stores:
        if not _is_read_after(store, region, uses.loads):
            continue
        inner = margin_of(store)
        if inner is None:
            return None
        target = store.targets[0] if isinstance(store, tree.Assign) else store.target
        edits.append(Replacement(target.range, name))
        source, _, end = store.range
        edits.append(Replacement(SourceRange(source, end, end), f"\n{inner}{text} = {name}"))
    return Edit(tuple(edits), is_safe="[" not in text and not _may_change(region, text))


def _is_read_after(store: tree.stmt, region: Block, loads: Sequence[tree.Node]) -> bool:
    """Return whether a load may follow an assignment: it stands after it, or in the same loop."""
    if any(load.range.start > store.range.end for load in loads):
        return True
    parts = (part for each in region for part in tree.walk(each))
    loops = [part for part in parts if isinstance(part, tree.stmt) and is_loop(part)]
    return any(_covers(loop, store) and _covers(loop, load) for loop in loops for load in loads)


def _bound_at_use(site: Site, text: str, name: str) -> Edit | None:
    """Return the edit that binds and asserts a variable before the statement that uses it."""
    statement = site.statement()
    margin = margin_of(statement)
    uses = _uses((statement,), text)
    if margin is None or blocks_of(statement) or uses.stores or uses.others:
        return None
    bound = f"{name} = {text}\n{margin}assert {name} is not None\n{margin}"
    edits = [Replacement(_before(statement), bound)]
    edits += [Replacement(part.range, name) for part in uses.loads]
    return Edit(tuple(edits), is_safe=False)


def _before(statement: tree.stmt) -> SourceRange:
    return SourceRange(statement.range.source, statement.range.start, statement.range.start)


def _may_change(region: Block, text: str) -> bool:
    """Return whether statements call a method of the object, or pass it on."""
    root = text.partition("[")[0].partition(".")[0]
    for part in (part for each in region for part in tree.walk(each)):
        if isinstance(part, tree.Call):
            given = [*part.args, *(each.value for each in part.keywords)]
            function = part.func.range.text
            is_own = function.startswith(f"{root}.") and function.count(".") == 1
            if is_own or any(each.range.text == root for each in given):
                return True
    return False


def _is_before(first: tree.Node, second: tree.Node) -> bool:
    return first.range.end <= second.range.start


def _covers(outer: tree.Node, inner: tree.Node) -> bool:
    return outer.range.start <= inner.range.start and inner.range.end <= outer.range.end
