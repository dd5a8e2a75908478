"""Archives measured by the cases: each program is compiled and saved by minits, and loaded again.

    program -> minits.script -> save -> torch.jit.load                          --reader torch
    program -> minits.script -> save -> minits.load                             --reader minits
    program -> minits.script -> save -> minits.load -> save -> torch.jit.load   --reader again

Programs of the chapter `tracing` are traced instead, those of `freezing` frozen.

`python -m conformance archives` compares what the loaded program does with what was recorded of
torch.jit. Programs that must be refused are left out, and so are those that an archive cannot give
back, with the reason.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from typing import Any

import torch

import minits
from conformance.case import Case
from conformance.compare import output_difference
from conformance.implementations import CompileFault, FunctionText
from conformance.minits_implementation import Minits
from conformance.observation import Observation, read_expectation
from conformance.pool import run_cases
from conformance.torch_implementation import TorchJit

READERS = {
    "torch": "conformance.archives:ReadByTorch",
    "minits": "conformance.archives:ReadByMinits",
    "again": "conformance.archives:ReadAndSavedAgain",
}
"""Who reads what minits saved."""

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


class ReadByTorch(TorchJit):
    """`minits.script`, `save`, `torch.jit.load`."""

    def version(self) -> str:
        return f"{Minits().version()}, {super().version()}"

    def compile(self, program: Any) -> Any:
        return self.read(_saved(minits.script(program)))

    def trace(self, program: Any, example: Any, **options: Any) -> Any:
        return self.read(_saved(Minits().trace(program, example, **options)))

    def freeze(self, program: Any, **options: Any) -> Any:
        return self.read(_saved(Minits().freeze(program, **options)))

    def read(self, buffer: io.BytesIO) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.jit.load(buffer)

    def compile_fault(self, error: Exception) -> CompileFault | None:
        return None

    def functions(self, compiled: Any) -> Iterator[FunctionText]:
        """The code is not compared: it was not compiled of the program's source."""
        return iter(())


class ReadAndSavedAgain(ReadByTorch):
    """`minits.script`, `save`, `minits.load`, `save`, `torch.jit.load`."""

    def compile(self, program: Any) -> Any:
        return self.read(_saved(minits.load(_saved(minits.script(program)))))

    def trace(self, program: Any, example: Any, **options: Any) -> Any:
        traced = Minits().trace(program, example, **options)
        return self.read(_saved(minits.load(_saved(traced))))

    def freeze(self, program: Any, **options: Any) -> Any:
        frozen = Minits().freeze(program, **options)
        return self.read(_saved(minits.load(_saved(frozen))))


class ReadByMinits(Minits):
    """`minits.script`, `save`, `minits.load`."""

    def compile(self, program: Any) -> Any:
        return minits.load(_saved(minits.script(program)))

    def trace(self, program: Any, example: Any, **options: Any) -> Any:
        return minits.load(_saved(super().trace(program, example, **options)))

    def freeze(self, program: Any, **options: Any) -> Any:
        return minits.load(_saved(super().freeze(program, **options)))

    def compile_fault(self, error: Exception) -> CompileFault | None:
        return None

    def functions(self, compiled: Any) -> Iterator[FunctionText]:
        """The code is not compared: it was not compiled of the program's source."""
        return iter(())


def _saved(compiled: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    minits.save(compiled, buffer)
    buffer.seek(0)
    return buffer


def savable(cases: list[Case]) -> list[Case]:
    """The cases that compile and are not left out."""
    return [case for case in cases if case.error_line is None and case.name not in LEFT_OUT]


def check_archives(
    cases: list[Case], reader: str, jobs: int = 1
) -> Iterator[tuple[str, str | None]]:
    """Yield the name of each savable case, and what differs, if anything."""
    for case, found in run_cases(savable(cases), READERS[reader], jobs):
        yield case.name, fault_of(case, found)


def fault_of(case: Case, found: Observation) -> str | None:
    """Return the fault that an observation of a loaded program shows; None if it is as recorded."""
    expected = read_expectation(case)
    if expected is None:
        return "no expectation recorded: run --update"
    return found.crash or output_difference(found, expected)
