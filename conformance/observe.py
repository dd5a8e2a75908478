"""Run one case with one implementation, and see what it does."""

from __future__ import annotations

import contextlib
import io
import traceback
from pathlib import Path
from typing import Any

import torch

from conformance.canonical import Normaliser
from conformance.case import Call, Case, Program
from conformance.implementations import Implementation
from conformance.observation import Observation
from conformance.values import encode

_TORCH = Path(torch.__file__).parent


def observe(case: Case, implementation: Implementation) -> Observation:
    """Compile the case's program and make its calls; never raises."""
    torch.set_num_threads(1)
    observer = _Observer(case, implementation)
    try:
        observer.run()
    except Exception:
        observer.seen.crash = traceback.format_exc(limit=-12)
    return observer.seen


class _Observer:
    def __init__(self, case: Case, implementation: Implementation) -> None:
        self.implementation = implementation
        self.case = case
        self.normalise = Normaliser({case.root: "", _TORCH: "torch/"})
        self.seen = Observation(implementation.version())

    def run(self) -> None:
        program = self.case.load()
        torch.manual_seed(0)
        target = program.make()
        try:
            compiled = self._compiled(target, program)
        except Exception as error:
            self._record_refusal(error)
        else:
            self._record_functions(compiled)
            self._record_calls(compiled, program)
            self.seen.ran_as = self.implementation.ran_as(compiled)

    def _compiled(self, target: Any, program: Program) -> Any:
        if program.is_frozen:
            return self.implementation.freeze(target, **program.freezing())
        if not program.is_traced:
            return self.implementation.compile(target)
        example = program.example()
        torch.manual_seed(0)
        return self.implementation.trace(target, example, **program.options())

    def _record_refusal(self, error: Exception) -> None:
        fault = self.implementation.compile_fault(error)
        if fault is None:
            raise error
        self.seen.error = {
            "kind": fault.kind,
            "file": self.normalise.file(fault.file) if fault.file else None,
            "line": fault.line,
            "message": self._name(fault.message),
        }

    def _record_functions(self, compiled: Any) -> None:
        for function in self.implementation.functions(compiled):
            name = self._name(function.name).removeprefix("__torch__.")
            self.seen.graphs[name] = self.normalise.graph(function.graph)
            self.seen.code[name] = self.normalise.names(function.code).rstrip()

    def _record_calls(self, compiled: Any, program: Program) -> None:
        torch.manual_seed(0)
        for index, call in enumerate(program.calls()):
            torch.manual_seed(index)
            self.seen.calls.append(self._outcome(compiled, call))

    def _outcome(self, compiled: Any, call: Call) -> dict[str, Any]:
        """The result of a call or its error, the printed text, and the arguments afterwards."""
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                result = self.implementation.call(compiled, call)
            outcome = {"result": encode(result)}
        except Exception as error:
            outcome = {"raises": self._fault(error)}
        if printed.getvalue():
            outcome["printed"] = printed.getvalue()
        arguments = [*call.args, *call.kwargs.values()]
        outcome["arguments"] = [encode(argument) for argument in arguments]
        return outcome

    def _fault(self, error: Exception) -> dict[str, Any]:
        fault = self.implementation.run_fault(error)
        if fault is None:
            raise error
        return {
            "kind": fault.kind,
            "line": next(
                (line for file, line in reversed(fault.lines) if self._is_here(file)), None
            ),
            "message": fault.message,
        }

    def _is_here(self, file: str) -> bool:
        return Path(file).resolve() == self.case.path.resolve()

    def _name(self, text: str) -> str:
        """Drop the case's own module from qualified names, and its folder from paths."""
        text = text.replace(f"{self.case.root}/", "")
        return self.normalise.names(text).replace(f"{self.case.module_name}.", "")
