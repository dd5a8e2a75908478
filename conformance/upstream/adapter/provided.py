"""The internals of torch that the adapter provides: tests that call no others count."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator

from conformance.upstream.adapter import views
from conformance.upstream.adapter.passes import PASSES, SWITCHES


@functools.cache
def provided() -> frozenset[str]:
    """Return the names, as `recording.py` records them: `torch._C._jit_pass_cse`, `Graph.nodes`."""
    passes = (*PASSES, "lint", "canonicalize", "optimize_frozen_graph")
    names = [f"torch._C._jit_pass_{name}" for name in passes]
    names += [f"torch._C.{name}" for name in ("_freeze_module", *SWITCHES)]
    return frozenset((*names, *_shown()))


def _shown() -> Iterator[str]:
    """Yield the methods of torch's C++ objects that views have as well."""
    for view in vars(views).values():
        if inspect.isclass(view) and issubclass(view, views.View):
            for kind in _KINDS.get(view, ()):
                yield from (f"{kind}.{name}" for cls in view.__mro__ for name in vars(cls))


_KINDS: dict[type, tuple[str, ...]] = {
    views.GraphView: ("Graph",),
    views.BlockView: ("Block",),
    views.NodeView: ("Node",),
    views.ValueView: ("Value",),
    views.UseView: ("Use",),
    views.ModuleView: ("ScriptObject", "ScriptModule"),
}
