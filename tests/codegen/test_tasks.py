"""`torch.jit.fork`: tasks run at the same time, in the state and with the errors of their place."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

import minits
from minits.codegen.tasks import POOL, Future, Pool
from minits.ops.errors import ScriptError

MEETING = threading.Barrier(2)
THREADS: list[str] = []


@torch.jit.ignore
def meet() -> int:
    """Wait for another thread to call this, too."""
    return MEETING.wait(30)


@torch.jit.ignore
def note_thread() -> int:
    THREADS.append(threading.current_thread().name)
    return len(THREADS)


def meeting() -> int:
    return meet()


def two_meet() -> int:
    first = torch.jit.fork(meeting)
    second = torch.jit.fork(meeting)
    return torch.jit.wait(first) + torch.jit.wait(second)


def test_tasks_run_at_the_same_time() -> None:
    assert minits.script(two_meet)() == 1


def leaf(x: Tensor) -> Tensor:
    return x + 1


def waiting(x: Tensor) -> Tensor:
    return torch.jit.wait(torch.jit.fork(leaf, x)) * 2


def waiting_for_that(x: Tensor) -> Tensor:
    return torch.jit.wait(torch.jit.fork(waiting, x)) + torch.jit.wait(torch.jit.fork(waiting, x))


def many(x: Tensor, n: int) -> Tensor:
    tasks = [torch.jit.fork(waiting_for_that, x) for i in range(n)]
    for task in tasks:
        x = x + torch.jit.wait(task)
    return x


def test_tasks_that_wait_do_not_use_up_the_pool() -> None:
    x = torch.ones(2)
    assert torch.equal(minits.script(many)(x, 100), x + 100 * 8)


def failing(n: int) -> int:
    if n > 0:
        raise IndexError("too many")
    return n


def failed(n: int) -> int:
    return torch.jit.wait(torch.jit.fork(failing, n))


def started(n: int) -> torch.jit.Future[int]:
    return torch.jit.fork(failing, n)


def test_errors_come_with_the_lines_of_the_task() -> None:
    with pytest.raises(ScriptError, match="IndexError: too many") as raised:
        minits.script(failed)(1)
    text = str(raised.value)
    lines = [
        "return torch.jit.wait(torch.jit.fork(failing, n))\n           ~~~",
        "in <forked function>",
        'raise IndexError("too many")\n        ~~~',
    ]
    assert [text.find(line) for line in lines] == sorted(text.find(line) for line in lines)
    assert min(text.find(line) for line in lines) > 0


def test_each_wait_raises() -> None:
    future = minits.script(started)(1)
    for _ in range(2):
        with pytest.raises(ScriptError, match=r"in failing\n[^$]*IndexError: too many$"):
            future.wait()
    with pytest.raises(ScriptError, match="too many"):
        torch.futures.wait_all([future])


def test_python_gets_the_errors_of_its_own_tasks() -> None:
    future = minits.fork({}.__getitem__, "key")
    for _ in range(2):
        with pytest.raises(KeyError, match=r"^'key'$"):
            minits.wait(future)
    with pytest.raises(IndexError, match=r"in failing\n[^$]*IndexError: too many$"):
        minits.fork(minits.script(failing), 1).wait()


def test_futures_are_those_of_torch() -> None:
    compiled = minits.script(started)
    futures = [compiled(-n) for n in range(3)]
    assert torch.futures.wait_all(futures) == [0, -1, -2]
    assert [each.wait() for each in torch.futures.collect_all(futures).wait()] == [0, -1, -2]
    assert compiled(-4).then(lambda done: done.wait() * 2).wait() == -8
    assert all(each.done() and each.value() == each.wait() for each in futures)


def test_callbacks_may_wait() -> None:
    future = Future(lambda: 3)
    doubled = future.then(lambda done: done.wait() * 2)
    future.run()
    assert doubled.wait() == 6


def test_callbacks_see_errors() -> None:
    def told(done: Any) -> str:
        with pytest.raises(ScriptError) as raised:
            done.wait()
        return str(raised.value)

    failed = Future(failing, 1)
    text = failed.then(told)
    failed.run()
    assert text.wait() == "IndexError: too many"


def product(x: Tensor, y: Tensor) -> Tensor:
    note_thread()
    return x * y


def forked_product(x: Tensor, y: Tensor) -> torch.jit.Future[Tensor]:
    return torch.jit.fork(product, x, y)


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_modes_are_those_of_the_fork(mode: Any) -> None:
    compiled, x = minits.script(forked_product), torch.ones(2, requires_grad=True)
    for _ in range(3):
        with mode():
            future, wanted = compiled(x, x), x * x
        found = future.wait()
        assert found.requires_grad == wanted.requires_grad
        assert found.is_inference() == wanted.is_inference()


@pytest.mark.parametrize(
    "state",
    [
        lambda: torch.autocast("cpu", torch.bfloat16),
        lambda: torch.device("meta"),
        lambda: torch.autograd.graph.save_on_cpu(),
    ],
)
def test_other_state_of_a_thread_keeps_tasks_in_it(state: Any) -> None:
    compiled, x = minits.script(forked_product), torch.ones(2, requires_grad=True)
    THREADS.clear()
    with state():
        assert compiled(x, x).done()
    assert THREADS == [threading.current_thread().name]


def test_transforms_see_what_tasks_compute() -> None:
    def waited(x: Tensor, y: Tensor) -> Tensor:
        return torch.jit.wait(torch.jit.fork(product, x, y))

    compiled, x = minits.script(waited), torch.arange(6.0).view(3, 2)
    found = torch.vmap(compiled, in_dims=(0, None))(x, x[1])
    assert torch.equal(found, x * x[1])


def forked_square(x: Tensor) -> Tensor:
    return x.exp() * x


def squared(x: Tensor) -> Tensor:
    return torch.jit.wait(torch.jit.fork(forked_square, x))


def test_a_checkpoint_ends_a_task_when_it_runs_again() -> None:
    compiled = minits.script(squared)
    for _ in range(3):
        x = torch.ones(3, requires_grad=True)
        checkpoint(compiled, x, use_reentrant=False).sum().backward()
        torch.testing.assert_close(x.grad, torch.full((3,), 2 * torch.e))


def test_a_task_forgets_its_arguments() -> None:
    future = Future(leaf, torch.ones(2))
    future.run()
    assert future._call is None


def test_a_thread_that_waits_holds_no_task() -> None:
    pool = Pool()
    task = Future(leaf, torch.ones(2))
    gone = weakref.ref(task)
    assert pool.submit(task)
    task.finish()
    del task
    wait_for(lambda: gone() is None)
    pool.stop()


def test_a_thread_that_waits_is_taken_before_another_starts() -> None:
    pool = Pool()
    for _ in range(5):
        task = Future(leaf, torch.ones(2))
        assert pool.submit(task)
        task.finish()
        wait_for(lambda: pool._idle._value == 1)
    assert len(pool._threads) == 1
    pool.stop()


def wait_for(is_so: Callable[[], bool]) -> None:
    """Return when something is so. Raises AssertionError after half a minute."""
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.001)


PROGRAM = """
import time
import torch
import minits
torch.set_num_interop_threads(1)

@torch.jit.ignore
def say(text: str) -> int:
    print("begun", text, flush=True)
    time.sleep(0.5)
    print("ended", text, flush=True)
    return 1

def task(text: str) -> int:
    return say(text)

def program():
    return torch.jit.fork(task, "first"), torch.jit.fork(task, "second")

futures = minits.script(program)()
time.sleep(0.2)
"""


@pytest.mark.slow
def test_python_ends_after_what_has_begun(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    command = [sys.executable, "-W", "ignore", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert run.stdout.splitlines() == ["begun first", "ended first"]
    assert not run.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_process_that_is_forked_has_threads_of_its_own() -> None:
    compiled = minits.script(two_meet)
    assert compiled() == 1
    child = os.fork()
    if child == 0:
        os._exit(0 if not POOL._threads and compiled() == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0
