"""`type A = list[int]`, which Python reads since 3.12: of live functions, and of texts."""

import pytest
from typing_extensions import TypeAliasType

import minits
from minits.frontend.python.text_scope import define_functions
from minits.source import SourceFile

Ints = TypeAliasType("Ints", list[int])
Perhaps = TypeAliasType("Perhaps", Ints | None)  # type: ignore[operator]

TEXT = """
type Ints = list[int]
type Perhaps = Ints | None
type Endless = list[Endless]

def length(x: Ints, y: Perhaps = None) -> int:
    return len(x) if y is None else len(y)

def endless(x: Endless) -> int:
    return len(x)
"""


def length(x: Ints, y: Perhaps = None) -> int:  # type: ignore[valid-type]
    return len(x) if y is None else len(y)


def test_of_a_live_function() -> None:
    compiled = minits.script(length)
    assert str(compiled.schema) == "length(int[] x, int[]? y=None) -> int"
    assert compiled([1, 2]) == 2 and compiled([1], [1, 2, 3]) == 3


def test_of_a_text() -> None:
    found, endless = define_functions(SourceFile("aliases.py", TEXT))
    assert str(found.schema).startswith("length(int[] x, int[]? y=None)")
    with pytest.raises(minits.CompileError, match="Unknown type name 'Endless'"):
        endless.ensure_defined()
