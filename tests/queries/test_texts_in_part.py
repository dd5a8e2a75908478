"""Texts that name what they do not tell: other files, values of instances, Python's functions."""

import pytest

from minits.queries.text_analysis import TextAnalysis, analyse_text
from minits.queries.type_at import type_at
from minits.source import Position, SourceFile

HEADER = """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from typing import Final, List, Optional
from helpers import Config, scale
"""


def analysis(text: str, header: str = HEADER, dialect: str = "torch") -> TextAnalysis:
    found = analyse_text(SourceFile("model.py", header + text), dialect)
    assert not found.failures
    return found


def faults(text: str, header: str = HEADER, dialect: str = "torch") -> list[tuple[str, str]]:
    """The codes of the faults, and the texts of their places."""
    found = analysis(text, header, dialect).diagnostics
    return [(each.code, each.range.text if each.range else "") for each in found]


def hover(found: TextAnalysis, at: str) -> str | None:
    text, line = found.source.text, at.replace("^", "")
    assert text.count(line) == 1, line
    before = text[: text.index(line) + at.index("^")]
    answer = type_at(
        found.record, Position(before.count("\n") + 1, len(before.rpartition("\n")[2]))
    )
    return None if answer is None else str(answer)


NET = """
class Net(nn.Module):
    gain: float
    bias: Optional[Tensor]
    flag: Final[bool]

    def __init__(self, n, cfg):
        super().__init__()
        self.linear = nn.Linear(n, n)
        self.down = nn.Linear(n, n) if cfg.down else None
        self.weight = nn.Parameter(torch.ones(n))
        self.register_buffer("steps", torch.zeros(1))
        self.cfg = cfg
        self.flag = cfg.flag
        self.blocks = nn.ModuleList([nn.Linear(n, n)])

    def helper(self, x: Tensor, k: int = 2):
        return x * k

    @torch.jit.unused
    def only_python(self, x):
        return [*x], lambda: x

    def never_compiled(self, x):
        return x.nothing()

    @torch.jit.export
    def exported(self, x: Tensor) -> int:
        return x.wrong()

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        h = self.linear(x)
        if mask is not None:
            h = h + mask
        h = self.helper(h) * self.gain + self.steps * self.weight
        if self.cfg.scaled and self.down is not None and not self.training:
            h = scale(self.down(h))
        if self.flag:
            h = self.only_python(h)
        for block in self.blocks:
            h = block(h)
        self.count = 3
        return F.relu(h)
"""


def test_a_module_class_has_the_faults_that_its_text_shows() -> None:
    for dialect in ("torch", "extended"):
        assert faults(NET, dialect=dialect) == [("TS302", "x.wrong")]
    wrong = NET.replace("F.relu(h)", "F.relu(mask)").replace("self.gain +", "self.gain.nothing +")
    assert [code for code, _ in faults(wrong)] == ["TS302", "TS302", "TS402"]


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("^h = self.linear(x)", "Tensor"),
        ("self.^linear(x)", "torch.nn.Linear"),
        ("h = h + ^mask", "Tensor, refined from Optional[Tensor] by line 38"),
        ("h = self.^helper", "def Net.helper(x: Tensor, k: int = 2) -> Tensor"),
        ("* self.^gain", "float"),
        ("+ self.^steps", "Tensor"),
        ("* self.^weight", "Tensor"),
        ("if ^self.cfg", "Net"),
        ("if self.^cfg", "known only where the file is imported"),
    ],
)
def test_types_in_a_module_class(at: str, expected: str) -> None:
    assert hover(analysis(NET), at) == expected


def test_attributes_of_a_parent_in_the_same_text() -> None:
    child = """
class Child(Net):
    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        y = self.helper(x)
        return y + self.linear(x).foo()
"""
    found = analysis(NET.replace("x.wrong()", "x.dim()") + child)
    assert [each.message.partition(" has")[0] for each in found.diagnostics] == ["'Tensor' object"]
    assert hover(found, "y + self.^linear(x).foo") == "torch.nn.Linear"
    assert hover(found, "y = self.^helper(x)") == (
        "def Child.helper(x: Tensor, k: int = 2) -> Tensor"
    )


