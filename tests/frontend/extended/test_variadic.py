"""`*args` and `**kwargs`: a function is compiled for each way in which it is called."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.cli.main import main
from minits.diagnostics import CompileError
from minits.runtime.argument_faults import ArgumentError
from tests.support.extended import check_agrees, check_extension


def total(first: int, *more: int) -> int:
    for item in more:
        first += item
    return first


def described(*args, sep: str = "-", **kwargs) -> str:
    text = str(len(args)) + str(len(kwargs))
    for item in args:
        text = text + sep + str(item)
    for name, value in kwargs.items():
        text = text + sep + name + "=" + str(value)
    return text


def forwarding(*args, **kwargs):
    return described(*args, last=args[0], **kwargs)


def calls(n: int) -> tuple[int, int, int]:
    return total(n), total(n, 1), total(n, n, 2)


def mixed_calls(n: int, s: str) -> list[str]:
    return [described(), described(1, s, [n], k=n, z=s), described(sep="+", k=None)]


def forwarded_calls(n: int, s: str) -> list[str]:
    return [forwarding(n, s), forwarding(s, sep="+", k=n), described(*(n, s), k=n)]


def scaled(x: Tensor, **options) -> Tensor:
    scale = options.get("scale", 2.0)
    if "shift" in options:
        x = x + options["shift"]
    if "names" not in options and len(options) < 3:
        x = x - 1
    return x * scale


def scaled_calls(x: Tensor) -> list[Tensor]:
    return [scaled(x), scaled(x, shift=x), scaled(x, names=["a"], scale=3), scaled(x, shift=1)]


def popping(x: int, **options) -> str:
    n = options.pop("n", 5)
    return described(x, n, **options)


def popping_calls(x: int) -> list[str]:
    return [popping(x), popping(x, n=7), popping(x, a=1, n="b")]


def changed(**counts) -> dict[str, int]:
    counts["new"] = len(counts)
    return counts


def changed_calls(n: int) -> list[dict[str, int]]:
    return [changed(a=n), changed(b=1, a=n)]


def second(*args):
    if len(args) > 1 and not len(args) == 0:
        return args[1]
    if not args:
        return "none"
    return args[0]


def has(*args, **kwargs) -> tuple[bool, bool, bool, int]:
    count = 0
    if kwargs:
        count = kwargs.get("n", 5)
    elif args:
        count = -1
    return "n" in kwargs, "m" not in kwargs, len(args) >= 2, count


def known_calls(n: int, s: str):
    return second(n), second(s, n), second(), has(), has(n), has(n, n, n=3), has(m=s)


def names_of(**kwargs) -> list[str]:
    return [name + "!" for name in kwargs if name != "b"]


def shadowed(total: int, **kwargs) -> int:
    args = total + kwargs["described"]
    kwargs_described = 100
    return args + kwargs_described


def names_calls(n: int) -> tuple[list[str], list[str], int]:
    return names_of(a=n, b=1, c="x"), names_of(z=0), shadowed(n, described=n)


PROGRAMS = [
    (calls, "TS191", [(3,)]),
    (mixed_calls, "TS191", [(3, "q")]),
    (forwarded_calls, "TS115", [(3, "q")]),
    (scaled_calls, "TS191", [(torch.ones(2),)]),
    (popping_calls, "TS115", [(3,)]),
    (known_calls, "TS191", [(3, "q")]),
    (changed_calls, "TS191", [(3,)]),
    (names_calls, "TS114", [(3,)]),
]


@pytest.mark.parametrize(("program", "code", "inputs"), PROGRAMS)
def test_each_call_means_what_it_means_in_python(program, code, inputs) -> None:
    check_extension(program, code, *inputs)


def test_a_call_from_python_compiles_what_is_missing() -> None:
    compiled = minits.script(described, dialect="extended")
    for _ in range(2):
        assert compiled(1, "a", sep="/") == described(1, "a", sep="/")
        assert compiled(k=3) == described(k=3)
    assert str(compiled.variant(2, k="a").schema) == (
        'described(int args_0, *, str sep="-", str kwargs_k) -> str'
    )
    assert compiled.variant(2, k="a") is compiled.variant(3, k="b")
    assert compiled.graph_for(4, k="a").inputs
    with pytest.raises(CompileError, match="TS191"):
        _ = compiled.graph
    with pytest.raises(ArgumentError, match="cannot be compiled for this call"):
        compiled(object())


def test_an_annotation_says_the_type_of_each_argument() -> None:
    compiled = minits.script(total, dialect="extended")
    assert compiled(1, True, 2) == 4
    with pytest.raises(RuntimeError, match="more_0"):
        compiled(1, "a")


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0]))

    def summed(self, *terms: Tensor) -> Tensor:
        result = self.weight
        for term in terms:
            result = result + term
        return result

    def forward(self, x: Tensor, *more: Tensor, **options) -> Tensor:
        x = self.summed(x, *more)
        return x * options["scale"] if "scale" in options else x


class Outer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.inner(x), self.inner(x, x, scale=2), self.inner(x, scale=0.5)


class Deeper(Inner):
    def forward(self, *args, **kwargs):
        return super().forward(*args, **kwargs) + 1


def test_methods_of_modules_are_specialised_too() -> None:
    check_extension(Outer(), "TS191", (torch.ones(2),))
    for module in (Inner(), Deeper()):
        compiled = minits.script(module, dialect="extended")
        x = torch.ones(2)
        assert torch.equal(compiled(x), module(x))
        assert torch.equal(compiled(x, x, scale=3.0), module(x, x, scale=3.0))


class Counter:
    def __init__(self, *starts: int) -> None:
        self.count = len(starts)

    def add(self, *amounts: int) -> int:
        for amount in amounts:
            self.count += amount
        return self.count


def counting(n: int) -> tuple[int, int, int]:
    counter = Counter(n, n)
    return counter.count, counter.add(), counter.add(n, 2)


def test_methods_of_script_classes_are_specialised_too() -> None:
    check_agrees(counting, (3,))


def waiting(x: Tensor) -> Tensor:
    future = torch.jit.fork(scaled, x, scale=3)
    return torch.jit.wait(future)


def test_a_variadic_function_can_be_forked() -> None:
    check_agrees(waiting, (torch.ones(2),))


def endless(*args) -> int:
    return endless(1, *args)


def missing(**kwargs) -> int:
    return kwargs["n"]


def asks_missing() -> int:
    return missing(m=1)


def in_a_branch(flag: bool, **kwargs) -> int:
    n = 0
    if flag:
        n = kwargs.pop("n")
    return n


def pops_in_a_branch(flag: bool) -> int:
    return in_a_branch(flag, n=1)


def spreads_a_dict(values: dict[str, int]) -> str:
    return described(**values)


def spreads_what_it_changed(**kwargs) -> str:
    kwargs["n"] = 1
    return described(**kwargs)


def calls_that() -> str:
    return spreads_what_it_changed(a=1)


REFUSED = [
    (endless, "TS712"),
    (asks_missing, "TS713"),
    (pops_in_a_branch, "TS713"),
    (spreads_a_dict, "TS115"),
    (calls_that, "TS115"),
]


@pytest.mark.parametrize(("program", "code"), REFUSED)
def test_what_is_not_known_while_compiling_is_refused(program, code) -> None:
    with pytest.raises(CompileError, match=code):
        compiled = minits.script(program, dialect="extended")
        compiled(1)


def test_a_recursion_names_each_call_once() -> None:
    with pytest.raises(CompileError) as caught:
        minits.script(endless, dialect="extended")(1)
    shown = caught.value.diagnostics[0].render().splitlines()
    assert sum("called from 'endless'" in line for line in shown) == 1


def test_the_command_line_compiles_and_runs_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "variadic.py"
    path.write_text("def total(x: int, *more: int) -> int:\n    return x + len(more)\n")
    extended = ("--dialect", "extended")
    assert main(["compile", str(path), *extended]) == 0
    assert "any number of arguments" in capsys.readouterr().err
    assert main(["compile", str(path), *extended, "--emit=code", "--input=1", "--input=2"]) == 2
    call = ["--emit=optimized", "--input=1", "--input=2"]
    assert main(["compile", str(path), *extended, *call]) == 0
    assert capsys.readouterr().out.startswith("# total\ngraph(%x.1 : int")
    assert main(["run", str(path), *extended, "--input", "1", "--input", "2"]) == 0
    assert capsys.readouterr().out == "2\n"
    assert main(["check", str(path)]) == 1
    assert "TS191" in capsys.readouterr().err


ready = minits.script(total, dialect="extended")


def calls_what_is_compiled(x: int) -> int:
    return ready(x, 1, 2)


def test_the_torch_dialect_calls_one_that_is_compiled_in_the_other() -> None:
    assert minits.script(calls_what_is_compiled)(3) == calls_what_is_compiled(3)
