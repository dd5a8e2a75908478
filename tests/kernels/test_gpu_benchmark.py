"""`python -m benchmarks.gpu` where there is no GPU: its parts, and all of it on the CPU."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

import minits
from benchmarks import launch
from benchmarks.gpu import calls
from benchmarks.gpu import checking as gpu_check
from benchmarks.gpu import command as gpu
from benchmarks.gpu import rows as gpu_rows
from benchmarks.gpu import timing as gpu_timing
from benchmarks.gpu.checking import Check, checks, difference
from benchmarks.gpu.decoder import decoder
from benchmarks.patterns import PATTERNS, load_examples
from tests.support.cuda_emulator import emulated

CHAIN = PATTERNS[0]
CHAIN_CHECK = checks()[0]


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """A dry run has one thread; the tests after it have what they had."""
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def dry_run(folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """The exit code, and the figures of the file."""
    output = folder / "new" / "figures.json"
    code = gpu.main(["--dry-run", "--rounds", "1", "--output", str(output), *options])
    return code, json.loads(output.read_text())


def test_no_device(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert gpu.main(["--output", str(tmp_path / "figures.json")]) == 1
    assert "needs a CUDA device" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# ---- Correctness -------------------------------------------------------------------------------


@pytest.mark.one_in(2)
@pytest.mark.parametrize("check", checks(), ids=lambda check: check.name)
def test_difference(check: Check) -> None:
    """It is nothing from eager itself, and large from what computes something else."""

    def wrong(*arguments: Any) -> Any:
        result = check.program(*arguments)
        return scaled(result)

    def scaled(result: Any) -> Any:
        return tuple(map(scaled, result)) if isinstance(result, tuple) else result * 1.2

    elements = 1 << 10
    assert difference(check, elements, torch.float32, "cpu", scripted=check.program) == 0.0
    found = difference(check, elements, torch.float32, "cpu", scripted=wrong)
    assert found > check.layers * gpu_check.TOLERANCES[torch.bfloat16]


def test_a_wrong_gradient_is_found() -> None:
    def wrong(*arguments: torch.Tensor) -> torch.Tensor:
        right = load_examples().chain(*arguments)
        return right.detach() + (right - right.detach()) * 1.5

    assert difference(CHAIN_CHECK, 1 << 10, torch.float32, "cpu", wrong) > 0.3


def test_a_wrong_dtype_is_found() -> None:
    def wide(*arguments: torch.Tensor) -> torch.Tensor:
        return load_examples().chain(*arguments).double()

    assert difference(CHAIN_CHECK, 1 << 10, torch.float32, "cpu", wide) == float("inf")


@pytest.mark.one_in(30)
@pytest.mark.parametrize("check", checks(), ids=lambda check: check.name)
def test_nothing_is_wrong_on_the_cpu(check: Check) -> None:
    assert list(gpu_check.wrong_results([check], "cpu", [1 << 10])) == []


def test_a_check_that_raises_is_said_and_others_go_on() -> None:
    def refuse(*arguments: Any) -> Any:
        raise RuntimeError("no")

    broken = replace(CHAIN_CHECK, arguments=refuse)
    lines = list(gpu_check.wrong_results([broken, CHAIN_CHECK], "cpu", [1 << 10]))
    assert lines == [
        f"chain, {name}, 1024 elements: RuntimeError: no"
        for name in ("float32", "float16", "bfloat16")
    ]


# ---- Times -------------------------------------------------------------------------------------


def test_targets() -> None:
    """A chain moves five tensors; at 10 GB/s, 2^26 float32 take 0.134 s."""
    large = gpu_timing.GPU.large
    ideal = 5 * 4 * large / 1e10
    found = {"eager": 4 * ideal, "torch.compile": ideal / 0.95, "minits": ideal / 0.85}
    row = gpu_rows.table_row(CHAIN, torch.float32, large, found, 1e10)
    assert row["of_copy_bandwidth"] == {"eager": 0.25, "torch.compile": 0.95, "minits": 0.85}
    assert row["missed"] == ["90% of copy bandwidth", "torch.compile"]
    rows = replace(CHAIN, function="scale_mask_softmax")
    assert gpu_rows.table_row(rows, torch.float32, large, found, 1e10)["missed"] == [
        "torch.compile"
    ]


def test_limited() -> None:
    with pytest.raises(TimeoutError, match=r"more than 0\.05 s"), gpu_timing.limited(0.05):
        time.sleep(10)
    with gpu_timing.limited(0.05):
        pass
    time.sleep(0.1)  # the alarm is off


def test_a_launch_costs_something() -> None:
    assert 0 < launch.launch_seconds(rounds=1) < 1e-3


# ---- The command -------------------------------------------------------------------------------


@pytest.mark.slow
def test_dry_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pattern forward, and one with its gradient; beside all peers."""
    code, figures = dry_run(tmp_path, "--only", "bias_gelu", "--limit", "200")
    assert code == 0
    assert figures["wrong"] == [] and figures["device"] == "dry run on the CPU"
    assert figures["copy_bytes_per_second"] > 0 and figures["launch"]["launch"] > 0
    rows = figures["rows"]
    sizes = gpu_timing.DRY.large, gpu_timing.DRY.small
    assert [(row["pattern"], row["dtype"], row["elements"]) for row in rows] == [
        (name, dtype, size)
        for size in sizes
        for name in ("bias + gelu", "gelu forward + backward")
        for dtype in ("float32", "float16", "bfloat16")
    ]
    for row in rows:
        assert list(row["seconds"]) == ["eager", "torch.jit", "torch.compile", "minits"]
    assert set(rows[0]["of_copy_bandwidth"]) == set(rows[0]["seconds"])
    assert "gelu forward" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_dry_run_with_the_kernels_of_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with emulated(monkeypatch, tmp_path) as texts:
        code, figures = dry_run(tmp_path, "--quick", "--only", "swiglu")
    assert code == 0 and figures["wrong"] == [] and figures["rounds"] == 5
    assert list(figures["rows"][0]["seconds"]) == ["eager", "torch.jit", "minits"]
    assert len(texts) >= 6  # forward and backward, in three dtypes


