"""Histories of calls: random ones, those that were wrong once, and that the search finds faults."""

from __future__ import annotations

import re
import threading
import warnings
from random import Random

import pytest
import torch

from conformance.fuzz.calls import history as steps
from conformance.fuzz.calls.check import check
from conformance.fuzz.calls.drawn import random_history
from conformance.fuzz.calls.history import Call, Change, History, Threads
from conformance.fuzz.calls.kept import KEPT
from conformance.fuzz.calls.program import Program
from conformance.fuzz.calls.samples import FUNCTIONS
from conformance.fuzz.calls.search import check_histories, check_history, fault_of, history_of
from conformance.fuzz.calls.seen import warned
from conformance.fuzz.calls.shrink import shrink, unused
from conformance.fuzz.calls.states import STATES
from conformance.fuzz.calls.tensors import KINDS, LAYOUTS, T
from conformance.fuzz.calls.transforms import TRANSFORMS
from conformance.fuzz.search import CHEAP_FLAGS
from minits import fork
from tests.support.needs import need_compiler

need_compiler()

pytestmark = pytest.mark.filterwarnings("ignore")

SINE = "def program(a: Tensor) -> Tensor:\n    return a.sin() * 2\n"


@pytest.fixture(autouse=True)
def as_in_the_search():
    threads, warns = torch.get_num_threads(), torch.is_warn_always_enabled()
    torch.set_num_threads(1)
    torch.set_warn_always(True)
    yield
    torch.set_num_threads(threads)
    torch.set_warn_always(warns)


def call(*shape: int, **others: object) -> Call:
    return Call((("a", T(shape)),), 1, **others)


@pytest.mark.one_in(16)
@pytest.mark.parametrize("name", KEPT)
def test_history_that_was_wrong(name):
    history = KEPT[name]
    fault = check(history, frozenset(range(len(history.steps))))
    assert fault is None, f"{fault}\n{history.script()}"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("begin", range(0, 60, 15))
def test_random_histories(begin, monkeypatch):
    monkeypatch.setenv("MINITS_CFLAGS", CHEAP_FLAGS)
    told = [check_history(number, history_of(20261122, number), []) for number in _some(begin)]
    failures = [text for _, found in told for text in found]
    assert not failures, "\n\n".join(failures)
    assert sum(counts.calls for counts, _ in told) > 30


def _some(begin: int) -> range:
    return range(begin, begin + 15)


def test_the_same_seed_gives_the_same_histories():
    made = [history_of(3, number) for number in range(40)]
    assert made == [history_of(3, number) for number in range(40)]
    assert made != [history_of(4, number) for number in range(40)]


def test_the_text_of_a_history_makes_it_again():
    namespace = {**vars(steps), "T": T}
    for number in range(200):
        history = history_of(5, number)
        assert eval(repr(history), namespace) == history
        compile(history.script(), "<script>", "exec")


def test_drawn_histories_have_all_kinds_of_steps():
    text = "".join(repr(history_of(6, number)) for number in range(600))
    kinds = (
        "Threads",
        "Backward",
        "Change",
        "Write",
        "Again",
        "Result",
        "Same",
        "bound=1",
        "deepcopy",
    )
    for word in (*kinds, *STATES, *TRANSFORMS, *LAYOUTS, *KINDS):
        assert word in text, word


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "jagged"])  # imports sympy
def test_odd_tensors_are_made(kind):
    made, plain = T((2, 3), kind=kind).make(), T((2, 3)).make()
    assert type(made) is not type(plain) or repr(made) != repr(plain) or made.is_inference()


MULTIPLIED = "def program(a: Tensor, b: Tensor) -> Tensor:\n    return (a * b).sin() + 1\n"
FORKED = MULTIPLIED.replace("(a * b)", "torch.jit.wait(torch.jit.fork(gated, b, a))")


@pytest.mark.parametrize("kind", ["", *(kind for kind in KINDS if kind != "jagged")])
@pytest.mark.parametrize("program", [MULTIPLIED, FORKED], ids=["called", "forked"])
def test_odd_tensors_in_transforms(program, kind):
    """The first call runs the program as it was written, the second one is planned."""
    for transform in ("", *TRANSFORMS):
        step = Call((("a", T(kind=kind)), ("b", T())), 2, transform=transform)
        fault = check(History(program, (step, step, step), build="again"))
        assert fault is None, f"{transform}: {fault}"


