"""What Python has and TorchScript has not, refused by its name at its place.

The parser reads all of Python; this walk over a function's tree finds what the emitter has no rule
for, so that a user is told "walrus is not TorchScript" and what to write instead.

Source: torch/jit/frontend.py (the `build_` methods that are missing there, or raise).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from minits.diagnostics import Diagnostic, NotSupportedError
from minits.syntax import tree

_REFUSED: dict[type[tree.Node], tuple[str, str, str]] = {
    tree.NamedExpr: ("TS101", "an assignment expression (walrus)", "assign on a line before"),
    tree.Lambda: ("TS104", "a lambda", "define a function with def outside, and call it"),
    tree.Await: ("TS102", "await", "use torch.jit.fork and torch.jit.wait"),
    tree.AsyncFor: ("TS102", "async for", "use a plain for"),
    tree.AsyncWith: ("TS102", "async with", "use a plain with"),
    tree.AsyncFunctionDef: ("TS102", "async def", "use def, and torch.jit.fork to run in parallel"),
    tree.Yield: ("TS103", "yield", "gather the values in a list and return it"),
    tree.YieldFrom: ("TS103", "yield from", "gather the values in a list and return it"),
    tree.Try: ("TS105", "try", "test for the condition before; exceptions cannot be caught"),
    tree.TryStar: ("TS105", "try", "test for the condition before; exceptions cannot be caught"),
    tree.Global: ("TS106", "global", "pass the value as an argument and return it"),
    tree.Nonlocal: ("TS106", "nonlocal", "pass the value as an argument and return it"),
    tree.FunctionDef: ("TS107", "a function inside a function", "define it outside"),
    tree.ClassDef: ("TS107", "a class inside a function", "define it outside"),
    tree.Import: ("TS108", "import inside a function", "import at the top of the file"),
    tree.ImportFrom: ("TS108", "import inside a function", "import at the top of the file"),
    tree.Match: ("TS109", "match", "use if and elif"),
    tree.Set: ("TS110", "a set", "use a list, or a dict whose keys are the items"),
    tree.SetComp: ("TS110", "a set comprehension", "use a list comprehension"),
    tree.TypeAlias: ("TS107", "a type alias inside a function", "define it outside"),
}


def check_supported(definition: tree.FunctionDef) -> list[Diagnostic]:
    """Return a diagnostic for each construct of a function that is not TorchScript."""
    return [found for part in _parts(definition) for found in _faults_of(part)]


def require_supported(definition: tree.FunctionDef) -> None:
    """Raise `NotSupportedError` with all that `check_supported` finds."""
    if isinstance(definition, tree.AsyncFunctionDef):
        raise NotSupportedError(_refusal(definition))
    faults = check_supported(definition)
    if faults:
        raise NotSupportedError(faults)


def _parts(definition: tree.FunctionDef) -> Iterator[tree.Node]:
    """What the emitter will see: the body and nothing of definitions nested in it."""
    for statement in definition.body:
        yield from _walk(statement)


def _walk(root: tree.Node) -> Iterator[tree.Node]:
    stack = [root]
    while stack:
        here = stack.pop()
        yield here
        if type(here) not in _REFUSED or isinstance(here, (tree.NamedExpr, tree.Await)):
            stack.extend(reversed(list(tree.children(here))))


def _faults_of(node: tree.Node) -> Iterator[Diagnostic]:
    if type(node) in _REFUSED:
        yield _refusal(node)
        return
    check = _CHECKS.get(type(node))
    if check is not None:
        yield from check(node)


def _refusal(node: tree.Node) -> Diagnostic:
    code, name, fix = _REFUSED[type(node)]
    return Diagnostic(node.range, code, f"{name} is not TorchScript", fix=fix)


def _loop(node: tree.For | tree.While) -> Iterator[Diagnostic]:
    if node.orelse:
        message = "the else of a loop is not TorchScript"
        yield Diagnostic(node.range, "TS111", message, fix="set a flag before break, and test it")


def _unary(node: tree.UnaryOp) -> Iterator[Diagnostic]:
    if node.op == "+":
        yield Diagnostic(node.range, "TS112", "unary + is not TorchScript", fix="leave it out")


def _formatted(node: tree.FormattedValue) -> Iterator[Diagnostic]:
    if node.conversion != -1 or node.format_spec is not None:
        yield Diagnostic(
            node.range,
            "TS113",
            "conversions and formats in an f-string are not TorchScript",
            fix="write {value} alone, or use '{}'.format(...)",
        )


def _comprehension(node: Any) -> Iterator[Diagnostic]:
    if len(node.generators) > 1:
        message = "a comprehension with several `for` is not TorchScript"
        yield Diagnostic(node.range, "TS114", message, fix="write nested loops")
    if any(generator.ifs for generator in node.generators):
        message = "a comprehension with `if` is not TorchScript"
        yield Diagnostic(node.range, "TS114", message, fix="write a loop with an if")


def _call(node: tree.Call) -> Iterator[Diagnostic]:
    for keyword in node.keywords:
        if keyword.arg is None:
            message = "**kwargs in a call is not TorchScript"
            yield Diagnostic(keyword.range, "TS115", message, fix="write the arguments out")


def _dict(node: tree.Dict) -> Iterator[Diagnostic]:
    if None in node.keys:
        message = "** in a dict is not TorchScript"
        yield Diagnostic(node.range, "TS115", message, fix="copy the entries in a loop")


_CHECKS: dict[type[tree.Node], Callable[[Any], Iterator[Diagnostic]]] = {
    tree.For: _loop,
    tree.While: _loop,
    tree.UnaryOp: _unary,
    tree.FormattedValue: _formatted,
    tree.ListComp: _comprehension,
    tree.GeneratorExp: _comprehension,
    tree.DictComp: _comprehension,
    tree.Call: _call,
    tree.Dict: _dict,
}
