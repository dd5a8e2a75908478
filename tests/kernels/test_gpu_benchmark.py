"""`python -m benchmarks.gpu` where there is no GPU: what it says, and what its check finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from benchmarks import gpu
from benchmarks.patterns import PATTERNS, load_examples

CHAIN = PATTERNS[0]


def test_no_device(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert gpu.main(["--output", str(tmp_path / "figures.json")]) == 1
    assert "needs a CUDA device" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)
def test_difference(pattern: gpu.Pattern) -> None:
    """It is nothing from eager itself, and large from what computes something else."""
    function = getattr(load_examples(), pattern.function)

    def wrong(*arguments: torch.Tensor) -> object:
        result = function(*arguments)
        return tuple(r * 1.2 + 0.5 for r in result) if isinstance(result, tuple) else result * 1.2

    assert gpu.difference(function, pattern, 1 << 12, torch.float32, "cpu") == 0.0
    found = gpu.difference(wrong, pattern, 1 << 12, torch.float32, "cpu")
    assert found > gpu.TOLERANCES[torch.bfloat16]


def test_wrong_dtype_is_found() -> None:
    def wide(*arguments: torch.Tensor) -> torch.Tensor:
        return load_examples().chain(*arguments).double()

    assert gpu.difference(wide, CHAIN, 1 << 12, torch.float32, "cpu") == float("inf")


def test_targets() -> None:
    """A chain moves five tensors; at 10 GB/s, 2^26 float32 take 0.134 s."""
    ideal = 5 * 4 * gpu.LARGE / 1e10
    found = {"eager": 4 * ideal, "torch.compile": ideal / 0.95, "minits": ideal / 0.85}
    row = gpu.table_row(CHAIN, torch.float32, gpu.LARGE, found, 1e10)
    assert row["of_copy_bandwidth"] == {"eager": 0.25, "torch.compile": 0.95, "minits": 0.85}
    assert row["missed"] == ["90% of copy bandwidth", "torch.compile"]
    rows = replace(CHAIN, function="scale_mask_softmax")
    assert gpu.table_row(rows, torch.float32, gpu.LARGE, found, 1e10)["missed"] == ["torch.compile"]
