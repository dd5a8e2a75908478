"""Libraries with tensors: arguments, results, weights from a file and embedded, errors, threads."""

import resource
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

import minits
from minits.cli.main import main
from minits.native_build.building import build_library, write_library
from minits.native_build.make_files import link_flags
from minits.native_build.programs import exported
from tests.support.native_libraries import library, output_of
from tests.support.needs import need_compiler

need_compiler()


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first = nn.Linear(4, 8)
        self.second = nn.Linear(8, 3, bias=False)
        self.register_buffer("shift", torch.arange(3, dtype=torch.float64))
        self.tied = self.second.weight

    def forward(self, x: Tensor, n: int = 2) -> tuple[Tensor, list[Tensor]]:
        hidden: list[Tensor] = []
        h = F.relu(self.first(x))
        for i in range(n):
            h = h * 0.5 + i
            hidden.append(h)
        return torch.softmax(self.second(h), -1) + self.shift, hidden

    @torch.jit.export
    def size(self, mask: Tensor | None = None) -> Tensor:
        weight = self.tied
        if mask is not None:
            weight = weight * mask
        return weight.abs().sum() + torch.tensor([1.0, 2.0]).sum()


def equal(found: Any, expected: Any) -> bool:
    if isinstance(expected, (list, tuple)):
        return len(found) == len(expected) and all(map(equal, found, expected))
    return torch.equal(found, expected) and found.stride() == expected.stride()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("net")
    torch.jit.script(Net().eval()).save(str(folder / "net.pt"))
    assert main(["build", str(folder / "net.pt"), "-o", str(folder)]) == 0
    return folder


@pytest.mark.one_in(2)
@pytest.mark.parametrize("embeds", [False, True])
def test_tensors_go_in_and_come_out(embeds: bool, tmp_path: Path) -> None:
    net = Net().eval()
    write_library([*exported(minits.script(net), "net")], tmp_path, embeds_weights=embeds)
    build_library(tmp_path)
    assert (tmp_path / "model.safetensors").exists() is not embeds
    model, x = minits.load_native(tmp_path), torch.randn(5, 4)
    with torch.no_grad():
        assert equal(model(x, 3), net(x, 3))
        columns = x.t().contiguous().t()
        assert equal(model(columns), net(columns))
        assert equal(model.size(), net.size())
        assert equal(model.size(torch.ones(8)), net.size(torch.ones(8)))


def test_an_archive_becomes_a_library(built: Path) -> None:
    with torch.no_grad():
        assert equal(minits.load_native(built)(torch.ones(2, 4)), Net()(torch.ones(2, 4)))


def test_a_tied_weight_is_in_the_file_once(built: Path) -> None:
    text = (built / "model.safetensors").read_bytes()
    assert text.count(b'"shape":[3,8]') == 1


def test_errors_are_those_of_torch(built: Path) -> None:
    with pytest.raises(RuntimeError, match=r"shapes cannot be multiplied \(5x3 and 4x8\)"):
        minits.load_native(built)(torch.ones(5, 3))
    with pytest.raises(TypeError, match="argument 'x' but one of kind int"):
        minits.load_native(built)(3)


def test_other_weights_are_refused(built: Path, tmp_path: Path) -> None:
    content = (built / "model.safetensors").read_bytes()
    for name, data in (("other", b"x" + content[1:]), ("short", content[:-1]), ("no", b"")):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(ValueError, match="weights"):
            minits.load_native(built, path)
    with pytest.raises(RuntimeError, match="cannot read the file"):
        minits.load_native(built, tmp_path / "none")


def sine(x: Tensor) -> Tensor:
    return x.sin()


def test_calls_leave_no_tensors() -> None:
    model, x = library(sine), torch.randn(100_000)
    for _ in range(20):
        model.sine(x)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(200):
        model.sine(x)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


def test_threads_call_one_model(built: Path) -> None:
    model, x, done = minits.load_native(built), torch.randn(5, 4), []
    expected = model(x, 3)

    def work() -> None:
        for _ in range(100):
            assert equal(model(x, 3), expected)
        done.append(True)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 4


