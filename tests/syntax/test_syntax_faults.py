"""Texts that are no Python: refused with a code, at a place, soon."""

import time

import pytest

from minits.diagnostics import CompileError, Diagnostic
from minits.source import SourceFile
from minits.syntax import parse_expression, parse_function, parse_module, parse_program


def fault(text: str) -> Diagnostic:
    with pytest.raises(CompileError) as caught:
        parse_module(SourceFile("a.py", text))
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    ("text", "code", "line", "words"),
    [
        ("x = (1,\n", "TS003", 1, "'(' is never closed"),
        ("x = 1)\n", "TS003", 1, "closes nothing"),
        ("x = (1]\n", "TS003", 1, "does not close '('"),
        ("x = 1x\n", "TS004", 1, "runs into a name"),
        ("if a:\n    b\n  c\n", "TS005", 3, "matches no block"),
        ("if a:\n        b\n\tc\n", "TS005", 3, "tabs and spaces"),
        ("x = 'a\n", "TS007", 1, "never closed"),
        ("x = $\n", "TS008", 1, "no character"),
        ("x = 1 \\", "TS008", 1, "backslash"),
        ("x = f'{a'\n", "TS009", 1, ""),
        ("x = f'}'\n", "TS009", 1, "single '}'"),
        ("if a\n    b\n", "TS010", 1, "':' is missing"),
        ("if a:\nb\n", "TS010", 2, "indented block"),
        ("if a = 1: pass\n", "TS010", 1, "compare with =="),
        ("  x = 1\n", "TS010", 1, "no block begins"),
        ("print 'a'\n", "TS010", 1, "print is a function"),
        ("if a: pass\nelse if b: pass\n", "TS010", 2, "elif"),
        ("x = 1 1\n", "TS010", 1, "expected an operator, the end of the line"),
        ("x = \n", "TS010", 1, "expected an expression"),
        ("f() = 1\n", "TS010", 1, "cannot be assigned"),
        ("def f(*): pass\n", "TS010", 1, "bare '*'"),
        ("def class(): pass\n", "TS010", 1, "cannot be a name"),
        ("x = 1 1\ny = 'a\n", "TS010", 1, "expected"),
        ("match x:\n  case " + "[" * 300 + "\n", "TS006", 2, "brackets"),
        ("x = 1\0\n", "TS002", 1, "null byte"),
    ],
)
def test_place_and_words(text: str, code: str, line: int, words: str) -> None:
    found = fault(text)
    assert found.range is not None
    assert (found.code, found.range.begin.line) == (code, line), found.render()
    assert words in found.render()


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 10_000 + "1" + ")" * 10_000,
        "f(" * 10_000,
        "x = " + 'f"{' * 1000 + "1" + '}"' * 1000,
        "".join(" " * depth + "if a:\n" for depth in range(300)),
        "x = '" + "a" * 1_000_000,
        'x = """' + 'a"\n' * 300_000,
        "\\" * 100_000,
        "match x:\n" + "# # # # # # # #\n" * 3000,
        "x = " + "1" * 1_000_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_monstrous_text_is_refused_soon(text: str) -> None:
    started = time.perf_counter()
    fault(text)
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize(
    "text", ["x = " + "1+" * 50_000 + "1", "x = '" + "a" * 1_000_000 + "'"], ids=["sum", "string"]
)
def test_a_line_of_a_megabyte_is_parsed(text: str) -> None:
    assert len(parse_module(SourceFile("a.py", text)).body) == 1


def test_a_definition_ends_where_its_block_does() -> None:
    source = SourceFile("a.py", "    def f():\n        return 1\nx = 1\n", first_line=7)
    assert parse_function(source).range.finish.line == 8


def test_an_expression_is_alone() -> None:
    with pytest.raises(CompileError):
        parse_expression(SourceFile("a.py", "a; b"))


SEVERAL = """\
@decorated
def missing_colon(x)
    y = x + 1
    return y

def expressions(x: int):
    y = x +* 1
    z = called(x,
      1, 2
    w = 2x
    return 'abc

class Open(nn.Module:
    def forward(self, x):
        if x > 1
            return x
        else if x = 2:
            return x
        elif x = 4:
            return x
        print x
        return (x]

@decorated
def no_block():
x = 1
def indented(a):
    a = 1
      b = 2
      c = 3
    return a?
for in x:
    pass
def right(a,
  b):
    return a
"""


def test_every_statement_that_is_no_python_is_told_once() -> None:
    with pytest.raises(CompileError) as caught:
        parse_program(SourceFile("a.py", SEVERAL))
    found = [each.range.begin.line for each in caught.value.diagnostics]
    assert found == [2, 7, 10, 10, 11, 13, 15, 17, 19, 21, 22, 26, 29, 31, 32]
    lines = SEVERAL.splitlines()
    for each in caught.value.diagnostics:
        line = lines[each.range.begin.line - 1]
        assert each.range.source.text == SEVERAL
        assert not each.range.text.strip() or each.range.text in line


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('x = """a\n1x\n', [1]),  # what follows may be in the string
        ("x = 1x\ny = 1x", [1, 2]),
        ("def f(\n    a,\n    b]:\n    return 1x\n", [3, 4]),
        ("try:\n    x = 1x\nexcept E as 1:\n    y = 2x\nelse:\n    z = 3x\n", [2, 3, 4, 6]),
        ("@1x\n@b\ndef f():\n    return 2\n", [1]),
        ("if a:\n    pass\nelse\n    x = 1x\n", [3, 4]),
        ("def f():\n    x = (\n\ndef g():\n    y = 1x\n", [4, 5]),
        ("x\x0c = 1x\n" * 30, list(range(1, 21))),
    ],
)
def test_how_far_reading_goes_on(text: str, lines: list[int]) -> None:
    with pytest.raises(CompileError) as caught:
        parse_program(SourceFile("a.py", text))
    assert [each.range.begin.line for each in caught.value.diagnostics] == lines
