"""Calls that `torch.utils.checkpoint` runs again, for gradients, must save the same tensors again.

    with mode:                               a dispatch or function mode: nothing is fused
        y = checkpoint(f, x)                 eager's operators save their tensors
    y.sum().backward()                       f runs again, without the mode: by the same operators

A group saves other tensors than its operators, and a checkpoint numbers what is saved. So it is
noted, by the function and the number of tensors that were saved before, which calls a mode
observed. Those are not fused when they run again, in a mode or not, and others are, in whatever
mode. A program and the tasks that it starts are functions of their own (`runtime/task_plans.py`).

Kernels do not read tensors with the negative bit and others that are not plain. A checkpoint hands
its own inputs over to hooks, which may make plain tensors of these. So calls with tensors that are
not plain are noted, too, and run operator by operator from the first time on.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from torch.utils._python_dispatch import TorchDispatchMode

from minits.torch_internals import dispatch_modes, saving_hooks, watching_modes, without_modes

_observed: WeakKeyDictionary[Any, set[tuple[int, Hashable]]] = WeakKeyDictionary()
"""By the frame of a checkpoint, for each call that ran unfused: the number of tensors that had been
saved, and what identifies the program or task."""


class Again(TorchDispatchMode):  # type: ignore[misc]
    """Is on while a function runs again of which calls were observed; it changes nothing."""

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return function(*args, **(kwargs or {}))


def runs_again_fused(function: Hashable) -> bool:
    """Return whether a mode sees the calls of torch, and this one must be fused all the same.

    `function` identifies the program or task. The call runs again, and no mode was on when it first
    ran. Of a call in a checkpoint that runs for the first time it is noted that it was observed.
    """
    if not (dispatch_modes() or watching_modes()):
        return False
    names = _names_of_hook()
    frame = names.get("frame")
    if frame is not None:
        _note(frame, function)
        return False
    frame = names["target_frame_ref"]() if "target_frame_ref" in names else None
    if frame is None:
        return False
    call = (frame.recomp_counter[names["gid"]], function)
    return call not in _observed.get(frame, ())


def run_again_alike(
    run: Callable[..., Any], unfused: Callable[[], Callable[..., Any]], function: Hashable
) -> Callable[..., Any]:
    """Return a function for calls with tensors that are not plain: `run`, outside checkpoints.

    `unfused` returns what runs the program operator by operator; `function` identifies it.
    """

    def call(*values: Any) -> Any:
        frame = _names_of_hook().get("frame") if saving_hooks() is not None else None
        if frame is None:
            return run(*values)
        _note(frame, function)
        return unfused()(*values)

    call.__dict__["__wrapped__"] = run
    return call


@contextmanager
def unobserved() -> Iterator[None]:
    """Switch dispatch modes off."""
    with without_modes():
        yield


def _names_of_hook() -> dict[str, Any]:
    """Return the variables of the hook of a checkpoint, by name; none if there is no such hook."""
    hooks = saving_hooks()
    function = inspect.unwrap(hooks[0]) if hooks else None
    if not inspect.isfunction(function) or function.__module__ != "torch.utils.checkpoint":
        return {}
    return dict(inspect.getclosurevars(function).nonlocals)


def _note(frame: Any, function: Hashable) -> None:
    """Note that a call was observed, and let it be so when the function runs again."""
    known = _observed.get(frame)
    if known is None:
        known = _observed[frame] = set()
        frame.recompute_fn = _observing(frame.recompute_fn)
    known.add((len(frame.weak_holders), function))


def _observing(function: Callable[..., Any]) -> Callable[..., Any]:
    def again(*args: Any) -> Any:
        with Again():
            return function(*args)

    return again
