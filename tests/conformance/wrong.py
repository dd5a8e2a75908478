"""Implementations that are wrong on purpose, each in one way, for the suite to find out."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import torch

from conformance.case import Call
from conformance.implementations import CompileFault, FunctionText, RunFault
from conformance.torch_implementation import TorchJit


class OffByLittle(TorchJit):
    """Floats are off by one part in ten thousand; all else is right."""

    def call(self, compiled: Any, call: Call) -> Any:
        result = super().call(compiled, call)
        if isinstance(result, float):
            return result * 1.0001
        return (
            result * 1.0001
            if isinstance(result, torch.Tensor) and result.is_floating_point()
            else result
        )


class WrongDtype(TorchJit):
    """Integer tensors come back as floats of the same value."""

    def call(self, compiled: Any, call: Call) -> Any:
        result = super().call(compiled, call)
        return result.double() if isinstance(result, torch.Tensor) else result


class TuplesAreLists(TorchJit):
    def call(self, compiled: Any, call: Call) -> Any:
        result = super().call(compiled, call)
        return list(result) if isinstance(result, tuple) else result


class ForgetsMutation(TorchJit):
    """Runs on copies of the tensors."""

    def call(self, compiled: Any, call: Call) -> Any:
        copies = [arg.clone() if isinstance(arg, torch.Tensor) else arg for arg in call.args]
        return super().call(compiled, Call(tuple(copies), call.kwargs, call.method))


class NeverRaises(TorchJit):
    def call(self, compiled: Any, call: Call) -> Any:
        try:
            return super().call(compiled, call)
        except RuntimeError:
            return None


class WrongKind(TorchJit):
    """Takes every fault at run time for the program's own."""

    def run_fault(self, error: Exception) -> RunFault | None:
        fault = super().run_fault(error)
        return fault and RunFault("raised", fault.message, fault.lines)


class OtherNames(TorchJit):
    """Graphs are right but for the names of values."""

    def functions(self, compiled: Any) -> Iterator[FunctionText]:
        for function in super().functions(compiled):
            graph = function.graph.replace("%x.1", "%input")
            yield FunctionText(function.name, graph, function.code)


class OtherRanges(TorchJit):
    """Graphs are right but for one column."""

    def functions(self, compiled: Any) -> Iterator[FunctionText]:
        for function in super().functions(compiled):
            graph = function.graph.replace(":11\n", ":12\n")
            yield FunctionText(function.name, graph, function.code)


class OtherConstants(TorchJit):
    """One constant of the graph is wrong."""

    def functions(self, compiled: Any) -> Iterator[FunctionText]:
        for function in super().functions(compiled):
            graph = function.graph.replace("value=3]", "value=4]")
            yield FunctionText(function.name, graph, function.code)


class OtherCode(TorchJit):
    def functions(self, compiled: Any) -> Iterator[FunctionText]:
        for function in super().functions(compiled):
            yield FunctionText(function.name, function.graph, function.code + "\n# more")


class AcceptsEverything(TorchJit):
    def compile(self, program: Any) -> Any:
        try:
            return super().compile(program)
        except Exception:
            return torch.jit.script(lambda_free)


def lambda_free(x: torch.Tensor) -> torch.Tensor:
    return x


class NextLine(TorchJit):
    """Reports errors one line too far down, as another class."""

    def compile_fault(self, error: Exception) -> CompileFault | None:
        fault = super().compile_fault(error)
        return fault and CompileFault(
            "NotSupportedError", fault.message, fault.file, (fault.line or 0) + 1
        )


class Breaks(TorchJit):
    """Raises what is no refusal."""

    def compile(self, program: Any) -> Any:
        raise AttributeError("a defect of the compiler")

    def compile_fault(self, error: Exception) -> CompileFault | None:
        return None


class Dies(TorchJit):
    def compile(self, program: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


class Hangs(TorchJit):
    def compile(self, program: Any) -> Any:
        time.sleep(3600)
