"""The starting kit `examples/tiny/` makes torch.jit's graphs, and computes what they compute."""

# ruff: noqa: F841, RET504, UP045 -- programs as students write them, some wrong on purpose

import ast
import re
from pathlib import Path
from typing import Any, Optional

import pytest
import torch
from torch import Tensor
from torch.jit.frontend import NotSupportedError

from examples import tiny
from examples.tiny import programs
from examples.tiny.frontend import emit
from examples.tiny.syntax import parse

X = torch.tensor([-1.5, 2.0])
ROOT = Path(__file__).parents[1]
MOST_LINES = 120
NOT_COUNTED = ("programs.py", "__main__.py")  # they are no part of the compiler


def absent(x: Tensor, mask: Optional[Tensor]) -> Tensor:
    if mask is None:
        halved = torch.tanh(x)
        x = halved
    else:
        x = x - mask * 2
    return x


def nested(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        for j in range(i):
            x = x * 2 + j
    return x


def counted_on(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        i = i + 1
        x = x + i
    return x


def forgotten(x, n: int):
    if n < 1:
        y = x
    return torch.relu(x)


def given(x: Tensor, mask: Optional[Tensor], wanted: bool) -> Tensor:
    if wanted:
        mask = x
    if mask is not None:
        x = x + mask
    return x


CALLS = [
    (programs.masked, (X, None)),
    (programs.masked, (X, torch.ones(2))),
    (programs.power, (X, 3)),
    (programs.power, (X, 0)),
    (programs.halvings, (23,)),
    (absent, (X, None)),
    (absent, (X, torch.ones(2))),
    (nested, (X, 4)),
    (counted_on, (X, 3)),
    (forgotten, (X, 0)),
    (given, (X, None, True)),
    (given, (X, None, False)),
]


def normalised(graph: Any) -> str:
    """Return the text without places and names; each constant stands where it is used.

    torch gathers equal constants at the top, names values by their variables, and writes the inputs
    of a graph into a line each. It has a 1 for `alpha`, which the kit leaves out.
    """
    text = re.sub(r",\n +", ", ", re.sub(r" *#.*", "", str(graph)))
    found = re.findall(r"(%[\w.]+) : \w+ = prim::Constant(?:\[value=(.*)\])?\(\)", text)
    names = {name: value or "None" for name, value in found}
    text = re.sub(r".* = prim::Constant.*\n", "", text)
    values = dict.fromkeys(name for name in re.findall(r"%[\w.]+", text) if name not in names)
    names |= {name: f"%{number}" for number, name in enumerate(values)}
    text = re.sub(r"%[\w.]+", lambda at: names[at[0]], text)
    return re.sub(r"(aten::(?:add|sub)\([^,()]+, [^,()]+), 1\)", r"\1)", text).strip()


def code_lines(path: Path) -> int:
    """Return how many lines are neither blank nor of comments, docstrings or imports."""
    text = path.read_text("utf-8")
    found = {
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.strip().startswith("#")
    }
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant(str())):
                found -= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return len(found)


def test_it_is_as_short_as_it_says() -> None:
    paths = [*(ROOT / "examples/tiny").glob("*.py")]
    lines = sum(code_lines(each) for each in paths if each.name not in NOT_COUNTED)
    assert lines <= MOST_LINES
    assert f"TorchScript of {lines} lines of code" in (ROOT / "docs/course/index.md").read_text()
    assert f"TorchScript in {lines} lines of code" in (tiny.__doc__ or "")
    assert all(len(line) <= 100 for path in paths for line in path.read_text("utf-8").splitlines())


def test_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text(
        '"""A.\n\nB.\n"""\nimport a\nfrom b import (\n    c,\n)\n\n# d\ne = """f\n\ng"""\n'
    )
    assert code_lines(path) == 2  # of a text that is assigned, two lines are not blank


@pytest.mark.parametrize("function", [*dict.fromkeys(function for function, _ in CALLS)])
def test_graphs_are_those_of_torch_jit(function: Any) -> None:
    assert normalised(tiny.compile(function)) == normalised(torch.jit.script(function).graph)


@pytest.mark.parametrize(("function", "arguments"), CALLS)
def test_results_are_those_of_torch_jit(function: Any, arguments: tuple[Any, ...]) -> None:
    result = tiny.call(tiny.compile(function), *arguments)
    torch.testing.assert_close(result, torch.jit.script(function)(*arguments))
    assert type(result) is type(function(*arguments))


def test_the_pass_removes_what_torch_removes() -> None:
    graph = emit(parse(programs.power))
    assert "aten::add" in str(graph)
    assert normalised(graph) != normalised(torch.jit.script(programs.power).graph)


def test_dead_loops_go() -> None:
    def twice(x: Tensor) -> Tensor:
        steps = 0
        while steps < 3:
            steps = steps + 1
        return x * 2

    assert str(tiny.compile(twice)) == (
        "graph(%0 : Tensor):\n  %1 : int = prim::Constant[value=2]()\n"
        "  %2 : Tensor = aten::mul(%0, %1)\n  return (%2)\n"
    )


def unrefined(x: Tensor, mask: Optional[Tensor]) -> Tensor:
    y = x + mask
    return y


def refined_on_the_wrong_way(x: Tensor, mask: Optional[Tensor]) -> Tensor:
    if mask is None:
        x = x + mask
    return x


def two_types(x: Tensor, n: int) -> Tensor:
    if n > 0:
        y = x
    else:
        y = n
    return y


def changes_in_a_loop(x: Tensor, n: int) -> Tensor:
    y = 1
    for i in range(n):
        y = x
    return y


def listed(x: Tensor) -> Tensor:
    y = [x]
    return x


def one_way(x: Tensor, n: int) -> Tensor:
    if n > 0:
        y = x
    return y


def two_arguments(x: Tensor) -> Tensor:
    y = torch.relu(x, x)
    return y


def asked_of_a_tensor(x: Tensor, mask: Tensor) -> Tensor:
    if mask is not None:
        x = x + mask
    return x


def result_is_tested(x: Tensor) -> Tensor:
    if torch.relu(x) is not None:
        x = x + 1
    return x


def early(x: Tensor, n: int) -> Tensor:
    if n > 0:
        return x
    return x + 1


def with_else(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = x + i
    else:
        x = x * 2
    return x


def counted_before(x: Tensor, n: int) -> int:
    i = 5
    for i in range(n):
        x = x + i
    return i


def of_lists(x: list[int]) -> int:
    return 1


def nothing(x: Tensor) -> None:
    return


UNSET = "y is not always set; set it first"
TWO = "(Tensor, Tensor) or (Tensor, int) or (int, int)"
OTHER = "is not of this language; see __init__.py"
IN_TORCH = (listed, asked_of_a_tensor, result_is_tested, early, counted_before, of_lists, nothing)
"""Programs that torch.jit compiles, and the kit does not."""


@pytest.mark.parametrize(
    ("function", "line", "message"),
    [
        (unrefined, 1, f"add does not take (Tensor, Tensor?); it takes {TWO}"),
        (refined_on_the_wrong_way, 2, f"add does not take (Tensor, Tensor?); it takes {TWO}"),
        (two_types, 5, UNSET),
        (changes_in_a_loop, 3, "y is int, not Tensor; use another name"),
        (listed, 1, f"[x] {OTHER}"),
        (two_arguments, 1, "relu does not take (Tensor, Tensor); it takes (Tensor)"),
        (one_way, 3, UNSET),
        (
            asked_of_a_tensor,
            1,
            "__isnot__ does not take (Tensor, NoneType); it takes (Tensor?, NoneType)",
        ),
        (result_is_tested, 1, "__isnot__ does not take (Tensor, NoneType)"),
        (early, 2, f"return x {OTHER}"),
        (with_else, 1, f"for i in range(n): {OTHER}"),
        (counted_before, 2, f"for i in range(n): {OTHER}"),
        (of_lists, 0, "list[int] is no type; use Tensor, Optional[Tensor], int, bool"),
        (nothing, 0, "this is no function that ends with a return of a value; add one"),
    ],
)
def test_faults_are_told_with_their_place(function: Any, line: int, message: str) -> None:
    with pytest.raises(SyntaxError, match=re.escape(message)) as told:
        tiny.compile(function)
    assert str(told.value).startswith(f"{function.__code__.co_firstlineno + line}:")
    if function in IN_TORCH:
        torch.jit.script(function)
    else:
        with pytest.raises((RuntimeError, NotSupportedError)):
            torch.jit.script(function)


def test_columns_are_counted_from_1() -> None:
    with pytest.raises(SyntaxError, match=r"^\d+:9: "):
        tiny.compile(unrefined)


@torch.no_grad()
def wrapped(x: Tensor) -> Tensor:
    return x + None


def test_lines_are_those_of_what_is_wrapped() -> None:
    line = wrapped.__wrapped__.__code__.co_firstlineno + 2
    with pytest.raises(SyntaxError, match=rf"^{line}:12: aten::add does not take"):
        tiny.compile(wrapped)


def test_arguments_are_counted() -> None:
    with pytest.raises(ValueError, match="shorter"):
        tiny.call(tiny.compile(programs.masked), X)
