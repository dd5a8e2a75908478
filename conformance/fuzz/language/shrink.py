"""Making a failing program shorter: what can be left out while it still fails is left out."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from conformance.fuzz.language.programs import Program

Fails = Callable[[Program], bool]
LITERALS = ("0", "1", "True", "False", "1.5", "'a'", "[]", "None")
MOST_TRIALS = 1500


def shrink(program: Program, fails: Fails) -> Program:
    """Return a program of which no part can be left out; `fails` says whether one still fails."""
    trials, begin = 0, 0
    while trials < MOST_TRIALS:
        candidates = enumerate(islice(_shorter(program), begin, None), begin)
        for index, shorter in candidates:  # after a success goes on where that was
            trials += 1
            if fails(shorter):
                program, begin = shorter, index
                break
        else:
            if begin == 0:
                return program
            begin = 0
    return program


def _shorter(program: Program) -> Iterator[Program]:
    """Programs that lack something, those that lack much first."""
    if program.calls:
        yield Program(program.text, ())
    if len(program.calls) > 1:
        for call in program.calls:
            yield Program(program.text, (call,))
    yield from _without_parameter(program)
    tree = ast.parse(program.text)
    for edit in (_without_statements, _unwrapped_blocks, _smaller_expressions):
        for shorter in edit(tree):
            text = ast.unparse(ast.fix_missing_locations(shorter)) + "\n"
            if len(text) < len(program.text):
                yield Program(text, program.calls)


def _without_parameter(program: Program) -> Iterator[Program]:
    tree = ast.parse(program.text)
    arguments = tree.body[-1].args  # type: ignore[attr-defined]
    if not program.calls or len(program.calls[0]) != len(arguments.args):
        return
    for index in range(len(arguments.args)):
        shorter = copy.deepcopy(tree)
        del shorter.body[-1].args.args[index]  # type: ignore[attr-defined]
        calls = tuple(call[:index] + call[index + 1 :] for call in program.calls)
        yield Program(ast.unparse(shorter) + "\n", calls)


def _without_statements(tree: ast.Module) -> Iterator[ast.Module]:
    for place, name in _places(tree, list):
        for index in reversed(range(len(getattr(place, name)))):
            yield _edited(tree, place, lambda inner, n=name, i=index: _remove(getattr(inner, n), i))


def _remove(statements: list[Any], index: int) -> None:
    """Take out a statement of a block, which keeps one."""
    del statements[index]


def _unwrapped_blocks(tree: ast.Module) -> Iterator[ast.Module]:
    """Put the statements of a block in the place of the statement that has it."""
    for place, name in _places(tree, list):
        for index, statement in enumerate(getattr(place, name)):
            for inner in ("body", "orelse"):
                block = getattr(statement, inner, None)
                if isinstance(block, list) and block and not isinstance(statement, ast.FunctionDef):

                    def unwrap(found: Any, n: str = name, i: int = index, b: str = inner) -> None:
                        statements = getattr(found, n)
                        statements[i : i + 1] = getattr(statements[i], b)

                    yield _edited(tree, place, unwrap)


def _smaller_expressions(tree: ast.Module) -> Iterator[ast.Module]:
    """Put a part of an expression, or a literal, in the place of it."""
    for place in ast.walk(tree):
        for name, value in ast.iter_fields(place):
            if name in ("annotation", "returns"):
                continue
            for index, found in enumerate(value if isinstance(value, list) else [value]):
                if not _is_value(found):
                    continue
                parts = [part for part in ast.iter_child_nodes(found) if isinstance(part, ast.expr)]
                literals = [ast.parse(text, mode="eval").body for text in LITERALS]
                shorter = [
                    part for part in literals if len(ast.unparse(part)) < len(ast.unparse(found))
                ]
                for part in [*parts, *shorter]:

                    def put(
                        inner: Any, n: str = name, i: int = index, part: ast.expr = part
                    ) -> None:
                        if isinstance(getattr(inner, n), list):
                            getattr(inner, n)[i] = part
                        else:
                            setattr(inner, n, part)

                    yield _edited(tree, place, put)


def _is_value(found: Any) -> bool:
    if not isinstance(found, ast.expr) or isinstance(found, ast.Constant | ast.Slice):
        return False
    return not isinstance(getattr(found, "ctx", None), ast.Store | ast.Del)


def _places(tree: ast.Module, of: type) -> Iterator[tuple[ast.AST, str]]:
    """The blocks of statements: a node and the name of its field."""
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            if isinstance(getattr(node, name, None), list):
                yield node, name


def _edited(tree: ast.Module, place: ast.AST, edit: Callable[[Any], None]) -> ast.Module:
    """A copy of the tree with an edit made to the copy of `place`."""
    memo: dict[int, Any] = {}
    made = copy.deepcopy(tree, memo)
    edit(memo[id(place)])
    for node in ast.walk(made):
        if isinstance(node, ast.For | ast.While | ast.If | ast.With | ast.FunctionDef):
            node.body = node.body or [ast.Pass()]
    return made
