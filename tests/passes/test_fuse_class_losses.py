"""Losses of classes: a kernel for the rows, and one for what they give together."""

import itertools
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from minits.kernels.lowering import class_losses
from tests.support.control_flow import load

X = torch.randn(6, 11, generator=torch.Generator().manual_seed(0)) * 3
TARGET = torch.tensor([0, 10, 3, -100, 3, 5])


@pytest.fixture(autouse=True)
def small_ones_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_losses, "fewest", lambda at: 0)


def averaged(x: Tensor, target: Tensor):
    return F.cross_entropy(x * 2, target)


def summed(x: Tensor, target: Tensor):
    return F.cross_entropy(x * 2, target, reduction="sum")


def each(x: Tensor, target: Tensor):
    return F.cross_entropy(x * 2, target, reduction="none")


def three_ignored(x: Tensor, target: Tensor):
    return F.cross_entropy(x * 2, target.clamp(min=0), ignore_index=3)


def of_logarithms(x: Tensor, target: Tensor):
    return F.nll_loss(F.log_softmax(x + 1, dim=1), target)


def each_of_logarithms(x: Tensor, target: Tensor):
    return F.nll_loss(F.log_softmax(x + 1, -1), target, reduction="none") * 2


PROGRAMS = [averaged, summed, each, three_ignored, of_logarithms, each_of_logarithms]


def said_of_losses(script: Any, *arguments: Tensor) -> list[str]:
    """What became of the operators that are losses."""
    remarks = [each for each in script.remarks(*arguments) if "loss" in each.operator]
    return [remark.kind for remark in remarks if remark.kind != "analysis"]


@pytest.mark.one_in(22, over="dtype")
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_losses_and_gradients(program: Any, dtype: torch.dtype) -> None:
    script = minits.script(program)
    mine = X.clone().to(dtype).requires_grad_()
    theirs = X.clone().to(dtype).requires_grad_()
    assert said_of_losses(script, mine, TARGET) == ["passed"]
    found, wanted = script(mine, TARGET), program(theirs, TARGET)
    is_half = dtype in (torch.float16, torch.bfloat16)
    close = {"rtol": 2e-2, "atol": 2e-2} if is_half else {"rtol": 1e-5, "atol": 1e-5}
    torch.testing.assert_close(found, wanted, **close)
    found.sum().backward()
    wanted.sum().backward()
    torch.testing.assert_close(mine.grad, theirs.grad, **close)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("shape", [(1, 5), (4, 1), (3, 3000), (0, 4)])
def test_shapes(program: Any, shape: tuple[int, int]) -> None:
    x = torch.randn(shape)
    target = torch.arange(shape[0]) * 7 % shape[1]
    torch.testing.assert_close(
        minits.script(program)(x, target), program(x, target), equal_nan=True
    )


@pytest.mark.parametrize("special", [float("nan"), float("inf"), float("-inf")])
def test_special_values(special: float) -> None:
    x = X.clone()
    x[1, 10] = x[2, 4] = x[3, 0] = special
    torch.testing.assert_close(minits.script(each)(x, TARGET), each(x, TARGET), equal_nan=True)


def test_all_ignored() -> None:
    target = torch.full((6,), -100)
    for program in (averaged, summed):
        found = minits.script(program)(X, target)
        torch.testing.assert_close(found, program(X, target), equal_nan=True)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("wrong", [11, -101])
def test_what_is_no_class_raises(program: Any, wrong: int) -> None:
    script = minits.script(program)
    script(X, TARGET)
    target = TARGET.clone()
    target[2] = wrong
    if program is three_ignored and wrong < 0:
        return  # it is made 0
    with pytest.raises(IndexError):
        program(X, target)
    with pytest.raises(Exception, match="out of bounds"):
        script(X, target)


def test_a_batch_of_another_size_raises() -> None:
    script = minits.script(averaged)
    script(X, TARGET)
    for target in (TARGET[:1], TARGET[:5]):
        with pytest.raises((ValueError, RuntimeError), match="batch_size"):
            script(X, target)


# ---- Weights, smoothing, probabilities, images ---------------------------------------------------

OTHERS = {
    "classes": "F.cross_entropy(x * 2, t, w, {red}, smooth)",
    "ignoring": "F.cross_entropy(x * 2, t, w, ignore_index=3, {red}, smooth)",
    "probabilities": "F.cross_entropy(x * 2, torch.exp(t), w, {red}, smooth)",
    "looked up": "F.nll_loss(x * 2, t, w, ignore_index=3, {red})",
    "logarithms": "F.nll_loss(F.log_softmax(x * 2, 1), t, w, {red})",
}


