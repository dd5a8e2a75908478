"""The type at a position is the compiler's, and says which line refined it or ended that."""

import ast
import math
from pathlib import Path

import pytest

import minits
from minits.frontend.values.observing import observing
from minits.queries.record import Record
from minits.queries.text_analysis import analyse_text
from minits.queries.type_at import type_at
from minits.source import Position, SourceFile

HEADER = """\
import torch
from typing import Dict, List, NamedTuple, Optional, Union
from torch import Tensor
"""


def hover(text: str, at: str, dialect: str = "torch") -> str | None:
    """The answer at the character behind the mark `^` in `at`, the only line that has its text."""
    text = HEADER + text
    line = at.replace("^", "")
    assert text.count(line) == 1, line
    before = text[: text.index(line) + at.index("^")]
    position = Position(before.count("\n") + 1, len(before.rpartition("\n")[2].encode()))
    analysis = analyse_text(SourceFile("model.py", text), dialect)
    assert not analysis.failures
    found = type_at(analysis.record, position)
    return str(found) if found is not None else None


OPTIONAL = """
def f(x: Optional[Tensor], flag: bool) -> Tensor:
    if x is not None and x.dim() == 2:
        return x.t() + 1
    y = x
    assert x is not None
    w = x.abs()
    for i in range(3):
        w = w + x.size(i)
    x = None if flag else w
    return w if x is None else x.cos()
"""


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("f(^x: Optional", "Optional[Tensor]"),
        ("if ^x is not None and", "Optional[Tensor]"),
        ("and ^x.dim() == 2", "Tensor, refined from Optional[Tensor] by line 6"),
        ("return ^x.t() + 1", "Tensor, refined from Optional[Tensor] by line 6"),
        ("x.t() ^+ 1", "Tensor"),
        ("^y = x", "Optional[Tensor]"),
        ("y = ^x", "Optional[Tensor], line 6 refined it to Tensor within lines 6 to 7 only"),
        ("w = ^x.abs()", "Tensor, refined from Optional[Tensor] by line 9"),
        ("for ^i in", "int"),
        ("w + ^x.size(i)", "Tensor, refined from Optional[Tensor] by line 9"),
        (
            "w if ^x is None",
            "Optional[Tensor], line 9 refined it to Tensor, until the assignment in line 13",
        ),
        ("else ^x.cos()", "Tensor, refined from Optional[Tensor] by line 14"),
    ],
)
@pytest.mark.parametrize("dialect", ["torch", "extended"])
def test_refinements(at: str, expected: str, dialect: str) -> None:
    assert hover(OPTIONAL, at, dialect) == expected


def test_an_assignment_in_one_branch_and_a_test_in_the_other() -> None:
    text = """
def f(x: Optional[Tensor]) -> Tensor:
    if x is None:
        x = torch.zeros(2)
    return x.neg()
"""
    assert hover(text, "return ^x.neg()") == "Tensor, refined from Optional[Tensor] by line 6"


def test_a_variable_that_has_got_another_value_is_not_refined() -> None:
    text = """
def f(x: Optional[Tensor]) -> Tensor:
    if x is not None:
        x = x + 1
        return x.neg()
    return torch.zeros(2)
"""
    assert hover(text, "return ^x.neg()") == "Tensor"


def test_a_place_in_the_extended_dialect() -> None:
    text = """
class Config:
    def __init__(self, bias: Optional[Tensor]):
        self.bias = bias

def f(c: Config, x: Tensor) -> Tensor:
    if c.bias is not None:
        x = x * c.bias
        c.bias = None
    return x
"""
    refined = "Tensor, refined from Optional[Tensor] by line 10"
    assert hover(text, "x * c.^bias", "extended") == refined
    assert hover(text, "x * c.^bias", "torch") == "Optional[Tensor]"


def test_isinstance_refines_a_union() -> None:
    text = """
def f(x: Union[int, List[int]]) -> int:
    if isinstance(x, int):
        return x + 0
    return len(x)
"""
    union = "Union[List[int], int]"
    assert hover(text, "return ^x + 0") == f"int, refined from {union} by line 6"
    assert hover(text, "len(^x)") == f"List[int], refined from {union} by line 6"


THINGS = """
class Point(NamedTuple):
    x: int
    label: str

class Counter:
    def __init__(self, n: int):
        self.n = n

    def add(self, by: int = 2) -> int:
        return self.n + by

def helper(a: int, b: float = 2.0):
    return a * b

def g(p: Point, names: Dict[str, int]) -> float:
    counter = Counter(p.x)
    total = counter.add(3)
    sizes = [len(name) for name in names]
    pairs = torch.nn.functional.relu(torch.ones(2))
    return helper(total) + math_free(sizes)

def math_free(sizes: List[int]) -> float:
    return float(sum(sizes))
"""


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("g(^p: Point", "Point"),
        ("Counter(p.^x)", "int"),
        ("^counter = Counter", "Counter"),
        ("counter = ^Counter(p", "class Counter"),
        ("counter.^add(3)", "def Counter.add(by: int = 2) -> int"),
        ("[len(^name)", "str"),
        ("in ^names]", "Dict[str, int]"),
        ("return ^helper(total)", "def helper(a: int, b: float = 2.0) -> float"),
        ("= torch.^nn.functional.relu", "module torch.nn"),
        ("helper(total) ^+ math", "float"),
        ("return self.^n + by", "int"),
    ],
)
def test_what_else_a_name_may_be(at: str, expected: str) -> None:
    assert hover(THINGS, at) == expected


def test_a_fault_elsewhere_in_the_function_leaves_the_types() -> None:
    text = """
def f(x: Tensor, n: int) -> Tensor:
    bad = x.no_such_method()
    m = n + 1
    return x.view(m)
"""
    assert hover(text, "x.view(^m)") == "int"
    assert hover(text, "^bad = x") is None


def test_columns_are_of_bytes_and_a_position_outside_has_no_type() -> None:
    text = """
def f(x: int) -> str:
    return "é😀" + str(x) + "ü"
"""
    assert hover(text, 'str(^x) + "ü"') == "int"
    record = analyse_text(SourceFile("model.py", HEADER + text)).record
    assert type_at(record, Position(4000, 2)) is None
    assert type_at(record, Position(1, 1)) is None
    assert str(type_at(record, Position(6, 4000))) == "str"


def test_functions_that_are_live_objects_have_positions_of_their_file(tmp_path: Path) -> None:
    file = tmp_path / "live.py"
    file.write_text("\n\ndef outer():\n    def f(x: int):\n        return x + 1\n    return f\n")
    names: dict[str, object] = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    record = Record(str(file))
    with observing(record):
        minits.script(names["outer"]())  # type: ignore[operator]
    assert str(type_at(record, Position(5, 17))) == "int"


def test_every_expression_of_examples_has_its_type() -> None:
    """Names, attributes and operations in bodies of functions that compile: none is forgotten."""
    path = Path(minits.__file__).parents[1] / "examples" / "functions.py"
    source = SourceFile(str(path), path.read_text())
    analysis = analyse_text(source)
    assert not analysis.diagnostics
    asked = 0
    for function in ast.parse(source.text).body:
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in (inner for statement in function.body for inner in ast.walk(statement)):
            if isinstance(node, (ast.BinOp, ast.Call)) and not math.isnan(node.lineno):
                assert type_at(analysis.record, Position(node.lineno, node.col_offset)), node
                asked += 1
    assert asked > 10
