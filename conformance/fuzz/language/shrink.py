"""Making a failing program shorter: what can be left out while it still fails is left out."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from conformance.fuzz.language.programs import Program

Fails = Callable[[Program], bool]
LITERALS = ("1", "True", "1.5", "'a'", "[]", "None")
"""No zero: torch.jit divides by constants as C does."""
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
    for edits in (_without_statements, _unwrapped_blocks, _smaller_expressions):
        for place, field, index, new in edits(tree):
            text = _edited(tree, place, field, index, new)
            if len(text) < len(program.text):
                yield Program(text, program.calls)


def _without_parameter(program: Program) -> Iterator[Program]:
    tree = ast.parse(program.text)
    main = tree.body[-1]
    if not isinstance(main, ast.FunctionDef):
        return
    for index in range(len(main.args.args)):
        shorter = copy.deepcopy(main)
        del shorter.args.args[index]
        calls = tuple(call[:index] + call[index + 1 :] for call in program.calls)
        text = ast.unparse(ast.Module([*tree.body[:-1], shorter], []))
        yield Program(f"{text}\n", calls)


# ---- Edits -------------------------------------------------------------------------------------

Edit = tuple[ast.AST, str, int, list[Any]]
"""A node, the name of a field, a place in it, and what to put there."""


def _without_statements(tree: ast.Module) -> Iterator[Edit]:
    for place, field, block in _blocks(tree):
        for index in reversed(range(len(block))):
            yield place, field, index, []


def _unwrapped_blocks(tree: ast.Module) -> Iterator[Edit]:
    """The statements of a block in the place of the statement that has it."""
    for place, field, block in _blocks(tree):
        for index, statement in enumerate(block):
            if not isinstance(statement, ast.FunctionDef):
                for inner in ("body", "orelse"):
                    if getattr(statement, inner, None):
                        yield place, field, index, getattr(statement, inner)


def _smaller_expressions(tree: ast.Module) -> Iterator[Edit]:
    """A part of an expression, or a literal, in the place of it."""
    for place, field, index, found in _expressions(tree):
        if isinstance(found, ast.Constant | ast.Slice):
            continue
        for part in ast.iter_child_nodes(found):
            if isinstance(part, ast.expr):
                yield place, field, index, [part]
        for text in LITERALS:
            if len(text) < len(ast.unparse(found)):
                yield place, field, index, [ast.parse(text, mode="eval").body]


def _expressions(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int, ast.expr]]:
    """The expressions that are no targets and no annotations."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns"):
            continue
        for index, part in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(part, ast.expr) and isinstance(
                getattr(part, "ctx", ast.Load()), ast.Load
            ):
                yield tree, field, index, part
            if isinstance(part, ast.AST):
                yield from _expressions(part)


def _blocks(tree: ast.Module) -> Iterator[tuple[ast.AST, str, list[ast.stmt]]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                yield node, field, block


def _edited(tree: ast.Module, place: ast.AST, field: str, index: int, new: list[Any]) -> str:
    """The text of the tree with an edit; the tree stays as it is."""
    before = getattr(place, field)
    if isinstance(before, list):
        after = [*before[:index], *new, *before[index + 1 :]]
        setattr(place, field, after or [ast.Pass()] if field == "body" else after)
    else:
        setattr(place, field, new[0])
    text = ast.unparse(tree)
    setattr(place, field, before)
    return f"{text}\n"
