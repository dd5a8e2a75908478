"""Wrappers that decorators of torch put around functions.

    @torch.no_grad()              `decorate_context`, which makes a context for each call
    @torch.autocast("cpu")        `decorate_autocast`, which has one
    @torch.vmap, @torch.func.grad functions of `torch._functorch`

Without it: a compiled function would leave out what its decorator does.
"""

from __future__ import annotations

from typing import Any

_CONTEXTS = {
    "context_decorator.<locals>.decorate_context": "ctx_factory",
    "autocast_decorator.<locals>.decorate_autocast": "autocast_instance",
}
"""The qualified names of wrappers that enter a context, 2.0, and the variables that have it."""


def context_of_wrapper(wrapper: Any) -> Any:
    """Return the context manager in which a wrapper of torch calls its function, or None."""
    name = _CONTEXTS.get(wrapper.__qualname__) or _CONTEXTS.get(_code_name(wrapper))
    if name is None or not wrapper.__globals__["__name__"].startswith("torch."):
        return None
    variables = dict(zip(wrapper.__code__.co_freevars, wrapper.__closure__, strict=True))
    found = variables[name].cell_contents
    return found if hasattr(found, "__enter__") else found()


def is_transform_wrapper(wrapper: Any) -> bool:
    """Return whether a wrapper computes something else of its function: `vmap`, `grad`."""
    module: str = wrapper.__globals__.get("__name__", "")
    return module.startswith(("torch._functorch.", "torch.func"))


def _code_name(wrapper: Any) -> str:
    """Return the name of a wrapper's own code, which `functools.wraps` leaves as it is."""
    code = wrapper.__code__
    known = {each.rpartition(".")[2]: each for each in _CONTEXTS}
    return known.get(code.co_name, "")
