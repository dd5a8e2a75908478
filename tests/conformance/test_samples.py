"""The sweeps of operators and modules: they find what is wrong, and a few entries are right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from conformance.case import Call
from conformance.minits_implementation import Minits
from conformance.pool import Ended
from conformance.samples import modules, operators, schemas
from conformance.samples.check import Check, Counts
from conformance.samples.crashes import CRASHES
from conformance.samples.outcome import observe
from conformance.samples.program import Arguments, Program, of_text
from conformance.samples.sweep import Task, names_of, outcome_of, sweep, tasks_of

pytestmark = pytest.mark.filterwarnings("ignore")  # what the operators warn of
SCHEMAS = (
    "bernoulli", "_grad_sum_to_size", "rsub", "AutogradAll", "awaitable_nowait", "randint",
    "clamp_min", "_assert_async", "ne.Scalar_out", "eq.Tensor_out",
)  # fmt: skip


class Wrong(Minits):
    """Returns something else than it should."""

    def __init__(self, change: Any) -> None:
        self.change = change

    def call(self, compiled: Any, call: Call) -> Any:
        return self.change(super().call(compiled, call), call)

    def ways(self, compiled: Any) -> Any:
        return ()


def checked(programs: list[Program], by: Any = None) -> tuple[Counts, list[str]]:
    counts, faults = Counts(), []
    for program in programs:
        check = Check(program, by or Minits())
        check.run()
        counts, faults = counts + check.counts, faults + check.faults
    return counts, faults


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", SCHEMAS)
def test_a_registered_operator_is_torchs(name: str) -> None:
    found = [text for text in schemas.names() if text.partition("(")[0].endswith(f"::{name}")]
    found = found or [text for text in schemas.names() if f"::{name}" in text][:4]
    counts, faults = checked([made for text in found for made in schemas.programs(text, 1, 3)])
    assert faults == []
    assert counts.outcomes + counts.faulty > 0


def test_programs_are_made_of_every_schema_that_has_values() -> None:
    made = {name: schemas.programs(name, 0, 1) for name in schemas.names()}
    assert len([name for name, programs in made.items() if programs]) > 0.9 * len(made)
    assert all(len(made[name]) for name in made if name.startswith("aten::has_torch_function("))


def test_a_schema_is_called_in_each_spelling() -> None:
    (text,) = [name for name in schemas.names() if name.startswith("aten::sinc(")]
    calls = [each.text.partition("return ")[2].strip() for each in schemas.programs(text, 0, 1)]
    assert calls == ["torch.ops.aten.sinc(a)", "torch.sinc(a)", "a.sinc()"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", ["addcmul", "max.reduction_with_dim", "special.zeta", "__rpow__"])
def test_an_entry_of_the_database_is_torchs(name: str) -> None:
    counts, faults = checked(operators.programs(name, 0, 1))
    assert faults == []
    assert counts.equal_outcomes == counts.outcomes > 20
    assert counts.equal_graphs == counts.graphs > 1


def test_the_database_is_called_in_each_spelling() -> None:
    ways = {each.name.partition(", ")[2] for each in operators.programs("abs", 0, 1)}
    assert ways == {"function", "method", "in place", "out", "overload"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nn.BatchNorm1d", "nn.GRUCell", "loss test_nn_MSELoss"])
def test_a_module_is_torchs(name: str) -> None:
    # In a process of its own, as the names of classes count those that the process had before.
    name = next(each for each in modules.names() if each.startswith(name))
    (found,) = list(sweep(tasks_of("modules", [name], seed=0, most=1), 1))
    assert found.faults == ()
    assert found.counts.equal_graphs == found.counts.graphs > 0


ADD = "def program(a: Tensor, b: Tensor):\n    return torch.add(a, b)\n"
WRONG = {
    "value": (lambda result, call: result + 1, "result: "),
    "dtype": (lambda result, call: result.double(), "torch.float64"),
    "strides": (lambda result, call: result.t().contiguous().t(), "'stride': (1, 2)"),
    "memory": (lambda result, call: call.args[0].add_(call.args[1]), "shared memory"),
    "mutation": (lambda result, call: (result, call.args[1].zero_())[0], "versions"),
    "gradients": (lambda result, call: result.detach(), "'requires_grad': False"),
    "type": (lambda result, call: [result], "('list', 'Tensor')"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_found(what: str) -> None:
    change, told = WRONG[what]
    program = of_text("add", ADD, [(torch.ones(2, 2), torch.full((2, 2), 3.0))])
    counts, faults = checked([program], Wrong(change))
    assert counts.equal_outcomes < counts.outcomes
    assert any(told in fault for fault in faults), faults


def test_another_gradient_is_found() -> None:
    def scaled(result: torch.Tensor, call: Call) -> torch.Tensor:
        return result + (call.args[0] - call.args[0].detach())

    program = of_text("add", ADD, [(torch.ones(2, 2), torch.ones(2, 2))])
    _, faults = checked([program], Wrong(scaled))
    assert faults
    assert all("with gradients" in fault and "gradient[0]" in fault for fault in faults)


def test_a_missing_error_is_found() -> None:
    text = "def program(a: Tensor):\n    return a.reshape([5])\n"

    class Silent(Minits):
        def call(self, compiled: Any, call: Call) -> Any:
            return call.args[0]

    _, faults = checked([of_text("reshape", text, [(torch.ones(2),)])], Silent())
    assert any("nothing raised, torch.jit: RuntimeError" in fault for fault in faults)


def test_an_error_that_torch_leaves_out_where_it_optimises_is_not_asked_for() -> None:
    """Nobody needs the norm, which raises for a tensor of bools in an order that is a number."""
    text = "def program(a: Tensor, p: float):\n    torch.norm(a, p, dtype=6)\n    return 0\n"
    program = of_text("norm", text, [(torch.ones(2, dtype=torch.bool), 3.0)])
    counts, faults = checked([program])
    assert faults == []
    assert counts.equal_outcomes == counts.outcomes > 1


NORMALIZE = """def program(a: Tensor):
    return torch.nn.functional.normalize(a, p=0.5, dim=0)
