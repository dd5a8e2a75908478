"""The grader of the course: each solution passes, and what students get wrong does not."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from examples.course.grade import EXERCISES, Case, cases, grade, names, numbered

ROOT = Path(__file__).parents[1]
SOLUTIONS = ROOT / "examples/course/solutions"
HEAD = "from minits.passes.user_passes import graph_pass\n\n@graph_pass({name!r})\n"
NOTHING = HEAD + "def attempt(graph):\n    return False\n"
WRONG = {
    "double-not": ("node.destroy()", "node.destroy(); inner.destroy()"),
    "same-on-both-ways": ("value.type == output.type and ", ""),
    "relu-twice": ("aliases.is_written(first) or aliases.is_written(second)", "False"),
    "label-groups": ("next((each for each in groups if user in each), {user})", "{user}"),
    "gradient": ("if operand in adjoints:", "if False:"),
}
"""A mistake for each exercise: a part of the solution, and what stands there instead."""
ALL_CHANGE = ("gradient",)
"""Exercises of whose graphs none stays as it is."""


def graded(exercise: str, file: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "examples.course.grade", exercise, str(file)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("exercise", names())
def test_solutions_pass(exercise: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert grade(exercise, str(SOLUTIONS / f"{exercise.replace('-', '_')}.py")) == 0
    assert capsys.readouterr().out.count("ok ") == len(cases(exercise)) >= 4


@pytest.mark.one_in(2)
@pytest.mark.parametrize("exercise", names())
def test_wrong_passes_fail(exercise: str, tmp_path: Path) -> None:
    right = (SOLUTIONS / f"{exercise.replace('-', '_')}.py").read_text("utf-8")
    part, instead = WRONG[exercise]
    assert part in right
    (tmp_path / "mine.py").write_text(right.replace(part, instead), "utf-8")
    assert grade(exercise, str(tmp_path / "mine.py")) > 0


@pytest.mark.one_in(2)
@pytest.mark.parametrize("exercise", names())
def test_a_pass_that_does_nothing_fails(exercise: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(NOTHING.format(name=exercise), "utf-8")
    wrong = grade(exercise, str(tmp_path / "mine.py"))
    unchanged = exercise not in ALL_CHANGE
    assert 0 < wrong <= len(cases(exercise)) - unchanged


def test_each_exercise_has_a_solution() -> None:
    assert [path.stem.replace("_", "-") for path in sorted(SOLUTIONS.glob("*.py"))] == names()
    assert [path.stem for path in sorted(EXERCISES.iterdir())] == names()


@pytest.mark.slow
def test_exit_statuses(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(NOTHING.format(name="other"), "utf-8")
    for arguments, status, told in (
        (("double-not", SOLUTIONS / "double_not.py"), 0, "ok     two in a row"),
        (("double-not", tmp_path / "other.py"), 1, "double-not"),
        (("double-not", tmp_path / "missing.py"), 2, "there is no file"),
        (("no-such", SOLUTIONS / "double_not.py"), 2, "invalid choice"),
    ):
        done = graded(arguments[0], Path(arguments[1]))
        assert done.returncode == status
        assert told in done.stdout + done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
def test_make_grade() -> None:
    words = ["make", "-n", "grade", "EXERCISE=relu-twice", "PASS=mine.py"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert "-m examples.course.grade relu-twice mine.py" in done.stdout


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("%1 : Tensor = aten::mul(%x, %g)\n  %2 : Tensor = aten::mul(%1, %one)", ""),
        ("%2 : Tensor = aten::mul(%x, %x)", "gradient 0: expected [2]"),
        ("%1 : Tensor = aten::mul(%x, %g)\n  %2 : Tensor = aten::sum(%1, %none)", "gives [] "),
        ("%2 : int = prim::Constant[value=3]()", "your graph gives 3"),
        ("%1 : int[] = aten::size(%x)\n  %2 : int = aten::select(%1, %one)", "your graph raised"),
    ],
)
def test_gradients_are_compared_by_their_numbers(text: str, told: str) -> None:
    head = (
        "graph(%x : Tensor,\n      %g : Tensor):\n  %half : float = prim::Constant[value=0.5]()\n"
    )
    head += "  %one : int = prim::Constant[value=1]()\n  %none : NoneType = prim::Constant()\n"
    before = f"{head}  %1 : Tensor = aten::mul(%x, %x)\n  %2 : Tensor = aten::mul(%1, %half)\n"
    case = Case("", f"{before}  return (%2)", "gradients for [2] [2]")
    fault = "\n".join(case.fault(f"{head}  {text}\n  return (%2)"))
    assert told in fault if told else not fault


def test_names_of_values_do_not_matter() -> None:
    one = "graph(%x : Tensor):\n  %y.1 : Tensor = aten::relu(%x) # a.py:1:2\n  return (%y.1)\n"
    other = "graph(%0 : Tensor):\n  %7 : Tensor = aten::relu(%0)\n  return (%7)"
    assert numbered(one) == numbered(other) != numbered(other.replace("(%7)", "(%0)"))
