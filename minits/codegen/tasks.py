"""Tasks: calls that `torch.jit.fork` starts, made by other threads meanwhile.

    f = fork(g, x)    a thread of the pool calls g(x), unless `f.wait()` comes first
    f.wait()          calls g(x) here if no thread has begun to; else waits for the one that has

So no task that waits for others keeps a thread from them, and tasks may be nested as deeply as they
like. Operators on tensors and kernels of different tasks run at the same time: both release the
lock of the interpreter.

A task runs as it would have where it was forked: in the grad mode and the inference mode of that
call. What else a thread has for itself (a transform of torch.func, autocast, a mode, hooks on
saved tensors) other threads cannot be given: where there is any of that, a task runs at once.

When Python ends, tasks that have begun are finished, as torch does; the others are left out.

Source: torch/csrc/jit/runtime/interpreter.cpp (`FORK`, `WAIT`).
"""

from __future__ import annotations

import atexit
import copy
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any

import torch

from minits import torch_internals as internals
from minits.codegen.script_traceback import class_name_of, explained_error
from minits.kernels.launch.observers import are_saves_counted, is_observed
from minits.ops.errors import ScriptError, as_script_error


class Future(torch.futures.Future):  # type: ignore[misc]
    """The result of a task. It can be waited for as any of torch's, in compiled programs or not."""

    def __init__(
        self, function: Callable[..., Any], *arguments: Any, is_of_python: bool = False
    ) -> None:
        super().__init__()
        self._call: Callable[[], Any] | None = partial(function, *arguments)
        self._modes = torch.is_inference_mode_enabled(), torch.is_grad_enabled()
        self._begun = threading.Lock()
        self._ended = threading.Event()
        self._error: BaseException | None = None
        self.is_of_python = is_of_python
        """Whether Python forked the call, and gets errors of it as they are."""

    def start(self) -> None:
        """Have a thread of the pool run the task; run it here where no other thread can.

        There, what a hook on saved tensors raises is raised at once: `torch.utils.checkpoint` ends
        a function so that it runs for gradients.
        """
        if _has_state_of_thread() or not POOL.submit(self):
            self.run()
            if self._error is not None and _is_of_hook(self._error):
                raise self._error

    def run(self) -> None:
        """Run the task in this thread, unless it has begun somewhere.

        The future keeps what the task raises, for `wait`; an interrupt is raised here as well.
        """
        if not self._begun.acquire(blocking=False):
            return
        call, self._call = self._call, None
        assert call is not None
        inference, grad = self._modes
        result = None
        try:
            with torch.inference_mode(inference), torch.set_grad_enabled(grad):
                result = call()
        except BaseException as error:
            self._error = error
            if not isinstance(error, Exception):
                raise
        finally:
            self._end(result)

    def _end(self, result: Any) -> None:
        """Let those go on who wait, then call those who wanted to be called (`then`).

        The latter may wait themselves, in this thread.
        """
        self._ended.set()
        if self._error is None:
            self.set_result(result)
        else:
            self.set_exception(_without_frames(self._raised(self._error)))

    def wait(self) -> Any:
        """Return the result of the task to Python, once there is one.

        Raises what the task raised where Python forked it. Raises `ScriptError` where a program
        did: as in torch, the class of the error is lost.
        """
        error = self.finish()
        if error is not None:
            raise self._raised(error)
        return super().wait()

    def value(self) -> Any:
        """Return the result of a task that has ended. Raises as `wait` does."""
        if self._error is not None:
            raise self._raised(self._error)
        return super().value()

    def finish(self) -> BaseException | None:
        """Run the task, or wait for the thread that does. Return what it raised, or None."""
        self.run()
        self._ended.wait()
        return self._error

    def _raised(self, error: BaseException) -> Exception:
        """Return the error that Python gets."""
        if self.is_of_python and isinstance(error, Exception):
            return error
        return explained_error(in_program(error))


def _without_frames(error: Exception) -> Exception:
    """Return a copy of an error for torch's part of a future: without a traceback.

    Frames have the future in a variable. A circle through that part, which is in C++, stays for
    ever.
    """
    try:
        return copy.copy(error)
    except Exception:  # of a class that is not made of `args`
        return RuntimeError(f"{type(error).__name__}: {error}")


def in_program(error: BaseException) -> ScriptError:
    """Return the error that a program gets which waits for a task that has raised one."""
    if isinstance(error, Exception):
        error = as_script_error(error)
    name = class_name_of(error) if isinstance(error, ScriptError) else type(error).__name__
    told = ScriptError(f"{name}: {error}")
    return told.with_traceback(error.__traceback__)


def result_in_program(future: torch.futures.Future[Any]) -> Any:
    """Return the result of a task to a program that waits for it. Raises `ScriptError`."""
    if isinstance(future, Future):
        error = future.finish()
        if error is not None:
            raise in_program(error)  # the program that waits explains it
    return future.wait()


def fork(function: Callable[..., Any], *arguments: Any, is_of_python: bool = False) -> Future:
    """Start a task, and return its future."""
    future = Future(function, *arguments, is_of_python=is_of_python)
    future.start()
    return future


def _has_state_of_thread() -> bool:
    return is_observed() or internals.function_modes() > 0 or are_saves_counted()


def _is_of_hook(error: BaseException) -> bool:
    """Return whether a hook may have raised an error, since no operator raises such errors."""
    is_of_program = isinstance(error, Exception) and isinstance(
        as_script_error(error), RuntimeError
    )
    return are_saves_counted() and not is_of_program


class Pool:
    """The threads that run tasks: at most as many as torch has for its own."""

    def __init__(self) -> None:
        self._begin()
        os.register_at_fork(after_in_child=self._begin)
        atexit.register(self.stop)

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._tasks: SimpleQueue[Future | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._idle = threading.Semaphore(0)
        self._has_ended = False

    def submit(self, task: Future) -> bool:
        """Have a thread run a task; return whether there is any to run it."""
        with self._lock:
            if self._has_ended:
                return False
            is_any_idle = self._idle.acquire(blocking=False)
            if not is_any_idle and len(self._threads) < torch.get_num_interop_threads():
                self._start_thread()
        if self._threads:
            self._tasks.put(task)
        return bool(self._threads)

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._run, name="minits-task", daemon=True)
        with suppress(RuntimeError):  # the system has no more
            thread.start()
            self._threads.append(thread)

    def _run(self) -> None:
        while not self._has_ended:
            task = self._tasks.get()
            if task is not None and not self._has_ended:
                task.run()
            del task  # a thread that waits for the next one holds none
            self._idle.release()

    def stop(self) -> None:
        """Let no more tasks begin, and return when those have ended that have begun."""
        with self._lock:
            self._has_ended = True
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()


POOL = Pool()
