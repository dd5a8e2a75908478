"""Real files parse, and agree with CPython's `ast` node for node, positions included."""

import ast
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from minits.source import SourceFile
from minits.syntax import parse_module, tree
from tests.support.from_ast import tree_from_ast

TORCH = Path(torch.__file__).parent
FILES = [
    *sorted((TORCH / "nn").rglob("*.py")),
    TORCH / "functional.py",
    *sorted((TORCH / "jit").rglob("*.py")),
]
STANDARD = ("typing", "dataclasses", "collections", "statistics")


def standard_files() -> Iterator[Path]:
    for name in STANDARD:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None
        yield Path(spec.origin)


def differences(ours: Any, theirs: Any, path: str = "", in_fstring: bool = False) -> Iterator[str]:
    """Yield where two trees differ. Before 3.12, `ast` places the parts of f-strings roughly."""
    if type(ours) is not type(theirs):
        yield f"{path}: {type(ours).__name__} is not {type(theirs).__name__}"
    elif isinstance(ours, tuple):
        if len(ours) != len(theirs):
            yield f"{path}: {len(ours)} items, not {len(theirs)}"
        for index, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
            yield from differences(mine, other, f"{path}[{index}]", in_fstring)
    elif isinstance(ours, tree.Node):
        placed = theirs.range.start != theirs.range.end and not isinstance(ours, tree.Module)
        if placed and not in_fstring and ours.range[1:] != theirs.range[1:]:
            yield f"{path}: {ours.range[1:]} is not {theirs.range[1:]}: {ours.range.text[:40]!r}"
        inside = in_fstring or (isinstance(ours, tree.JoinedStr) and sys.version_info < (3, 12))
        for name in type(ours).__match_args__:
            if name != "range":
                mine, other = getattr(ours, name), getattr(theirs, name)
                yield from differences(mine, other, f"{path}.{name}", inside)
    elif repr(ours) != repr(theirs):
        yield f"{path}: {ours!r} is not {theirs!r}"


def check(source: SourceFile) -> None:
    found = list(differences(parse_module(source), tree_from_ast(source)))
    assert not found, found[:5]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TORCH)))
def test_files_of_torch(path: Path) -> None:
    check(SourceFile.read(path))


@pytest.mark.parametrize("path", list(standard_files()), ids=lambda path: path.stem)
def test_files_of_the_standard_library(path: Path) -> None:
    check(SourceFile.read(path))


