"""All faults of one statement are told at once, each once, in the order of their places.

Each statement stands in a function of its own. Its faults are the names that begin with `no_`,
undefined variables, methods and types, and the places of other faults, which a comment names. What
is called `no` is undefined too, but follows from another fault, or is not compiled.
"""

import itertools
import re
from pathlib import Path

import pytest

import minits
from minits.diagnostics import (
    CompileError,
    Diagnostic,
    Faults,
    Note,
    NotSupportedError,
    error,
    not_supported,
)
from minits.frontend.values.error_value import ErrorValueUsed
from minits.source import SourceRange
from tests.support.control_flow import load

PROGRAM = """\
import typing
from typing import Any, Dict, List, Optional, Tuple

import torch
from torch import Tensor


class Scaled:
    def __init__(self, scale: int) -> None:
        self.scale = scale

    def __imul__(self, n: int) -> "Scaled":
        return self


def program(x: Tensor, y: Optional[Tensor], n: int, xs: List[int], d: Dict[str, int], s: str,
            flag: bool, t: Tuple[int, str], a: Any, o: Scaled):
    {statement}
    return x
"""

EXPRESSIONS = (
    # operators
    "x.no_a() + x.no_b() * x.no_c()",
    "-x.no_a() @ x.no_b() % x.no_c()",
    "s % no_a + no_b",
    "x.no_a() < x.no_b() <= x.no_c()",
    "n in no_a, no_b not in xs, no_c is no_d, no_e is not None",
    "not no_a, ~no_b, n // no_c",
    # calls
    "x.add(x.no_a(), alpha=no_b)",
    "torch.no_a(x.no_b(), no_c, k=no_d)",
    "no_a(x.no_b())(no_c, *no_d)",
    "no_a(no_b, List[int], (int, no_c), int | str, [no_d], no_e[int])",
    "no_a(xs[no_b], d[no_c], xs[no_d:], List[no])",
    "x.no_a.no(no_b).no(no_c)",
    "max(no_a, no_b, *no_c)",
    "torch.add(*no_a, *no_b)",
    # displays, f-strings, slices
    "[no_a, n, no_b], (no_c, no_d)",
    "{no_a: no_b, s: no_c, no_d: n}",
    "f'{no_a} {n} {no_b}'",
    "x[no_a, 1:no_b, no_c:, ..., no_d, None, no_e]",
    "no_a[no_b:no_c:no_d], xs[no_e:no_f]",
    "n[no_a, no_b], x.no_c[no_d]  # n[no_a, no_b]",
    "x.__getitem__(no_a), no_b",
    # conditions
    "no_a and no_b or no_c",
    "y is not None and y.no_a() and y.no_b() > 1",
    "no_a if no_b else no_c",
    "x.no_a() if flag else x.no_b()",
    "y.no_a() if y is not None and y.no_b() else no_c",
    # comprehensions
    "[no_a for i in no_b]",
    "[i.no_a() + no_b for i in xs]",
    "{i + no_a: no_b for i in no_c}",
    "[i + no_a for i, j in xs]  # [i + no_a for i, j in xs]",
    # forms
    "isinstance(no_a, (no_b, no_c))",
    "isinstance(no_a, List[int]), no_b",
    "torch.jit.annotate(no_a, no_b)",
    "torch.jit.annotate(List[no_a], [x.tolist(), no_b])",
    "range(no_a, no_b), zip(no_c, no_d), enumerate(no_e, no_f)",
    "enumerate(no_a, start=no_b)",
    "getattr(no_a, s, no)  # getattr(no_a, s, no)",
    "hasattr(no_a, s)  # s",
    "tuple(no_a, no_b)  # tuple(no_a, no_b)",
    "list(no_a), dict(no_b), dict(no_c, k=no_d), dict([(s, no_e)], k=no_f)",
    "list(no_a, no_b)  # list(no_a, no_b)",
    "slice(no_a, no_b)",
    "torch.jit.fork(no_a, no_b, k=no_c)",
    "typing.cast(List[int], no_a)  # typing.cast(List[int], no_a)",
    "torch.FloatTensor(no_a, device=no_b)",
)
STATEMENTS = (
    *(f"r = {each}" for each in EXPRESSIONS),
    "return no_a, no_b",
    "raise ValueError(no_a, no_b)",
    "assert no_a, no_b",
    "assert y is not None and y.no_a(), y.no_b()",
    "xs[no_a] = no_b",
    "x[no_a, no_b:, 1] = no_c",
    "n[no_a] = no_b",
    "xs[no_a:no_b] = 1  # no_a:no_b",
    "t[no_a] = no_b",
    "no_a.attribute = no_b",
    "o.scale, xs[no_a], no_b.c = no_c, 1, no_d",
    "r, xs[no_a] = no_b",
    "r, xs[no_a] = n  # n",
    "(r, q), xs[no_a] = no_b, no_c",
    "xs[no_a] = xs[no_b] = no_c",
    "xs[no_a] = xs[no_b] = 1",
    "[r, q] = no_a, no_b  # [r, q]",
    "r: no_a = no_b",
    "r: List[no_a] = x.tolist(no_b)",
    "r: List[no_a] = [no_b, no_c]",
    "o.scale: no_a = no_b  # o.scale: no_a",
    "x += no_a + no_b",
    "no_a += no_b",
    "x.no_a += no_b",
    "no_a.b += no_c",
    "xs[no_a] += no_b",
    "x[no_a, no_b:] += no_c",
    "no_a[no_b] += no_c",
    "o @= no_a  # o @= no_a",
    "t[no_a] += no_b  # t[no_a]",
    "del xs[no_a], no_b, d[no_c]",
    "del no_a[no_b], o.scale  # o.scale",
    "for r in no_a: no_b",
    "for r in no_a + no_b: no_c",
    "for xs[no_a] in no_b: no_c",
    "while no_a and no_b: no_c",
    "if no_a or no_b: no_c",
    "with no_a() as r, no_b(no_c), no_d(r.no()): r.no()",
)
EXTENDED = (
    "r = (q := no_a) + no_b + q",
    "r = x.no_a((q := n), no_b) + q.no()",
    "r = x.no_a((q := no_b), q.no()) + q.no()",
    "r = no_a(q := n) + no_b + q",
    "r = no_a and (q := n) + no_b and q",
    "r = [no_a for i in xs if no_b for j in no_c]",
    "r = [no_a for i in no_b if no_c]",
    "r = [no_a for i in xs if i > no_b if no_c]",
    "r = f'{no_a:>{no_b}} {no_c!r} {no_d}'",
    "r = no_a(**{'a': no_b}, b=no_c)",
    "r = x.add(**no_a, **no_b, alpha=no_c)",
    "r = typing.cast(no_a, no_b)",
    "r = (q := no_a) % no_b",
)
REFUSED = (
    "r = no_a + {no_b, n} + no_c(no_d, lambda: no)  # {no_b, n}; lambda: no",
    "r = no_a + {no_b, +n, {+no_c}}  # {no_b, +n, {+no_c}}",
    "r = f'{no_a:>3} {no_b}' + no_c  # {no_a:>3}",
    "r = [no for i in no_a if no] + no_b  # [no for i in no_a if no]",
    "r = torch.add(no_a, **no_b) + no_c  # **no_b",
    "r = no_f(q := no_a, no_b) + q  # q := no_a",
    "r = no_a if +no_b else no_c  # +no_b",
    "r: int; no_a  # r: int",
    "x //= no_a + no_b  # x //= no_a + no_b",
    "x[no_a, {n}] = no_b  # {n}",
    "if no_a or {n}: no_b  # {n}",
    "for r in no_a({n}): r.no(no_b)  # {n}",
    "r = no_a if {n} else no_b  # {n}",
    "r = [i + {n} for i in no_a]  # {n}",
    "assert no_a({n}), no_b  # {n}",
)


