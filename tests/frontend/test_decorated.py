"""Decorated functions: contexts become `with`, what TorchScript lacks is refused, the rest told."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import typing_extensions
from torch import Tensor as Matrix
from torch import nn

import minits
from minits.cli.main import main
from tests.support import wrapping


def plain(x: Matrix) -> Matrix:
    return (x @ x) * 2


class Net(nn.Module):
    """`forward` and a method that it calls, each in a context."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(2, 2)

    @torch.no_grad()
    def quiet(self, x: Matrix) -> Matrix:
        return self.lin(x)

    @torch.autocast("cpu", dtype=torch.bfloat16)
    def forward(self, x: Matrix) -> Matrix:
        return self.lin(x) + self.quiet(x)


CONTEXTS: dict[str, Callable[[Any], Any]] = {
    "no_grad()": torch.no_grad(),
    "no_grad": torch.no_grad,
    "set_grad_enabled(False)": torch.set_grad_enabled(False),
    "autocast": torch.autocast("cpu", dtype=torch.bfloat16),
    "autocast of float16": torch.autocast("cpu", dtype=torch.float16),
    "autocast switched off": torch.autocast("cpu", enabled=False),
    "both": lambda f: torch.no_grad()(torch.autocast("cpu", dtype=torch.bfloat16)(f)),
}


def seen(function: Any) -> list[Any]:
    x = torch.ones(2, 2, requires_grad=True)
    return [(y.requires_grad, y.dtype, y.tolist()) for y in [function(x) for _ in range(3)]]


@pytest.mark.parametrize("name", CONTEXTS)
def test_contexts_are_kept(name: str) -> None:
    decorated = CONTEXTS[name](plain)
    assert seen(minits.script(decorated)) == seen(decorated)
    assert seen(minits.script(plain)) == seen(plain)


def test_contexts_are_kept_in_methods() -> None:
    net = Net()
    assert seen(minits.script(net)) == seen(net)


quiet = torch.no_grad()(plain)


def calls_quiet(x: Matrix) -> Matrix:
    return quiet(x) + 1


def test_contexts_are_kept_in_functions_that_are_called() -> None:
    assert seen(minits.script(calls_quiet)) == seen(calls_quiet)


REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "inference_mode": (torch.inference_mode(), "torch.inference_mode"),
    "enable_grad": (torch.enable_grad(), "torch.enable_grad"),
    "set_grad_enabled": (torch.set_grad_enabled(True), "torch.set_grad_enabled"),
    "vmap": (torch.vmap, "torch.func.vmap"),
    "grad": (torch.func.grad, "torch.func.grad"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_torchscript_lacks_is_refused(name: str) -> None:
    decorate, told = REFUSED[name]
    torch.set_grad_enabled(True)
    with pytest.raises(minits.CompileError, match=rf"plain is decorated by {told}, which") as info:
        minits.script(decorate(plain))
    assert info.value.diagnostics[0].fix


def test_names_are_those_of_the_functions_file() -> None:
    """The wrappers stand in other files, which have other names: `Matrix` is not among them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for decorated in (
            typing_extensions.deprecated("old")(plain),
            wrapping.tenfold(plain),
            torch.compiler.disable(plain),
        ):
            assert seen(minits.script(decorated)) == seen(plain)


def test_a_wrapper_of_the_program_is_told() -> None:
    with pytest.warns(UserWarning, match=r"plain is compiled without .* inner .*wrapping.py"):
        minits.script(wrapping.tenfold(plain))


def test_a_cache_is_refused_with_a_cure() -> None:
    with pytest.raises(minits.CompileError, match=r"plain\.__wrapped__"):
        minits.script(functools.lru_cache(plain))


TEXT = """
import torch

{decorator}
def scaled(x: torch.Tensor) -> torch.Tensor:
    return x * 2
"""


def emitted(tmp_path: Path, decorator: str, capsys: Any, *options: str) -> str:
    file = tmp_path / "program.py"
    file.write_text(TEXT.format(decorator=decorator))
    main(["compile", *options, f"{file}:scaled"])
    out: Any = capsys.readouterr()
    return str(out.out + out.err)


@pytest.mark.parametrize("options", [[], ["--no-import"]])
@pytest.mark.parametrize("decorator", ["@torch.no_grad()", "@torch.no_grad"])
def test_the_command_line_keeps_contexts(
    tmp_path: Path, capsys: Any, decorator: str, options: list[str]
) -> None:
    text = emitted(tmp_path, decorator, capsys, *options)
    assert "grad_mode.no_grad = prim::CreateObject" in text
    assert "prim::Exit" in text


@pytest.mark.parametrize("options", [[], ["--no-import"]])
def test_the_command_line_refuses_others(tmp_path: Path, capsys: Any, options: list[str]) -> None:
    text = emitted(tmp_path, "@torch.inference_mode()", capsys, *options)
    assert "decorated by torch.inference_mode" in text
    assert "program.py:4" in text
