"""Plans that an earlier process has stored: they run what a new plan runs, or are made anew."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

import minits
from minits.codegen import groups
from minits.kernels.cpu import c_build, libraries
from minits.kernels.cpu.libraries import Libraries
from minits.runtime import stored_plans
from minits.runtime.plan import RestoredPlan


def chain(x: Tensor, scale: float) -> Tensor:
    return torch.tanh(x * scale) + x


def several(x: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
    y = torch.relu(x - 1) * 2
    z = torch.mm(y, w)
    return torch.sigmoid(z) * z, y


def chosen(x: Tensor) -> Tensor:
    y = x * 2 + 1
    kept = y[y > 0]
    return torch.exp(kept) - kept * 0.5


def checked(x: Tensor, y: Tensor) -> Tensor:
    return F.binary_cross_entropy(x * 1.0, y) * 2


def failing(x: Tensor, rows: int) -> Tensor:
    z = torch.relu(x) * 2
    return inner(z, rows)


def inner(z: Tensor, rows: int) -> Tensor:
    return z.view(rows, 3) + 1


def written(x: Tensor, m: Tensor) -> Tensor:
    y = x.t() * 2
    y.masked_fill_(m, 0.5)
    y.add_(1)
    return y.relu_().sort()[0]


def integers(n: int, values: dict[float, int], pattern: str) -> int:
    total = 0
    for name in values:
        if values[name] % 3 != n:
            total += values[name] * len(pattern.format(n))  # no C: that is not stored
    return total


def net() -> nn.Module:
    """Return a module whose class has not been compiled yet; all have equal parameters."""

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear, self.norm, self.drop = nn.Linear(4, 4), nn.LayerNorm(4), nn.Dropout(0.5)

        def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
            y = torch.tanh(self.norm(self.linear(x))) * 2
            if mask is not None:
                y = y.masked_fill(mask, 0.0) + x
            return self.drop(y) + x

    torch.manual_seed(0)
    return Net().eval()


@pytest.fixture(autouse=True)
def on_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("MINITS_PLANS", "disk")
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path))
    monkeypatch.setattr(stored_plans, "WORTH_WRITING", 0.0)
    return tmp_path / "kernels"


def plans_of(program: Any) -> list[Any]:
    return list(getattr(program, "forward", program)._plans)


def is_restored(program: Any) -> bool:
    return all(isinstance(plan, RestoredPlan) for plan in plans_of(program))


def twice(made: Callable[[], Any], *arguments: Any) -> Any:
    """Call a program that is compiled anew after its plan was stored; return it."""
    first = minits.script(made())
    expected = first(*arguments)
    second = minits.script(made())
    torch.testing.assert_close(second(*arguments), expected, rtol=0, atol=0, equal_nan=True)
    return second


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (chain, (torch.randn(3, 4), 0.5)),
        (chain, (torch.randn(3, 4, dtype=torch.float64).t(), 2.0)),
        (several, (torch.randn(3, 4), torch.randn(4, 2))),
        (chosen, (torch.randn(20),)),
        (checked, (torch.rand(6), torch.rand(6))),
        (written, (torch.randn(3, 4), torch.randn(4, 3) > 0)),
        (integers, (1, {0.5: 1, 1.5: 2, 2.5: 3, 3.5: 4}, "{}")),
    ],
)
def test_a_stored_plan_gives_the_same(program: Any, arguments: tuple[Any, ...]) -> None:
    second = twice(lambda: program, *arguments)
    assert is_restored(second)
    for _ in range(3):
        torch.testing.assert_close(second(*arguments), program(*arguments))


@pytest.mark.slow
def test_nothing_is_planned_in_the_next_process(tmp_path: Path) -> None:
    """`torch.pow` imports at its first call, and asks its caller's globals how."""
    text = (
        "import sys, torch, minits\n"
        "def f(x: torch.Tensor, n: int):\n"
        "    return torch.tanh(x * 2) + 1, torch.pow(x.long(), n)\n"
        "c = minits.script(f)\n"
        "print(c(torch.zeros(3), 2), 'minits.passes.fusion.fuse' in sys.modules)\n"
    )
    script = tmp_path / "program.py"
    script.write_text(text)
    command = [sys.executable, str(script)]
    printed = [
        subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ).stdout
        for _ in range(2)
    ]
    made = "(tensor([1., 1., 1.]), tensor([0, 0, 0]))"
    assert printed == [f"{made} True\n", f"{made} False\n"]


