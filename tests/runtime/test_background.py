"""By default calls go on unfused until their kernels are there; `warm_up` builds them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.kernels.cpu import background, building, c_build
from minits.kernels.cpu.cache import cache_folder
from minits.kernels.cpu.forks import FORKS, Forks
from tests.kernels.test_c_build import forget, needs_compiler

pytestmark = needs_compiler


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, calls that do not wait, and nothing left to build at the end."""
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path))
    monkeypatch.delenv("MINITS_BUILD")
    forget(monkeypatch)
    yield tmp_path / "kernels"
    wait_for_builds()


class Gate:
    """Holds builds back until it is opened, and notes the threads that build."""

    def __init__(self) -> None:
        self.is_open = threading.Event()
        self.threads: list[str] = []


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made, build = Gate(), building.build

    def held(*texts: str) -> Any:
        made.threads.append(threading.current_thread().name)
        if made.threads[-1] == "minits-build":
            assert made.is_open.wait(60)
        return build(*texts)

    monkeypatch.setattr(building, "build", held)
    yield made
    made.is_open.set()
    wait_for_builds()


def wait_for_builds() -> None:
    ends = time.monotonic() + 60
    while background.BACKGROUND.is_busy:
        assert time.monotonic() < ends
        time.sleep(0.01)


def program(x: Tensor, w: Tensor) -> Tensor:
    y = torch.mm(torch.tanh(x) * 2 + 1, w)
    return torch.softmax(y / 3, -1) + 1


def arguments(gradients: bool = False) -> tuple[Tensor, Tensor]:
    return torch.randn(3, 5, requires_grad=gradients), torch.randn(5, 7, requires_grad=gradients)


def codes(compiled: Any, *args: Any) -> set[str]:
    return {each.code for each in compiled.remarks(*args) if each.operator == "prim::FusionGroup"}


def is_fused(compiled: Any, *args: Any) -> bool:
    with torch.profiler.profile() as profile:
        compiled(*args)
    return "aten::tanh" not in {event.key for event in profile.key_averages()}


def test_calls_go_on_until_the_kernels_are_there(gate: Gate) -> None:
    compiled, args = minits.script(program), arguments()
    for _ in range(3):
        torch.testing.assert_close(compiled(*args), program(*args), rtol=0, atol=0)
    assert codes(compiled, *args) == {"being-built"}
    assert "its kernel is being built" in compiled.plan_report()
    gate.is_open.set()
    wait_for_builds()
    torch.testing.assert_close(compiled(*args), program(*args))
    assert is_fused(compiled, *args)
    assert not codes(compiled, *args)
    assert gate.threads == ["minits-build"], "one library for all kernels of the plan"


def test_what_is_called_twice_is_not_built(gate: Gate) -> None:
    compiled = minits.script(program)
    for _ in range(2):
        args = arguments(gradients=True)
        compiled(*args).sum().backward()
    assert gate.threads == []
    assert "2 calls ran the program as it was written" in compiled.plan_report()


def test_what_is_in_the_cache_is_used_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    args = arguments()
    monkeypatch.setenv("MINITS_BUILD", "now")
    minits.script(program)(*args)
    monkeypatch.delenv("MINITS_BUILD")
    compiled = minits.script(program)
    for _ in range(3):
        compiled(*args)
    assert not codes(compiled, *args)
    assert is_fused(compiled, *args)


def test_gradients_go_on_as_well(gate: Gate) -> None:
    compiled = minits.script(program)
    for round in range(3):
        args = arguments(gradients=True)
        found = torch.autograd.grad(compiled(*args).square().sum(), args)
        torch.testing.assert_close(found, torch.autograd.grad(program(*args).square().sum(), args))
        if round:
            gate.is_open.set()
            wait_for_builds()
    for _ in range(2):  # the gradient's kernel is asked for when the forward one is there
        args = arguments(gradients=True)
        found = torch.autograd.grad(compiled(*args).square().sum(), args)
        torch.testing.assert_close(found, torch.autograd.grad(program(*args).square().sum(), args))
        wait_for_builds()
    assert not codes(compiled, *args)


def test_many_threads(gate: Gate) -> None:
    compiled, faults = minits.script(program), list[BaseException]()

    def call() -> None:
        try:
            for rows in range(1, 12):
                x, w = torch.randn(rows, 5), torch.randn(5, 7)
                torch.testing.assert_close(compiled(x, w), program(x, w))
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    gate.is_open.set()
    for thread in threads:
        thread.join()
    assert not faults


