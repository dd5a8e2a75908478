"""Cures for values that may be None."""

from __future__ import annotations

from minits.diagnostics import Diagnostic
from minits.edits import Edit, Replacement, replacing
from minits.frontend.cures.annotations import optional_of
from minits.frontend.cures.site import Cure, Site, fresh_name, margin_of
from minits.source import SourceRange
from minits.syntax import tree

_NARROWED = (tree.Attribute, tree.Subscript, tree.Call)


def tested_expression(site: Site, fault: Diagnostic) -> Cure | None:
    """`if self.w is not None: x + self.w`: only variables are narrowed, so one is made."""
    if "Optional[" not in fault.message:
        return None
    for test, branch in _conditions(site):
        for tested in _tested(test):
            text = tested.range.text
            if any(part.range.text == text for part in _expressions(site)):
                return _in_variable(site, branch, tested)
    return None


def _conditions(site: Site) -> list[tuple[tree.expr, tree.Node]]:
    """Return the conditions around a place, and before it in an `and`, with their statements."""
    found: list[tuple[tree.expr, tree.Node]] = []
    for each in site.path:
        if isinstance(each, (tree.If, tree.IfExp)):
            found.append((each.test, each))
    statement = site.statement()
    for block in (getattr(n, "body", ()) for n in site.path):
        before = block if isinstance(block, tuple) else ()
        for each in before:
            is_early = isinstance(each, (tree.Assert, tree.If))
            if is_early and each.range.end <= statement.range.start:
                found.append((each.test, each))
    return found


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


def _expressions(site: Site) -> list[tree.Node]:
    return [part for part in tree.walk(site.node) if isinstance(part, tree.expr)]


def _in_variable(site: Site, tests: tree.Node, tested: tree.expr) -> Cure:
    """Return the cure to keep an expression in a variable before the statement with its test."""
    text = tested.range.text
    wanted = text.rpartition(".")[2]
    name = fresh_name(site.definition, wanted if wanted.isidentifier() else "value")
    fix = f"only variables are narrowed: write {name} = {text} before, and test and use {name}"
    statement = next(
        (each for each in site.path if isinstance(each, tree.stmt) and _covers(each, tests)), None
    )
    if isinstance(tests, tree.stmt):
        statement = tests
    margin = None if statement is None else margin_of(statement)
    outside = statement is None or not isinstance(tested, (tree.Attribute, tree.Subscript))
    if statement is None or margin is None or outside:
        return Cure(fix)
    if statement.range.text.startswith("elif"):
        return Cure(fix)
    begin = SourceRange(statement.range.source, statement.range.start, statement.range.start)
    uses = [part for part in tree.walk(site.definition) if _is_use(part, text, begin)]
    if _is_changed(site.definition, text):
        return Cure(fix)
    edits = [Replacement(begin, f"{name} = {text}\n{margin}")]
    edits += [Replacement(part.range, name) for part in uses]
    is_copy = isinstance(tested, tree.Attribute) and not _may_change(site.definition, text)
    return Cure(fix, Edit(tuple(edits), is_safe=is_copy))


def _may_change(definition: tree.FunctionDef, text: str) -> bool:
    """Return whether a function calls a method of the object, or passes it on."""
    root = text.partition(".")[0]
    for part in tree.walk(definition):
        if isinstance(part, tree.Call):
            given = [*part.args, *(each.value for each in part.keywords)]
            if part.func.range.text.startswith(f"{root}.") and not _is_inside(part, text):
                return True
            if any(each.range.text == root for each in given):
                return True
    return False


def _is_inside(call: tree.Call, text: str) -> bool:
    """Return whether a method of the attribute itself is called, as in `self.weight.sum()`."""
    return call.func.range.text.startswith(f"{text}.")


def _covers(outer: tree.Node, inner: tree.Node) -> bool:
    return outer.range.start <= inner.range.start and inner.range.end <= outer.range.end


def _is_use(part: tree.Node, text: str, begin: SourceRange) -> bool:
    return (
        isinstance(part, _NARROWED) and part.range.start >= begin.start and part.range.text == text
    )


def _is_changed(definition: tree.FunctionDef, text: str) -> bool:
    """Return whether a function assigns the expression, so that a variable is no copy of it."""
    roots = {text, text.partition("[")[0]}
    for part in tree.walk(definition):
        match part:
            case tree.Assign(targets=targets):
                found = list(targets)
            case tree.AugAssign(target=target) | tree.AnnAssign(target=target):
                found = [target]
            case _:
                continue
        if any(each.range.text in roots for each in found):
            return True
    return False


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


def no_variable(site: Site, fault: Diagnostic) -> Cure | None:
    """`self.w + 1`: what is tested has to be a variable first."""
    if "'Optional[" not in fault.message:
        return None
    value = _wrong_operand(site.node, fault.message)
    if not isinstance(value, _NARROWED):
        return None
    text = value.range.text
    wanted = text.rpartition(".")[2]
    name = fresh_name(site.definition, wanted if wanted.isidentifier() else "value")
    return Cure(
        f"keep it in a variable, and test that first: {name} = {text}; if {name} is not None: ..."
    )


def _wrong_operand(node: tree.Node, message: str) -> tree.Node | None:
    """Return the operand of an operation, or the object of an attribute, that may be None."""
    match node:
        case tree.Attribute(value=value):
            return value
        case tree.BinOp(left=left, right=right):
            return left if "argument 'self'" in message else right
    return None


def truth(site: Site, fault: Diagnostic) -> Cure | None:
    """`if n:` of an Optional tests for None alone."""
    node, parent = site.node, site.parent
    if not isinstance(node, tree.Name) or "Optional[" not in fault.message:
        return None
    test = f"{node.id} is not None"
    if isinstance(parent, tree.UnaryOp):
        return Cure(
            f"write {node.id} is None", replacing(parent.range, f"{node.id} is None", is_safe=False)
        )
    alone = isinstance(parent, (tree.If, tree.While, tree.Assert, tree.BoolOp, tree.IfExp))
    edited = test if alone else f"({test})"
    return Cure(f"write {test}", replacing(node.range, edited, is_safe=False))
