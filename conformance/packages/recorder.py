"""A pytest plugin: records how each test ends, and whether it reached torch.jit.

The environment variable `MINITS_PACKAGES_ORDER` names a JSON file with an `Order`. For each test
the plugin writes a line when it starts and one when it has ended, so that a process that dies in
a test says which one it was.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypedDict

import pytest
import torch

VARIABLE = "MINITS_PACKAGES_ORDER"

_COMPILERS = (
    (torch._C, "_jit_script_compile"),
    (torch._C, "_jit_script_class_compile"),
    (torch._C, "_create_function_from_trace"),
    (torch._C, "import_ir_module"),
    (torch._C, "import_ir_module_from_buffer"),
    (torch.jit._recursive, "create_script_module"),
)
"""Functions that every compilation, trace or loading by torch.jit passes through."""


class Order(TypedDict):
    """The run that is wanted of a process."""

    log: str
    limit: int
    """Seconds for a test, after which a signal ends the process."""
    watches: bool
    """Whether to record the use of torch.jit."""
    only: list[str] | None
    parts: list[str]
    """Parts of names, of which a test has one unless the list is empty."""
    leave_out: list[str]
    """Parts of names that no test has."""
    done: list[str]


class Recorder:
    """The plugin itself."""

    def __init__(self, order: Order) -> None:
        """Watch torch.jit where that is wanted."""
        self.order = order
        self.uses = 0
        self.outcome, self.text = "passed", ""
        if order["watches"]:
            for holder, name in _COMPILERS:
                self._watch(holder, name)
            self._watch(torch._C.ScriptFunction, "__call__")
            self._watch(torch._C.ScriptMethod, "__call__")

    def _watch(self, holder: Any, name: str) -> None:
        function = getattr(holder, name)

        def counted(*arguments: Any, **named: Any) -> Any:
            self.uses += 1
            return function(*arguments, **named)

        setattr(holder, name, counted)

    def _write(self, **line: Any) -> None:
        with Path(self.order["log"]).open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the wanted tests."""
        order, done = self.order, set(self.order["done"])
        only = None if order["only"] is None else set(order["only"])
        items[:] = [
            item
            for item in items
            if item.nodeid not in done
            and (only is None or item.nodeid in only)
            and (not order["parts"] or any(part in item.nodeid for part in order["parts"]))
            and not any(part in item.nodeid for part in order["leave_out"])
        ]

    def pytest_make_parametrize_id(self, val: object) -> str | None:
        """Name a compiled function alike in both runs: its class is another one."""
        return "compiled" if isinstance(val, torch.jit.ScriptFunction) else None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, bool, bool]:
        """Record a test; its time is limited by a signal that nothing catches."""
        self.uses, self.outcome, self.text = 0, "passed", ""
        self._write(test=item.nodeid)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(self.order["limit"])
        result = yield
        signal.alarm(0)
        self._write(test=item.nodeid, outcome=self.outcome, uses=self.uses, text=self.text[-6000:])
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the worst outcome of setup, call and teardown."""
        if report.outcome != "passed" and self.outcome != "failed":
            self.outcome = report.outcome
            self.text = report.longreprtext


_TORCHVISION = torch.library.Library("torchvision", "FRAGMENT")


def pytest_load_initial_conftests() -> None:
    """Declare two operators of torchvision where its library is not loaded.

    The index has it for CUDA alone, and its import fails without them.
    """
    spec = find_spec("torchvision")
    if spec is None or spec.origin is None:
        return
    try:
        torch.ops.load_library(Path(spec.origin).with_name("_C.so"))
    except OSError:
        for name in ("nms", "qnms"):
            _TORCHVISION.define(f"{name}(Tensor dets, Tensor scores, float iou) -> Tensor")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to record."""
    order: Order = json.loads(Path(os.environ[VARIABLE]).read_text("utf-8"))
    config.pluginmanager.register(Recorder(order), "minits-recorder")
