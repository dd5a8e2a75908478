"""Archives measured by the cases: each program is compiled and saved by minits, and loaded again.

    program -> minits.script -> save -> torch.jit.load                          --reader torch
    program -> minits.script -> save -> minits.load                             --reader minits
    program -> minits.script -> save -> minits.load -> save -> torch.jit.load   --reader again

Programs of the chapter `tracing` are traced instead, those of `freezing` frozen.

Another implementation that can save, `--impl`, has the place of `minits.script` and `save`, and in
`again` also that of `minits.load`. What the loaded program does is compared with what was recorded
of torch.jit. Programs that must be refused are left out, and so are those that an archive cannot
give back, with the reason.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import partial
from typing import Any

from conformance.case import Call, Case
from conformance.compare import output_difference
from conformance.implementations import (
    CompileFault,
    FunctionText,
    Implementation,
    RunFault,
    implementation,
)
from conformance.observation import Observation, read_expectation
from conformance.pool import TIMEOUT, Send, run_tasks

READERS = ("torch", "minits", "again")
"""Who reads what was saved."""

_PYTHON_CALL = "it calls a Python function, which no archive holds"
_OWN_ENUMS = "torch hands over members of Python's own enums only"
_REMOTE_CALL = "it makes remote calls, which torch writes without their arguments"
LEFT_OUT = {
    "enums/in_containers": _OWN_ENUMS,
    "enums/in_modules": _OWN_ENUMS,
    "enums/inherited_base": _OWN_ENUMS,
    "functions/callable_object": _PYTHON_CALL,
    "functions/number_as_default_of_a_list": "no archive says that one number stands for a list",
    "functions/python_function_with_type_comment": _PYTHON_CALL,
    "metaprogramming/ignored_function": _PYTHON_CALL,
    "metaprogramming/ignored_method_changes_state": _PYTHON_CALL,
    "metaprogramming/ignored_result_of_other_type": _PYTHON_CALL,
    "metaprogramming/ignored_without_annotation": _PYTHON_CALL,
    "modules/ignored_and_unused_methods": _PYTHON_CALL,
    "torch_functions/undefined_gradients": "torch's code has no operands of these operators",
    "modules/module_list_iteration": "minits does not compile it (known_failures.txt)",
    "modules/state_methods": "its __setstate__ changes what was saved",
    "remote_calls/call_not_waited_for": _REMOTE_CALL,
    "remote_calls/calls_of_functions": _REMOTE_CALL,
    "remote_calls/keywords_and_timeout": _REMOTE_CALL,
    "remote_calls/without_an_agent": _REMOTE_CALL,
    "tuples/named_of_one_shape": "torch cannot compile the code that it writes, nor that of minits",
    "tuples/texts_of_defaults": _OWN_ENUMS,
}
"""Cases, and why an archive of theirs cannot do the same."""


class Reloaded:
    """Programs that `writer` compiles and saves, as `reader` loads and calls them."""

    def __init__(self, writer: Implementation, reader: str = "torch") -> None:
        self.writer = writer
        self.is_saved_again = reader == "again"
        self.reader = implementation("torch" if reader == "again" else reader)

    def version(self) -> str:
        return f"{self.writer.version()}, {self.reader.version()}"

    def compile(self, program: Any) -> Any:
        return self._reloaded(self.writer.compile(program))

    def trace(self, program: Any, example: Any, **options: Any) -> Any:
        return self._reloaded(self.writer.trace(program, example, **options))

    def freeze(self, program: Any, **options: Any) -> Any:
        return self._reloaded(self.writer.freeze(program, **options))

    def _reloaded(self, compiled: Any) -> Any:
        if self.is_saved_again:
            compiled = self.writer.load(_saved(self.writer, compiled))
        return self.reader.load(_saved(self.writer, compiled))

    def compile_fault(self, error: Exception) -> CompileFault | None:
        return None

    def functions(self, compiled: Any) -> Iterator[FunctionText]:
        """The code is not compared: it was not compiled of the program's source."""
        return iter(())

    def call(self, compiled: Any, call: Call) -> Any:
        return self.reader.call(compiled, call)

    def run_fault(self, error: Exception) -> RunFault | None:
        return self.reader.run_fault(error)

    def ran_as(self, compiled: Any) -> list[str]:
        return []


def _saved(by: Implementation, compiled: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    by.save(compiled, buffer)
    buffer.seek(0)
    return buffer


def savable(cases: list[Case]) -> list[Case]:
    """The cases that compile and are not left out."""
    return [case for case in cases if case.error_line is None and case.name not in LEFT_OUT]


def check_archives(
    cases: list[Case],
    reader: str,
    jobs: int = 1,
    writer: str = "minits",
    scheduler: str | None = None,
) -> Iterator[tuple[str, str | None]]:
    """Yield the name of each savable case, and what differs, if anything."""
    work = partial(_observe, writer, reader)
    preload = ["conformance.archives", "conformance.observe", "conformance.minits_implementation"]
    for ended in run_tasks(work, savable(cases), jobs, TIMEOUT, preload, scheduler):
        seen = ended.sent[0] if ended.sent else Observation(writer, crash=ended.lost)
        yield ended.task.name, fault_of(ended.task, seen)


def _observe(writer: str, reader: str, case: Case, send: Send) -> None:
    """Observe a case, saved and loaded: the work of a process."""
    from conformance.observe import observe

    send(observe(case, Reloaded(implementation(writer), reader)))


def fault_of(case: Case, found: Observation) -> str | None:
    """Return the fault that an observation of a loaded program shows; None if it is as recorded."""
    expected = read_expectation(case)
    if expected is None:
        return "no expectation recorded: run --update"
    return found.crash or output_difference(found, expected)