def test_a_fault_is_told_and_not_met_again(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*texts: str) -> Any:
        gate.threads.append("failed")
        raise c_build.NoCompiler("it is Sunday")

    monkeypatch.setattr(building, "build", fail)
    compiled, args = minits.script(program), arguments()
    for _ in range(3):
        torch.testing.assert_close(compiled(*args), program(*args))
        wait_for_builds()
    assert codes(compiled, *args) == {"no-compiler"}
    assert gate.threads == ["failed"]


def test_a_build_that_fails_later_is_not_going_on(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*texts: str) -> Any:
        assert gate.is_open.wait(60)
        raise c_build.NoCompiler("it is Sunday")

    monkeypatch.setattr(building, "build", fail)
    compiled, args = minits.script(program), arguments()
    for _ in range(3):
        torch.testing.assert_close(compiled(*args), program(*args))
    assert codes(compiled, *args) == {"being-built"}
    gate.is_open.set()
    wait_for_builds()
    torch.testing.assert_close(compiled(*args), program(*args))
    assert codes(compiled, *args) == {"no-compiler"}


def test_an_unknown_mode_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_BUILD", "later")
    with pytest.warns(UserWarning, match="none of background, again, now"):
        assert background.builds_in_background()
    assert background.calls_as_written() == 2


# ---- warm_up ------------------------------------------------------------------------------------


def printing(x: Tensor, w: Tensor, wide: bool) -> Tensor:
    print("this runs")
    x = torch.mm(torch.tanh(x) * 2, w)
    if wide:
        x = torch.exp(x) - 1
    else:
        x = torch.sin(x) + 1
    return x


@pytest.mark.one_in(2)
@pytest.mark.parametrize("gradients", [False, True])
def test_warm_up_builds_all_and_runs_nothing(
    gate: Gate, capfd: pytest.CaptureFixture[str], gradients: bool
) -> None:
    compiled, (x, w) = minits.script(printing), arguments(gradients)
    before = x.clone()
    compiled.warm_up(x, w, True)
    assert capfd.readouterr().out == ""
    assert torch.equal(x, before)
    assert x.grad is None
    assert "minits-build" not in gate.threads
    built = len(gate.threads)
    assert built
    for wide in (True, False):
        result = compiled(x, w, wide)
        if gradients:
            given = torch.randn(3, 7)
            found = torch.autograd.grad(result, (x, w), given)
            expected = torch.autograd.grad(printing(x, w, wide), (x, w), given)
            torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)
    assert len(gate.threads) == built, "nothing is left to be built"
    assert not codes(compiled, x, w, True)


def test_warm_up_of_modules_and_methods() -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.Linear(5, 6), nn.LayerNorm(6)

        def forward(self, x: Tensor, scale: float) -> Tensor:
            return torch.relu(self.second(self.first(x)) * scale + 1)

        @torch.jit.export
        def other(self, x: Tensor) -> Tensor:
            return torch.tanh(x) * 2 + 1

    module = Net()
    compiled = minits.script(module)
    compiled.warm_up(torch.randn(3, 5), 2.0)
    compiled.other.warm_up(torch.randn(3, 5))
    x = torch.randn(3, 5)
    torch.testing.assert_close(compiled(x, 2.0), module(x, 2.0))
    torch.testing.assert_close(compiled.other(x), module.other(x), rtol=1e-5, atol=1e-6)
    assert is_fused(compiled.other, x)


def test_warm_up_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    compiled, args = minits.script(program), arguments()
    compiled.warm_up(*args)
    torch.testing.assert_close(compiled(*args), program(*args))
    assert codes(compiled, *args) == {"no-compiler"}


def picks(x: Tensor, n: int) -> Tensor:
    return torch.tanh(x * n).unflatten(0, (-1, n)) + 1


def test_numbers_of_a_call_are_not_known_beforehand() -> None:
    """One stands for them, of which the kernel may make nothing."""
    compiled, x = minits.script(picks), torch.randn(14)
    compiled.warm_up(x, 7)
    remarks = compiled.remarks(x, 7)
    torch.testing.assert_close(compiled(x, 7), picks(x, 7))
    assert compiled.remarks(x, 7) == remarks


