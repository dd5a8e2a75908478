"""Docstrings begin with a noun or a verb, not with a clause, and say what is raised."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import minits
from minits.gc_pause import gc_paused

PACKAGE = Path(minits.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
CLAUSES = ("what", "how", "which", "where", "when", "who", "whose", "why")
"""First words of a clause that stands where a noun or a verb belongs: "What makes kernels."."""
_RETURN_CLAUSE = re.compile(r"(?:Return|Yield) (?:what|who)\b")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def first_word(text: str) -> str:
    return text.split()[0].lower() if text.strip() else ""


def texts(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield docstrings, and the strings below attributes and constants, with what has them."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for index, statement in enumerate(body if isinstance(body, list) else []):
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield (statement if index else node), text


def own_raises(function: ast.AST) -> Iterator[ast.Raise]:
    """Yield the raise statements of a function, without those of functions within it."""
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.Raise):
            yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            yield from own_raises(node)


def public_functions(scope: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield functions of a module and methods of its classes, but for private ones."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, FUNCTIONS):
            if not node.name.startswith("_") or node.name.endswith("__"):
                yield node
        else:
            yield from public_functions(node)


def test_docstrings_begin_with_a_noun_or_verb_and_tell_what_is_raised() -> None:
    with gc_paused():
        for path in FILES:
            check_file(path)


def check_file(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for owner, text in texts(tree):
        word = first_word(text)
        assert word not in CLAUSES, f"{path}: {text}"
        assert not _RETURN_CLAUSE.match(text), f"{path}: write what comes back: {text}"
        if isinstance(owner, (*FUNCTIONS, ast.Module, ast.ClassDef)):
            assert word != "whether", f"{path}: write Return whether, or a noun: {text}"
    for function in public_functions(tree):
        if any(own_raises(function)):
            text = ast.get_docstring(function) or ""
            assert "raise" in text.lower(), f"{path}:{function.lineno}: {function.name}"
