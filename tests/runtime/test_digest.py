"""A digest holds everything that a plan depends on: whatever is edited, it is another one."""

from __future__ import annotations

import importlib.util
import linecache
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import minits
from minits.frontend.values.function import CompiledFunction, compiled_of
from minits.ir.value import Attr
from minits.runtime.digest import digest_of
from minits.types import types as t

PROGRAM = """
import torch
from typing import List, NamedTuple, Tuple

class P(NamedTuple):
    count: int
    rate: float = 0.5

class Box:
    size: int
    def __init__(self, size: int):
        self.size = size
    def grow(self, by: int) -> int:
        self.size += by
        return self.size

class Pox:
    size: int
    def __init__(self, size: int):
        self.size = size
    def grow(self, by: int) -> int:
        self.size += by * by
        return self.size

def inner(x: torch.Tensor, k: int = 3, name: str = "a.___torch_mangle_1.b") -> Tuple[str, int]:
    return name + "-", k + x.dim()

def f(x: torch.Tensor, flag: bool = True) -> Tuple[str, str, int, float, List[complex], P]:
    text = "c.___torch_mangle_1.d"
    box = Box(4)
    p = P(7)
    named, k = inner(x)
    if flag and 1 in [1, 2]:
        k += box.grow(2)
    y = torch.zeros(2,     dtype=torch.float32, device="cpu")
    return text, named + str(p), k, p.rate + 0.25, [1j, complex(-0.0, 2.0)], P(y.dim())
"""
EDITS = [
    ("count: int", "total: int"),
    ("rate: float = 0.5", "rate: float = 0.7"),
    ("p = P(7)", "p = P(8)"),
    ("Box(4)", "Box(5)"),
    ("box = Box(4)", "box = Pox(4)"),
    ("+= by\n", "-= by\n"),
    ("k: int = 3", "k: int = 4"),
    ("a.___torch_mangle_1.b", "a.___torch_mangle_2.b"),
    ("c.___torch_mangle_1.d", "c.___torch_mangle_2.d"),
    ("c.___torch_mangle_1.d", "d.___torch_mangle_1.d"),
    ('name + "-"', 'name + "+"'),
    ("k + x.dim()", "k - x.dim()"),
    ("grow(2)", "grow(3)"),
    ("torch.float32", "torch.float64"),
    ('"cpu"', '"hpu"'),
    ("0.25", "0.75"),
    ("(-0.0, ", "( 0.0, "),
    ("1j", "2j"),
    ("flag and 1", "flag  or 1"),
    ("[1, 2]", "[1, 3]"),
    ("flag: bool = True", "flag: bool =False"),
    ("return text, named", "return named, text"),
    ("2,     dtype", "2,\n    dtype"),  # the lines of the functions move
]


def imported(path: Path, text: str) -> Any:
    path.write_text(text, encoding="utf-8")
    linecache.clearcache()
    spec = importlib.util.spec_from_file_location("edited", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    exec(compile(text, str(path), "exec"), module.__dict__)
    return module


def function_of(program: Any) -> CompiledFunction:
    found = compiled_of(program)
    assert found is not None
    return found


def digest(function: CompiledFunction) -> str:
    found = digest_of(function)
    assert found is not None
    return found.text


def digest_of_text(path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    module = imported(path, text)
    monkeypatch.setitem(sys.modules, "edited", module)
    return digest(function_of(minits.script(module.f)))


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = tmp_path_factory.mktemp("edited") / "edited.py"
    with pytest.MonkeyPatch.context() as patch:
        return path, digest_of_text(path, PROGRAM, patch)


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_an_edit_of_the_same_length_is_another_program(
    before: tuple[Path, str], old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Positions stay, so that it is the edit that the digest holds."""
    assert len(old) == len(new)
    assert PROGRAM.count(old) == 1
    path, known = before
    assert digest_of_text(path, PROGRAM.replace(old, new), monkeypatch) != known


def test_classes_that_were_compiled_before_change_nothing(
    before: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their names have other numbers then."""
    path, known = before
    assert digest_of_text(path, PROGRAM, monkeypatch) == known
    assert digest_of_text(path, f"{PROGRAM}\n# of no meaning\n", monkeypatch) == known


def changed(value: Any) -> Any:
    """Return another constant of the same kind."""
    match value:
        case bool():
            return not value
        case int() | float() | complex():
            return value + 1
        case str():
            return f"{value}___torch_mangle_3."
        case torch.dtype():
            return torch.int8 if value != torch.int8 else torch.int16
        case torch.device():
            return torch.device("cpu" if value.type != "cpu" else "meta")
        case t.Type():
            return t.ListType(value)
        case [first, *rest]:
            return [changed(first), *rest]
        case []:
            return [0]
    return "something else"


def mutations(function: CompiledFunction) -> Iterator[str]:
    """Change one fact of a graph after the other; yield its name while it is changed."""
    for node in function.graph.all_nodes():
        for name, attr in list(node.attributes.items()):
            if attr.kind == "g":
                continue
            node.attributes[name] = Attr(attr.kind, changed(attr.value))
            yield f"{node.kind}.{name}"
            node.attributes[name] = attr
        for value in node.outputs:
            type = value.type
            value.type = t.OptionalType(type)
            yield f"{node.kind}: {type}"
            value.type = type
        kind, node.kind = node.kind, "aten::another"
        yield kind
        node.kind = kind


def loops(xs: list[int], name: str, known: dict[str, float]) -> tuple[int, list[str]]:
    total, parts = 0, ["a", "b.___torch_mangle_0.c"]
    for x in xs:
        if x > 3 and name in known:
            total += int(known[name] * 1.5)
        elif x < 0:
            raise ValueError(f"{name} is {x}")
    parts.append(name)
    return total, parts


class Net(torch.nn.Module):
    scale: torch.jit.Final[float]

    def __init__(self) -> None:
        super().__init__()
        self.linear, self.scale, self.count = torch.nn.Linear(2, 2), 0.5, 3

    def forward(self, x: torch.Tensor, y: torch.Tensor | None = None) -> torch.Tensor:
        if y is not None:
            x = x + y.to(torch.float64)
        return self.linear(x) * self.scale + self.count


@pytest.mark.parametrize("program", [loops, Net()], ids=["function", "module"])
def test_each_fact_of_a_graph_is_a_part_of_it(program: Any) -> None:
    compiled = minits.script(program)
    function = function_of(getattr(compiled, "forward", compiled))
    known, count = digest(function), 0
    for fact in mutations(function):
        found = digest_of(function)
        assert found is None or found.text != known, fact
        count += 1
    assert count > 30
    assert digest(function) == known


SAME = """
import sys, importlib.util, torch, minits
spec = importlib.util.spec_from_file_location("same", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["same"] = module
spec.loader.exec_module(module)
compiled = minits.script(module.f)
for _ in range(4):
    text, _ = compiled(torch.ones(3, 3))
print(text)
"""
FUNCTION = """
import torch
def f(x: torch.Tensor) -> tuple[str, torch.Tensor]:
    s = 'a.___torch_mangle_1.b'
    return s, torch.sigmoid(x * 2 + 1) * torch.tanh(x) - x.exp() + x.sin()
"""


@pytest.mark.slow
def test_an_edited_constant_is_seen_by_the_next_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("MINITS_PLANS", "disk")
    path = tmp_path / "same.py"
    for number in "12":
        path.write_text(FUNCTION.replace("_1.", f"_{number}."))
        command = [sys.executable, "-c", SAME, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == f"a.___torch_mangle_{number}.b\n"
    assert list((tmp_path / "cache" / "kernels").glob("*.plan"))
