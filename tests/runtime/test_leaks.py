"""Nothing is left behind: of 200 rounds of each kind of use, no object, tensor or memory stays.

A circle of references through C++ is seen by no garbage collector, so tensors are counted, and
memory is measured. Tensors are large, so that one left behind in each round is megabytes.
"""

import collections
import ctypes
import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor

from minits.codegen.tasks import Future
from tests.runtime.kinds_of_use import SHAPE, USES, use_of_library
from tests.support.needs import need_compiler

_PAGE = os.sysconf("SC_PAGE_SIZE")
_MOST = 0.25
"""Of a tensor's size: what a round may leave of memory, which allocators do not all give back."""


def _objects() -> collections.Counter[str]:
    _let_tasks_end()
    while gc.collect():  # what a collection frees may let go of more
        pass
    return collections.Counter(f"{type(x).__module__}.{type(x).__name__}" for x in gc.get_objects())


def _let_tasks_end() -> None:
    """Wait, but not for ever, for tasks that go on after an error of another one."""
    end = time.monotonic() + 10
    while time.monotonic() < end and any(map(_is_running, gc.get_objects())):
        time.sleep(0.01)
    time.sleep(0.01)  # in which a thread lets go of the task that it has ended


def _is_running(thing: object) -> bool:
    return type(thing) is Future and not thing._ended.is_set()


_give_back_what_is_free = getattr(ctypes.CDLL(None), "malloc_trim", lambda padding: None)
"""Of the GNU C library."""


def _memory() -> int:
    """Return the resident memory of this process, in bytes."""
    _give_back_what_is_free(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE


def check(use: Callable[[Tensor], None], requires_grad: bool, rounds: int) -> None:
    """Do something again and again, and compare what is there with what was after a few rounds.

    Caches that fill up once are allowed for, and memory that threads keep for a while: what is left
    behind is left again and again.
    """
    x = torch.rand(SHAPE).requires_grad_(requires_grad)
    for _ in range(2):
        use(x)
    for is_last in (False, False, False, True):
        before, resident = _objects(), _memory()
        for _ in range(rounds):
            use(x)
        objects, memory = _objects() - before, (_memory() - resident) / rounds / x.nbytes
        left = {name: number for name, number in objects.items() if number >= rounds}
        if not left and memory < _MOST:
            return
        assert not is_last, f"of {rounds} rounds: {memory:.2f} tensors of memory each, {left}"


@pytest.mark.slow
def test_of_a_few_rounds() -> None:
    """In a process of its own: without the objects of other tests, with two threads for tasks.

    Each thread has state of its own, so that as many as a large machine has take long to settle.
    """
    program = (
        "import torch\n"
        "from tests.runtime.test_leaks import USES, check\n"
        "torch.set_num_interop_threads(2)\n"
        "for name, use in USES.items():\n"
        "    print(name, flush=True)\n"
        "    check(use, True, 4)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"{ran.stdout.splitlines()[-1:]}\n{ran.stderr}"
    assert ran.stdout.split() == list(USES)


@pytest.mark.slow
@pytest.mark.parametrize("requires_grad", [False, True], ids=["no_gradients", "gradients"])
@pytest.mark.parametrize("name", USES)
def test_of_many_rounds(name: str, requires_grad: bool) -> None:
    check(USES[name], requires_grad, 200)


@pytest.mark.slow
def test_of_libraries(tmp_path: Path) -> None:
    need_compiler()
    check(use_of_library(tmp_path), False, 200)
