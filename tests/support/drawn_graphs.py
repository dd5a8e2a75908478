"""Valid graphs made at random, such as no program is compiled to.

A loop may have a count, a condition or both, and read its position; blocks give outer values, one
value twice or the inputs of another order; values are read by nothing; branches give an Optional;
lists, dicts, tuples of tuples and objects of a class are made, carried, read and written.

    graph(%v1 : int, %v2 : Tensor?):
      %v3 : int, %v4 : Tensor? = prim::Loop(%v1, %v7, %v1, %v2)
        block0(%v5 : int, %v6 : int, ...):
          ...
"""

from __future__ import annotations

import random
from typing import Any

import torch
from torch import Tensor

import minits
from minits.ir.graph import Graph
from minits.ir.parser import parse_graph
from minits.types import types as t


class Box:
    def __init__(self, n: int, x: Tensor) -> None:
        self.n = n
        self.x = x

    def grow(self, by: int) -> int:
        self.n += by
        return self.n


def _boxed(n: int, x: Tensor) -> int:
    return Box(n, x).grow(1)


MAX_INT = 2**63 - 1
BOX = f"__torch__.{__name__}.Box"
INPUTS = (
    "int", "int", "bool", "float", "Tensor", "Tensor", "int[]", "int?", "Tensor?", "Dict(int, int)",
    "Dict(int, Tensor)",
)  # fmt: skip
CARRIED = (
    "int", "int", "bool", "float", "Tensor", "int[]", "int?", "(int, Tensor)", "Dict(int, int)",
    "Dict(int, Tensor)", "((int, Tensor), int[])",
)  # fmt: skip

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
        ("aten::len", ("Dict(int, Tensor)",)),
        ("aten::get", ("Dict(int, int)", "int", "int")),
        ("aten::setdefault", ("Dict(int, int)", "int", "int")),
        ("aten::pop", ("Dict(int, int)", "int", "int")),
        ('prim::GetAttr[name="n"]', (BOX,)),
        ('prim::CallMethod[name="grow"]', (BOX, "int")),
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
        ("aten::__contains__", ("Dict(int, int)", "int")),
        ("aten::__contains__", ("Dict(int, Tensor)", "int")),
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
        ("aten::get", ("Dict(int, Tensor)", "int", "Tensor")),
        ("aten::setdefault", ("Dict(int, Tensor)", "int", "Tensor")),
        ("aten::pop", ("Dict(int, Tensor)", "int", "Tensor")),
        ('prim::GetAttr[name="x"]', (BOX,)),
    ),
    "int[]": (
        ("prim::ListConstruct", ("int", "int")),
        ("prim::ListConstruct", ("int",)),
        ("aten::add", ("int[]", "int[]")),
        ("aten::keys", ("Dict(int, int)",)),
        ("aten::values", ("Dict(int, int)",)),
        ("prim::TupleIndex", ("((int, Tensor), int[])", "1")),
    ),
    "(int, Tensor)": (
        ("prim::TupleConstruct", ("int", "Tensor")),
        ("prim::TupleIndex", ("((int, Tensor), int[])", "0")),
    ),
    "((int, Tensor), int[])": (("prim::TupleConstruct", ("(int, Tensor)", "int[]")),),
    "Dict(int, int)": (
        ("prim::DictConstruct", ("int", "int")),
        ("prim::DictConstruct", ()),
        ("aten::copy", ("Dict(int, int)",)),
    ),
    "Dict(int, Tensor)": (
        ("prim::DictConstruct", ("int", "Tensor", "int", "Tensor")),
        ("aten::copy", ("Dict(int, Tensor)",)),
    ),
}
_WRITES = (
    ("aten::append", "int[]", ("int[]", "int")),
    ("aten::add_", "Tensor", ("Tensor", "int", "1")),
    ("aten::abs_", "Tensor", ("Tensor",)),
)
_STORES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("aten::_set_item", ("Dict(int, int)", "int", "int")),
    ("aten::_set_item", ("Dict(int, Tensor)", "int", "Tensor")),
    ("aten::update", ("Dict(int, int)", "Dict(int, int)")),
    ("aten::clear", ("Dict(int, Tensor)",)),
    ('prim::SetAttr[name="n"]', (BOX, "int")),
    ('prim::SetAttr[name="x"]', (BOX, "Tensor")),
)
"""Writes without results, which torch's parser does not take."""


_SHOWN = ("int", "bool", "Tensor", "int[]", "int?", "Dict(int, int)", "Dict(int, Tensor)")
_MADE = ("int", "bool", "Tensor", "float", "int[]", "Dict(int, int)", "Dict(int, Tensor)")
Known = list[tuple[str, str]]
"""Values that can be read, those of the blocks around included, and their types."""


