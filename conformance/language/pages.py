"""docs/language/: a page for each chapter, and an index with the table of what is supported."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path

import jinja2
import torch

from conformance.case import Case
from conformance.language.evidence import STAGES, Evidence, minits_evidence, torch_evidence
from conformance.language.rule import Rule, chapters, docstring_of

FOLDER = Path(__file__).parents[2] / "docs" / "language"
_ROOT = Path(__file__).parents[2]
_MOST_LINES = 40


def pages() -> dict[str, str]:
    """Return the text of each page by its file's name."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["quoted"] = _quoted
    environment.globals.update(
        program=_program,
        graph=_graph,
        docstring=docstring_of,
        file=_file,
        torch=torch_evidence,
        minits=minits_evidence,
        marks=_marks,
        refusals=_refusals,
        torch_version=f"torch {torch.__version__.partition('+')[0]}",
    )
    found = {"README.md": environment.get_template("index.md.jinja").render(chapters=chapters())}
    page = environment.get_template("page.md.jinja")
    for chapter in chapters():
        found[f"{chapter.name}.md"] = page.render(chapter=chapter)
    return {name: _tidy(text) for name, text in found.items()}


def write() -> list[str]:
    """Write the pages, remove others, and return the names of those that changed."""
    texts = pages()
    FOLDER.mkdir(parents=True, exist_ok=True)
    changed = [path.name for path in FOLDER.glob("*.md") if path.name not in texts]
    for name in changed:
        (FOLDER / name).unlink()
    for name, text in texts.items():
        path = FOLDER / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            changed.append(name)
    return changed


def _program(case: Case) -> str:
    """The case's text without its docstring."""
    text = case.path.read_text("utf-8")
    first = ast.parse(text).body[0]
    return "\n".join(text.splitlines()[first.end_lineno :]).strip()


def _graph(case: Case) -> str:
    lines = re.sub(r" # .*", "", minits_evidence(case).graph).splitlines()
    if len(lines) > _MOST_LINES:
        lines[_MOST_LINES:] = [f"  ... {len(lines) - _MOST_LINES} more lines"]
    return "\n".join(lines)


def _file(rule: Rule) -> str:
    """The file of what implements a rule, within the repository."""
    function = inspect.unwrap(rule.implementation())
    return Path(inspect.getfile(function)).relative_to(_ROOT).as_posix()


def _quoted(message: str) -> str:
    """The first line of what was said, as code."""
    line = (message.strip().splitlines() or ["nothing"])[0]
    return f"`{line.replace('`', chr(39))}`"


def _marks(rule: Rule) -> str:
    cases = rule.shown
    cells = []
    for evidence in (torch_evidence, minits_evidence):
        for stage in STAGES:
            passed = all(evidence(case).passed(stage) for case in cases)
            cells.append("yes" if passed else "no")
    return "| " + " | ".join(cells)


def _refusals(rule: Rule) -> str:
    def of(evidence: Callable[[Case], Evidence]) -> str:
        stages = [evidence(case).refused_at or "not refused" for case in rule.broken]
        return ", ".join(dict.fromkeys(stages))

    return f"| {of(torch_evidence)} | {of(minits_evidence)} |"


def _tidy(text: str) -> str:
    """The text with at most one empty line in a row, and one newline at its end."""
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
