"""Syntax of Python that TorchScript lacks: each use is refused by its name.

The parser reads all of Python; this walk over a function's tree finds what the emitter has no rule
for, so that a user is told "walrus is not TorchScript" and what to write instead.

Source: torch/jit/frontend.py (the `build_` methods that are missing there, or raise).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from minits.diagnostics import IN_EXTENDED, Diagnostic, NotSupportedError
from minits.source import SourceRange
from minits.syntax import tree

_GATHER = "gather the values in a list and return it"


class _Row(NamedTuple):
    """A kind of node that is refused: its error code, its name, and what to write instead."""

    code: str
    name: str
    fix: str
    in_extended: bool = False
    """Whether the extended dialect takes it."""


class _Refusal(NamedTuple):
    """A construct of a program that the torch dialect refuses."""

    diagnostic: Diagnostic
    in_extended: bool
    """Whether the extended dialect takes it."""


_OUTSIDE = "define it at the top of the file, and pass what it uses as arguments"
_TRY = _Row(
    "TS105", "try blocks", "test for the fault before it occurs: exceptions cannot be caught"
)
_IMPORT = _Row(
    "TS108", "import statements inside a function", "import at the top of the file", True
)

_REFUSED: dict[type[tree.Node], _Row] = {
    tree.NamedExpr: _Row(
        "TS101", "assignment expressions (walrus)", "assign on a line before", True
    ),
    tree.Lambda: _Row(
        "TS104", "lambda expressions", "define a function with def outside, and call it"
    ),
    tree.Await: _Row("TS102", "await expressions", "use torch.jit.fork and torch.jit.wait"),
    tree.AsyncFor: _Row("TS102", "async for loops", "use a plain for"),
    tree.AsyncWith: _Row("TS102", "async with statements", "use a plain with"),
    tree.AsyncFunctionDef: _Row(
        "TS102",
        "async function definitions",
        "use def, and torch.jit.fork to run in parallel",
    ),
    tree.Yield: _Row("TS103", "yield expressions", _GATHER),
    tree.YieldFrom: _Row("TS103", "yield from expressions", _GATHER),
    tree.Try: _TRY,
    tree.TryStar: _TRY,
    tree.Global: _Row("TS106", "global variables", "pass the value as an argument and return it"),
    tree.Nonlocal: _Row(
        "TS106", "nonlocal variables", "pass the value as an argument and return it"
    ),
    tree.FunctionDef: _Row("TS107", "function definitions inside a function", _OUTSIDE),
    tree.ClassDef: _Row(
        "TS107", "class definitions inside a function", "define it at the top of the file"
    ),
    tree.Import: _IMPORT,
    tree.ImportFrom: _IMPORT,
    tree.Match: _Row("TS109", "match statements", "use if and elif"),
    tree.Set: _Row("TS110", "sets", "use a list, or a dict whose keys are the items"),
    tree.SetComp: _Row("TS110", "set comprehensions", "use a list comprehension"),
    tree.TypeAlias: _Row(
        "TS107", "type aliases inside a function", "define it at the top of the file"
    ),
}


def check_supported(definition: tree.FunctionDef, dialect: str = "torch") -> list[Diagnostic]:
    """Return a diagnostic for each construct of a function that is not in the dialect."""
    return check_parts(definition.body, dialect)


def check_parts(roots: Sequence[tree.Node], dialect: str) -> list[Diagnostic]:
    """Return a diagnostic for each construct in statements or expressions that is refused.

    What is inside a refused one is not looked at.
    """
    parts = _parts(roots)
    refusals = [found for part in parts for found in _refusals_of(part)]
    if dialect == "torch":
        return [each.diagnostic for each in refusals]
    refused = [each.diagnostic for each in refusals if not each.in_extended]
    return [*refused, *(found for part in parts for found in _assignments_within(part))]


def _assignments_within(node: tree.Node) -> Iterator[Diagnostic]:
    """Yield an error for each walrus in a comprehension; the extended dialect takes others."""
    if isinstance(node, (tree.ListComp, tree.GeneratorExp, tree.DictComp)):
        for part in tree.walk(node):
            if isinstance(part, tree.NamedExpr):
                message = "an assignment expression (walrus) in a comprehension is not supported"
                yield Diagnostic(part.range, "TS101", message, fix="write a loop")


def require_supported(definition: tree.FunctionDef, dialect: str = "torch") -> None:
    """Raise `NotSupportedError` with all that `check_supported` finds."""
    if isinstance(definition, tree.AsyncFunctionDef):
        raise NotSupportedError(_refusal(definition).diagnostic)
    faults = check_supported(definition, dialect)
    if faults:
        raise NotSupportedError(faults)


def require_archive_code(definition: tree.FunctionDef, dialect: str = "torch") -> None:
    """Raise `NotSupportedError` for syntax that archived code cannot contain.

    In archives, a forked function is a nested function without parameters.
    """
    outer = [definition]
    faults: list[Diagnostic] = []
    while outer:
        function = outer.pop()
        for part in _parts(function.body):
            if isinstance(part, tree.FunctionDef) and not part.args.args:
                outer.append(part)
            else:
                faults += [each.diagnostic for each in _refusals_of(part)]
    if faults:
        raise NotSupportedError(faults)


def _parts(roots: Sequence[tree.Node]) -> list[tree.Node]:
    """Return the nodes that may be refused of those that the emitter will see, in order.

    Bodies of nested definitions are left out.
    """
    found: list[tree.Node] = []
    stack: list[tree.Node] = list(roots[::-1])
    while stack:
        here = stack.pop()
        if here.__class__ in _LOOKED_AT:
            found.append(here)
        if here.__class__ not in _NOT_ENTERED:
            stack += tree.children(here)[::-1]
    return found


def _refusals_of(node: tree.Node) -> Iterator[_Refusal]:
    if type(node) in _REFUSED:
        yield _refusal(node)
        return
    check = _CHECKS.get(type(node))
    if check is not None:
        yield from check(node)


def _refusal(node: tree.Node) -> _Refusal:
    code, name, fix, in_extended = _REFUSED[type(node)]
    message = f"{name} aren't supported in TorchScript"
    return _refused(node.range, code, message, fix, in_extended)


def _refused(
    loc: SourceRange, code: str, message: str, fix: str, in_extended: bool = False
) -> _Refusal:
    notes = (IN_EXTENDED,) if in_extended else ()
    return _Refusal(Diagnostic(loc, code, message, notes, fix), in_extended)


def _loop(node: tree.For | tree.While) -> Iterator[_Refusal]:
    if node.orelse:
        kind = "for" if isinstance(node, tree.For) else "while"
        message = f"else branches of {kind} loops aren't supported in TorchScript"
        fix = "set a flag before break, and test it"
        yield _refused(node.range, "TS111", message, fix, in_extended=True)


def _unary(node: tree.UnaryOp) -> Iterator[_Refusal]:
    if node.op == "+":
        message = "unsupported unary operator: UAdd (+)"
        yield _refused(node.range, "TS112", message, "leave it out")


def _formatted(node: tree.FormattedValue) -> Iterator[_Refusal]:
    if node.conversion != -1 or node.format_spec is not None:
        what = "conversion" if node.conversion != -1 else "formatting"
        message = f"Don't support {what} in JoinedStr, the value of an f-string"
        fix = "write {value} alone, or use '{}'.format(...)"
        yield _refused(node.range, "TS113", message, fix, in_extended=True)


def _comprehension(node: Any) -> Iterator[_Refusal]:
    if len(node.generators) > 1:
        message = "Only a single generator is currently supported in a comprehension"
        yield _refused(node.range, "TS114", message, "write nested loops", in_extended=True)
    if any(generator.ifs for generator in node.generators):
        message = "Comprehension ifs are not supported yet in TorchScript"
        yield _refused(node.range, "TS114", message, "write a loop with an if", in_extended=True)


def _call(node: tree.Call) -> Iterator[_Refusal]:
    for keyword in node.keywords:
        if keyword.arg is None:
            message = "keyword-arg expansion is not supported in TorchScript"
            fix = "write the arguments out"
            yield _refused(keyword.range, "TS115", message, fix, in_extended=True)


def _dict(node: tree.Dict) -> Iterator[_Refusal]:
    if None in node.keys:
        message = "Dict expansion (e.g. `{**dict}`) is not supported in TorchScript"
        yield _refused(node.range, "TS115", message, "copy the entries in a loop")


def _augmented(node: tree.AugAssign) -> Iterator[_Refusal]:
    if node.op in ("//", "@"):
        message = f"unsupported kind of augmented assignment: {node.op}="
        fix = f"write x = x {node.op} y"
        yield _refused(node.range, "TS196", message, fix)


def _annotated(node: tree.AnnAssign) -> Iterator[_Refusal]:
    if node.value is None:
        message = "annotations without assigned value aren't supported in TorchScript"
        fix = "assign a first value of the annotated type"
        yield _refused(node.range, "TS197", message, fix)


def _raise(node: tree.Raise) -> Iterator[_Refusal]:
    if node.exc is None:
        message = "raise statements aren't supported in TorchScript without an exception"
        yield _refused(node.range, "TS198", message, "name what to raise")


_CHECKS: dict[type[tree.Node], Callable[[Any], Iterator[_Refusal]]] = {
    tree.For: _loop,
    tree.While: _loop,
    tree.UnaryOp: _unary,
    tree.FormattedValue: _formatted,
    tree.ListComp: _comprehension,
    tree.GeneratorExp: _comprehension,
    tree.DictComp: _comprehension,
    tree.Call: _call,
    tree.Dict: _dict,
    tree.AugAssign: _augmented,
    tree.AnnAssign: _annotated,
    tree.Raise: _raise,
}
_LOOKED_AT = frozenset((*_REFUSED, *_CHECKS))
_LEAVES = (tree.Name, tree.Constant)
_NOT_ENTERED = frozenset((*_LEAVES, *_REFUSED)) - {tree.NamedExpr, tree.Await}
