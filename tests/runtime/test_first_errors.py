"""The error of a call is the one that comes first in the program, whatever runs in kernels."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from minits.ir.running_again import may_run_again


def picked_first(x: Tensor, i: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    picked = x.gather(1, i)
    zeros = torch.zeros_like(x)
    zeros.scatter_(1, i, 5.0)
    return picked, zeros, torch.take(x, i)


def scattered_first(x: Tensor, i: Tensor) -> tuple[Tensor, Tensor]:
    zeros = torch.zeros_like(x).scatter(1, i, 5.0)
    return x.gather(1, i) * 2.0 + 1.0, zeros


def between(x: Tensor, i: Tensor) -> Tensor:
    y = torch.sin(x) * 2.0
    z = torch.mm(x, x.t()).index_select(0, i[1])
    return torch.take(y, i) + z.sum()


def classes(x: Tensor, i: Tensor) -> Tensor:
    log = torch.log_softmax(x, 1)
    weighted = F.cross_entropy(x, i[:, 0], torch.ones(3), label_smoothing=0.1)
    return weighted + F.nll_loss(log, i[:, 0], reduction="none")


def raised_after(x: Tensor, i: Tensor) -> Tensor:
    picked = x.gather(1, i)
    if int(i.max()) > 2:
        raise ValueError("too large")
    return picked * 2.0


def warned(x: Tensor, i: Tensor) -> Tensor:
    warnings.warn("a remark")
    picked = x.gather(1, i)
    return torch.zeros_like(x).scatter(1, i, 5.0) + picked


PROGRAMS = [picked_first, scattered_first, between, classes, raised_after, warned]
RIGHT = torch.tensor([[0, 1, 2], [2, 1, 0], [1, 1, 1]])
WRONG = torch.tensor([[0, 1, 2], [2, 7, 0], [7, 1, 1]])


def error_of(function: Callable[..., Any], *arguments: Any) -> tuple[type[Exception], str]:
    """Return the class and the last line of what a call raises."""
    with pytest.raises(Exception) as caught, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function(*arguments)
    return type(caught.value), str(caught.value)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_first_error_is_raised_at_its_line(program: Callable[..., Any]) -> None:
    x = torch.arange(9.0).view(3, 3)
    eager, message = error_of(program, x, WRONG)
    script = minits.script(program)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3):
            script(x, RIGHT)
    for _ in range(3):
        found, text = error_of(script, x, WRONG)
        assert issubclass(found, eager)
        assert text.endswith(message)
        assert place_of(text) == place_of(error_of(torch.jit.script(program), x, WRONG)[1])


def place_of(text: str) -> Sequence[str]:
    """Return the lines of a message that say where in this file something was raised."""
    return [line.strip() for line in text.splitlines() if __file__ in line]


def drawn(x: Tensor, i: Tensor) -> Tensor:
    return torch.rand_like(x).gather(1, i) * 2.0


def written(x: Tensor, i: Tensor) -> Tensor:
    x.add_(1.0)
    return x.gather(1, i) * 2.0


@pytest.mark.parametrize("program", [drawn, written])
def test_what_others_could_see_does_not_run_again(program: Callable[..., Any]) -> None:
    script = minits.script(program)
    assert not may_run_again(script.inlined_graph)
    x = torch.zeros(3, 3)
    for _ in range(2):
        script(x, RIGHT)
    before, state = x.clone(), torch.get_rng_state()
    error_of(script, x, WRONG)
    torch.testing.assert_close(x, before + 1.0 if program is written else before)
    after = torch.get_rng_state()
    torch.set_rng_state(state)
    if program is drawn:
        torch.rand_like(x)
    assert torch.equal(torch.get_rng_state(), after)


def written_before(x: Tensor, i: Tensor) -> Tensor:
    y = x / 2.0
    x.add_(1.0)
    return y.gather(1, i) * 3.0


def written_behind(x: Tensor, i: Tensor) -> Tensor:
    y = torch.sin(i * 1.0).gather(1, i)
    x.add_(1.0)
    return y * 3.0


@pytest.mark.parametrize(("program", "more"), [(written_before, 1.0), (written_behind, 0.0)])
def test_what_was_written_when_it_raises(program: Callable[..., Any], more: float) -> None:
    script = minits.script(program)
    for _ in range(3):
        script(torch.zeros(3, 3), RIGHT)
    for run in (program, script, script):
        x = torch.zeros(3, 3)
        error_of(run, x, WRONG)
        torch.testing.assert_close(x, torch.full((3, 3), more))


def refused_before_a_write(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """The kernel stands where its last operator does; the slice of a number reads its result."""
    a = torch.zeros_like(y) + 0.5
    b = torch.cumsum(a, -1).cos()[..., :1]
    x.add_(1.0)
    return b, a + 0.5


def test_what_was_written_when_a_number_is_sliced() -> None:
    script = minits.script(refused_before_a_write)
    for _ in range(2):
        x = torch.zeros(3)
        error_of(script, x, torch.zeros(()))
        assert x._version == 0


def empty_after_a_write(x: Tensor, y: Tensor) -> Tensor:
    z = x / (y.abs() + 1.0)
    x.mul_(2.0)
    return z.amax([0, 1], keepdim=True)


def test_what_was_written_when_there_is_nothing() -> None:
    script = minits.script(empty_after_a_write)
    for rows in (4, 4, 0, 0):
        x = torch.ones(rows, 3)
        if rows:
            script(x, torch.ones(3))
        else:
            error_of(script, x, torch.ones(3))
        assert x._version == 1


def test_what_may_run_again() -> None:
    assert all(may_run_again(minits.script(program).inlined_graph) for program in PROGRAMS)