MAIN = """
#include "model.h"
#include <stdio.h>
int32_t aoti_torch_empty_strided(
    int64_t, const int64_t *, const int64_t *, int32_t, int32_t, int32_t, void **);
int32_t aoti_torch_get_data_ptr(void *, void **);
int32_t aoti_torch_delete_tensor_object(void *);
int main(int count, char **words)
{
    mts_model *model;
    mts_error error;
    mts_any result;
    if (model_create(words[1], &model, &error)) return puts(error.message), 1;
    void *x, *data;
    aoti_torch_empty_strided(2, (int64_t[]){2, 4}, (int64_t[]){4, 1}, 6, 0, 0, &x);
    aoti_torch_get_data_ptr(x, &data);
    for (int i = 0; i < 8; i++) ((float *)data)[i] = 1;
    mts_any given = mts_from_tensor(x);
    for (int i = 0; i < 50; i++) {
        if (model_call(model, "forward", &given, 1, &result, &error)) return 2;
        aoti_torch_get_data_ptr(result.as.items[0].as.tensor, &data);
        if (i == 49) printf("%.6f", ((double *)data)[1]);
        model_clear(&result);
    }
    aoti_torch_delete_tensor_object(x);
    model_destroy(model);
    return 0;
}
"""


def test_a_program_in_c_calls_it(built: Path) -> None:
    (built / "main.c").write_text(MAIN)
    sources, flags = ["main.c", "model.c"], link_flags(has_torch=True)
    command = ["gcc", "-g", "-fwrapv", *sources, "-o", "main", *flags, "-lm"]
    made = subprocess.run(command, cwd=built, capture_output=True, text=True)
    assert (made.returncode, made.stderr) == (0, "")
    with torch.no_grad():
        expected = Net()(torch.ones(2, 4))[0][0, 1].item()
    assert output_of(built / "main", built / "model.safetensors") == f"{expected:.6f}"


class Mean(nn.Module):
    def __init__(self, is_kept: bool) -> None:
        super().__init__()
        self.is_kept = is_kept
        self.register_buffer("mean", torch.zeros(2, 3))

    def forward(self, x: Tensor) -> Tensor:
        if self.is_kept:
            self.mean[0].mul_(0.5).add_(x)
        y = self.mean + 1
        if x.size(0) > 1:
            y = y * 2
        y.view(-1).mul_(2.0)
        x.neg_()
        return y


@pytest.mark.one_in(2)
@pytest.mark.parametrize("is_kept", [False, True])
def test_calls_that_write_to_a_buffer_take_turns(is_kept: bool, tmp_path: Path) -> None:
    net = Mean(is_kept)
    write_library([*exported(minits.script(net), "net")], tmp_path)
    build_library(tmp_path)
    text = (tmp_path / "model.c").read_text()
    assert ("pthread_mutex_lock(&model->turn)" in text) is is_kept
    model, script = minits.load_native(tmp_path), torch.jit.script(net)
    for _ in range(3):
        assert equal(model(torch.ones(3)), script(torch.ones(3)))


def scaled(x: Tensor, y: Tensor) -> tuple[Tensor, int, float, str]:
    number = y.item()
    total = number + 1
    return x * number, int(total), float(-number / 4), f"{number}"


def test_numbers_that_tell_their_types() -> None:
    model, script = library(scaled), minits.script(scaled)
    for y in (torch.tensor(3), torch.tensor([2.5]), torch.tensor(True), torch.ones(2)):
        for x in (torch.arange(3), torch.ones(2)):
            assert outcome_of(model.scaled, x, y) == outcome_of(script, x, y)
    with pytest.raises(RuntimeError, match="overflow"):
        model.scaled(torch.ones(2), torch.tensor(1e10))


def outcome_of(call: Any, *values: Tensor) -> str:
    try:
        return repr(call(*values))
    except RuntimeError as error:
        return type(error).__name__


def both(xs: list[Tensor], y: Tensor) -> Tensor:
    return torch.cat([xs[0][1:].t(), y.view(2, -1)], 1) * 2


def test_gradients_of_what_c_does_itself(tmp_path: Path) -> None:
    """Views and joins are torch's where an argument requires gradients, or an item of one."""
    write_library([*exported(minits.script(both), "both")], tmp_path)
    build_library(tmp_path)
    call = minits.load_native(tmp_path).both
    assert "mts_cat_rows(pool, " in (tmp_path / "model.c").read_text()
    x, y = torch.randn(3, 2), torch.randn(4)
    torch.testing.assert_close(call([x], y), both([x], y))
    for requires in ((True, False), (False, True), (True, True)):
        given = [each.clone().requires_grad_(r) for each, r in zip((x, y), requires, strict=True)]
        asked = [each for each in given if each.requires_grad]
        found = call([given[0]], given[1])
        gradients = torch.autograd.grad(found.sum(), asked)
        expected = torch.autograd.grad(both([given[0]], given[1]).sum(), asked)
        torch.testing.assert_close(gradients, expected)
        with torch.no_grad():
            assert not call([given[0]], given[1]).requires_grad
