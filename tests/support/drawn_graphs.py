"""Valid graphs made at random, such as no program is compiled to.

A loop may have a count, a condition or both, and read its position; blocks give outer values, one
value twice or the inputs of another order; values are read by nothing; branches give an Optional.

    graph(%v1 : int, %v2 : Tensor?):
      %v3 : int, %v4 : Tensor? = prim::Loop(%v1, %v7, %v1, %v2)
        block0(%v5 : int, %v6 : int, ...):
          ...
"""

from __future__ import annotations

import random
from typing import Any

import torch

from minits.ir.graph import Graph

MAX_INT = 2**63 - 1
INPUTS = ("int", "int", "bool", "float", "Tensor", "Tensor", "int[]", "int?", "Tensor?")
CARRIED = ("int", "int", "bool", "float", "Tensor", "int[]", "int?", "(int, Tensor)")

_OPERATORS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "int": (
        ("aten::add", ("int", "int")),
        ("aten::sub", ("int", "int")),
        ("aten::neg", ("int",)),
        ("aten::mul", ("int", "2")),
        ("aten::floordiv", ("int", "3")),
        ("aten::len", ("int[]",)),
        ("aten::dim", ("Tensor",)),
        ("aten::Int", ("bool",)),
        ("aten::__getitem__", ("int[]+", "0")),  # of at least one item, so that nothing raises
        ("prim::TupleIndex", ("(int, Tensor)", "0")),
    ),
    "float": (
        ("aten::add", ("float", "float")),
        ("aten::mul", ("float", "0.5")),
        ("aten::Float", ("int",)),
        ("aten::div", ("int", "2")),
    ),
    "bool": (
        ("aten::lt", ("int", "int")),
        ("aten::eq", ("int", "int")),
        ("aten::__not__", ("bool",)),
        ("aten::__and__", ("bool", "bool")),
        ("aten::__is__", ("int?", "None")),
        ("aten::__isnot__", ("Tensor?", "None")),
        ("aten::gt", ("float", "0.5")),
    ),
    "Tensor": (
        ("aten::add", ("Tensor", "Tensor", "1")),
        ("aten::add", ("Tensor", "int", "1")),
        ("aten::mul", ("Tensor", "Tensor")),
        ("aten::mul", ("Tensor", "float")),
        ("aten::abs", ("Tensor",)),
        ("aten::relu", ("Tensor",)),
        ("aten::sum", ("Tensor", "None")),
        ("aten::unsqueeze", ("Tensor", "0")),
        ("aten::clone", ("Tensor", "None")),
        ("prim::TupleIndex", ("(int, Tensor)", "1")),
    ),
    "int[]": (
        ("prim::ListConstruct", ("int", "int")),
        ("prim::ListConstruct", ("int",)),
        ("aten::add", ("int[]", "int[]")),
    ),
    "(int, Tensor)": (("prim::TupleConstruct", ("int", "Tensor")),),
}
_WRITES = (
    ("aten::append", "int[]", ("int[]", "int")),
    ("aten::add_", "Tensor", ("Tensor", "int", "1")),
    ("aten::abs_", "Tensor", ("Tensor",)),
)


Known = list[tuple[str, str]]
"""Values that can be read, those of the blocks around included, and their types."""


