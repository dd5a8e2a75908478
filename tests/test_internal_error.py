"""The boundary: faults of minits leave it as `InternalError`, all other exceptions as they are."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from conformance.minits_implementation import Minits
from minits.cli.main import main
from minits.frontend.emit import definition
from minits.internal_error import internal_errors
from minits.ops.implementations import TABLE
from minits.ops.tensor_text import format_tensor
from minits.passes import pipeline
from minits.runtime import loading

FUNCTIONS = str(Path(__file__).parents[1] / "examples" / "functions.py")


def double(x: Tensor) -> Tensor:
    return x * 2


def text_of(n: int) -> str:
    return str([n])


fails_inside = compile(
    "def fails(*arguments, **keywords):\n    raise KeyError('forgotten')\n",
    str(Path(minits.__file__).parent / "passes" / "some_pass.py"),
    "exec",
)


def _own_fault() -> Any:
    """A function that stands in a file of minits, and fails."""
    scope: dict[str, Any] = {}
    exec(fails_inside, scope)
    return scope["fails"]


def _check(error: pytest.ExceptionInfo[minits.InternalError]) -> None:
    text = str(error.value)
    assert "by a fault of minits" in text
    assert "KeyError: 'forgotten'" in text
    assert f"torch {torch.__version__}" in text
    assert "KeyError at minits/passes/some_pass.py:2 in fails" in text
    assert isinstance(error.value.__cause__, KeyError)


def test_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definition, "run_pipeline", _own_fault())

    def program(x: Tensor) -> Tensor:
        return x + 1

    with pytest.raises(minits.InternalError) as error:
        minits.script(program)
    _check(error)


def test_planning_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = minits.script(double)
    with monkeypatch.context() as patched:
        patched.setattr(pipeline, "run_pipeline", _own_fault())
        with pytest.raises(minits.InternalError) as error:
            compiled(torch.ones(2))
        _check(error)
    assert compiled(torch.ones(2)).tolist() == [2.0, 2.0]


def test_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO()
    minits.save(minits.script(double), buffer)
    buffer.seek(0)
    monkeypatch.setattr(loading, "read_module", _own_fault())
    with pytest.raises(minits.InternalError) as error:
        minits.load(buffer)
    _check(error)


def test_running(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attributes are none that a program's values could lack: an operator was handed another."""
    monkeypatch.setitem(TABLE, "aten::str", format_tensor)
    compiled = minits.script(text_of)
    with pytest.raises(minits.InternalError, match="AttributeError at minits/ops/tensor_text"):
        compiled(1)


def test_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(definition, "run_pipeline", _own_fault())
    assert main(["check", "--no-cache", "--no-import", FUNCTIONS]) == 3
    assert "KeyError at minits/passes/some_pass.py" in capsys.readouterr().err.replace("\n", "")


class Prepared(nn.Module):
    def __prepare_scriptable__(self) -> nn.Module:
        raise KeyError("mine")

    def forward(self, x: Tensor) -> Tensor:
        return x


@torch.jit.ignore
def ignored(x: Tensor) -> Tensor:
    raise AttributeError("mine")


def calls_ignored(x: Tensor) -> Tensor:
    return ignored(x)


def test_what_the_users_python_raises_passes() -> None:
    with pytest.raises(KeyError, match="mine"):
        minits.script(Prepared())
    with pytest.raises(minits.ops.errors.ScriptError, match="AttributeError: mine"):
        minits.script(calls_ignored)(torch.ones(1))


def test_the_suite_takes_it_for_a_crash() -> None:
    error = minits.InternalError("failed")
    assert Minits().compile_fault(error) is None
    assert Minits().run_fault(error) is None


def test_errors_that_pass_the_boundary_read_no_source(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []
    monkeypatch.setattr("linecache.checkcache", lambda *names: read.append(names))
    with pytest.raises(ZeroDivisionError), internal_errors("planning a call"):
        raise ZeroDivisionError
    assert read == []