def test_a_task_that_fails_is_found(monkeypatch):
    """Eager's own failure to name the type of a task's result excuses no other one."""
    raising = Program(FORKED.replace("+ 1", "+ torch.ones(7)")).make()
    monkeypatch.setattr(Program, "compiled", lambda self, made: raising)
    history = History(FORKED, (Call((("a", T()), ("b", T())), 2),))
    assert check(history).aspect == "raises"


PART = """\
def program(a: Tensor, b: Tensor) -> Tensor:
    a[0, -1] = a[0, 0] * 3
    return a.add_(b)
"""
SPARSE = [(T((2, 3), kind="csr"), T((2, 3))), (T((2, 3), kind="sparse"),) * 2]


@pytest.mark.parametrize(("a", "b"), SPARSE)
def test_parts_of_a_sparse_tensor_may_be_written_to_though_python_refuses(a, b, monkeypatch):
    """A copy is written to, which counts as one change of the tensor; two are one too many."""
    history = History(PART, (Call((("a", a), ("b", b)), 2),))
    assert check(history) is None
    twice = Program(PART.replace("] = a[0, 0] * 3", "].copy_(a[0, 0]).mul_(3)")).make()
    monkeypatch.setattr(Program, "compiled", lambda self, made: twice)
    assert check(history) is not None


# ---- The search finds what is wrong ------------------------------------------------------------


def test_a_call_that_remembers_the_one_before_is_found(monkeypatch):
    """The third call returns what the second one did."""
    compiled = Program.compiled

    def forgetful(self, made):
        function, results = compiled(self, made), []

        def call(a):
            results.append(function(a))
            return results[1 if len(results) == 3 else -1]

        return call

    monkeypatch.setattr(Program, "compiled", forgetful)
    history = History(SINE, (call(2), call(3), call(4), call(5)))
    fault = check(history)
    assert (fault.kind, fault.aspect, fault.step) == ("history", "shape", 2)
    kind = fault.signature
    short = shrink(history, lambda other: fault_of(other, frozenset())[0] == kind)
    assert len(short.steps) == 3


def test_what_is_wrong_in_any_call_is_told_apart(monkeypatch):
    monkeypatch.setattr(Program, "compiled", lambda self, made: lambda a: made(a) + 1)
    fault = check(History(SINE, (call(2),)))
    assert (fault.kind, fault.aspect) == ("call", "values")


@pytest.mark.parametrize(
    ("wrong", "aspect"),
    [
        (lambda a: torch.sin(a) * 2 + 0.001, "values"),
        (lambda a: (torch.sin(a) * 2).double(), "dtype"),
        (lambda a: (torch.sin(a) * 2).t().contiguous().t(), "strides"),
        (lambda a: (torch.sin(a) * 2).requires_grad_(), "requires_grad"),
        (lambda a: a.mul_(2) and None, "raises"),
        (lambda a: a.copy_(torch.sin(a) * 2), "aliasing"),
        (lambda a: torch._neg_view(torch.sin(a) * -2), "bits"),
    ],
)
def test_each_aspect_is_compared(monkeypatch, wrong, aspect):
    monkeypatch.setattr(Program, "compiled", lambda self, made: wrong)
    fault = check(History(SINE, (call(2, 3),)))
    assert fault is not None and fault.aspect == aspect


TWICE = {"backward": "twice"}
CUBE = "def program(a: Tensor) -> Tensor:\n    return a * a * a\n"
FILLED = (
    "def program(a: Tensor) -> Tensor:\n    v = a * 2\n    v[..., :1] = 3\n    return v.cos()\n"
)


def test_gradients_of_gradients_may_be_zero_where_eager_sees_that_there_are_none():
    assert check(History(FILLED, (Call((("a", T((3, 1), grad=True)),), 1, **TWICE),))) is None


def _bent(a: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
    """Zeros, whose gradients are zero; theirs are not."""
    return by * (a - a.detach()) ** 2


def _line(a: torch.Tensor) -> torch.Tensor:
    """The cubes, with the right gradients; these have none."""
    d = a.detach()
    return d * d * d + 3 * d * d * (a - d)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (CUBE, _line),
        (CUBE, lambda a: a * a * a + _bent(a, a.detach())),
        (FILLED, lambda a: (a * 0 + 3).cos() + _bent(a, torch.ones(()))),
    ],
)
def test_gradients_of_gradients_are_compared(monkeypatch, text, wrong):
    monkeypatch.setattr(Program, "compiled", lambda self, made: wrong)
    fault = check(History(text, (Call((("a", T((3, 1), grad=True)),), 1, **TWICE),)))
    assert fault is not None and "gradient" in fault.aspect


