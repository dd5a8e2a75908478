"""Ways to call a program that wrap its tensors: transforms, tangents, fake tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad
from torch.utils import _pytree as pytree
from torch.utils.checkpoint import checkpoint

Caller = Callable[..., Any]


def _of_first(program: Caller, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Caller:
    """The program as a function of its first argument; it returns tensors only."""
    return lambda x: tensors_of(program(x, *args[1:], **kwargs))


def tensors_of(value: Any) -> tuple[Tensor, ...]:
    """Return the tensors of a result, in order."""
    return tuple(x for x in pytree.tree_leaves(value) if isinstance(x, Tensor))


def _vmap(program: Caller, args: Any, kwargs: Any) -> Any:
    return torch.vmap(_of_first(program, args, kwargs))(args[0])


def _grad(program: Caller, args: Any, kwargs: Any) -> Any:
    run = _of_first(program, args, kwargs)
    return torch.func.grad(lambda x: sum(y.sum() for y in run(x)))(args[0])


def _jvp(program: Caller, args: Any, kwargs: Any) -> Any:
    run = _of_first(program, args, kwargs)
    return torch.func.jvp(run, (args[0],), (torch.ones_like(args[0]),))


def _functionalize(program: Caller, args: Any, kwargs: Any) -> Any:
    return torch.func.functionalize(_of_first(program, args, kwargs))(args[0])


def _dual(program: Caller, args: Any, kwargs: Any) -> Any:
    with forward_ad.dual_level():
        first = forward_ad.make_dual(args[0], torch.ones_like(args[0]))
        results = tensors_of(program(first, *args[1:], **kwargs))
        return [tuple(forward_ad.unpack_dual(result)) for result in results]


def _dual_level(program: Caller, args: Any, kwargs: Any) -> Any:
    """Forward mode is on, and nothing has a tangent."""
    with forward_ad.dual_level():
        return program(*args, **kwargs)


def _fake(program: Caller, args: Any, kwargs: Any) -> Any:
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        given = pytree.tree_map_only(Tensor, mode.from_tensor, (args, kwargs))
        return program(*given[0], **given[1])


def _checkpoint(program: Caller, args: Any, kwargs: Any) -> Any:
    return checkpoint(program, *args, use_reentrant=False, **kwargs)


TRANSFORMS: dict[str, Callable[[Caller, Any, Any], Any]] = {
    "vmap": _vmap,
    "grad": _grad,
    "jvp": _jvp,
    "functionalize": _functionalize,
    "dual": _dual,
    "dual level": _dual_level,
    "fake": _fake,
    "checkpoint": _checkpoint,
}


def called(name: str, program: Caller, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a program, through a transform if `name` is one."""
    return TRANSFORMS[name](program, args, kwargs) if name else program(*args, **kwargs)