SNIPPETS = [
    "if a:\n    b;\nfor a in b: c ; \n",
    "\uff41 = 1\nx\U000e0100 = \ufb01\n",
    "\\\nx = 1\nif x:\n    y\n\\\n    z\n",
    "type = 1; x = type\nwith (a): pass\nwith (a, *b): pass\n",
    "x = 1\r\ny = 2\r\n",
    "if x:\n\ty = 1\n        \n\tz = 2\n",
    "\x0cx = 1\n",
    "x = [\n  1, # one\n\n  2\n]\n",
    "x = 1 + \\\n  2\n",
    "x = 1 if'a'else not\"b\"or.5\n",
    "f(**a, **b)\nf(a, b,)\nf(*a, b, *c, d=1, **e)\n",
    "match x:\n    case [1, *rest] if rest: pass\n    case {'a': 1, **r}: pass\n    case P(x=1, y=_) | None: pass\n"
    "    case a.b: pass\n    case -1 + 2j: pass\n    case 'a' 'b' as c: pass\n    case (1 | 2) as d, : pass\n",
    "match = 1\nmatch[0]\nmatch.x\nmatch(1)\ncase = type\ntype = 1\nprint(match, case)\n",
    "async def f():\n    async for x in y: await z\n    async with a as b, c: pass\n    return [i async for i in j]\n",
    "with (a as b, c): pass\nwith (a, b) as c: pass\nwith (a): pass\nwith a, b as (c, d): pass\n",
    "if (n := 10) > 5: print(n)\nx[a:b, ::c, ...]\nx[y:=1]\n",
    "a, *b = c\n*a, = b\nfor x, *y in z: pass\n",
    "é = 'ü' + \"\\u00e9\\N{BULLET}\\x41\\101\\\n\"\nx = é.é\n",
    "x = rb'\\x41' b'\\x41'\n",
    "x = f'a{b}c{d!r:>{w}}{{}}' 'z' f\"{e['k']}\"\n",
    "x = f'{a=}' f'{a = !s}' rf'\\d{b}'\n",
    "def f(a, b=1, /, c: int = 2, *d: int, e, g=3, **h) -> int:\n  '''doc'''\n  return\n",
    "def f(*, a): pass\nlambda: 0\nlambda a, *b, c=1, **d: a\nlambda a, /, b: (yield)\n",
    "@a.b(c)\n@d\nclass C(A, metaclass=M, **k):\n    x: int = 1\n    (y): int\n    z.w: str\n",
    "def f(a,  # type: int\n      b):  # type: (...) -> int\n    pass\n",
    "def f(a):\n    # type: (int) -> int\n    x = 1  # type: int\n    for i in a:  # type: int\n        pass\n",
    "try:\n  pass\nexcept A as b:\n  pass\nexcept (C, D):\n  pass\nelse:\n  pass\nfinally:\n  pass\n",
    "try:\n  pass\nexcept* A:\n  pass\n",
    "from . import a\nfrom ...b.c import (d as e, f,)\nfrom x import *\nimport a.b as c, d\n",
    "x = (a for b in c if d if e for g in h)\nf(x for x in y)\n{**a, 'b': 1}\n{1, 2}\n{a: b for c in d}\n{a for b in c}\n",
    "not a in b\na not in b is not c < d\n-a ** -b\n(a)(b)[c].d\n(a + b) * c\na if b else (c, d)\n",
    "global x, y\nnonlocal z\ndel a, b[0], (c)\ndel (a, b)\nassert a, b\nraise A from b\nraise\n",
    "x = 0x_ff + 0b1 + 0o7 + 1_000.5e-3 + 1j + .5 + 5. + 1e10\n",
    "while x:\n  break\nelse:\n  continue\n",
    "x = yield\ny = yield a, b\nz = yield from c\nx += yield\n",
    "if a: pass\nelif b: pass\nelif c: pass\nelse: pass\n",
    "x: 'int' = 1; y = 2; z\n",
    "#!/usr/bin/python\n# comment\n\nx = 1  # trailing",
    "",
    "\n\n",
    'x = \'\'\'a\nb\'\'\' + """c\\""""\n',
    "return a, *b\nx = *a, b\nx[a, *b]\n" if sys.version_info >= (3, 11) else "x = *a, b\n",
    "a = b = c, = d\na.b = c[d] = e\n[a, b] = c\n",
]


@pytest.mark.parametrize("text", SNIPPETS)
def test_snippets(text: str) -> None:
    check(SourceFile("snippet.py", text))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="CPython reads these since 3.12")
@pytest.mark.parametrize(
    "text",
    [
        "type X[T: int, *U, **P] = list[T]\n",
        "def f[T](x: T) -> T: pass\nclass C[T]: pass\n",
        "x = f'{a['b']}'\n",
        'x = f"{f"{f"{1}"}"}"\n',
        'x = f"""\n{\n a # c\n }\n"""\n',
        "x = f'{a if'b'else'c'}{3!s  }'\n",
        "if 1: type Z = str\n",
    ],
)
def test_snippets_of_newer_pythons(text: str) -> None:
    check(SourceFile("snippet.py", text))


def test_the_comparison_itself_bites() -> None:
    source = SourceFile("a.py", "x = 1\n")
    other = SourceFile("a.py", "x = 2\n")
    moved = SourceFile("a.py", "x  = 1\n")
    assert list(differences(parse_module(source), tree_from_ast(other)))
    assert list(differences(parse_module(source), tree_from_ast(moved)))
    assert ast.parse(source.text)