def test_other_shapes_are_made_anew_and_both_are_stored() -> None:
    second = twice(lambda: chain, torch.randn(3, 4), 0.5)
    x = torch.randn(5, 2)
    torch.testing.assert_close(second(x, 0.5), chain(x, 0.5))
    assert not is_restored(second)
    third = minits.script(chain)
    for shape in ((3, 4), (5, 2)):
        x = torch.randn(shape)
        torch.testing.assert_close(third(x, 0.5), chain(x, 0.5))
    assert is_restored(third)


def test_shapes_that_are_not_stored_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file has so many keys of a plan; after these, binding to a shape writes nothing."""
    monkeypatch.setenv("MINITS_BUILD", "now")
    written = []
    store = libraries.store
    monkeypatch.setattr(libraries, "store", lambda *given: written.append(1) or store(*given))
    compiled = minits.script(several)
    for rows in range(2, 14):
        for _ in range(2):  # the second one is bound
            compiled(torch.ones(rows, 4), torch.ones(4, 4))
    assert len(written) == stored_plans.MOST_PLANS


def test_a_group_meets_tensors_that_were_not_stored() -> None:
    second = twice(lambda: chosen, torch.ones(20))
    for count in (20, 7, 3):
        x = torch.cat([torch.ones(count), -torch.ones(20 - count)])
        torch.testing.assert_close(second(x), chosen(x))
    assert is_restored(second)


def test_who_asks_gets_the_plan_with_its_graph() -> None:
    arguments = (torch.randn(3, 4), torch.randn(4, 2))
    fresh = minits.script(several)
    expected = [repr(remark) for remark in fresh.remarks(*arguments)]
    second = twice(lambda: several, *arguments)
    assert [repr(remark) for remark in second.remarks(*arguments)] == expected
    assert "prim::FusionGroup" in str(second.graph_for(*arguments))
    torch.testing.assert_close(second(*arguments), several(*arguments))


def test_strict_fusion_has_its_remarks() -> None:
    arguments = (torch.randn(3, 4), torch.randn(4, 2))
    second = twice(lambda: several, *arguments)
    with pytest.raises(RuntimeError, match="mm"), minits.strict_fusion():
        second(*arguments)


def test_reports_tell_where_a_plan_comes_from() -> None:
    second = twice(lambda: chain, torch.randn(3, 4), 0.5)
    assert "read from disk, used 1x" in second.plan_report()


def test_gradients_of_what_was_stored_without() -> None:
    x, eager = torch.randn(2, 4), net()
    with torch.no_grad():
        second = twice(net, x)
    assert is_restored(second)
    second(x).sum().backward()
    eager(x).sum().backward()
    for found, expected in zip(second.parameters(), eager.parameters(), strict=True):
        torch.testing.assert_close(found.grad, expected.grad)


def test_flags_and_masks_have_plans_of_their_own() -> None:
    x, mask, eager = torch.randn(2, 4), torch.tensor([True, False, False, True]), net()
    with torch.no_grad():
        for arguments in ((x,), (x, mask)):
            second = twice(net, *arguments)
            assert is_restored(second)
            torch.testing.assert_close(second(*arguments), eager(*arguments))
        doubled = minits.script(net().double())
        torch.testing.assert_close(doubled(x.double(), mask), eager.double()(x.double(), mask))
        training = minits.script(net().train())
        assert training(x).shape == (2, 4)
        assert not is_restored(training)


def test_a_check_fails_as_in_eager() -> None:
    second = twice(lambda: checked, torch.rand(6), torch.rand(6))
    assert is_restored(second)
    with pytest.raises(RuntimeError, match="between 0 and 1"):
        second(torch.full((6,), 2.0), torch.rand(6))


def test_errors_show_the_same_lines() -> None:
    good, bad = (torch.randn(6), 2), (torch.randn(6), 4)
    second = twice(lambda: failing, *good)
    texts = []
    for program in (second, minits.script(failing)):
        with pytest.raises(RuntimeError) as fault:
            program(*bad)
        texts.append(str(fault.value))
    assert texts[0] == texts[1]
    assert "z.view(rows, 3) + 1" in texts[0]
    assert is_restored(second)


def cut_in_half(path: Path) -> None:
    content = path.read_bytes()
    path.unlink()  # somebody may have loaded it
    path.write_bytes(content[: len(content) // 2])


@pytest.mark.parametrize("suffix", ["plan", "so"])
def test_what_is_damaged_or_gone_is_made_anew(
    monkeypatch: pytest.MonkeyPatch, on_disk: Path, suffix: str
) -> None:
    x = torch.randn(3, 4)
    for damage in (cut_in_half, Path.unlink):
        for _ in range(2):  # nothing is loaded, as in a new process
            monkeypatch.setattr(c_build, "_LIBRARIES", Libraries())
            program = minits.script(chain)
            program(x, 0.5)
        assert is_restored(program)
        for path in on_disk.glob(f"*.{suffix}"):
            damage(path)
        monkeypatch.setattr(c_build, "_LIBRARIES", Libraries())
        program = minits.script(chain)
        torch.testing.assert_close(program(x, 0.5), chain(x, 0.5))
        assert not is_restored(program)


def test_another_text_is_another_program() -> None:
    texts = [
        "def f(x: Tensor) -> Tensor:\n    return torch.relu(x) * 2 + 1\n",
        "def f(x: Tensor) -> Tensor:\n    return torch.relu(x) * 3 + 1\n",
        "\ndef f(x: Tensor) -> Tensor:\n    return torch.relu(x) * 3 + 1\n",
        "def f(x: Tensor) -> Tensor:\n    return torch.relu(x) * 3 + True\n",
    ]
    for text in texts:
        program = minits.CompilationUnit(text).f
        assert program(torch.ones(2)).tolist() == [3.0 if "* 2" in text else 4.0] * 2
        assert not is_restored(program)
    assert is_restored_text(texts[0])


def is_restored_text(text: str) -> bool:
    program = minits.CompilationUnit(text).f
    program(torch.ones(2))
    return is_restored(program)


def test_default_dtypes_are_told_apart() -> None:
    text = "def f(x: Tensor) -> Tensor:\n    return (x * 0.1).sigmoid() + x\n"
    x = torch.arange(4)
    minits.CompilationUnit(text).f(x)
    torch.set_default_dtype(torch.float64)
    try:
        assert minits.CompilationUnit(text).f(x).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    assert minits.CompilationUnit(text).f(x).dtype is torch.float32


class Counted:
    """A class of the program."""

    def __init__(self, count: int) -> None:
        self.count = count

    def next(self, x: Tensor) -> Tensor:
        self.count += 1
        return x * self.count + 1


def counting(x: Tensor) -> Tensor:
    counted = Counted(1)
    return counted.next(counted.next(x))


def test_classes_are_those_of_the_process() -> None:
    second = twice(lambda: counting, torch.ones(3))
    assert second(torch.ones(3)).tolist() == [10.0] * 3


class Packed(nn.Module):
    """Its attribute is an object of C++, whose method the program calls."""

    def __init__(self) -> None:
        super().__init__()
        made = torch.ao.nn.quantized.Conv2d(1, 1, 1)
        self.packed = made._packed_params

    def forward(self, x: Tensor) -> Tensor:
        weight, _ = self.packed.unpack()
        return torch.tanh(x * 2) + weight.dequantize().sum()


@pytest.mark.filterwarnings("ignore:.*:UserWarning")  # torch's quantized modules are deprecated
def test_methods_of_cpp_are_called() -> None:
    assert minits.script(Packed())(torch.zeros(2)).shape == (2,)


@torch.jit.ignore
def stays_python(x: Tensor) -> Tensor:
    return x * 3


def calls_python(x: Tensor) -> Tensor:
    return torch.relu(stays_python(x) * 2) + 1


def test_programs_that_cannot_be_written_are_not(on_disk: Path) -> None:
    second = twice(lambda: calls_python, torch.ones(3))
    assert not is_restored(second)
    assert not list(on_disk.glob("*.plan"))


def test_a_folder_that_cannot_be_written_to(monkeypatch: pytest.MonkeyPatch, on_disk: Path) -> None:
    def full(*arguments: Any) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("minits.kernels.cpu.libraries.store", full)
    assert not is_restored(twice(lambda: chain, torch.randn(3), 0.5))


def test_plans_stay_in_memory_if_asked(monkeypatch: pytest.MonkeyPatch, on_disk: Path) -> None:
    monkeypatch.setenv("MINITS_PLANS", "memory")
    assert not is_restored(twice(lambda: chain, torch.randn(3), 0.5))
    assert not list(on_disk.glob("*.plan"))
    monkeypatch.setenv("MINITS_PLANS", "both")
    with pytest.warns(UserWarning, match="neither disk nor memory"):
        minits.script(chain)(torch.randn(3), 0.5)


def test_what_another_thread_adds_meanwhile_is_no_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan's names grow at its first calls, which may be those of several threads."""
    run = FunctionType((lambda: None).__code__, {"first": 1, "second": 2})
    scope = run.__globals__
    monkeypatch.setattr(groups, "group_of", lambda _: scope.setdefault(f"new{len(scope)}"))
    plan: Any = SimpleNamespace(run=run, native=None)
    family: Any = SimpleNamespace(bound={"key": SimpleNamespace(run=run, plan=plan, is_whole=True)})
    assert list(stored_plans.stored_bounds(family, plan)) == ["key"]
    assert groups.groups_in(run) == []