class _Drawing:
    """The text of one graph; the seed decides everything."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.is_read_by_torch = seed % 3 != 0
        self.fewest = 1 if self.is_read_by_torch else 0
        self.carried = CARRIED if self.is_read_by_torch else (*CARRIED, BOX)
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
        if type == BOX:
            return self.box(known, depth)
        if depth > 3:
            return self.random.choice(
                [name for name, each in known if each == type] or [self.base(type)]
            )
        choices = [
            each for each in _OPERATORS[type] if not self.is_read_by_torch or BOX not in each[1]
        ]
        kind, wanted = self.random.choice(choices)
        given = [self.operand(each, known, depth) for each in wanted]
        made = self.make(type, f"{kind}({', '.join(given)})")
        known.append((made, type))
        return made

    def box(self, known: Known, depth: int) -> str:
        """Write a new object, made by its `__init__` or by its attributes."""
        number, tensor = self.operand("int", known, depth), self.operand("Tensor", known, depth)
        made = self.make(BOX, "prim::CreateObject()")
        if self.random.random() < 0.5:
            self.make("NoneType", f'prim::CallMethod[name="__init__"]({made}, {number}, {tensor})')
        else:
            self.write(f'= prim::SetAttr[name="n"]({made}, {number})')
            self.write(f'= prim::SetAttr[name="x"]({made}, {tensor})')
        known.append((made, BOX))
        return made

    def base(self, type: str) -> str:
        if type == "int[]":
            return self.make("int[]", "prim::ListConstruct()")
        if type.startswith("Dict"):
            return self.make(type, "prim::DictConstruct()")
        if type.startswith("(("):
            pair = self.base("(int, Tensor)")
            return self.make(type, f"prim::TupleConstruct({pair}, {self.base('int[]')})")
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
            if not self.is_read_by_torch and self.random.random() < 0.15:
                kind, wanted = self.random.choice(_STORES)
                given = [self.operand(each, known, 1) for each in wanted]
                self.write(f"= {kind}({', '.join(given)})")
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
                self.new(self.random.choice(_MADE), known)

    def branch(self, known: Known, depth: int) -> None:
        condition, refined = self.value("bool", known), None
        optional = [(name, type) for name, type in known if type.endswith("?")]
        if optional and self.random.random() < 0.5:
            refined = self.random.choice(optional)
            none = self.constant("None")
            condition = self.make("bool", f"aten::__isnot__({refined[0]}, {none})")
        types = [
            self.random.choice(self.carried) for _ in range(self.random.randint(self.fewest, 3))
        ]
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
        types = [
            self.random.choice(self.carried) for _ in range(self.random.randint(self.fewest, 3))
        ]
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


def drawn_graph(seed: int) -> Graph:
    """Return a graph; what it gives is a tuple of the last values of some types."""
    made = minits.script(_boxed).graph.nodes_of_kind("prim::CreateObject")[0].outputs[0].type
    assert isinstance(made, t.ClassType)
    return parse_graph(_text(seed), classes=[made])


def _text(seed: int) -> str:
    drawing = _Drawing(seed)
    known = [(drawing.name(), type) for type in INPUTS]
    drawing.first_tensor = next(name for name, type in known if type == "Tensor")
    inputs = ",\n      ".join(f"{name} : {type}" for name, type in known)
    for _ in range(3):
        drawing.statements(known, 2)
    shown = [next((n, t) for n, t in reversed(known) if t == type) for type in _SHOWN]
    types = ", ".join(type for _, type in shown)
    result = drawing.name()
    drawing.write(f"{result} : ({types}) = prim::TupleConstruct({', '.join(n for n, _ in shown)})")
    drawing.write(f"return ({result})")
    return f"graph({inputs}):\n" + "\n".join(drawing.lines) + "\n"


def is_read_by_torch(graph: Graph) -> bool:
    """Return whether torch's parser takes its text: each node has an output, and no class."""
    return all(
        node.outputs and not isinstance(node.outputs[0].type, t.ClassType)
        for node in graph.all_nodes()
    )


def drawn_calls(seed: int) -> list[tuple[Any, ...]]:
    """Return arguments for some calls."""
    rng = random.Random(seed)
    return [
        (
            rng.randrange(-2, 6), rng.randrange(3), rng.random() < 0.5, rng.choice((0.5, -2.0)),
            torch.tensor([0.5, -1.0, 2.0]), torch.tensor([[1.0], [0.25]]),
            [rng.randrange(5) for _ in range(rng.randrange(3))],
            rng.choice((None, 3)), rng.choice((None, torch.tensor([1.5, 0.0, -1.0]))),
            {rng.randrange(3): rng.randrange(9) for _ in range(rng.randrange(3))},
            {rng.randrange(3): torch.tensor([float(at)]) for at in range(rng.randrange(3))},
        )
        for _ in range(3)
    ]  # fmt: skip