class _Drawing:
    """The text of one graph; the seed decides everything."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.fewest = 0 if seed % 3 == 0 else 1
        self.lines: list[str] = []
        self.last = 0
        self.indent = 1
        self.first_tensor = ""

    def name(self) -> str:
        self.last += 1
        return f"%v{self.last}"

    def write(self, text: str) -> None:
        self.lines.append("  " * self.indent + text)

    def make(self, type: str, text: str) -> str:
        name = self.name()
        self.write(f"{name} : {type} = {text}")
        return name

    def constant(self, text: str) -> str:
        if text == "None":
            return self.make("NoneType", "prim::Constant()")
        type = "float" if "." in text else "int"
        return self.make(type, f"prim::Constant[value={text}]()")

    # ---- Values ----------------------------------------------------------------------------------

    def value(self, type: str, known: Known) -> str:
        """Return a value of a type: one of those known, or a new one."""
        found = [name for name, each in known if each == type]
        if found and self.random.random() < 0.9:
            return self.random.choice(found)
        return self.new(type, known)

    def new(self, type: str, known: Known, depth: int = 0) -> str:
        """Write an operator that gives a value of a type."""
        if type.endswith("?"):
            if self.random.random() < 0.4:
                return self.constant("None")  # a None is an Optional
            return self.value(type[:-1], known)
        if type == "bool" and self.random.random() < 0.3:
            return self.make("bool", f"prim::Constant[value={self.random.randrange(2)}]()")
        if type in ("int", "float") and self.random.random() < 0.3:
            number = self.random.randrange(-2, 5)
            return self.constant(str(number) if type == "int" else f"{number}.5")
        choices = _OPERATORS[type]
        if depth > 3:
            return self.random.choice(
                [name for name, each in known if each == type] or [self.base(type)]
            )
        kind, wanted = self.random.choice(choices)
        given = [self.operand(each, known, depth) for each in wanted]
        made = self.make(type, f"{kind}({', '.join(given)})")
        known.append((made, type))
        return made

    def base(self, type: str) -> str:
        if type == "int[]":
            return self.make("int[]", "prim::ListConstruct()")
        if type == "(int, Tensor)":
            return self.make(
                type, f"prim::TupleConstruct({self.base('int')}, {self.base('Tensor')})"
            )
        if type == "Tensor":
            return self.make("Tensor", f"aten::neg({self.first_tensor})")
        if type == "bool":
            return self.make("bool", "prim::Constant[value=1]()")
        return self.constant("1" if type == "int" else "1.5")

    def operand(self, wanted: str, known: Known, depth: int) -> str:
        if wanted == "int[]+":
            one = self.make("int[]", f"prim::ListConstruct({self.constant('1')})")
            return self.make("int[]", f"aten::add({self.operand('int[]', known, depth)}, {one})")
        if wanted == "None" or wanted[0].isdigit():
            return self.constant(wanted)
        found = [name for name, each in known if each == wanted]
        if found and self.random.random() < 0.9:
            return self.random.choice(found)
        return self.new(wanted, known, depth + 1)

    # ---- Statements ------------------------------------------------------------------------------

    def statements(self, known: Known, depth: int) -> None:
        for _ in range(self.random.randint(1, 4)):
            pick = self.random.random()
            if depth and pick < 0.25:
                self.branch(known, depth)
            elif depth and pick < 0.5:
                self.loop(known, depth)
            elif pick < 0.6:
                kind, type, wanted = self.random.choice(_WRITES)
                given = [self.operand(each, known, 1) for each in wanted]
                made = self.make(type, f"{kind}({', '.join(given)})")
                known.append((made, type))
            elif pick < 0.65:
                first, second = self.name(), self.name()
                given = self.value("(int, Tensor)", known)
                self.write(f"{first} : int, {second} : Tensor = prim::TupleUnpack({given})")
                known += [(first, "int"), (second, "Tensor")]
            else:
                self.new(self.random.choice(("int", "bool", "Tensor", "float", "int[]")), known)

    def branch(self, known: Known, depth: int) -> None:
        condition, refined = self.value("bool", known), None
        optional = [(name, type) for name, type in known if type.endswith("?")]
        if optional and self.random.random() < 0.5:
            refined = self.random.choice(optional)
            none = self.constant("None")
            condition = self.make("bool", f"aten::__isnot__({refined[0]}, {none})")
        types = [self.random.choice(CARRIED) for _ in range(self.random.randint(self.fewest, 3))]
        outputs = [self.name() for _ in types]
        declared = ", ".join(f"{name} : {type}" for name, type in zip(outputs, types, strict=True))
        self.write(f"{declared}{' ' if declared else ''}= prim::If({condition})")
        for number in (0, 1):
            self.indent += 1
            self.write(f"block{number}():")
            self.indent += 1
            inner = list(known)
            if number == 0 and refined is not None:
                cast = self.make(refined[1][:-1], f"prim::unchecked_cast({refined[0]})")
                inner.append((cast, refined[1][:-1]))
            self.statements(inner, depth - 1)
            given = [self.value(type, inner) for type in types]
            self.write(f"-> ({', '.join(given)})")
            self.indent -= 2
        known += zip(outputs, types, strict=True)

    def loop(self, known: Known, depth: int) -> None:
        kind = self.random.choice(("count", "condition", "both"))
        always = self.make("bool", "prim::Constant[value=1]()")
        entry = (
            always if kind == "count" or self.random.random() < 0.5 else self.value("bool", known)
        )
        most = self.constant(str(MAX_INT))
        if kind != "condition":
            most = self.constant(str(self.random.randrange(-1, 4)))
            if self.random.random() < 0.3:
                most = self.make(
                    "int", f"prim::min({self.value('int', known)}, {self.constant('3')})"
                )
        limit = self.constant(str(self.random.randrange(4)))
        types = [self.random.choice(CARRIED) for _ in range(self.random.randint(self.fewest, 3))]
        starts = [self.value(type, known) for type in types]
        outputs, inner, position = (
            [self.name() for _ in types],
            [self.name() for _ in types],
            self.name(),
        )
        declared = ", ".join(f"{name} : {type}" for name, type in zip(outputs, types, strict=True))
        given = ", ".join([most, entry, *starts])
        self.write(f"{declared}{' ' if declared else ''}= prim::Loop({given})")
        self.indent += 1
        parameters = [f"{position} : int"]
        parameters += [f"{name} : {type}" for name, type in zip(inner, types, strict=True)]
        self.write(f"block0({', '.join(parameters)}):")
        self.indent += 1
        here = [*known, (position, "int"), *zip(inner, types, strict=True)]
        self.statements(here, depth - 1)
        results = [self.value(type, here) for type in types]
        again = always if kind == "count" else self.again(kind, position, limit, here)
        self.write(f"-> ({', '.join([again, *results])})")
        self.indent -= 2
        known += zip(outputs, types, strict=True)

    def again(self, kind: str, position: str, limit: str, here: Known) -> str:
        """Return a condition; one that ends the loop, if nothing else does."""
        if kind == "both" and self.random.random() < 0.6:
            return self.value("bool", here)
        more = self.make("bool", f"aten::lt({position}, {limit})")
        if self.random.random() < 0.5:
            return more
        return self.make("bool", f"aten::__and__({more}, {self.value('bool', here)})")


def drawn_graph(seed: int) -> str:
    """Return the text of a graph; what it gives is a tuple of the last values of some types."""
    drawing = _Drawing(seed)
    known = [(drawing.name(), type) for type in INPUTS]
    drawing.first_tensor = next(name for name, type in known if type == "Tensor")
    inputs = ",\n      ".join(f"{name} : {type}" for name, type in known)
    for _ in range(3):
        drawing.statements(known, 2)
    shown = [
        next((n, t) for n, t in reversed(known) if t == type)
        for type in ("int", "bool", "Tensor", "int[]", "int?")
    ]
    types = ", ".join(type for _, type in shown)
    result = drawing.name()
    drawing.write(f"{result} : ({types}) = prim::TupleConstruct({', '.join(n for n, _ in shown)})")
    drawing.write(f"return ({result})")
    return f"graph({inputs}):\n" + "\n".join(drawing.lines) + "\n"


def is_read_by_torch(graph: Graph) -> bool:
    """Return whether torch's parser takes its text: each If and Loop has an output."""
    return all(node.outputs for node in graph.nodes_of_kind("prim::If", "prim::Loop"))


def drawn_calls(seed: int) -> list[tuple[Any, ...]]:
    """Return arguments for some calls."""
    rng = random.Random(seed)
    return [
        (
            rng.randrange(-2, 6), rng.randrange(3), rng.random() < 0.5, rng.choice((0.5, -2.0)),
            torch.tensor([0.5, -1.0, 2.0]), torch.tensor([[1.0], [0.25]]),
            [rng.randrange(5) for _ in range(rng.randrange(3))],
            rng.choice((None, 3)), rng.choice((None, torch.tensor([1.5, 0.0, -1.0]))),
        )
        for _ in range(3)
    ]  # fmt: skip
