"""Devices that the code of an archive names: told, moved, and named where they are not here."""

import io
import json
from pathlib import Path
from typing import Any, NamedTuple, Optional

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.archive.inspecting.inspector import inspect_archive
from minits.cli.main import main

CPU, ELSEWHERE = torch.device("cpu"), torch.device("cuda:77")
CUDA = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")


class Settings(NamedTuple):
    width: int
    device: torch.device


def helper(x: Tensor) -> Tensor:
    return x + torch.full((3,), 2.0, device="cuda:77")


class Program(nn.Module):
    """Names the device in each way that there is."""

    device: Optional[torch.device]  # noqa: UP045
    where: torch.device
    settings: Settings

    def __init__(self) -> None:
        super().__init__()
        self.device = self.where = ELSEWHERE
        self.settings = Settings(3, ELSEWHERE)
        self.devices = [ELSEWHERE]
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x: Tensor) -> Tensor:
        y = helper(x * self.weight) + torch.zeros(3, device="cuda:77")
        y = y + torch.ones(3, device=self.device) + torch.ones(3, device=self.where)
        y = y + torch.ones(3, device=self.settings.device) + self.made()
        z = torch.jit.fork(helper, y)
        both = (torch.device("cuda:77"), 1)
        y = y + torch.ones(3, device=self.devices[0]) + torch.ones(3, device=both[0])
        return torch.jit.wait(z).cuda() + y.to(torch.device("cuda:77"))

    def made(self, device: torch.device = ELSEWHERE) -> Tensor:
        return torch.ones(3, device=device)


def saved(program: Any) -> io.BytesIO:
    return io.BytesIO(program.save_to_buffer())


@pytest.fixture
def archive() -> io.BytesIO:
    return saved(minits.script(Program()))


@pytest.mark.parametrize("location", ["cpu", CPU, pytest.param("cuda", marks=CUDA)])
def test_all_devices_are_moved(archive: io.BytesIO, location: Any) -> None:
    module = minits.load(archive, map_location=location, remap_devices=True)
    x = torch.rand(3)
    for _ in range(3):  # as written, planned, and bound
        torch.testing.assert_close(module(x.to(location)).cpu(), 2 * x + 16)
    assert torch.device(module.where).type == torch.device(location).type
    assert "cuda:77" not in str(module.inlined_graph)


def test_devices_that_are_here_stay_where_no_location_is_given() -> None:
    @minits.script
    def named(x: Tensor) -> tuple[torch.device, torch.device, Tensor]:
        device = torch.device("cuda:77")
        return device, torch.device("meta"), x + torch.ones(3, device=device)

    with pytest.warns(UserWarning, match="cuda:77, which is not here"):
        module = minits.load(saved(named), remap_devices=True)
    first, second, result = module(torch.ones(3))
    assert (first, second) == (CPU, torch.device("meta"))
    assert result.tolist() == [2, 2, 2]


def test_torch_reads_what_was_moved(archive: io.BytesIO) -> None:
    x = torch.rand(3)
    again = saved(minits.load(archive, map_location="cpu", remap_devices=True))
    module = torch.jit.load(again)
    torch.testing.assert_close(module(x), 2 * x + 16)


def test_devices_of_the_code_stay_without_the_option(archive: io.BytesIO) -> None:
    """As in torch.jit: `map_location` is for tensors."""
    module = minits.load(archive, map_location="cpu")
    archive.seek(0)
    theirs = torch.jit.load(archive, map_location="cpu")
    assert module.where == theirs.where == ELSEWHERE
    for text in (str(module.graph), str(theirs.graph)):
        assert 'Device = prim::Constant[value="cuda:77"]' in text


def test_devices_of_a_trace_are_moved() -> None:
    def program(x: Tensor) -> Tensor:
        return x + torch.arange(3, device=x.device)

    with pytest.warns(minits.TracerWarning, match="the device meta becomes a constant"):
        traced = minits.trace(program, torch.zeros(3, device="meta"), check_trace=False)
    module = minits.load(saved(traced), map_location="cpu", remap_devices=True)
    assert module(torch.ones(3)).tolist() == [1, 2, 3]


def adds(x: Tensor) -> Tensor:
    y = torch.tanh(x)
    return y + torch.zeros(3, device="cuda:77")


def moves(x: Tensor) -> Tensor:
    return x.to("cuda:77") + 1


def loops(x: Tensor, n: int = 40) -> Tensor:
    total = 0
    for i in range(n):
        total += i
    return torch.full((3,), float(total), device="cuda:77") + x


def forks(x: Tensor) -> Tensor:
    return torch.jit.wait(torch.jit.fork(adds, x))


def forks_a_fork(x: Tensor) -> Tensor:
    return torch.jit.wait(torch.jit.fork(forks, x))