EXPONENT = "def program(a: Tensor) -> Tensor:\n    return (a * 2).exp()\n"


@pytest.mark.parametrize("how", ["twice, result", "twice, argument"])
@pytest.mark.parametrize("text", [EXPONENT, CUBE])
def test_changes_between_gradients_are_compared(monkeypatch, text, how):
    """Of one program the result is saved, of the other the argument."""
    history = History(text, (Call((("a", T((3, 1), grad=True)),), 1, backward=how),))
    assert check(history) is None
    wrong = (lambda a: a.clone() ** 3) if text is CUBE else (lambda a: (a * 2).exp() * 1)
    right = (how == "twice, result") == (text is CUBE)
    monkeypatch.setattr(Program, "compiled", lambda self, made: wrong)
    fault = check(history)
    assert (fault is None) == right
    assert right or fault.aspect == "gradients raise"


def test_a_call_that_raises_leaves_no_task_that_warns_during_the_next():
    may_warn, has_warned = threading.Event(), threading.Event()

    def warns():
        may_warn.wait(0.3)
        warnings.warn("late", stacklevel=1)
        has_warned.set()

    def raises():
        fork(warns)
        raise ValueError

    def waits():
        may_warn.set()
        return has_warned.wait(10)

    with pytest.raises(ValueError, match=""):
        warned(raises)
    assert warned(waits) == (True, [])


def test_a_race_is_found(monkeypatch):
    """Two threads that pass a value through one place, as a careless cache would."""
    text = (
        "def compiled(a):\n"
        "    shared['value'] = a\n"
        "    taken = shared['value']\n"
        "    return taken.sin() * 2\n"
    )
    namespace = {"shared": {}}
    exec(compile(text, "<careless>", "exec"), namespace)
    monkeypatch.setattr(Program, "compiled", lambda self, made: namespace["compiled"])
    threads = ((call(2), call(3), call(4)), (call(5), call(6), call(7)))
    faults = [check(History(SINE, (Threads(threads, seed),))) for seed in range(30)]
    assert any(fault and fault.aspect == "shape" for fault in faults)
    again = [check(History(SINE, (Threads(threads, seed),))) for seed in range(30)]
    assert [str(fault) for fault in again] == [str(fault) for fault in faults]


@pytest.mark.slow
def test_a_crash_is_a_finding(tmp_path, monkeypatch):
    """The process that dies tells nothing; the others of its histories are checked nevertheless."""
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path))
    abort = Change("__import__('os').abort()")
    histories = [History(SINE, (call(2), abort, call(3))), History(SINE, (call(2),))]
    told = list(check_histories(list(enumerate(histories)), jobs=1))
    assert [counts.crashes for counts, _ in told] == [1, 0]
    text = told[0][1][0]
    assert "the process died: exit code -6" in text and text.count("\n    Change") == 1
    assert "Call(" not in text and told[1][1] == []


WRITTEN_LAST = "def program(a: Tensor) -> Tensor:\n    v0 = a * 2\n    v1 = v0.sin()\n{}"


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        ("    return v1\n", []),
        ("    v0[..., 1:].mul_(2)\n    return v1\n", ["v0"]),
        ("    v0[..., :1] = 2\n    return v1\n", ["v0"]),
        ("    v0.add_(v1)\n    return v1 + v0\n", []),
        ("    return v0\n", ["v1"]),
    ],
)
def test_what_is_written_and_not_read_again_is_not_used(lines, names):
    """Compilers leave it out, with what it would have raised; so programs return it."""
    assert unused(WRITTEN_LAST.format(lines)) == names


def test_threads_share_no_module_that_writes_to_its_parameters():
    text = (
        "class Program(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.weight = nn.Parameter(torch.tensor([0.5, -1.0, 2.0]))\n\n"
        "    def forward(self, a: Tensor) -> Tensor:\n"
        "        v = self.weight[1:]\n"
        "{}"
        "        return v * 2\n"
    )
    write = "        v[..., 1:].mul_(-1.5)\n"
    drawn = {
        lines: "".join(repr(random_history(Random(n), text.format(lines))) for n in range(200))
        for lines in ("", write)
    }
    assert "Threads" in drawn[""] and "Threads" not in drawn[write]


def test_drawing_needs_no_more_than_a_program():
    for number, text in enumerate(FUNCTIONS):
        history = random_history(Random(number), text)
        assert history.program == text and re.search("Call|Threads", repr(history))
