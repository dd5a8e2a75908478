"""Random expressions of a wanted type, grown from templates."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from random import Random

from conformance.fuzz.language.environment import Environment, Function
from conformance.fuzz.language.kinds import (
    KEYS,
    MOST_DEPTH,
    SIMPLE,
    Kind,
    kind,
    list_of,
    random_kind,
)
from conformance.fuzz.language.templates import OF_ANY_TYPE, TEMPLATES, UPDATES, WORDS, Table

OPERATORS = (ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.IfExp)


class Expressions:
    """Writes expressions over an environment's variables and the functions defined so far."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.functions: list[Function] = []
        self.classes: dict[Kind, str] = {}
        """The program's classes, and the template of an object of each."""
        self._templates, self._updates = TEMPLATES, UPDATES
        self._made = 0

    def add_class(self, made: Kind, template: str) -> None:
        """Let expressions make objects of a class."""
        self.classes[made] = template
        self.add_template(made, template)

    def add_template(self, wanted: Kind, template: str) -> None:
        """Let expressions of a type be of this form as well, as often as of all the others."""
        known = [templates for pattern, templates in self._templates if pattern == wanted]
        copies = max(1, sum(map(len, known)) // 4)
        self._templates = (*self._templates, (wanted, (template,) * copies))

    def add_update(self, owner: Kind, template: str) -> None:
        """Let statements change objects of a class in this way."""
        self._updates = (*self._updates, (owner, (template,)))

    def new_name(self, letter: str = "v") -> str:
        self._made += 1
        return f"{letter}{self._made}"

    def write(self, wanted: Kind, environment: Environment, depth: int = 3) -> str:
        """An expression of the type `wanted`, with at most `depth` levels of operators."""
        if wanted.name in WORDS and wanted not in SIMPLE:
            return self._leaf(wanted, environment)
        names = environment.names(wanted)
        if names and self.random.random() < (0.5 if depth else 0.9):
            return self.random.choice(names)
        if depth <= 0:
            return self._leaf(wanted, environment)
        functions = [function for function in self.functions if function.result == wanted]
        if functions and self.random.random() < 0.25:
            return self.call(self.random.choice(functions), environment, depth - 1)
        if wanted.name == "List" and self.random.random() < 0.2:
            return self._comprehension(wanted.of[0], environment, depth - 1)
        return self._from_template(wanted, environment, depth - 1)

    def call(self, function: Function, environment: Environment, depth: int) -> str:
        """A call, with some of the arguments that have defaults, by position or by name."""
        count = self.random.randint(function.required, len(function.parameters))
        named_from = self.random.randint(0, count) if self.random.random() < 0.3 else count
        arguments = []
        for index, (name, wanted) in enumerate(function.parameters[:count]):
            value = self.write(wanted, environment, depth)
            arguments.append(f"{name}={value}" if index >= named_from else value)
        return f"{function.name}({', '.join(arguments)})"

    def update(self, name: str, environment: Environment) -> str | None:
        """A statement that changes a variable; None if there is none for its type."""
        wanted = environment.variables[name].kind
        fitting = list(_fitting(self._updates, wanted))
        if environment.variables[name].is_fixed:
            fitting = [found for found in fitting if not found[0].startswith("$ ")]
        if not fitting:
            return None
        template, meaning = self.random.choice(fitting)
        return self._filled(template.replace("$", name), meaning, environment, 1)

    def _leaf(self, wanted: Kind, environment: Environment) -> str:
        if wanted.name in WORDS:
            return self.random.choice(WORDS[wanted.name])
        if wanted in self.classes:
            return self._filled(self.classes[wanted], {}, environment, 0)
        match wanted.name:
            case "Optional":
                inner = wanted.of[0]
                return f"torch.jit.annotate({wanted}, {self.write(inner, environment, 0)})"
            case "Tuple":
                items = [self.write(item, environment, 0) for item in wanted.of]
                return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
            case "Dict":
                key, value = (self.write(item, environment, 0) for item in wanted.of)
                return f"{{{key}: {value}}}"
        return f"[{self.write(wanted.of[0], environment, 0)}]"

    def _comprehension(self, element: Kind, environment: Environment, depth: int) -> str:
        inner, name = environment.inner(), self.new_name("x")
        if self.random.random() < 0.3:
            item, source = Kind("int"), f"range({self.random.randint(0, 4)})"
        else:
            item = self.random.choice([element, self.random.choice(SIMPLE)])
            source = self.write(list_of(item), environment, min(depth, 1))
            source = f"({source})" if " if " in source else source
        inner.define(name, item)
        return f"[{self.write(element, inner, depth)} for {name} in {source}]"

    def _from_template(self, wanted: Kind, environment: Environment, depth: int) -> str:
        fitting = list(_fitting(self._templates, wanted))
        if wanted.depth < MOST_DEPTH and wanted.name != "Optional":
            fitting += [(template, {"T": wanted}) for template in OF_ANY_TYPE]
        template, meaning = self.random.choice(fitting)
        return self._filled(template, meaning, environment, depth)

    def _filled(
        self, template: str, meaning: dict[str, Kind], environment: Environment, depth: int
    ) -> str:
        meaning = {
            "A": self.random.choice(KEYS),
            "B": self.random.choice(KEYS),
            "T": random_kind(self.random, 2),
            **meaning,
        }
        parts = []
        for text, field, spec, _ in string.Formatter().parse(template):
            parts.append(text)
            if field is not None:
                parts.append(self._part(field, spec or "", meaning, environment, depth))
        return "".join(parts)

    def _part(
        self, field: str, spec: str, meaning: dict[str, Kind], environment: Environment, depth: int
    ) -> str:
        if field == "name":
            return str(kind(spec).given(meaning))
        if field == "plain":
            return self.random.choice(environment.names(kind(spec)) or ["7"])
        written = self.write(kind(field).given(meaning), environment, depth)
        return f"({written})" if self._needs_brackets(written) else written

    def _needs_brackets(self, written: str) -> bool:
        """Whether to put brackets: mostly, as else precedence changes what types meet."""
        outermost = ast.parse(written, mode="eval").body
        return isinstance(outermost, OPERATORS) and self.random.random() < 0.97


def _fitting(table: Table, wanted: Kind) -> Iterator[tuple[str, dict[str, Kind]]]:
    """The templates for a type, with what their letters stand for."""
    for pattern, templates in table:
        meaning = _matched(pattern, wanted)
        if meaning is not None:
            for template in templates:
                yield template, meaning


def _matched(pattern: Kind, wanted: Kind) -> dict[str, Kind] | None:
    """The kind that each of the pattern's letters stands for in `wanted`; None if none fits."""
    if pattern.name in "TUVAB":
        return {pattern.name: wanted}
    if pattern.name != wanted.name or len(pattern.of) != len(wanted.of):
        return None
    found: dict[str, Kind] = {}
    for mine, theirs in zip(pattern.of, wanted.of, strict=True):
        inner = _matched(mine, theirs)
        if inner is None:
            return None
        found |= inner
    return found
