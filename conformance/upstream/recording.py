"""Which internals of torch a test really calls, recorded while it runs with torch.jit itself.

Two things are watched as long as a test runs: what is read of the module `torch._C`, and each call
of a function of torch, in C++ or in Python (`sys.setprofile`). A call counts if it stands in the
test files, or in a helper of torch's test utilities that a test file calls; not in a helper that
the adapter replaces, or a fixture.

What is recorded is a name such as `torch._C._jit_pass_inline`, `Graph.findNode` (a method of a C++
object) or `torch.jit.frontend.get_jit_def`; also a kind of node that torch's executor alone makes,
`prim::DifferentiableGraph`, where a test looks for it in a graph (`FileCheck`, or a helper that
takes a kind).
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

REPLACED = frozenset(
    # what the adapter replaces (adapter/helpers.py)
    "checkScript checkScriptRaisesRegex checkModule createFunctionFromGraph assertGraphContains "
    "assertGraphContainsExactly check_output_types clear_class_registry "
    # what surrounds each test, and the context managers of torch's executor
    "setHooks clearHooks emitFunctionHook emitModuleHook "
    "_compared_saved_loaded run enable_profiling_mode enable_profiling_mode_for_profiling_tests "
    "num_profiled_runs freeze_rng_state disable_autodiff_subgraph_inlining".split()
)
"""Functions of torch's test utilities from whose calls on nothing is recorded."""

FIXTURES = frozenset(("setUp", "tearDown", "setUpClass", "tearDownClass"))
"""Methods of test classes that are no part of a test."""

ASKED_BY_HELPERS = frozenset({("run_pass", "Graph")})
"""What functions of torch's test utilities, by their names, read of `torch._C` only to tell what
they were given."""


_OF_THE_EXECUTOR = re.compile(
    "DifferentiableGraph|BailOut|BailoutTemplate|RequiresGradCheck|TypeCheck|prim::profile"
)


def kinds_of_the_executor(text: str) -> list[str]:
    """Return the kinds of nodes in a text that torch's executor puts into graphs as it runs them.

    No pass that minits has, or could have, makes them: they are how torch's executor works.
    """
    found = _OF_THE_EXECUTOR.findall(text)
    return [f"prim::{name.removeprefix('prim::')}" for name in found]


class Recording:
    """The internals that one test calls. root: the folder of the test files."""

    def __init__(self, root: Path) -> None:
        from torch.testing._internal import common_utils

        self.root = f"{root.resolve()}/"
        self.utilities = f"{Path(str(common_utils.__file__)).parent}/"
        self.names: set[str] = set()
        self.in_c: list[types.FrameType] = []
        """The frames that wait for a function in C++: what it calls back, no test file calls."""

    def is_watched(self, frame: types.FrameType | None) -> bool:
        """Return whether a test file is running, or a helper on its behalf."""
        while frame is not None:
            code = frame.f_code
            if code.co_name in FIXTURES:
                return False
            if code.co_filename.startswith(self.root):
                return True
            if not code.co_filename.startswith(self.utilities) or code.co_name in REPLACED:
                return False
            frame = frame.f_back
        return False

    def profile(self, frame: types.FrameType, event: str, argument: Any) -> None:
        """Look at a call: `sys.setprofile` calls this."""
        if event == "c_call":
            self.in_c.append(frame)
            if self.is_watched(frame) and (name := _name_in_c(argument)):
                self.names.add(name)
        elif event in ("c_return", "c_exception"):
            if self.in_c:  # this one may have been called before anybody watched
                self.in_c.pop()
        elif event == "call" and not self._is_callback(frame) and self.is_watched(frame.f_back):
            self.names.update(kinds_of_the_executor(str(frame.f_locals.get("kind", ""))))
            module = frame.f_globals.get("__name__", "")
            if module.startswith("torch.") and not module.startswith("torch.testing."):
                self.names.add(f"{module}.{frame.f_code.co_name}")

    def _is_callback(self, frame: types.FrameType) -> bool:
        return bool(self.in_c) and self.in_c[-1] is frame.f_back

    def reading(self) -> Callable[[Any, str], Any]:
        """Return a `__getattribute__` for the module `torch._C`."""
        read = types.ModuleType.__getattribute__

        def watch(module: types.ModuleType, name: str) -> Any:
            caller = sys._getframe(1)
            is_asked = (caller.f_code.co_name, name) in ASKED_BY_HELPERS
            if not is_asked and self.is_watched(caller):
                self.names.add(f"torch._C.{name}")
            return read(module, name)

        return watch


def _name_in_c(function: Any) -> str:
    """Return the name of a function that pybind11 made of C++; empty for others."""
    if not getattr(function, "__qualname__", "").startswith(("PyCapsule.", "pybind11_detail")):
        return ""
    found = re.search(r"\(self: (?:[\w.]+\.)?(\w+)", function.__doc__ or "")
    module = getattr(function, "__module__", None) or "torch._C"
    return f"{found[1] if found else module}.{function.__name__}"


@contextmanager
def _watched_checks(root: Path, names: set[str]) -> Iterator[None]:
    """Let the FileCheck of the test files tell the kinds of nodes that it is given."""
    import torch

    original = torch._C.FileCheck

    def telling(name: str) -> Callable[..., Any]:
        method = getattr(original, name)

        def check(self: Any, *arguments: Any) -> Any:
            for text in arguments:
                names.update(kinds_of_the_executor(str(text)))
            method(self, *arguments)
            return self

        return check

    methods = [name for name in vars(original) if name.startswith("check")]
    watched = type("FileCheck", (original,), {name: telling(name) for name in methods})
    folder = f"{root.resolve()}/"
    modules = [
        m for m in sys.modules.values() if (getattr(m, "__file__", "") or "").startswith(folder)
    ]
    owners = [m for m in modules if getattr(m, "FileCheck", None) is original]
    for module in owners:
        module.__dict__["FileCheck"] = watched
    try:
        yield
    finally:
        for module in owners:
            module.__dict__["FileCheck"] = original


@contextmanager
def recording(root: Path) -> Iterator[set[str]]:
    """Record, while the body runs, the names of the internals that test files call."""
    import torch

    watched = Recording(root)
    kind = type(torch._C)
    reads = type("Watched", (types.ModuleType,), {"__getattribute__": watched.reading()})
    torch._C.__class__ = reads  # type: ignore[assignment]
    sys.setprofile(watched.profile)
    try:
        with _watched_checks(root, watched.names):
            yield watched.names
    finally:
        sys.setprofile(None)
        torch._C.__class__ = kind
