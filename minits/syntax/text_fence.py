"""Syntax that torch refuses in texts, but accepts in Python source.

torch reads the texts of `CompilationUnit` and `define` with a parser of its own, not with Python's;
here it differs:

    for i in x, y:                      a list of iterables, not a tuple
    def f(x: Tuple[(int, str)]): ...    a tuple in brackets, not two arguments

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitFor`) and script_type_parser.cpp
(`subscriptToType`).
"""

from __future__ import annotations

from collections.abc import Iterator

from minits.diagnostics import CompileError, Diagnostic
from minits.source import SourceFile
from minits.syntax import tree
from minits.syntax.fence import require_supported


def require_supported_text(definition: tree.FunctionDef, dialect: str = "torch") -> None:
    """Check a function of a text. Raises `CompileError` with all that torch refuses there."""
    require_supported(definition, dialect)
    if dialect == "torch":
        faults = [*_loops(definition), *_annotations(definition)]
        if faults:
            raise CompileError(faults)


def _loops(definition: tree.FunctionDef) -> Iterator[Diagnostic]:
    for node in tree.walk(definition):
        if not isinstance(node, tree.For) or not isinstance(node.iter, tree.Tuple):
            continue
        if len(node.iter.elts) > 1 and not _is_in_brackets(node.iter):
            message = "List of iterables is not supported currently: a loop goes over one value"
            fix = "go over zip(...), or put the tuple in parentheses"
            yield Diagnostic(node.range, "TS306", message, fix=fix)


def _annotations(definition: tree.FunctionDef) -> Iterator[Diagnostic]:
    for annotation in _written(definition):
        for node in tree.walk(annotation):
            if not isinstance(node, tree.Subscript) or not isinstance(node.slice, tree.Tuple):
                continue
            if node.slice.elts and _is_in_brackets(node.slice):
                message = "Expression of type tuple-literal cannot be used in a type expression"
                if node.value.range.text == "Tuple":
                    message = "Tuple literal in Tuple type annotation must not have any elements"
                fix = "leave out the parentheses"
                yield Diagnostic(node.slice.range, "TS201", message, fix=fix)


def _written(definition: tree.FunctionDef) -> Iterator[tree.expr]:
    """The annotations of a function."""
    for node in tree.walk(definition):
        match node:
            case tree.arg(annotation=annotation) | tree.AnnAssign(annotation=annotation):
                if annotation is not None:
                    yield annotation
            case tree.FunctionDef(returns=returns) if returns is not None:
                yield returns


def _is_in_brackets(node: tree.Tuple) -> bool:
    """Return whether a tuple is written with its own parentheses, unlike `(a), (b)`."""
    from minits.syntax import parse_expression

    text = node.range.text
    if not (text.startswith("(") and text.endswith(")")):
        return False
    try:
        parse_expression(SourceFile("", text[1:-1].rstrip().removesuffix(",")))
    except CompileError:
        return False
    return True