def made(folder: Path, expression: str, reduction: str, smoothing: float) -> Any:
    """A program of scores, targets and weights."""
    called = expression.replace("{red}", f"reduction='{reduction}'")
    called = called.replace("smooth", f"label_smoothing={smoothing}")
    path = folder / "loss.py"
    path.write_text(
        "import torch\nimport torch.nn.functional as F\nfrom typing import Optional\n"
        "from torch import Tensor\n\n\n"
        f"def program(x: Tensor, t: Tensor, w: Optional[Tensor]):\n    return {called}\n"
    )
    return load(path).program


def given(name: str, shape: tuple[int, ...], dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
    """Scores, targets and weights; probabilities need not add up to one."""
    generator = torch.Generator().manual_seed(len(shape))
    x = torch.randn(shape, generator=generator).to(dtype)
    rows = shape[:1] + shape[2:]
    target = torch.randint(0, shape[1], rows, generator=generator)
    if name == "probabilities":
        target = torch.randn(shape, generator=generator).to(dtype)
    return x, target, torch.rand(shape[1], generator=generator).to(dtype)


KINDS = [
    (name, reduction, smoothing, is_weighted)
    for name, expression in OTHERS.items()
    for reduction in ("none", "mean", "sum")
    for smoothing in ((0.0, 0.1) if "smooth" in expression else (0.0,))
    for is_weighted in (False, True)
]
SAMPLES = [
    ((6, 11), torch.float32), ((5, 7, 3), torch.float32), ((2, 4, 3, 5), torch.bfloat16),
    ((1, 4, 2, 1), torch.float64), ((0, 4), torch.float32), ((3, 4), torch.float64),
    ((3, 1), torch.bfloat16), ((2, 4, 3, 5), torch.float32), ((6, 11), torch.bfloat16),
]  # fmt: skip


@pytest.mark.one_in(40)
@pytest.mark.parametrize("index", range(len(KINDS)))
def test_all_kinds(tmp_path: Path, index: int) -> None:
    name, reduction, smoothing, is_weighted = KINDS[index]
    shape, dtype = SAMPLES[index % len(SAMPLES)]
    program = made(tmp_path, OTHERS[name], reduction, smoothing)
    script = minits.script(program)
    x, target, weight = given(name, shape, dtype)
    arguments = (x, target, weight if is_weighted else None)
    assert "missed" not in said_of_losses(script, *arguments)
    compare(script, program, arguments)


def compare(script: Any, program: Any, arguments: tuple[Any, ...]) -> None:
    """Compare losses and their gradients; those of probabilities have gradients, too."""
    results = []
    for each in (script, program):
        x, target, weight = arguments
        x = x.clone().requires_grad_()
        is_float = target.is_floating_point()
        target = target.clone().requires_grad_(is_float)
        loss = each(x, target, weight)
        loss.sum().backward()
        results.append((loss, x.grad, target.grad))
    close = {"rtol": 4e-2, "atol": 4e-2} if results[0][0].dtype == torch.bfloat16 else {}
    torch.testing.assert_close(results[0], results[1], equal_nan=True, **close)


def test_one_row_alone(tmp_path: Path) -> None:
    program = made(tmp_path, OTHERS["classes"], "none", 0.1)
    script = minits.script(program)
    for target in (2, -100):
        compare(script, program, (X[0], torch.tensor(target), torch.rand(11)))
    assert said_of_losses(script, X[0], torch.tensor(2), None) == ["passed"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["classes", "looked up"])
def test_what_is_no_class_raises_in_images(tmp_path: Path, name: str) -> None:
    program = made(tmp_path, OTHERS[name], "mean", 0.0)
    x, target, weight = given(name, (2, 4, 3, 5), torch.float32)
    target[1, 2, 3] = 4
    for each in (program, minits.script(program)):
        with pytest.raises(Exception, match="out of bounds"):
            each(x, target, weight)


def test_strided_scores(tmp_path: Path) -> None:
    program = made(tmp_path, OTHERS["classes"], "mean", 0.1)
    x = torch.randn(2, 3, 5, 4).permute(0, 3, 1, 2)
    compare(minits.script(program), program, (x, torch.randint(0, 4, (2, 3, 5)), torch.rand(4)))


def test_weights_with_a_gradient_are_left_to_torch(tmp_path: Path) -> None:
    program = made(tmp_path, OTHERS["classes"], "mean", 0.1)
    x, target, weight = given("classes", (6, 11), torch.float32)
    weight.requires_grad_()
    assert "missed" in said_of_losses(minits.script(program), x, target, weight)


def of_nothing(
    shape: tuple[int, ...], name: str, is_ignored: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Scores, targets and weights of a shape with zeros; all targets are ignored or class 0."""
    x = torch.randn(shape)
    value = (3 if name in ("ignoring", "looked up") else -100) if is_ignored else 0
    target = torch.full(shape[:1] + shape[2:], value)
    return x, torch.randn(shape) if name == "probabilities" else target, torch.rand(shape[1])


EMPTY = [shape for rank in (2, 3) for shape in itertools.product((0, 2), repeat=rank) if 0 in shape]


def outcome(program: Any, arguments: tuple[Any, ...]) -> Any:
    """Return the loss and its gradients, or the kind of exception."""
    x, target, weight = arguments
    x = x.clone().requires_grad_()
    target = target.clone().requires_grad_(target.is_floating_point())
    try:
        loss = program(x, target, weight)
    except (IndexError, RuntimeError, ValueError):
        return "raises"
    loss.sum().backward()
    return loss.detach(), x.grad, target.grad


@pytest.mark.one_in(30)
@pytest.mark.parametrize("index", range(len(KINDS)))
def test_losses_of_nothing(tmp_path: Path, index: int) -> None:
    """A plan is for any sizes, whichever it was made for: before and after some with elements."""
    name, reduction, smoothing, is_weighted = KINDS[index]
    program = made(tmp_path, OTHERS[name], reduction, smoothing)
    for is_first_empty, is_ignored in ((True, False), (False, True)):
        script = minits.script(program)
        for rank in (2, 3):
            full = given(name, (2, 5, 2, 2)[:rank], torch.float32)
            shapes = [of_nothing(s, name, is_ignored) for s in EMPTY if len(s) == rank]
            for arguments in [*shapes, full, *shapes] if is_first_empty else [full, *shapes]:
                x, target, weight = arguments
                given_weight = (x, target, weight if is_weighted else None)
                expected, found = outcome(program, given_weight), outcome(script, given_weight)
                if expected == "raises" or found == "raises":
                    assert expected == found, (x.shape, expected, found)
                    continue
                torch.testing.assert_close(found, expected, equal_nan=True)


# ---- What is left to torch -----------------------------------------------------------------------


def of_probabilities(x: Tensor, target: Tensor):
    return F.cross_entropy(x, target), F.cross_entropy(x, target, label_smoothing=0.5)


def test_a_mean_over_no_classes_is_not_a_number() -> None:
    """A plan is for any number of rows and classes, whichever it was made for."""
    script = minits.script(of_probabilities)
    for shape in ((2, 3), (2, 3), (2, 0), (0, 3), (0, 0), (4, 5), (3,), (0,)):
        given = torch.rand(shape), torch.rand(shape)
        found, wanted = script(*given), of_probabilities(*given)
        torch.testing.assert_close(found, wanted, equal_nan=True)


def of_inputs_that_are_logarithms(x: Tensor, target: Tensor):
    return F.nll_loss(x, target)


def of_logarithms_written_to(x: Tensor, target: Tensor):
    z = F.log_softmax(x, 1)
    x.mul_(2)
    return F.nll_loss(z, target)


@pytest.mark.parametrize("program", [of_inputs_that_are_logarithms, of_logarithms_written_to])
def test_others_are_left_to_torch(program: Any) -> None:
    script = minits.script(program)
    torch.testing.assert_close(script(X.clone(), TARGET), program(X.clone(), TARGET))
    assert said_of_losses(script, X, TARGET)[0] == "missed"


def test_small_means_are_left_to_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_losses, "fewest", lambda at: 67)
    script = minits.script(averaged)
    (remark,) = [each for each in script.remarks(X, TARGET) if "loss" in each.operator]
    assert (remark.kind, remark.code) == ("missed", "too-small")
    assert "of fewer than 67 elements is faster in torch" in remark.message
    assert said_of_losses(minits.script(each), X, TARGET) == ["passed"]


def test_many_classes_that_lie_apart_are_left_to_torch(tmp_path: Path) -> None:
    program = made(tmp_path, OTHERS["classes"], "none", 0.0)
    x, target, _ = given("classes", (2, 33, 3), torch.float32)
    script = minits.script(program)
    (remark,) = [each for each in script.remarks(x, target, None) if "loss" in each.operator]
    assert (remark.kind, remark.code) == ("missed", "shape")
    torch.testing.assert_close(script(x, target, None), program(x, target, None))


def test_what_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    x, target, _ = given("classes", (8, 8200), torch.float32)
    assert said_of_losses(minits.script(averaged), x, target) == ["passed"]
    assert said_of_losses(minits.script(averaged), x[:7], target[:7]) == ["missed"]