def on(x: Tensor, device: torch.device) -> Tensor:
    return torch.tanh(x) + torch.zeros(3, device=device)


def forks_with_the_device(x: Tensor) -> Tensor:
    first = torch.jit.fork(on, x, torch.device("cpu"))
    second = torch.jit.fork(on, x, torch.device("cuda:77"))
    return torch.jit.wait(first) + torch.jit.wait(second)


def forks_on(x: Tensor, device: torch.device) -> Tensor:
    return torch.jit.wait(torch.jit.fork(on, x, device))


def forks_a_fork_with_the_device(x: Tensor) -> Tensor:
    return torch.jit.wait(torch.jit.fork(forks_on, x, torch.device("cuda:77")))


def awaits_with_the_device(x: Tensor) -> Tensor:
    waiting = torch.jit._awaitable(on, x, torch.device("cuda:77"))
    return torch.jit._awaitable_wait(waiting)


def awaits(x: Tensor) -> Tensor:
    return torch.jit._awaitable_wait(torch.jit._awaitable(adds, x))


@pytest.mark.parametrize("mode", ["now", "background"])
@pytest.mark.parametrize(
    "function",
    [
        adds,
        moves,
        loops,
        forks,
        forks_a_fork,
        awaits,
        forks_with_the_device,
        forks_a_fork_with_the_device,
        awaits_with_the_device,
    ],
)
def test_a_call_without_the_device_names_the_line_and_the_cure(
    function: Any, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINITS_BUILD", mode)
    program = minits.script(function)
    for called, cure in (
        (program, "device=x.device"),
        (minits.load(saved(program)), "remap_devices=True"),
    ):
        for _ in range(3):
            with pytest.raises(RuntimeError) as caught:
                called(torch.rand(3))
            *_, told, cured = str(caught.value).splitlines()
            assert told.startswith(
                "RuntimeError: the code names the device cuda:77, which is not here: "
            )
            assert cure in cured
            assert f'{Path(__file__).name}", line ' in str(caught.value)


def test_other_errors_at_such_a_program_are_told_as_they_are() -> None:
    @minits.script
    def program(x: Tensor, other: bool = True) -> Tensor:
        if other:
            return x.view(2, 2)
        return torch.zeros(2, device="cuda:77")

    with pytest.raises(RuntimeError, match=r"shape '\[2, 2\]' is invalid") as caught:
        program(torch.rand(3))
    assert "cuda:77, which is not here" not in str(caught.value)


def test_a_check_warns_of_devices(
    archive: io.BytesIO, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "net.pt"
    path.write_bytes(archive.getvalue())
    assert main(["check", "--no-cache", str(path)]) == 0
    out, err = capsys.readouterr()
    assert "1 program, no errors; " in out and "warning" in out
    line = next(n for n, text in enumerate(Path(__file__).read_text().splitlines(), 1)
                if "y = helper(" in text)  # fmt: skip
    assert f"{Path(__file__).name}:{line}:" in err
    assert "warning: the code names the device cuda:77" in err
    in_a_task = next(n for n, text in enumerate(Path(__file__).read_text().splitlines(), 1)
                     if "return x + torch.full(" in text)  # fmt: skip
    assert err.count(f"{Path(__file__).name}:{in_a_task}:") == 1
    assert main(["check", "--no-cache", "--ignore", "TS809", str(path)]) == 0
    assert "warning" not in "".join(capsys.readouterr())
    assert main(["check", "--no-cache", "--format", "json", str(path)]) == 0
    found = json.loads(capsys.readouterr().out)["faults"]
    assert {each["severity"] for each in found} == {"warning"}


def test_an_inspection_names_the_line_of_the_program(archive: io.BytesIO, tmp_path: Path) -> None:
    path = tmp_path / "net.pt"
    path.write_bytes(archive.getvalue())
    told = [each.message for each in inspect_archive(path).findings if "device" in each.message]
    assert all(message.startswith(f"{__file__}, line ") for message in told)
    assert any("names the device cuda," in message for message in told), "of x.cuda()"


@pytest.mark.parametrize("function", [forks_with_the_device, forks_a_fork_with_the_device])
def test_a_check_warns_of_a_device_that_a_task_is_given(
    function: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "task.pt"
    path.write_bytes(saved(minits.script(function)).getvalue())
    assert main(["check", "--no-cache", str(path)]) == 0
    line = next(n for n, text in enumerate(Path(__file__).read_text().splitlines(), 1)
                if "return torch.tanh(x) + torch.zeros(3, device=device)" in text)  # fmt: skip
    warned = [text for text in capsys.readouterr().err.splitlines() if "names the device" in text]
    assert [text.partition(".py:")[2] for text in warned] == [
        f"{line}:28: warning: the code names the device cuda:77, which map_location does not change"
        " [TS809]"
    ]
