"""Observers of single operators, for whom none may be fused.

`torch.func` transforms and `vmap` wrap tensors, dispatch modes (FakeTensorMode, profilers of
operators) see every call, autocast casts the arguments of some operators, and forward-mode
differentiation takes tangents through each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import torch
from torch.autograd.graph import saved_tensors_hooks

from minits.kernels.launch.properties import NAMESPACE, STATE_PROPERTIES, State
from minits.torch_internals import saving_hooks, without_functions

_is_grad_enabled = torch.is_grad_enabled
_is_inference_mode = torch.is_inference_mode_enabled

OBSERVERS = [each for each in STATE_PROPERTIES if each.observer is not None]


def absent(observers: Iterable[State]) -> str:
    """Return an expression for generated code: whether none of these looks at operators."""
    return " and ".join(f"{each.text} == {each.usual!r}" for each in observers)


def _test(text: str) -> Callable[[], bool]:
    made: Callable[[], bool] = eval(f"lambda: {text}", dict(NAMESPACE))
    return made


is_observed = _test(f"not ({absent(OBSERVERS)})")
"""Return whether anybody looks at single operators, so that none may be fused."""
is_transformed = _test(f"not ({absent(each for each in OBSERVERS if each.is_transform)})")
"""Return whether tensors may be those of `torch.func`'s transforms, or have tangents."""
_ABSENT = [(_test(absent([each])), each.observer) for each in OBSERVERS]


def is_recording() -> bool:
    """Return whether operators record gradients: not in inference mode, whatever grad mode is."""
    return _is_grad_enabled() and not _is_inference_mode()


@contextmanager
def outside_inference() -> Iterator[None]:
    """Let tensors be made that later calls may record gradients of."""
    if not _is_inference_mode():
        yield
        return
    was_enabled = torch.is_grad_enabled()  # what to leave inference mode switches on
    with torch.inference_mode(False), torch.set_grad_enabled(was_enabled):
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let no mode of the caller, nor hooks, see what is computed to plan and to bind.

    A default device would make its tensors elsewhere, and a checkpoint would count what they save.
    """
    with without_functions():
        if not _is_inference_mode() and saving_hooks() is None:
            yield  # without managers: this is entered twice in the time of a binding
            return
        with outside_inference(), _unseen_saves():
            yield


def _unseen_saves() -> AbstractContextManager[None]:
    """Return a manager that gives what is saved for gradients to hooks which do nothing."""
    if saving_hooks() is None:
        return nullcontext()
    manager: AbstractContextManager[None] = saved_tensors_hooks(apart_from_its_node, _as_it_is)
    return manager


def apart_from_its_node(tensor: torch.Tensor) -> torch.Tensor:
    """Return the data of a tensor that is saved, without its node, for a hook to keep.

    Autograd gives hooks the result of an operator as it is. A hook that keeps it makes a circle
    that nobody frees, as a part of it is in C++: node, what it saves, hook, result, node.
    """
    return tensor.detach()


def _as_it_is(tensor: torch.Tensor) -> torch.Tensor:
    return tensor


def are_saves_counted() -> bool:
    """Return whether hooks get the tensors that are saved for gradients.

    Those of `torch.utils.checkpoint` run a function again for its gradients, and raise an error
    unless it saves as many: it must run by the same kernels both times.
    """
    return saving_hooks() is not None


def observer() -> str:
    """Return the name of the first observer of operators, for people."""
    return next(name for is_absent, name in _ABSENT if name is not None and not is_absent())
