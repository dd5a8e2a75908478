"""Threads that take turns: who runs the next bytecode of the call path is drawn from a seed.

Python lets threads change places at any bytecode, but seldom: a race that needs two switches at
certain places shows once in millions of calls. Here each bytecode of the modules that a call passes
through, and of the code that they generate, may be where the turn goes to another thread.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from types import FrameType
from typing import Any

CALL_PATH = (
    "minits/bounded_cache.py",
    "minits/runtime/script.py",
    "minits/runtime/plans.py",
    "minits/runtime/plan_table.py",
    "minits/runtime/direct_calls.py",
    "minits/runtime/repeated_calls.py",
    "minits/runtime/arguments.py",
    "minits/runtime/fusing.py",
    "minits/runtime/script_module.py",
    "minits/runtime/stored_plans.py",
    "minits/native/hot.py",
    "minits/codegen/groups.py",
    "minits/codegen/group_kernels.py",
    "minits/codegen/stored_launch.py",
    "minits/kernels/gradients/autograd.py",
    "minits/kernels/gradients/graph_node.py",
    "minits/kernels/gradients/recorded_call.py",
    "minits/kernels/fused_kernel.py",
    "minits/kernels/launch_cache.py",
    "minits/kernels/launch/guards.py",
    "minits/kernels/launch/call_key.py",
    "minits/kernels/launch/observers.py",
    "minits/kernels/cpu/cpu_kernel.py",
    "minits/kernels/cpu/any_sizes.py",
    "minits/kernels/launch/launch.py",
)
"""Files whose bytecodes are places to switch; generated code, whose file is `<...>`, as well."""
ONE_IN = (16, 64, 256)
"""How long a turn is, in bytecodes: so many on average."""
BLOCKED = 0.02
"""Seconds without a bytecode after which a thread is taken to wait, for a lock say, if it called
what it waits for from the call path; planning and building take as long elsewhere."""
PATIENCE = 0.5
"""Seconds after which any thread is taken to wait."""


class Turns:
    """Turns of `count` threads, of which one runs at a time; each takes part by `taken`."""

    def __init__(self, count: int, seed: int) -> None:
        self.random = Random(seed)
        self.one_in = self.random.choice(ONE_IN)
        self.waiting = list(range(count))
        self.now = 0
        self.stuck: set[int] = set()
        """Threads whose turn it was, and that did not go on."""
        self.steps = 0
        self.turn_ends = self._turn()
        self.identities: dict[int, int] = {}
        self.changed = threading.Condition()

    @contextlib.contextmanager
    def taken(self, thread: int) -> Iterator[None]:
        """Take part in turns while the body runs."""
        self.identities[thread] = threading.get_ident()
        self._wait(thread)
        before = sys.gettrace()
        sys.settrace(self._tracer(thread))
        try:
            yield
        finally:
            sys.settrace(before)
            with self.changed:
                self.waiting.remove(thread)
                if self.now == thread:
                    self._next()

    def _tracer(self, thread: int) -> Any:
        def at_bytecode(frame: FrameType, event: str, value: Any) -> Any:
            self.steps += 1
            if self.steps >= self.turn_ends or self.now != thread:
                self._step(thread)
            return at_bytecode

        def at_call(frame: FrameType, event: str, value: Any) -> Any:
            if not is_on_call_path(frame.f_code.co_filename):
                return None
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
            return at_bytecode

        return at_call

    def _step(self, thread: int) -> None:
        """The turn goes on, or a thread runs whose turn it is not: one that was stuck."""
        if thread in self.stuck:
            self.stuck.discard(thread)
        elif self.steps >= self.turn_ends:
            with self.changed:
                self._next()
        if self.now != thread:
            self._wait(thread)

    def _turn(self) -> int:
        """Return the step at which a turn ends that begins now."""
        return self.steps + self.random.randint(1, 2 * self.one_in)

    def _next(self) -> None:
        """Let a thread go on that can, as far as is known."""
        able = [thread for thread in self.waiting if thread not in self.stuck]
        if self.waiting:
            self.now = self.random.choice(able or self.waiting)
        self.turn_ends = self._turn()
        self.changed.notify_all()

    def _wait(self, thread: int) -> None:
        with self.changed:
            waited = 0.0
            while self.now != thread:
                steps, now = self.steps, self.now
                is_called = self.changed.wait(BLOCKED)
                is_still = not is_called and (steps, now) == (self.steps, self.now)
                waited = waited + BLOCKED if is_still else 0.0
                if waited >= PATIENCE or (waited and self._is_blocked(now)):
                    self.stuck.add(now)
                    self.now = thread

    def _is_blocked(self, thread: int) -> bool:
        """Whether a thread that does not go on is at what the call path itself has called."""
        frame = sys._current_frames().get(self.identities.get(thread, 0))
        return frame is not None and is_on_call_path(frame.f_code.co_filename)


@lru_cache(maxsize=10_000)
def is_on_call_path(file: str) -> bool:
    """Whether threads may change places at the bytecodes of a file."""
    is_generated = file.startswith("<") and not file.startswith(("<frozen", "<string"))
    return is_generated or file.endswith(CALL_PATH)
