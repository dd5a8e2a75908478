"""Random script classes: attributes, methods, properties, and the methods that operators call.

class C1:
    def __init__(self, a: int, b: List[str]):
        self.x1 = a
        self.x2 = b

    def __getitem__(self, a: int) -> str:
        return self.x2[a]

What a class offers becomes templates of expressions and statements, so that what is written after
a method may call it. A method calls none that comes after it, so that no program calls for ever.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from conformance.fuzz.language.environment import Environment
from conformance.fuzz.language.expressions import Expressions
from conformance.fuzz.language.kinds import BOOL, INT, SIMPLE, STR, Kind, random_kind
from conformance.fuzz.language.statements import Lines, Statements, indented

MAGIC: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    ("__len__", (), "int", "len({C})"),
    ("__getitem__", ("int",), "T", "{C}[{int}]"),
    ("__getitem__", ("str",), "T", "{C}[{str}]"),
    ("__contains__", ("A",), "bool", "{A} in {C}"),
    ("__add__", ("C",), "T", "{C} + {C}"),
    ("__add__", ("A",), "T", "{C} + {A}"),
    ("__sub__", ("A",), "T", "{C} - {A}"),
    ("__mul__", ("int",), "C", "{C} * {int}"),
    ("__neg__", (), "T", "-{C}"),
    ("__call__", ("A",), "T", "{C}({A})"),
    ("__eq__", ("C",), "bool", "{C} == {C}"),
    ("__ne__", ("C",), "bool", "{C} != {C}"),
    ("__lt__", ("C",), "bool", "{C} < {C}"),
    ("__str__", (), "str", "str({C})"),
    ("__bool__", (), "bool", "bool({C})"),
    ("__int__", (), "int", "int({C})"),
    ("__float__", (), "float", "float({C})"),
    ("__and__", ("int",), "T", "{C} & {int}"),
    ("__setitem__", ("int", "A"), "None", "$[{int}] = {A}"),
    ("__setitem__", ("str", "A"), "None", "$[{str}] = {A}"),
    ("__delitem__", ("int",), "None", "del $[{int}]"),
)
"""Methods, the types of their parameters and results, and what calls them."""
BUILTINS = tuple(row for row in MAGIC if row[0] in ("__len__", "__str__", "__int__", "__float__"))
"""Those that share their name with a builtin which generated code calls."""


def add_class(random: Random, expressions: Expressions) -> Lines:
    """Write a class, and let expressions and statements use it from now on."""
    writer = _Writer(random, expressions)
    methods = [writer.initializer()]
    for _ in range(random.randint(2, 5)):
        made = random.choice((writer.magic, writer.magic, writer.method, writer.property))()
        methods += [["", *made]] if made else []
    return [f"class {writer.kind}:", *indented([line for lines in methods for line in lines])]


class _Writer:
    def __init__(self, random: Random, expressions: Expressions) -> None:
        self.random, self.expressions = random, expressions
        self.kind = Kind(expressions.new_name("C"))
        self._attributes: dict[str, Kind] = {}
        self._names: set[str] = set()

    def initializer(self) -> Lines:
        kinds = [self._kind() for _ in range(self.random.randint(1, 3))]
        names = ["abc"[index] for index in range(len(kinds))]
        lines = []
        for name, wanted in zip(names, kinds, strict=True):
            attribute = self.expressions.new_name("x")
            self._attributes[f"self.{attribute}"] = wanted
            lines.append(f"self.{attribute} = {name}")
            self.expressions.add_template(wanted, f"{{{self.kind}}}.{attribute}")
        parameters = "".join(f", {n}: {k}" for n, k in zip(names, kinds, strict=True))
        given = ", ".join(f"{{{wanted}}}" for wanted in kinds)
        self.expressions.add_class(self.kind, f"{self.kind}({given})")
        return [f"def __init__(self{parameters}):", *indented(lines)]

    def magic(self) -> Lines:
        table = BUILTINS if self.random.random() < 0.4 else MAGIC
        name, kinds, result, template = self.random.choice(table)
        if name in self._names:
            return []
        self._names.add(name)
        meaning = {
            "C": self.kind,
            "A": self.random.choice((INT, STR)),
            "T": self._kind(),
        }
        given = [Kind(each).given(meaning) for each in kinds]
        for letter, meant in meaning.items():
            template = template.replace(f"{{{letter}}}", f"{{{meant}}}")
        lines = self._lines(name, given, Kind(result).given(meaning))
        self._offer(Kind(result).given(meaning), template)
        return lines

    def method(self) -> Lines:
        name = self.expressions.new_name("m")
        kinds = [self._kind() for _ in range(self.random.randint(0, 2))]
        result = self._kind() if self.random.random() < 0.7 else Kind("None")
        lines = self._lines(name, kinds, result)
        arguments = ", ".join(f"{{{each}}}" for each in kinds)
        owner = "$" if result.name == "None" else f"{{{self.kind}}}"
        self._offer(result, f"{owner}.{name}({arguments})")
        return lines

    def property(self) -> Lines:
        name, result = self.expressions.new_name("m"), self._kind()
        lines = self._lines(name, [], result)
        self._offer(result, f"{{{self.kind}}}.{name}")
        return ["@property", *lines]

    def _offer(self, result: Kind, template: str) -> None:
        if result.name == "None":
            self.expressions.add_update(self.kind, template)
        else:
            self.expressions.add_template(result, template)

    def _kind(self) -> Kind:
        made = random_kind(self.random, 2)
        return self.random.choice(SIMPLE) if made.name == "Optional" else made

    def _lines(self, name: str, kinds: list[Kind], result: Kind) -> Lines:
        environment = Environment(result)
        for attribute, wanted in self._attributes.items():
            environment.define(attribute, wanted)
        environment.define("self", self.kind)
        environment.variables["self"] = replace(environment.variables["self"], is_fixed=True)
        names = ["ab"[index] for index in range(len(kinds))]
        for parameter, wanted in zip(names, kinds, strict=True):
            environment.define(parameter, wanted)
        count = self.random.randint(0 if result != BOOL else 1, 2)
        body = Statements(self.random, self.expressions).block(environment, count, 1)
        if not environment.ended and result.name != "None":
            body.append(f"return {self.expressions.write(result, environment, 2)}")
        body = [line for line in body if line != "pass"] or ["pass"]
        parameters = "".join(f", {n}: {k}" for n, k in zip(names, kinds, strict=True))
        return [f"def {name}(self{parameters}) -> {result}:", *indented(body)]
