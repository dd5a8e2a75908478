"""Names that programs choose, which generated Python and the texts of guards use as well."""

from __future__ import annotations

import keyword
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from tests.support.control_flow import load

GENERATED = (
    "torch_add", "aten_add_Tensor", "constant", "copied", "wrap", "kernel_0", "loop", "trips",
    "again", "entered", "warned", "by_number", "raised", "enter", "exit", "wait", "fork", "_t",
    "_d", "_l", "_", "v3", "x", "self", "args", "kwargs", "values", "last", "guard", "then",
    "launch", "UNLIKE", "plan", "run", "seen", "profiler", "at_index", "row",
    "find", "turn", "call", "MISSING", "torch", "__minits_stacks__", "program",
)  # fmt: skip
"""Names that generated code gives to what it needs."""
BUILTINS = (
    "len", "range", "str", "list", "sum", "abs", "set", "int", "float", "bool", "min", "max",
    "isinstance", "getattr", "print", "dict", "tuple", "object", "id", "Exception",
)  # fmt: skip
NAMES = (*GENERATED, *BUILTINS, "match", "case", "type", "_private", "été")

TEXT = """
from typing import List
import torch
from torch import Tensor
import {functions} as functions

class Few:
    def __init__(self, n: int):
        self.n = n
    def NAME(self, xs: List[int]) -> int:
        return self.n * 1000

class Many:
    def __init__(self, n: int):
        self.NAME = n
    def grow(self, by: int) -> int:
        self.NAME += by
        return self.NAME

class More:
    def __init__(self, n: int):
        self.n = n
    def NAME(self, xs: List[int]) -> int:
        return self.n * 7

def methods(xs: List[int], y: Tensor) -> Tensor:
    few, more, many = Few(2), More(3), Many(4)
    total = few.NAME(xs) + more.NAME(xs) + many.grow(len(xs)) + sum(xs) + len(str(xs[0]))
    for i in range(2, 5):
        total += few.NAME([i]) + abs(-i)
    seen = list(range(3))
    return torch.add(y, total + len(seen)) * y

def called(xs: List[int], y: Tensor) -> Tensor:
    z = functions.first.NAME(y) - functions.second.NAME(y)
    for i in range(len(xs)):
        z = z + sum(xs) * abs(z) - functions.first.NAME(z)
    return z

def bound(NAME: List[int], y: Tensor) -> Tensor:
    x = y * 2 + y
    for one in NAME:
        x = x + one
    return x

def assigned(xs: List[int], y: Tensor) -> Tensor:
    NAME = y + 1
    total = 0
    for k in xs:
        total = total * 3 + k
        NAME = NAME * total + y
    return NAME

def whole_of(y: Tensor) -> int:
    return int((y * 5).sum().item())

def stored(xs: List[int], y: Tensor) -> Tensor:
    NAME = xs[1] + 7
    n, m = y.view(-1, 1).shape
    half = xs[0] / (n + xs[1])
    rest = xs[1] // (xs[0] + m)
    whole = whole_of(y)
    return y * (half + n + rest + whole + NAME) + m
"""
PROGRAMS = ("methods", "called", "bound", "assigned", "stored")


@pytest.fixture(autouse=True)
def first_calls_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """First calls run as they do for users: nothing is inlined, and each function has a name."""
    monkeypatch.delenv("MINITS_BUILD")


def module(folder: Path, name: str, text: str) -> Any:
    file = folder / f"{name}.py"
    file.write_text(text)
    return load(file)


