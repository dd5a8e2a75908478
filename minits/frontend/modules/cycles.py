"""Modules that hold themselves, which cannot be compiled: their types would have no end."""

from __future__ import annotations

from torch import nn

from minits.diagnostics import error
from minits.frontend.modules.initialized import check_initialized
from minits.frontend.python.sources import statement_of
from minits.identity import Identity


def require_no_cycle(module: nn.Module) -> None:
    """Raise `CompileError` (TS604) where a module is a part of itself.

    Such a module has no end for `state_dict()` or `eval()` in Python either. Raises `CompileError`
    (TS609) for a part that is not initialised.
    """
    around = list[tuple[nn.Module, str]]()
    done: set[Identity] = set()
    waiting: list[tuple[nn.Module, str, bool]] = [(module, "", False)]
    while waiting:
        here, path, is_left = waiting.pop()
        if is_left:
            around.pop()
            done.add(Identity(here))
            continue
        outer = next((path for each, path in around if each is here), None)
        if outer is not None:
            raise _cycle(here, outer, path)
        if Identity(here) in done:
            continue
        check_initialized(here)
        around.append((here, path))
        waiting.append((here, path, True))
        for name, child in reversed(list(vars(here).get("_modules", {}).items())):
            if child is not None:
                waiting.append((child, f"{path}.{name}" if path else name, False))


def _cycle(module: nn.Module, outer: str, inner: str) -> Exception:
    name = type(module).__name__
    within = inner.removeprefix(outer).removeprefix(".")
    return error(
        statement_of(type(module)),
        "TS604",
        f"a {name} holds itself as {within}, and a module cannot be a part of itself",
        fix=f"give what holds it as {within} the parts of {name} that it needs, or pass these to "
        "its forward",
    )