class Compiler:
    """Compiles texts of programs that are at fault.

    Each has a file of its own: Python takes a file of the same path, size and second for the one
    that it has compiled.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.numbers = itertools.count()

    def faults(self, statement: str, dialect: str) -> list[Diagnostic]:
        path = self.folder / f"program_{next(self.numbers)}.py"
        path.write_text(PROGRAM.format(statement=statement.partition("  # ")[0]))
        with pytest.raises(CompileError) as caught:
            minits.script(load(path).program, dialect=dialect)
        return list(caught.value.diagnostics)


@pytest.fixture
def compiler(tmp_path: Path) -> Compiler:
    return Compiler(tmp_path)


def expected(statement: str) -> list[str]:
    """Return the undefined names of a statement, and the places that its comment names."""
    code, _, others = statement.partition("  # ")
    return [*re.findall(r"\bno_\w+", code), *filter(None, others.split("; "))]


def place(found: Diagnostic) -> str:
    """Return the undefined name that a fault is about, or its whole place."""
    assert found.range is not None
    text = found.range.text
    name = re.fullmatch(r"(?:\w+\.)?(no_\w+)", text)
    return name[1] if name else text


@pytest.mark.one_in(2)
@pytest.mark.parametrize("dialect", ["torch", "extended"])
@pytest.mark.parametrize("statement", STATEMENTS)
def test_all_are_told(compiler: Compiler, statement: str, dialect: str) -> None:
    found = compiler.faults(statement, dialect)
    if "typing.cast" in statement and dialect == "extended":  # which has it
        statement = statement.partition("  # ")[0]
    assert sorted(map(place, found)) == sorted(expected(statement))
    starts = [each.range.start for each in found if each.range is not None]
    assert starts == sorted(starts)


@pytest.mark.parametrize("statement", EXTENDED)
def test_all_are_told_in_the_syntax_of_the_extended_dialect(
    compiler: Compiler, statement: str
) -> None:
    found = compiler.faults(statement, "extended")
    assert sorted(map(place, found)) == sorted(expected(statement))


@pytest.mark.parametrize("statement", REFUSED)
def test_all_are_told_beside_refused_syntax(compiler: Compiler, statement: str) -> None:
    found = compiler.faults(statement, "torch")
    assert sorted(map(place, found)) == sorted(expected(statement))


# ---- What follows from a fault, and what is never compiled --------------------------------------


@pytest.mark.parametrize("dialect", ["torch", "extended"])
@pytest.mark.parametrize(
    "statement",
    [
        # the other part is excluded by what is known while compiling
        "r = 1 if torch.jit.is_scripting() or no_a else no",
        "r = no if not (torch.jit.is_scripting() or no_a) else no_b",
        "if not torch.jit.is_scripting() and no_a: no.no()",
        "assert torch.jit.is_scripting() or no_a, no",
        "r = getattr(no_a, 's', no)",
        # the part that failed would have told more of it
        "r = y + 1 if no_a(y) else -y",
        "r = no_a(y) and y > 1",
        "r = [i.no(j.no) for i, j in no_a]",
        "assert no_a(y), y + 1",
        # it may be a type, or need the type that is expected of it
        "r = no_a(y, Optional[int], (int, Tensor), [List[int]], int | None, torch.Tensor, Scaled)",
        "r = torch.jit.annotate(no_a, x.tolist())",
        "r: no_a = x.tolist() if flag else []",
        "r, xs[r] = no_a",
        "with no_a() as r, r as q: q.no()",
    ],
)
def test_no_fault_follows_from_another(compiler: Compiler, statement: str, dialect: str) -> None:
    found = compiler.faults(statement, dialect)
    assert sorted(map(place, found)) == sorted(expected(statement))


def test_what_other_operands_tell_is_known(compiler: Compiler) -> None:
    statement = """if y is not None and no_a:
        y.no_b()
    if y is None or no_c:
        return x
    y.no_d()"""
    found = compiler.faults(statement, "torch")
    assert [place(each) for each in found] == ["no_a", "no_b", "no_c", "no_d"]


# ---- Errors -------------------------------------------------------------------------------------


def test_the_class_is_that_of_the_first_fault_that_is_told() -> None:
    faults = Faults()
    faults.add(ErrorValueUsed())
    faults.add(not_supported(None, "TS101", "refused"))
    faults.add(error(None, "TS311", "undefined"))
    with pytest.raises(NotSupportedError) as caught:
        faults.raise_all()
    assert [each.code for each in caught.value.diagnostics] == ["TS101", "TS311"]


def test_the_use_of_an_error_value_tells_nothing_whatever_is_added() -> None:
    used = ErrorValueUsed()
    loc = SourceRange.at("program.py", 1, 0)
    for each in (used.noting(Note("a note")), used.located(loc), used.called_from("f", "g", loc)):
        assert isinstance(each, ErrorValueUsed)
        assert each.diagnostics == ()


# ---- Many and deep ------------------------------------------------------------------------------


def test_many_faults_are_found_in_linear_time(compiler: Compiler) -> None:
    names = [f"no_{number}" for number in range(300)]
    for statement in (
        "r = " + " + ".join(names),
        "r = " + " and ".join(names),
        "r = [" + ", ".join(names) + "]",
    ):
        found = compiler.faults(statement, "torch")
        assert [place(each) for each in found] == names


@pytest.mark.parametrize(
    "form", ["[{}]", "dict({})", "no_f({})", "({} or flag)", "(1 if {} else 2)"]
)
def test_a_nested_fault_is_found_in_linear_time(compiler: Compiler, form: str) -> None:
    nested = "no_a"
    for _ in range(20):
        nested = form.format(nested)
    found = compiler.faults(f"r = {nested}", "torch")
    assert {place(each) for each in found} == set(expected(nested))