# ---- The end of a process, and its forks --------------------------------------------------------

START = """
import os, sys, time
import torch
import minits

def f(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x) * 2 + 1

compiled = minits.script(f)
x = torch.randn(5)
for _ in range(3):
    torch.testing.assert_close(compiled(x), f(x))
assert [each.code for each in compiled.remarks(x)][-1] == "being-built"
"""
FORK = (
    START
    + """
child = os.fork()
for _ in range(3000):
    torch.testing.assert_close(compiled(x), f(x))
    if [each.code for each in compiled.remarks(x)][-1] != "being-built":
        break
    time.sleep(0.02)
else:
    sys.exit(3)
if child:
    _, status = os.waitpid(child, 0)
    sys.exit(os.waitstatus_to_exitcode(status))
"""
)


def run_process(folder: Path, text: str, **variables: str) -> tuple[int, float, str]:
    """Return the exit code of a program, what it took after its last line, what it printed."""
    path = str(Path(minits.__file__).parents[1])
    program = folder / "program.py"
    program.write_text(f"{text}\nprint(time.time(), flush=True)\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, timeout=200, check=False,
        env={**os.environ, "PYTHONPATH": path, **variables},
    )  # fmt: skip
    ended = float(done.stdout.split()[-1]) if done.stdout else 0.0
    return done.returncode, time.time() - ended, done.stderr


@pytest.mark.slow
def test_the_end_of_the_process_ends_the_compiler(tmp_path: Path) -> None:
    compiler, pids = tmp_path / "cc", tmp_path / "pids"
    compiler.write_text(f"#!/bin/sh\necho $$ >> {pids}\nexec sleep 600\n", encoding="utf-8")
    compiler.chmod(0o700)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    wait = "\nwhile not os.path.exists(os.environ['PIDS']): time.sleep(0.01)"
    code, seconds, said = run_process(
        tmp_path, START + wait, CC=str(compiler), PIDS=str(pids), TMPDIR=str(scratch)
    )
    assert (code, said) == (0, "")
    assert seconds < 60
    for pid in pids.read_text(encoding="utf-8").split():
        assert not Path(f"/proc/{pid}").exists()
    assert not list(scratch.iterdir())


SHORT_FORK = (
    START
    + """
while not os.path.exists(os.environ['PIDS']): time.sleep(0.01)
if not os.fork():
    sys.exit()
os.wait()
open(os.environ['PIDS'] + '.go', 'w').close()
compiled.warm_up(x)
assert {each.code for each in compiled.remarks(x)} == {"fused"}
"""
)
COMPILER = """#!/bin/sh
echo $$ >> {pids}
while test ! -e {pids}.go; do sleep 0.01; done
exec cc "$@"
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_that_ends_leaves_what_is_being_built(tmp_path: Path) -> None:
    compiler, pids = tmp_path / "cc", tmp_path / "pids"
    compiler.write_text(COMPILER.format(pids=pids), encoding="utf-8")
    compiler.chmod(0o700)
    code, _, said = run_process(tmp_path, SHORT_FORK, CC=str(compiler), PIDS=str(pids))
    assert code == 0, said


class AtWork:
    """A thread that works until it is told to end, as the one that builds does."""

    def __init__(self, forks: Forks) -> None:
        self._forks = forks
        self.works, self.waits, self.ends = threading.Event(), threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()
        assert self.works.wait(60)

    def _run(self) -> None:
        with self._forks.held_back():
            self.works.set()
            assert self.waits.wait(60)
            with self._forks.let_through():
                assert self.ends.wait(60)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_waits_for_a_thread_at_work_but_not_for_its_compiler() -> None:
    worker = AtWork(FORKS)
    timer = threading.Timer(0.3, worker.waits.set)
    timer.start()
    child = os.fork()
    if not child:
        with FORKS.held_back():  # nobody else works here
            os._exit(0 if worker.waits.is_set() else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert not worker.ends.is_set()
    worker.ends.set()
    worker.thread.join(60)
    timer.join()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_builds_by_itself(tmp_path: Path) -> None:
    code, _, said = run_process(tmp_path, FORK)
    assert code == 0, said


def test_the_folder_is_the_one_of_the_test(folder: Path) -> None:
    assert cache_folder() == folder