def test_wrong_results_are_written_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = SimpleNamespace(script=lambda program: lambda *given: given[0])
    monkeypatch.setattr(gpu_check, "minits", first)
    code, figures = dry_run(tmp_path, "--only", "swiglu", "--seconds", "0")
    assert code == 1
    assert len(figures["wrong"]) == 3 and "swiglu, float32" in figures["wrong"][0]


def test_no_time_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What has been found is written; the rest is counted."""
    code, figures = dry_run(tmp_path, "--only", "swiglu", "--seconds", "0")
    assert code == 0
    assert figures["rows"] == [] and figures["left_out"] == 6
    assert "6 rows are left out" in capsys.readouterr().err


def test_a_peer_that_fails_has_no_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(function: Any, **options: Any) -> Any:
        raise RuntimeError("cannot\nfor several reasons")

    monkeypatch.setattr(torch, "compile", refuse)
    code, figures = dry_run(tmp_path, "--only", "swiglu", "--peers", "torch.compile")
    assert code == 0
    assert list(figures["rows"][0]["seconds"]) == ["eager", "minits"]
    assert "swiglu: torch.compile fails: cannot\n" in capsys.readouterr().err


def test_a_launch_that_fails_is_not_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*given: Any) -> Any:
        raise RuntimeError("no launch")

    monkeypatch.setattr(gpu, "launch_costs", refuse)
    code, figures = dry_run(tmp_path, "--only", "swiglu", "--peers", "")
    assert code == 0 and "launch" not in figures and len(figures["rows"]) == 6
    assert "launch fails: no launch" in capsys.readouterr().err


@pytest.mark.slow
def test_a_decoder_has_forty_groups() -> None:
    module, arguments = decoder("cpu", torch.float32)
    scripted = minits.script(module)
    with torch.no_grad():
        torch.testing.assert_close(scripted(*arguments), module(*arguments))
        assert len(scripted.forward.plan_for(*arguments).groups) == 40
        calls.products(module, arguments)  # the shapes fit


@pytest.mark.slow
def test_first_calls_of_new_processes() -> None:
    found = calls.first_calls(gpu_timing.DRY, ["torch.jit"])
    assert list(found) == ["minits", "minits, built before", "torch.jit"]
    assert all(len(seconds) == 4 and min(seconds) > 0 for seconds in found.values())


def test_names_of_files() -> None:
    assert gpu.short_name("NVIDIA H100 80GB HBM3") == "h100"
    assert gpu.short_name("NVIDIA GeForce RTX 4090") == "rtx"
    assert gpu.short_name(gpu_timing.DRY.name) == "dry-run"
