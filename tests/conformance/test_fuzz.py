"""Random programs that fuse: all ways to run them agree. `python -m conformance fuzz` runs more."""

from __future__ import annotations

import pytest
import torch

import minits
from conformance.fuzz import check as fuzz_check
from conformance.fuzz.cases import CASES, GRADIENTS, ROUNDED_GRADIENTS
from conformance.fuzz.check import Counts, Disagreement, check
from conformance.fuzz.gradients import check_gradients
from conformance.fuzz.programs import Program, random_program
from conformance.fuzz.search import CHEAP_FLAGS, check_program, drawn
from minits.kernels.cpu import c_math
from minits.kernels.lowering import normalization
from tests.support.needs import need_compiler

need_compiler()


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.one_in(20)
@pytest.mark.parametrize("name", CASES)
def test_what_once_disagreed(name):
    check(CASES[name], Counts())


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ROUNDED_GRADIENTS)
def test_gradient_that_eager_rounds(name):
    check_gradients(ROUNDED_GRADIENTS[name], Counts())


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient_that_was_wrong(name):
    program = GRADIENTS[name]
    compiled = minits.script(program.function())
    found, wanted = (
        [_gradient(run, program.arguments, number) for number in range(len(program.arguments))]
        for run in (compiled, program.function())
    )
    torch.testing.assert_close(found, wanted, rtol=1e-14, atol=0, equal_nan=True)


def _gradient(run, arguments, number):
    leaf = arguments[number].clone().requires_grad_()
    given = [leaf if index == number else value for index, value in enumerate(arguments)]
    return torch.autograd.grad(run(*given)[0].sum(), leaf)[0]


@pytest.mark.slow
@pytest.mark.parametrize("begin", range(0, 200, 25))
def test_random_programs(begin, monkeypatch):
    monkeypatch.setenv("MINITS_CFLAGS", CHEAP_FLAGS if begin else "")
    total, failures = Counts(), []
    for _, program in drawn(20261121, begin, 25, lambda random: random_program(random, False)):
        counts, failure = check_program(program, gradients=False)
        total = total + counts
        failures += [failure] if failure else []
    assert not failures, "\n\n".join(failures)
    assert total.programs == 25 and total.kernels >= 10


@pytest.mark.slow
@pytest.mark.parametrize("begin", range(0, 60, 20))
def test_random_gradients(begin, monkeypatch):
    monkeypatch.setenv("MINITS_CFLAGS", CHEAP_FLAGS)
    programs = [
        program
        for _, program in drawn(20261122, begin, 20, lambda random: random_program(random, True))
    ]
    assert len(programs) == 20
    failures = [check_program(program, gradients=True)[1] for program in programs]
    assert not any(failures), "\n\n".join(filter(None, failures))


# ---- The search finds what is wrong ------------------------------------------------------------


def test_a_wrong_kernel_is_found(monkeypatch):
    """One element that is off by a few thousandths."""
    text = "def program(a: Tensor) -> Tuple[Tensor]:\n    v0 = torch.exp(a) + a\n    return (v0,)\n"
    recorded = fuzz_check._recorded

    def wrong(*arguments):
        calls = recorded(*arguments)
        calls[0][2][0][3] *= 1.003
        return calls

    monkeypatch.setattr(fuzz_check, "_recorded", wrong)
    with pytest.raises(Disagreement, match="the kernel, result 0: 1 of 8 elements"):
        check(Program(text, [torch.linspace(0, 1, 8)]), Counts())


PLANTED = {
    "an error of one part in 100,000": (
        "mts_tanh_f32", "t : far, x);", "t : far, x) * 1.00001f;", "torch.tanh(a)", 3.0
    ),
    "a term that is missing": (
        "mts_tanh_near_zero_f32", "0x1.54bfa0p-6f", "0.0f", "torch.tanh(a)", 0.6
    ),
    "a wrong coefficient": (
        "mts_i1e_for_f32", "-0x1.f4bb055f", "-0x1.f4cb055f", "torch.special.i1(a)", 7.9
    ),
    "a factor that is off by one part in 10,000": (
        "mts_erfcx_for_f32", "mts_erfcx_near(a)", "1.0001 * mts_erfcx_near(a)",
        "torch.special.erfcx(a)", 3.0,
    ),
}  # fmt: skip
"""Faults by what is wrong: in which function of C which text is replaced by which other one, an
expression that needs it, and the largest number that it is computed of.
"""


@pytest.mark.parametrize("what", PLANTED)
def test_a_fault_in_a_function_of_c_is_found(what, monkeypatch, tmp_path):
    name, right, wrong, expression, largest = PLANTED[what]
    functions = c_math._functions()
    text = functions[name].replace(right, wrong)
    assert text != functions[name]
    monkeypatch.setattr(c_math, "_functions", lambda: {**functions, name: text})
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path))
    with pytest.raises(Disagreement, match="the compiled program"):
        check(_one_operator(expression, largest), Counts())


def _one_operator(expression, largest):
    head = "def program(a: Tensor) -> Tuple[Tensor]:"
    text = f"{head}\n    v0 = {expression} * 0.5\n    return (v0,)\n"
    return Program(text, [torch.linspace(-largest, largest, 500)])


def test_an_eps_that_is_added_twice_is_found(monkeypatch):
    def standardized(at, value):
        eps = at.number("eps", value.dtype)
        spread = at.apply("add", at.apply("add", normalization.variance(at, value), eps), eps)
        scale = at.apply("rsqrt", spread)
        return at.apply("mul", normalization.centred(at, value), scale), scale

    monkeypatch.setattr(normalization, "_standardized", standardized)
    with pytest.raises(Disagreement, match="the compiled program"):
        check(_one_operator("F.layer_norm(a.view(5, 100), [100])", 0.5), Counts())


def test_programs_are_different_ones():
    """Those that begin a chunk, too."""
    programs = [p for begin in range(0, 400, 100) for _, p in drawn(5, begin, 30, random_program)]
    assert len({str(program) for program in programs}) == len(programs)


def test_a_program_is_drawn_again_by_its_number():
    ((_, alone),) = drawn(5, 127, 1, random_program)
    assert str(alone) == [str(program) for _, program in drawn(5, 100, 30, random_program)][27]
