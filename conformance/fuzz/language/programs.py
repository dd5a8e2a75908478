"""Random programs: a few functions, of which the last one is called.

def f0(a: int, b: Optional[str] = None) -> int:
    ...

def program(a: List[int], b: float) -> Tuple[int, str]:
    v1 = f0(a[0])
    ...
"""

from __future__ import annotations

import ast
import linecache
import math
import sys
import typing
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import torch

from conformance import case
from conformance.fuzz.language.classes import add_class
from conformance.fuzz.language.environment import Environment, Function
from conformance.fuzz.language.expressions import Expressions
from conformance.fuzz.language.kinds import SIMPLE, Kind, random_kind, random_value
from conformance.fuzz.language.statements import Statements, indented

CALLS = 3
"""How many arguments each program is called on."""
MAIN = "program"
"""The function that is called."""
FOLDER = Path("/fuzz")
_PREFIX = "fuzz_"
"""How the names of the programs' modules begin."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program's text, and the arguments to call it on.

    It offers what `conformance.observe` asks of a case.
    """

    text: str
    calls: tuple[tuple[Any, ...], ...]

    root = FOLDER
    path = FOLDER / "program.py"

    @property
    def module_name(self) -> str:
        """A name of its own, as torch tells functions of the same name apart by a number."""
        return f"{_PREFIX}{sha1(self.text.encode()).hexdigest()}"

    def load(self) -> case.Program:
        """Return a module with the program."""
        filename = str(self.path)
        for name in [name for name in sys.modules if name.startswith(_PREFIX)]:
            del sys.modules[name]
        linecache.cache[filename] = (len(self.text), None, self.text.splitlines(True), filename)
        module = sys.modules[self.module_name] = ModuleType(self.module_name)
        module.__file__ = filename  # where the source of classes is looked for
        module.__dict__.update(
            {name: getattr(typing, name) for name in ("Dict", "List", "Optional", "Tuple")},
            torch=torch,
            Tensor=torch.Tensor,
            math=math,
            inputs=lambda: copied(self.calls),
        )
        exec(compile(self.text, filename, "exec"), module.__dict__)
        return case.Program(module)

    def __str__(self) -> str:
        return "\n".join([self.text, *(f"on {arguments}" for arguments in self.calls)])


def copied(value: Any) -> Any:
    """A copy of arguments that shares nothing with them."""
    if isinstance(value, torch.Tensor):
        return value.clone()
    if isinstance(value, list | tuple):
        return type(value)(copied(item) for item in value)
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return value


def random_program(random: Random) -> Program:
    """A program that torch.jit should accept."""
    program = _draw(random)
    while not _is_python(program.text):  # brackets left out may do that: `a * 1.lower()`
        program = _draw(random)
    return program


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _draw(random: Random) -> Program:
    expressions = Expressions(random)
    parts = []
    for _ in range(random.choice((0, 0, 1, 2))):
        parts.append(add_class(random, expressions))
    for number in range(random.choice((0, 0, 1, 2))):
        lines, function = _function(random, expressions, f"f{number}", is_helper=True)
        expressions.functions.append(function)
        parts.append(lines)
    lines, main = _function(random, expressions, MAIN, is_helper=False)
    text = "\n\n".join("".join(f"{line}\n" for line in part) for part in [*parts, lines])
    kinds = [wanted for _, wanted in main.parameters]
    calls = tuple(tuple(random_value(random, wanted) for wanted in kinds) for _ in range(CALLS))
    return Program(text, calls)


def _function(
    random: Random, expressions: Expressions, name: str, is_helper: bool
) -> tuple[list[str], Function]:
    """The lines of a function, and how to call it."""
    kinds = [random_kind(random) for _ in range(random.randint(1, 3 if is_helper else 4))]
    parameters = [("abcd"[index], wanted) for index, wanted in enumerate(kinds)]
    result = random.choice(SIMPLE) if is_helper else random_kind(random)
    environment = Environment(result)
    required = len(kinds)
    texts = [f"{parameter}: {wanted}" for parameter, wanted in parameters]
    while is_helper and required and (default := _default(random, kinds[required - 1])):
        required -= 1
        texts[required] += f" = {default}"
    for parameter, wanted in parameters:
        environment.define(parameter, wanted)
    statements = Statements(random, expressions)
    body = statements.block(
        environment, random.randint(2, 3 if is_helper else 7), 2 if is_helper else 3
    )
    if not environment.ended:
        body.append(f"return {expressions.write(result, environment, 2)}")
    head = f"def {name}({', '.join(texts)}) -> {result}:"
    return [head, *indented(body)], Function(name, tuple(parameters), required, result)


def _default(random: Random, wanted: Kind) -> str | None:
    """A default for a parameter, for some."""
    if random.random() < 0.5:
        return None
    if wanted.name == "Optional":
        return "None"
    return repr(random_value(random, wanted)) if wanted.name in ("int", "bool", "str") else None
