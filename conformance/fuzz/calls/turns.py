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
from random import Random
from types import FrameType
from typing import Any

CALL_PATH = (
    "minits/bounded_cache.py",
    "minits/runtime/script.py",
    "minits/runtime/plans.py",
    "minits/runtime/direct_calls.py",
    "minits/runtime/arguments.py",
    "minits/runtime/fusing.py",
    "minits/runtime/script_module.py",
    "minits/codegen/groups.py",
    "minits/kernels/autograd.py",
    "minits/kernels/fused.py",
    "minits/kernels/guards.py",
    "minits/kernels/call_key.py",
    "minits/kernels/cpu.py",
)
"""Files whose bytecodes are places to switch; generated code, whose file is `<...>`, as well."""
ONE_IN = (16, 64, 256)
"""How often the turn goes on: at one bytecode in so many."""
PATIENCE = 0.1
"""Seconds after which a thread stops waiting for one that waits itself, for a lock say."""


class Turns:
    """Who runs. `count` threads take part; each says so by `taken`."""

    def __init__(self, count: int, seed: int) -> None:
        self.random = Random(seed)
        self.one_in = self.random.choice(ONE_IN)
        self.waiting = list(range(count))
        self.now = 0
        self.stuck: set[int] = set()
        """Threads whose turn it was, and that did not go on."""
        self.steps = 0
        self.changed = threading.Condition()

    @contextlib.contextmanager
    def taken(self, thread: int) -> Iterator[None]:
        """Take part in turns while the body runs."""
        self._wait(thread)
        before = sys.gettrace()
        sys.settrace(lambda frame, event, value: self._traced(thread, frame))
        try:
            yield
        finally:
            sys.settrace(before)
            with self.changed:
                self.waiting.remove(thread)
                if self.now == thread:
                    self._next()

    def _traced(self, thread: int, frame: FrameType) -> Any:
        name = frame.f_code.co_filename
        is_generated = name.startswith("<") and not name.startswith(("<frozen", "<string"))
        if not is_generated and not name.endswith(CALL_PATH):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False

        def at_bytecode(frame: FrameType, event: str, value: Any) -> Any:
            self._step(thread)
            return at_bytecode

        return at_bytecode

    def _step(self, thread: int) -> None:
        """One bytecode of a thread is about to run; perhaps it is another's turn."""
        self.steps += 1
        if thread in self.stuck:
            self.stuck.discard(thread)
        elif self.random.randrange(self.one_in) == 0:
            with self.changed:
                self._next()
        if self.now != thread:
            self._wait(thread)

    def _next(self) -> None:
        """Let a thread go on that can, as far as is known."""
        able = [thread for thread in self.waiting if thread not in self.stuck]
        if self.waiting:
            self.now = self.random.choice(able or self.waiting)
        self.changed.notify_all()

    def _wait(self, thread: int) -> None:
        with self.changed:
            while self.now != thread:
                steps = self.steps
                is_called = self.changed.wait(PATIENCE)
                if not is_called and steps == self.steps:
                    self.stuck.add(self.now)
                    self.now = thread