"""


def test_gradients_of_halves_may_differ_by_what_cancels() -> None:
    """That of x / norm(x) is zero here; bfloat16 leaves a few units of the terms it consists of."""
    values = torch.linspace(-0.94, 0.94, 40).reshape(1, 5, 8).to(torch.bfloat16)
    counts, faults = checked([of_text("normalize", NORMALIZE, [(values,)])])
    assert faults == []
    assert counts.equal_outcomes == counts.outcomes > 1


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_what_is_left_of_gradients_has_a_size(dtype: torch.dtype) -> None:
    def scaled(result: torch.Tensor, call: Call) -> torch.Tensor:
        return result + (call.args[0] - call.args[0].detach())

    values = torch.linspace(-0.94, 0.94, 40).reshape(1, 5, 8).to(dtype)
    _, faults = checked([of_text("normalize", NORMALIZE, [(values,)])], Wrong(scaled))
    assert faults
    assert all("gradient[0]" in fault for fault in faults)


def test_another_graph_is_found() -> None:
    class Other(Minits):
        def compile(self, program: Any) -> Any:
            return super().compile(of_text("", ADD.replace("add", "sub"), []).make())

    counts, faults = checked([of_text("add", ADD, [])], Other())
    assert (counts.graphs, counts.equal_graphs) == (1, 0)
    assert "aten::sub" in faults[0]


def test_arguments_are_copied_with_what_they_share() -> None:
    base = torch.arange(12.0).reshape(3, 4)
    seen: list[torch.Tensor] = []
    outcome = observe(lambda *given: seen.extend(given), Arguments((base.t(), base[1:], base)), 0)
    assert [each.stride() for each in seen] == [(1, 4), (4, 1), (4, 1)]
    assert outcome.facts["argument[1]"]["offset"] == 4
    assert not any(each.data_ptr() == base.data_ptr() for each in seen)


def test_what_is_drawn_is_told_by_the_seed() -> None:
    (text,) = [name for name in schemas.names() if name.startswith("aten::add.Tensor(")]
    made = [str(schemas.programs(text, seed, 1)[0]) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]
    drawn = [names_of("database", sample=5, seed=seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[0]) == 5


def test_after_a_lost_program_the_next_are_checked() -> None:
    task = Task("schemas", ("a", "b"), 0, 1)
    done = ("done", Counts(1, 1, 1), [])
    sent = [("begin", 0, "p"), ("who", "torch.jit"), done, ("begin", 1, "q"), ("who", "other")]
    checked, rest = outcome_of(Ended(task, sent, "the process died"))
    assert checked.faults == ("the process died\nq",)
    assert [each.skip for each in rest] == [2]
    checked, rest = outcome_of(Ended(task, [], "it died"))
    assert [each.entries for each in rest] == [("a",), ("b",)]


@pytest.mark.parametrize(("name", "is_told"), [("aten::_stack.out(", False), ("aten::stk(", True)])
def test_what_torch_does_not_survive_is_told_unless_it_is_known(name: str, is_told: bool) -> None:
    task = Task("schemas", (name,), 0, 1)
    ends = [[], [("begin", 0, f"{name}...)\ndef program():\n"), ("who", "torch.jit")]]
    for sent in ends:
        checked, _ = outcome_of(Ended(task, sent, "it died"))
        assert checked.counts.lost == 1
        assert [name in fault for fault in checked.faults] == [True] * is_told


def test_operators_that_torch_does_not_survive_are_operators() -> None:
    for name in CRASHES:
        assert torch._C._jit_get_schemas_for_operator(name), name


@pytest.mark.one_in(2)
@pytest.mark.parametrize("run", ["torch._stack([])", "torch.jit.script(program)([])"])
def test_torch_does_not_survive_a_stack_of_nothing(run: str, tmp_path: Path) -> None:
    """One of those that are known, as an example; if it lives, its row has to go."""
    path = tmp_path / "stack_of_nothing.py"
    text = "def program(a: list[torch.Tensor]):\n    return torch._stack(a)\n"
    path.write_text(f"import torch\n\n{text}\nprint('here')\n{run}\n")
    ended = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert ended.stdout == "here\n"
    assert ended.returncode not in (0, 1), ended.stderr


def test_the_processes_check_an_entry() -> None:
    tasks = tasks_of("schemas", names_of("schemas", r"aten::sinc\("), seed=0, most=1)
    (checked,) = list(sweep(tasks, 1))
    assert (checked.faults, checked.entries) == ((), 1)
    assert checked.counts.programs == checked.counts.graphs == 3
