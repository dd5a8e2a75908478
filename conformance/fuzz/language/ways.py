"""Ways to run one program: implementations that differ from minits and torch.jit in calls alone."""

from __future__ import annotations

import os
from typing import Any
from unittest.mock import patch

import torch

from conformance.case import Call
from conformance.minits_implementation import Minits
from conformance.torch_implementation import TorchJit
from minits.runtime import interpreter, stored_plans
from minits.runtime.script import ScriptFunction


class Interpreter(Minits):
    """minits' front end, and the interpreter for calls; functions of many graphs run as usual."""

    def call(self, compiled: Any, call: Call) -> Any:
        target = self.target(compiled, call)
        if not isinstance(target, ScriptFunction):
            return super().call(compiled, call)
        result = interpreter.run(target.graph, *target.bound(call.args, call.kwargs))
        convert = target._convert_result
        return result if convert is None else convert(result)


class Again(Minits):
    """minits in a folder of cached plans: a first call runs as written, the second one waits."""

    def __init__(self, folder: str) -> None:
        self._set = {"MINITS_CACHE": folder, "MINITS_BUILD": "again", "MINITS_PLANS": "disk"}

    def call(self, compiled: Any, call: Call) -> Any:
        with patch.dict(os.environ, self._set), patch.object(stored_plans, "WORTH_WRITING", 0.0):
            return super().call(compiled, call)


class AtOnce(Minits):
    """minits with all calls planned, the first ones too, and nothing read from disk."""

    def call(self, compiled: Any, call: Call) -> Any:
        with patch.dict(os.environ, MINITS_BUILD="now", MINITS_PLANS="memory"):
            return super().call(compiled, call)


class Native(Minits):
    """minits with MINITS_NATIVE=now: what can be C is."""

    def call(self, compiled: Any, call: Call) -> Any:
        with patch.dict(os.environ, MINITS_NATIVE="now"):
            return super().call(compiled, call)


class PlainTorchJit(TorchJit):
    """torch.jit without its optimisations, which leave out what raises and nobody needs."""

    def call(self, compiled: Any, call: Call) -> Any:
        with torch.jit.optimized_execution(False):
            return super().call(compiled, call)
