"""Definitions are found by the text, by types, and in the files that are imported."""

from pathlib import Path

import pytest

from minits.queries.definitions import definition_at
from minits.queries.symbols import Symbol, symbols_of
from minits.queries.text_analysis import TextAnalysis, analyse_text
from minits.source import Position, SourceFile, SourceRange
from minits.syntax import parse_module

MODEL = """\
import helpers
import torch.nn.functional as F
from helpers import double as twice
from typing import NamedTuple
from torch import nn

class Point(NamedTuple):
    px: int

class Base(nn.Module):
    scale: float

    def shared(self, x):
        return x

class Net(Base):
    def __init__(self, n):
        super().__init__()
        self.weight = n
        self.a, self.b = n, n

    def forward(self, x):
        return self.shared(x) * self.weight + self.scale + self.b

class Counter:
    def __init__(self, n: int):
        self.n = n

    def add(self, by: int) -> int:
        return self.n + by

def later(v: int) -> int:
    return v

def f(p: Point, n: int) -> int:
    c = Counter(n)
    m = n + 1
    m = m + later(n)
    for i in range(m):
        m += i
    squares = [k * k for k in range(n)]
    return c.add(p.px) + c.n + twice(m) + helpers.double(len(squares))

def g(x):
    return F.softmax(x, 0)
"""


def position_of(text: str, at: str) -> Position:
    line = at.replace("^", "")
    assert text.count(line) == 1, line
    before = text[: text.index(line) + at.index("^")]
    return Position(before.count("\n") + 1, len(before.rpartition("\n")[2].encode()))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TextAnalysis:
    folder = tmp_path_factory.mktemp("project")
    (folder / "helpers.py").write_text("X = 1\n\ndef double(n: int) -> int:\n    return 2 * n\n")
    return analyse_text(SourceFile(str(folder / "model.py"), MODEL))


def definition(analysis: TextAnalysis, at: str) -> SourceRange | None:
    assert analysis.tree is not None
    where = position_of(analysis.source.text, at)
    return definition_at(analysis.tree, analysis.record, where)


@pytest.mark.parametrize(
    ("at", "line", "text"),
    [
        ("= Counter(^n)", 35, "n"),
        ("m = ^n + 1", 35, "n"),
        ("m + later(n^)", 35, "n"),
        ("m = ^m + later", 38, "m"),
        ("m = m + ^later(n)", 32, "later"),
        ("m += ^i", 39, "i"),
        ("[^k * k", 41, "k"),
        ("c = ^Counter(n)", 25, "Counter"),
        ("return ^c.add", 36, "c"),
        ("c.^add(p", 29, "add"),
        ("p.^px) +", 8, "px"),
        ("+ c.^n + twice", 27, "n"),
        ("return self.^n + by", 27, "n"),
        ("def f(p: ^Point", 7, "Point"),
        ("self.^shared(x) *", 13, "shared"),
        ("self.^weight +", 19, "weight"),
        ("self.^scale +", 11, "scale"),
        ("+ self.^b", 20, "b"),
        ("class Net(^Base)", 10, "Base"),
        ("def ^later", 32, "later"),
        ("def f(^p: Point", 35, "p"),
    ],
)
def test_in_this_file(model: TextAnalysis, at: str, line: int, text: str) -> None:
    found = definition(model, at)
    assert found is not None
    assert (found.begin.line, found.text) == (line, text)
    assert found.source is model.source


@pytest.mark.parametrize("at", ["+ ^twice(m)", "helpers.^double(len", "import ^double as twice"])
def test_in_another_file(model: TextAnalysis, at: str) -> None:
    found = definition(model, at)
    assert found is not None
    assert Path(found.source.filename).name == "helpers.py"
    assert (found.begin.line, found.text) == (3, "double")


def test_of_a_module_itself(model: TextAnalysis) -> None:
    found = definition(model, "import ^helpers\n")
    assert found is not None
    assert Path(found.source.filename).name == "helpers.py"


def test_in_torch(model: TextAnalysis) -> None:
    found = definition(model, "F.^softmax(x, 0)")
    assert found is not None
    assert found.source.filename.endswith("torch/nn/functional.py")
    assert found.text == "softmax"


@pytest.mark.parametrize("at", ["c.add(p.px) ^+", "^return self.n", "+ helpers.double(^len"])
def test_where_there_is_none(model: TextAnalysis, at: str) -> None:
    assert definition(model, at) is None


def test_relative_imports_of_a_package(tmp_path: Path) -> None:
    package = tmp_path / "pkg" / "inner"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("")
    (package.parent / "other.py").write_text("def thing():\n    pass\n")
    text = "from ..other import thing\nfrom pkg.other import thing as same\n\n"
    text += "def f():\n    thing()\n    same()\n"
    analysis = analyse_text(SourceFile(str(package / "user.py"), text))
    for at in ("    ^thing()", "    ^same()"):
        found = definition(analysis, at)
        assert found is not None
        assert Path(found.source.filename).resolve() == (package.parent / "other.py").resolve()


def test_a_file_that_imports_itself_or_a_broken_one(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def (:\n")
    (tmp_path / "me.py").write_text("")
    text = "from broken import a\nfrom me import f as again\n\ndef f():\n    a()\n    again()\n"
    analysis = analyse_text(SourceFile(str(tmp_path / "me.py"), text))
    found = definition(analysis, "    ^a()")
    assert found is not None
    assert found.begin.line == 1  # the import is the best that there is


def test_symbols() -> None:
    def outline(symbol: Symbol) -> object:
        inner = [outline(each) for each in symbol.inside]
        return (symbol.kind, symbol.name_range.text, inner) if inner else symbol.name_range.text

    found = symbols_of(parse_module(SourceFile("model.py", MODEL)))
    assert [outline(symbol) for symbol in found] == [
        "Point",
        ("class", "Base", ["shared"]),
        ("class", "Net", ["__init__", "forward"]),
        ("class", "Counter", ["__init__", "add"]),
        "later",
        "f",
        "g",
    ]


def test_the_name_of_a_function_may_be_in_its_keyword() -> None:
    text = "def de(e):\n    return e\n\nclass  a :\n    pass\n"
    found = symbols_of(parse_module(SourceFile("model.py", text)))
    assert [(each.name_range.start, each.name_range.text) for each in found] == [
        (4, "de"),
        (32, "a"),
    ]