def test_names_of_other_files_are_no_faults_and_nothing_that_comes_of_them() -> None:
    text = """
EPS = 1e-5

def f(x: Tensor, n: int):
    y = scale(x)
    z = y.anything() + n
    w = x * EPS
    return n.wrong()

def g(c: Config, x: Tensor) -> Tensor:
    return c.size + x
"""
    assert faults(text) == [("TS302", "n.wrong")]
    assert faults("def f(n: int = len('abc')):\n    return n\n") == []
    assert faults("def f(x: Tensor):\n    return scaled(x)\n") == [("TS311", "scaled")]
    assert faults("from lib import *\ndef f(x: Tensor):\n    return anything(x)\n") == []


def test_functions_beside_a_module_class_are_checked_where_it_calls_them() -> None:
    text = """
class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return used(x)

def used(x: Tensor) -> Tensor:
    return x.wrong()

def of_python(x):
    return {*x}

def compiled_below(x: Tensor):
    return x.wrong_as_well()

program = torch.jit.script(compiled_below)
"""
    assert faults(text) == [("TS302", "x.wrong"), ("TS302", "x.wrong_as_well")]


def test_an_unknown_value_that_replaces_a_known_one_in_a_branch() -> None:
    text = """
def f(x: Tensor, n: int) -> Tensor:
    y = x
    if n > 2:
        y = scale
        y = scale(x)
    return y
"""
    assert faults(text) == []


def test_functions_of_python_are_no_programs() -> None:
    text = """
import os

def main():
    for name in os.listdir("."):
        print(f"{name!r}", *[1])

def run_now():
    yield 1

def test_something():
    assert [x for x in range(3) if x], "no"

@decorated
def other(*args, **kwargs):
    return args

run_now()
"""
    assert faults(text) == []
    assert faults("def f(x):\n    yield x\n", header="import os\n") == []
    assert faults("@torch.jit.script\ndef f(x: int):\n    return x.y\n") == [("TS302", "x.y")]


def test_classes_with_decorators_are_unknown_and_script_classes_are_not() -> None:
    text = """
@dataclass
class Options:
    n: int

@torch.jit.script
class Counter:
    def __init__(self, n: int):
        self.n = n

def f(x: int) -> int:
    return Options(x).anything + Counter(x).m
"""
    text += "\nf = torch.jit.script(f)\n"
    assert faults(text) == [("TS302", "Counter(x).m")]
    assert faults(text.replace(" + Counter(x).m", "")) == []


CALLEES = """
def pick(values: Tensor, limit: int) -> Tensor:
    keep = []
    for i in range(limit):
        keep.append(i)
    return values[torch.tensor(keep)]

def through(x: Tensor) -> Tensor:
    return pick(x, unknown(2))

def python(x):
    return x.nothing

@torch.jit.ignore
def ignored(x):
    return x.nothing

class Box:
    def __init__(self, n: int):
        self.n = n

    def wrong(self) -> int:
        return self.m

class Top(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.weights = cfg.weights

    def helper(self, x: Tensor) -> int:
        return x.nothing

    def never(self, x: Tensor) -> int:
        return x.nothing

    def forward(self, x: Tensor) -> Tensor:
        if not torch.jit.is_scripting():
            return python(x)
        BODY
        return x
"""


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("y = pick(x * self.weights, 2)", [("TS402", "keep.append")]),
        ("y = through(self.weights)", [("TS402", "keep.append")]),
        ("y = scale(pick(self.weights, scale(2)))", [("TS402", "keep.append")]),
        ("y = self.helper(self.weights)", [("TS302", "x.nothing")]),
        ("y = Box(self.weights)", [("TS302", "self.m")]),
        ("y = ignored(self.weights)", []),
        ("y = self.weights", []),
    ],
)
def test_what_is_called_with_unknown_arguments_is_a_program(
    statement: str, found: list[tuple[str, str]]
) -> None:
    """What the argument is only the instance tells; the function is compiled all the same."""
    assert faults(CALLEES.replace("BODY", statement).replace("unknown(", "scale(")) == found
