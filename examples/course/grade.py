"""Grade a pass: run it by `minits opt --load-pass` over the graphs of its exercise, and compare.

    python -m examples.course.grade double-not mypass.py

The text that comes out is compared with the one expected. Where there are many right texts, as for
gradients, what the graph computes is compared with what autograd does.

The exit status is 0 if all graphs are as expected, 1 if not, 2 if nothing could be graded.
"""

import argparse
import difflib
import io
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from minits.cli.main import main as minits
from minits.ir.parser import parse_graph
from minits.runtime.interpreter import run as interpret

EXERCISES = Path(__file__).parent / "exercises"
_TITLE = re.compile(r"^# (.*)\n", re.MULTILINE)
_BETWEEN = "\n---\n"
_SHAPE = re.compile(r"\[([\d, ]+)\]")


@dataclass(frozen=True)
class Case:
    """A graph, and what the pass should make of it: a graph, or `gradients for [2, 3] [3] ...`.

    The shapes are those of the graph's inputs. The last of these is the gradient of its output.
    """

    title: str
    before: str
    after: str

    def fault(self, printed: str) -> list[str]:
        """Return lines that tell what is wrong with a graph that a pass has made; none if right."""
        if self.after.startswith("gradients for "):
            return self._wrong_gradients(printed)
        expected, found = numbered(self.after), numbered(printed)
        lines = expected.splitlines(), found.splitlines()
        return [*difflib.unified_diff(*lines, "expected", "your pass", lineterm="", n=9)]

    def _wrong_gradients(self, printed: str) -> list[str]:
        shapes = [[int(size) for size in text.split(",")] for text in _SHAPE.findall(self.after)]
        torch.manual_seed(0)
        *inputs, gradient = (torch.randn(shape, dtype=torch.float64) for shape in shapes)
        for each in inputs:
            each.requires_grad_()
        result = interpret(parse_graph(self.before), *inputs, gradient)
        expected = torch.autograd.grad(
            result, inputs, gradient, allow_unused=True, materialize_grads=True
        )
        try:
            with torch.no_grad():
                found = interpret(parse_graph(printed), *inputs, gradient)
        except Exception as problem:  # an operator raises what it likes
            return [f"your graph raised {type(problem).__name__}: {problem}", *printed.splitlines()]
        found = found if isinstance(found, tuple) else (found,)
        if len(found) != len(expected):
            return [f"expected {len(expected)} gradients, your graph returns {len(found)} values"]
        return [
            f"gradient {number}: expected {_shown(right)}, your graph gives {_shown(mine)}"
            for number, (right, mine) in enumerate(zip(expected, found))
            if not (isinstance(mine, torch.Tensor) and right.shape == mine.shape)
            or not torch.allclose(right, mine)
        ]


def _shown(tensor: object) -> str:
    if not isinstance(tensor, torch.Tensor):
        return repr(tensor)
    numbers = ", ".join(f"{number:.4f}" for number in tensor.flatten()[:3])
    return f"{list(tensor.shape)} {numbers}{', ...' * (tensor.numel() > 3)}"


def names() -> list[str]:
    return sorted(path.stem for path in EXERCISES.glob("*.txt"))


def cases(exercise: str) -> list[Case]:
    """Return the graphs of an exercise."""
    _, *parts = _TITLE.split((EXERCISES / f"{exercise}.txt").read_text("utf-8"))
    pairs = (text.strip().split(_BETWEEN) for text in parts[1::2])
    return [Case(title, *pair) for title, pair in zip(parts[::2], pairs)]


def run(exercise: str, file: str, graph: str) -> tuple[bool, str]:
    """Return whether the pass ran on a graph, and what `minits opt` printed."""
    told = io.StringIO()
    with TemporaryDirectory() as folder, redirect_stdout(told), redirect_stderr(told):
        text = Path(folder) / "graph.ir"
        text.write_text(graph, "utf-8")
        passes = f"{exercise},dce"
        words = ["opt", str(text), "--load-pass", file, "--passes", passes, "--verify-each"]
        status = minits(words)
    return status == 0, told.getvalue()


def numbered(graph: str) -> str:
    """Return the text of a graph with its values numbered in order: their names do not matter."""
    seen: dict[str, str] = {}
    graph = re.sub(r" *#.*", "", graph).strip()
    return re.sub(r"%[\w.]+", lambda at: seen.setdefault(at[0], f"%{len(seen)}"), graph)


def grade(exercise: str, file: str) -> int:
    """Print how a pass does on each graph, and return how many are wrong."""
    wrong = 0
    for case in cases(exercise):
        ran, printed = run(exercise, file, case.before)
        fault = case.fault(printed) if ran else printed.splitlines()
        if not fault:
            print(f"ok     {case.title}")
            continue
        wrong += 1
        print(f"wrong  {case.title}")
        print(*(f"    {line}" for line in fault), sep="\n")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m examples.course.grade", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("exercise", choices=names())
    parser.add_argument("file", help="a Python file with the pass, named as the exercise")
    given = parser.parse_args()
    if not Path(given.file).is_file():
        parser.error(f"there is no file {given.file}")
    try:
        status = 1 if grade(given.exercise, given.file) else 0
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has gone, as with `| head`
        sys.stderr.close()
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
