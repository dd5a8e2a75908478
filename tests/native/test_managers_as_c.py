"""`with` of script classes as C: `__exit__` runs whatever leaves the block, as torch runs it."""

from __future__ import annotations

import contextlib
import copy
import io
import random
from pathlib import Path
from typing import Any

import pytest
import torch

import minits
from minits.native.function import NativeFunction
from minits.native.hot import NativeRun
from minits.runtime.interpreter import run
from tests.support.control_flow import load
from tests.support.native_calls import outcome, run_twice
from tests.support.needs import need_compiler

need_compiler()


class Mark:
    def __init__(self, name: str, log: list[str]) -> None:
        self.name = name
        self.log = log

    def __enter__(self) -> int:
        self.log.append("+" + self.name)
        assert self.name != "never", "entered"
        return len(self.log)

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        self.log.append("-" + self.name)
        if self.name == "lost":
            raise ValueError("lost in __exit__")


def raises_always(n: int) -> int:
    log = ["a"]
    with Mark("one", log):
        raise ValueError("always " + log[n])
    return n


def index_past_the_list(n: int) -> str:
    log = ["a"]
    with Mark("one", log):
        return log[n]


def enter_raises(n: int) -> int:
    log = ["a"]
    with Mark("never" if n > 0 else "one", log) as found:
        return found + n


def returns_within(n: int) -> tuple[int, list[str]]:
    log = ["a"]
    for i in range(n):
        log.append(str(i))
    with Mark("one", log):
        with Mark("two", log) as k:
            if n > 1:
                return k, log
        log.append("between")
    return n, log


def exit_raises(n: int) -> int:
    log = ["a"]
    with Mark("lost", log):
        log.append(str(10 // n))
    return len(log)


def of_numbers(n: int) -> int:
    numbers = {"a": n}
    total = 0
    for i in range(n):
        with Mark("m" + str(i), ["x"]) as k:
            if i == 5:
                k = numbers["no key " + str(k)]
            total += k
    return total


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "function",
    [
        raises_always,
        index_past_the_list,
        enter_raises,
        returns_within,
        exit_raises,
        of_numbers,
    ],
)
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_agrees(function: Any, n: int, monkeypatch: Any) -> None:
    script, found = run_twice(function, (n,), "now", monkeypatch)
    assert isinstance(script.plan_for(n).native, NativeRun)
    expected = run_twice(function, (n,), "off", monkeypatch)[1]
    assert found[:2] == expected[:2]  # but for the frames, as C has no calls
    theirs = outcome(function, torch.jit.script(function), (n,))
    assert isinstance(theirs, tuple) or theirs == found
    assert isinstance(theirs, tuple) == isinstance(found, tuple)


class Logging(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.log = ["start"]

    def inner(self, n: int) -> int:
        with Mark("b", self.log):
            if n == 3:
                return 30
            assert n != 2, "two"
        with Mark("lost" if n == 4 else "c", self.log):
            return 12 // n

    def forward(self, n: int) -> int:
        with Mark("a", self.log) as k:
            for i in range(n - 1, n + 1):
                with Mark("loop", self.log):
                    k += self.inner(i)
        return k


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 6])
def test_what_exit_writes_is_seen_after_an_error(n: int, monkeypatch: Any) -> None:
    monkeypatch.setenv("MINITS_NATIVE", "now")
    found = []
    for script in (minits.script, torch.jit.script):
        module = script(Logging())
        for _ in range(3):
            with contextlib.suppress(Exception):
                found.append(module(n))
        found.append(list(module.log))
        if script is minits.script:
            assert isinstance(module.forward.plan_for(n).native, NativeRun)
    half = len(found) // 2
    assert found[:half] == found[half:]


HEADER = """
from typing import Any, Dict, List
import torch

@torch.jit.script
class Mark:
    def __init__(self, name: str, log: List[int]):
        self.name = name
        self.log = log

    def __enter__(self) -> int:
        print("+", self.name, self.log)
        self.log.append(len(self.log))
        return self.log[len(self.name)]

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        print("-", self.name, self.log)
        self.log.append(-1)
        self.log[len(self.log) - 3 * len(self.name)] = 7

"""
STATEMENTS = (
    "log.append({n})", "n += {n}", "m = log[{n}]", "n = log[-1] + m", "log = [{n}, n]",
    "mark = Mark('ab', log)", "mark.log = [m]", "n = 20 // {n}", "mark.name += 'c'",
    "print(n, m, log)",
)  # fmt: skip


def source_of(seed: int) -> str:
    """Return the source of a program of random statements, in branches, loops and managers."""
    chance = random.Random(seed)

    def block(depth: int, indent: str) -> list[str]:
        lines = []
        for _ in range(chance.randint(1, 4)):
            pick = chance.random()
            number = chance.choice(("n", "m", "n - m", "2", "0", "-1"))
            if depth and pick < 0.35:
                manager = chance.choice(("mark", "Mark('x', log)", "Mark('', [n])"))
                lines += [f"{indent}with {manager}{chance.choice((' as n', ' as m', ''))}:"]
                lines += block(depth - 1, indent + "    ")
            elif depth and pick < 0.45:
                lines += [f"{indent}for i{depth} in range(2):"]
                lines += block(depth - 1, indent + "    ")
            elif depth and pick < 0.6:
                lines += [f"{indent}if n > {number}:", *block(depth - 1, indent + "    ")]
            elif depth < 2 and pick < 0.68:
                raised = f"raise ValueError(str({number}))"
                return [*lines, f"{indent}if m < {number}:", f"{indent}    {raised}"]
            else:
                lines.append(indent + chance.choice(STATEMENTS).format(n=number))
        return lines

    start = ["    log, m = [3, n], n", "    mark = Mark('b', log)"]
    lines = ["def f(n: int):", *start, *block(4, "    "), "    return n, log", ""]
    return HEADER + "\n".join(lines)


@pytest.mark.one_in(16)
@pytest.mark.parametrize("seed", range(16))
def test_random_programs_agree(seed: int, tmp_path: Path) -> None:
    path = tmp_path / f"managers_{seed}.py"
    path.write_text(source_of(seed))
    compiled = minits.script(load(path).f)
    graph = compiled.graph_after(["optimize"])
    native = NativeFunction(graph, "f")

    def printed_by(function: Any, n: int) -> Any:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                found = copy.deepcopy(function(n))
            except Exception as error:
                found = type(error).__name__, str(error)
        return found, printed.getvalue()

    for n in (0, 3, -5):
        assert printed_by(native, n) == printed_by(lambda n: run(graph, n), n)