@pytest.mark.one_in(20)
@pytest.mark.parametrize("name", [*NAMES])
def test_a_name_of_the_program_is_none_of_generated_code(name: str, tmp_path: Path) -> None:
    text = "from torch import Tensor\ndef NAME(x: Tensor) -> Tensor:\n    return x "
    functions = module(tmp_path, f"functions_{name}", "")
    functions.first = module(tmp_path, f"first_{name}", f"{text}* 5\n".replace("NAME", name))
    functions.second = module(tmp_path, f"second_{name}", f"{text}+ 1\n".replace("NAME", name))
    text = TEXT.format(functions=f"functions_{name}").replace("NAME", name)
    programs = module(tmp_path, f"programs_{name}", text)
    for each in PROGRAMS:
        function, arguments = getattr(programs, each), ([3, 4], torch.tensor([1.0, -2.0]))
        compiled = minits.script(function)
        for call in range(3):
            assert torch.equal(compiled(*arguments), function(*arguments)), (each, call)


class Named(nn.Module):
    """A module with attributes of names that `self.` cannot be followed by."""

    def __init__(self) -> None:
        super().__init__()
        for name in (*keyword.kwlist, *keyword.softkwlist):
            if name != "for":
                setattr(self, name, torch.ones(2))
        setattr(self, "await", True)
        setattr(self, "None", 3)
        self.register_buffer("for", torch.ones(2))

    def forward(self, x: Tensor) -> Tensor:
        if getattr(self, "await"):
            x = x * getattr(self, "class")
        return x + getattr(self, "None") + getattr(self, "for")


def test_attributes_called_like_keywords() -> None:
    x, plain = torch.zeros(2), Named()
    compiled = minits.script(plain)
    for _ in range(3):
        assert torch.equal(compiled(x), plain(x))


class First(nn.Module):
    def sum(self, x: Tensor) -> Tensor:
        return x + 1

    def set(self, x: Tensor) -> Tensor:
        return x + 10


class Second(nn.Module):
    def sum(self, x: Tensor) -> Tensor:
        return x * 5

    def set(self, x: Tensor) -> Tensor:
        return x * 7


class Both(nn.Module):
    """What stands for one name must not be kept under the address of what stood for it before."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = First(), Second()

    def forward(self, x: Tensor) -> Tensor:
        product = self.first.set(x) * self.second.set(x)
        return self.first.sum(x) - self.second.sum(x) + product


@torch.jit.interface
class Counted(nn.Module):
    def sum(self, x: Tensor) -> Tensor:
        pass


class Through(nn.Module):
    part: Counted

    def __init__(self) -> None:
        super().__init__()
        self.part = First()

    def forward(self, x: Tensor) -> Tensor:
        x = self.part.sum(self.part.sum(self.part.sum(x)))
        with torch.profiler.record_function("a"):
            x = x * 2
        with torch.profiler.record_function("b"):
            return x * 2


class Ranging(nn.Module):
    @torch.jit.export
    def range(self, n: int) -> int:
        return n

    def forward(self, x: Tensor) -> Tensor:
        for i in range(self.range(2)):
            x = x + i
        return x


@pytest.mark.parametrize("make", [Both, Through, Ranging])
def test_methods_of_modules_called_like_builtins(make: type[nn.Module]) -> None:
    x, compiled = torch.full((2,), 3.0), minits.script(make())
    assert [compiled(x).tolist() for _ in range(3)] == [make()(x).tolist()] * 3


PART = """
class Part:
    def __init__(self, n: int):
        self.n = n

    def value(self) -> int:
        return self.n {}
"""
PAIR = """
from dataclasses import dataclass
import {one} as one
import {two} as two

@dataclass(eq=False)
class Pair:
    a: one.Part
    b: two.Part

def program(n: int) -> int:
    pair = Pair(one.Part(n), two.Part(n))
    return pair.a.value() + pair.b.value()
"""


def test_fields_of_two_classes_with_one_name(tmp_path: Path) -> None:
    module(tmp_path, "names_part_one", PART.format("+ 1"))
    module(tmp_path, "names_part_two", PART.format("* 100"))
    pair = module(tmp_path, "names_pair", PAIR.format(one="names_part_one", two="names_part_two"))
    compiled = minits.script(pair.program)
    assert [compiled(3) for _ in range(3)] == [304] * 3
