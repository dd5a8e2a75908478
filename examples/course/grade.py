"""Grade a pass: run it by `minits opt --load-pass` over the graphs of its exercise, and compare.

    python -m examples.course.grade double-not mypass.py

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

from minits.cli.main import main as minits

EXERCISES = Path(__file__).parent / "exercises"
_TITLE = re.compile(r"^# (.*)\n", re.MULTILINE)
_BETWEEN = "\n---\n"


@dataclass(frozen=True)
class Case:
    """A graph, and what the pass should make of it."""

    title: str
    before: str
    after: str


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
        expected, found = numbered(case.after), numbered(printed)
        if ran and expected == found:
            print(f"ok     {case.title}")
            continue
        wrong += 1
        print(f"wrong  {case.title}")
        lines = (expected.splitlines(), found.splitlines(), "expected", "your pass")
        told = difflib.unified_diff(*lines, lineterm="", n=9) if ran else printed.splitlines()
        print(*(f"    {line}" for line in told), sep="\n")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m examples.course.grade", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("exercise", choices=names())
    parser.add_argument("file", help="a Python file with the pass, named as the exercise")
    given = parser.parse_args()
    if not Path(given.file).is_file():
        parser.error(f"there is no file {given.file}")
    return 1 if grade(given.exercise, given.file) else 0


if __name__ == "__main__":
    sys.exit(main())
