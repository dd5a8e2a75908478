"""Libraries are unloaded when nothing refers to them any more, and not before."""

from __future__ import annotations

import gc
import threading
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.kernels.cpu import c_build
from tests.kernels.test_c_build import ADD_ONE, forget, needs_compiler

pytestmark = [
    needs_compiler,
    pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="nothing tells what is loaded"),
]
FIRST = "int first(void) { return 1; }"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, in a process that has loaded one library of it, which stays."""
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path))
    forget(monkeypatch)
    c_build.build(FIRST)
    return tmp_path / "kernels"


def loaded(folder: Path) -> int:
    """How many libraries of a folder the process has loaded, but for the first."""
    gc.collect()
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return len({line.split()[-1] for line in lines if str(folder) in line}) - 1


@pytest.mark.slow
def test_a_library_lives_as_long_as_its_functions(folder: Path) -> None:
    library = c_build.build(ADD_ONE)
    function = library.add_one
    del library
    assert loaded(folder) == 1
    assert function(1) == 2
    assert c_build.build(ADD_ONE).add_one(2) == 3
    del function
    assert loaded(folder) == 0
    assert c_build.build(ADD_ONE).add_one(1) == 2
    assert loaded(folder) == 0


@pytest.mark.slow
def test_the_first_one_stays(folder: Path) -> None:
    assert loaded(folder) == 0
    assert c_build.build(FIRST).first() == 1


def program(x: Tensor, w: Tensor) -> Tensor:
    return torch.softmax(torch.tanh(x) * 2 + w, -1) / 3


def run(compiled: Any, gradients: bool) -> None:
    for rows in (1, 3, 70):
        x, w = torch.randn(rows, 5, requires_grad=gradients), torch.randn(5)
        found = compiled(x, w)
        torch.testing.assert_close(found, program(x, w))
        if gradients:
            found.sum().backward()


@pytest.mark.slow
@pytest.mark.parametrize("gradients", [False, True])
def test_a_compiled_function_takes_its_kernels_along(folder: Path, gradients: bool) -> None:
    compiled = minits.script(program)
    run(compiled, gradients)
    assert loaded(folder) > 0
    del compiled
    assert loaded(folder) == 0


@pytest.mark.slow
def test_the_plans_of_a_module_take_its_kernels_along(folder: Path) -> None:
    layers = [torch.nn.Linear(4, 6), torch.nn.Tanh(), torch.nn.Softmax(-1)]
    module = minits.script(torch.nn.Sequential(*layers))
    module(torch.randn(3, 4))
    assert loaded(folder) > 0
    forward = module.forward._minits
    del module
    assert loaded(folder) > 0, "they stay for the next module of the type"
    forward.plans = None
    assert loaded(folder) == 0


@pytest.mark.slow
def test_unloading_while_others_run_with_threads(folder: Path) -> None:
    """Threads of OpenMP and of Python go on while libraries come and go."""
    kept, x, w = minits.script(program), torch.randn(20000, 64), torch.randn(64)
    expected, faults = program(x, w), list[Exception]()
    done = threading.Event()

    def call() -> None:
        try:
            while not done.is_set():
                torch.testing.assert_close(kept(x, w), expected)
        except Exception as fault:
            faults.append(fault)

    caller = threading.Thread(target=call)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        caller.start()
        for number in range(5):
            compiled = minits.script(program)
            run(compiled, gradients=False)
            assert compiled(x, w).shape == expected.shape
            del compiled
            assert c_build.build(f"int n(void) {{ return {number}; }}").n() == number
            gc.collect()
    finally:
        done.set()
        caller.join()
        torch.set_num_threads(before)
    assert not faults
