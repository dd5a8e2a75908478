"""The programs of the benchmarks, fused, with kernels for a GPU: forward and backward."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

import minits
from benchmarks.patterns import PATTERNS, Pattern, load_examples
from tests.support.cuda_emulator import emulated
from tests.support.cuda_sweep import Sweep

TOLERANCES = {torch.float32: 2e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)
def test_pattern(
    pattern: Pattern, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cuda_sweep: Sweep
) -> None:
    function = getattr(load_examples(), pattern.function)
    with emulated(monkeypatch, tmp_path) as texts:
        scripted = minits.script(function)
        for dtype, tolerance in TOLERANCES.items():
            torch.manual_seed(0)
            arguments = pattern.arguments(1 << 10, {"dtype": dtype})
            for mine, theirs in zip(
                results(scripted, pattern, arguments),
                results(function, pattern, arguments),
                strict=True,
            ):
                limit = tolerance * theirs.abs().max().item()
                torch.testing.assert_close(mine, theirs, rtol=0, atol=limit)
        assert len(texts) >= len(TOLERANCES)  # it was fused
    for text in texts:
        cuda_sweep.add(text)


def results(function: Any, pattern: Pattern, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a call returns, or the gradients of its arguments."""
    if not pattern.backward:
        found = function(*arguments)
        return found if isinstance(found, tuple) else (found,)
    inputs = [argument.detach().requires_grad_() for argument in arguments]
    return torch.autograd.grad(function(*inputs).sum(), inputs)
