"""`minits build --input`: a library is compared with the interpreter, and None is known."""

from enum import Enum
from pathlib import Path
from typing import NamedTuple

import pytest
import torch

import minits
from minits.cli.main import main
from minits.internal_error import InternalError
from minits.native_build import checking
from minits.native_build.building import build_library, write_library
from minits.native_build.programs import exported
from tests.support.needs import need_compiler

need_compiler()
PROGRAM = """
import torch
from torch import Tensor, nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 3)
        self.calls = 0

    def forward(self, x: Tensor, mask: Tensor | None = None, words: list[str] | None = None):
        self.calls += 1
        x = torch.dropout(self.first(x), 0.5, True)
        if mask is not None:
            x = x.masked_fill(mask, 0.25)
        if words is not None:
            print(words[0].format(1))  # not native: the pattern is no constant
        return {"x": [x]}, self.calls, 0.5

def halved(n: int) -> float:
    if n == 0:
        raise ValueError("nothing")
    return n / 2
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "program.py").write_text(PROGRAM)
    return str(tmp_path / "program.py")


def build(file: str, *inputs: str) -> int:
    given = [text for each in inputs for text in ("--input", each)]
    return main(["build", file, "-o", str(Path(file).parent), *given])


def test_results_and_errors_are_compared(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(f"{file}:halved", "3") == 0
    said = "checked: halved gives {} for the input, as the interpreter does"
    assert capsys.readouterr().out.splitlines()[-1] == said.format("1.5")
    assert build(f"{file}:halved", "0") == 0
    assert capsys.readouterr().out.splitlines()[-1] == said.format("ValueError: nothing")


def test_none_is_known_of_the_call(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What only a given argument needs is not in the library, which refuses it."""
    assert build(f"{file}:Net") == 1
    assert "aten::format is not native" in capsys.readouterr().err
    x, mask = torch.randn(2, 4), torch.ones(2, 3, dtype=torch.bool)
    assert build(f"{file}:Net", "torch.randn(2, 4)", "torch.ones(2, 3) > 1", "None") == 0
    assert "gives ({'x': [" in capsys.readouterr().out
    model = minits.load_native(Path(file).parent)
    assert torch.equal(model(x, mask)[0]["x"][0], torch.full((2, 3), 0.25))
    assert (model(x)[1], model(x, None)[1]) == (2, 3)
    with pytest.raises(TypeError, match=r"no fitting value for argument 'words'"):
        model(x, mask, ["1"])


@pytest.mark.parametrize(
    ("name", "inputs", "said"),
    [
        (":halved", ["'a'"], "Expected a value of type 'int' for argument 'n'"),
        (":halved", ["1", "2"], "expected at most 1 argument(s)"),
        ("", ["1"], "--input is for one function"),
        (":halved", ["1/0"], "this expression failed"),
    ],
)
def test_other_inputs_are_refused(
    name: str, inputs: list[str], said: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(file).write_text(PROGRAM + "\ndef other(n: int) -> int:\n    return n\n")
    assert build(file + name, *inputs) == 1
    assert said in capsys.readouterr().err


def test_it_needs_the_library(file: str) -> None:
    given = ["build", f"{file}:halved", "-o", str(Path(file).parent), "--input", "1"]
    assert main([*given, "--no-compile"]) == 2


class Point(NamedTuple):
    x: int
    y: float


class Other(NamedTuple):
    x: int
    z: float


class Colour(Enum):
    RED = 1


class Shade(Enum):
    RED = 1


def tripled(n: int) -> int:
    return 3 * n


def test_a_library_that_differs_is_an_error(tmp_path: Path) -> None:
    (program,) = exported(minits.script(tripled), "tripled")
    write_library([program], tmp_path)
    text = (tmp_path / "model.c").read_text()
    (tmp_path / "model.c").write_text(text.replace("n * 3", "n * 4").replace("3 * n", "4 * n"))
    build_library(tmp_path)
    with pytest.raises(InternalError, match=r"tripled gives 8 for the input, and the interp.* 6"):
        checking.check_library(tmp_path, program, [2])


def test_what_is_equal() -> None:
    x = torch.tensor([1.0, float("nan")])
    for found, expected in (
        (x, x + 1e-7), (0.1, 0.1 + 1e-9), ([x], [x]), ({"a": 1}, {"a": 1}), (1j, 1j + 1e-9),
        (Point(1, 2.0), Point(1, 2.0 + 1e-9)), (Enum("Colour", "RED").RED, Colour.RED),  # type: ignore[attr-defined]
    ):  # fmt: skip
        assert checking._are_equal(found, expected)
    for found, expected in (
        (x, x + 1e-2), (x, x.double()), (x, x[:1]), (1, 1.0), (1.0, 1), ([1], [1, 2]), (1, True),
        (ValueError("a"), ValueError("b")), (1, ValueError("1")), ({"a": 1}, {"b": 1}), (None, 0),
        (Point(1, 2.0), (1, 2.0)), ((1, 2.0), Point(1, 2.0)), (Point(1, 2.0), Other(1, 2.0)),
        (1j, 1j + 1e-2), (1j, 1.0), (1.0, 1 + 0j), (Colour.RED, Shade.RED), (Colour.RED, 1),
    ):  # fmt: skip
        assert not checking._are_equal(found, expected)
