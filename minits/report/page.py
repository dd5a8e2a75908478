"""A report page as HTML: the data of the page, rendered by `templates/page.html`.

The page is whole without its scripts (`static/*.js`), which read the same data again: the page has
it as JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from minits.archive.inspecting.inspection import as_plain
from minits.internal_error import internal_errors
from minits.report.highlighting import highlighted_lines, source_lines
from minits.report.model import (
    CodeLine,
    Compilation,
    Excerpt,
    Page,
    RangeEntry,
    RemarkEntry,
    Row,
    Run,
)
from minits.report.run import Step, shown_rows, steps_of

HERE = Path(__file__).parent
LANGUAGES = {"cpp": "C", "cuda": "CUDA"}
SCRIPTS = (
    "page.js", "program.js", "links.js", "run.js", "player.js", "addresses.js", "search.js",
    "keys.js",
)  # fmt: skip
"""The scripts of a page, which are put into it as one, in this order."""
STYLES = ("report.css", "player.css")
MOST_STEPS = 100
"""The number of steps that are listed where there are no scripts."""


@internal_errors("writing a report page")
def render(page: Page) -> str:
    """Return the page: one text without references to other files."""
    return (
        _environment()
        .get_template("page.html")
        .render(
            page=page,
            views=[View(page, each) for each in page.compilations],
            style=Markup("\n".join(map(_static, STYLES))),
            script=Markup("\n".join(map(_static, SCRIPTS))),
            data=Markup(_json(page)),
            languages=LANGUAGES,
            short=shortened,
        )
    )


def render_faults(title: str, text: str) -> str:
    """Return a page of what the command line tells of a program at fault."""
    lines = [(_kind(line), line) for line in text.splitlines()]
    template = _environment().get_template("faults.html")
    return template.render(title=title, lines=lines, style=Markup(_static("report.css")))


def _kind(line: str) -> str:
    """Return the class of a line of a fault: where it is, what it is, or a cure."""
    found = re.search(r"^(help|note):|: (error):", line)
    return (found[1] or found[2]) if found else ""


def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _static(name: str) -> str:
    return (HERE / "static" / name).read_text(encoding="utf-8")


def _json(page: Page) -> str:
    """Return the data that the script reads; `<` is escaped, since it could end the element."""
    compilations = [
        {"slug": slug(each.title), "stages": as_plain(each.stages), "run": as_plain(each.run)}
        for each in page.compilations
    ]
    data = {
        "ranges": [
            [r.file, r.line, r.column, r.end_line, r.end_column, r.types, r.reason]
            for r in page.ranges
        ],
        "rows": [[r.node, r.version, r.text, r.values, r.links, r.own] for r in page.rows],
        "files": page.files,
        "compilations": compilations,
    }  # fmt: skip
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def slug(title: str) -> str:
    """Return the name of a compilation in addresses: `optional.forward-mask-is-None`."""
    return re.sub(r"[^\w.]+", "-", title).strip("-")


def shortened(filename: str) -> str:
    """Return the name of a file as people know it: relative to this folder, or to site-packages."""
    path = Path(filename)
    if path.is_relative_to(Path.cwd()):
        return str(path.relative_to(Path.cwd()))
    return filename.rpartition("site-packages/")[2]


# ---- A compilation -----------------------------------------------------------------------------


class View:
    """A compilation as the template shows it."""

    def __init__(self, page: Page, compilation: Compilation) -> None:
        self.page = page
        self.of = compilation
        self.slug = slug(compilation.title)
        self.run = None if compilation.run is None else RunView(self, compilation.run)
        self.used = self._used_ranges()
        self.typed = [number for number, loc in enumerate(page.ranges) if loc.reason]

    def _used_ranges(self) -> list[int]:
        rows = {*shown_rows(self.of)}
        links = {link for row in rows for link in self.page.rows[row].links}
        return sorted(links)

    @property
    def final_rows(self) -> list[int]:
        """The rows of the last graph."""
        rows: list[int] = []
        for stage in self.of.stages:
            rows = [*rows[: stage.keep], *stage.rows, *rows[len(rows) - stage.keep_end :]]
        return rows

    def marked(self, row: Row) -> Markup:
        """Return the text of a row with its values marked, as the script writes it."""
        values = iter(row.values)

        def mark(name: re.Match[str]) -> str:
            value = next(values, None)
            return (
                name[0] if value is None else f'<span class="v" data-v="{value}">{name[0]}</span>'
            )

        return Markup(re.sub(r"%[\w.]+", mark, str(escape(row.text))))

    def line_of(self, links: list[int]) -> RangeEntry | None:
        """Return the nearest range in the program's own file, for a link to its line."""
        lead = self.of.files[0] if self.of.files else -1
        ranges = [self.page.ranges[link] for link in links]
        return next((each for each in ranges if each.file == lead), ranges[0] if ranges else None)

    def anchor(self, loc: RangeEntry) -> str:
        """Return the address of a line: those of files that were called have the file's number."""
        return f"{self.slug}/{self.line_id(loc.file, loc.line)}"

    def line_id(self, file: int, line: int) -> str:
        is_lead = bool(self.of.files) and file == self.of.files[0]
        return f"L{line}" if is_lead else f"F{file}L{line}"

    def code(self, lines: list[CodeLine], language: str) -> list[tuple[CodeLine, Markup]]:
        """Return lines of generated code with their highlighted texts."""
        text = "\n".join(line.text for line in lines)
        return list(zip(lines, highlighted_lines(text, language), strict=True))

    # ---- Source ----------------------------------------------------------------------------------

    @property
    def excerpts(self) -> list[tuple[Excerpt, list[tuple[str, int, Markup, list[RemarkEntry]]]]]:
        """The excerpts of a compilation, by file: each line's id, number, text and remarks."""
        used: dict[int, list[tuple[int, int]]] = {}
        for number in self.used:
            loc = self.page.ranges[number]
            used.setdefault(loc.file, []).append((loc.line, loc.end_line))
        found = []
        for file in self.of.files:
            own = [each for each in self.page.excerpts if each.file == file]
            for excerpt in sorted(own, key=lambda each: each.first_line):
                last = excerpt.first_line + excerpt.text.rstrip("\n").count("\n")
                if any(excerpt.first_line <= a and b <= last for a, b in used[file]):
                    found.append((excerpt, list(self._lines(excerpt))))
        return found

    def _lines(self, excerpt: Excerpt) -> Iterator[tuple[str, int, Markup, list[RemarkEntry]]]:
        numbers = [
            n for n in sorted({*self.used, *self.typed}) if self.page.ranges[n].file == excerpt.file
        ]
        lines = source_lines(excerpt, {n: self.page.ranges[n] for n in numbers})
        for number, line in enumerate(lines, excerpt.first_line):
            remarks = [r for r in self.of.remarks if (r.file, r.line) == (excerpt.file, number)]
            yield self.line_id(excerpt.file, number), number, line, remarks

    @property
    def unplaced_remarks(self) -> list[RemarkEntry]:
        return [remark for remark in self.of.remarks if remark.file < 0]


class RunView:
    """A recorded run as the template shows it where there are no scripts."""

    def __init__(self, view: View, run: Run) -> None:
        self.of = run
        self._view = view
        self.is_long = run.count > MOST_STEPS
        self._functions = [run.graphs[graph].function for graph, _ in run.frames]
        self.listed = list(self._listed())

    def _listed(self) -> Iterator[tuple[int, Step]]:
        """Yield the first steps with their numbers, which count from 1; constants are left out."""
        for number, step in enumerate(islice(steps_of(self.of), MOST_STEPS), 1):
            if "= prim::Constant" not in self.told(step):
                yield number, step

    def told(self, step: Step) -> str:
        """Return the operation of a step, and whether it begins or ends there."""
        if step.row < 0:
            return f"call {self._functions[step.frame]}"
        ahead = {"leave": "end of ", "enter": "enter ", "block": "begin a block of "}
        return ahead.get(step.what, "") + self._view.page.rows[step.row].text.strip()

    def place(self, step: Step) -> RangeEntry | None:
        """Return the range of a step, for a link to its line."""
        return None if step.row < 0 else self._view.line_of(self._view.page.rows[step.row].links)

    @property
    def error_place(self) -> RangeEntry | None:
        """The range at which the program raised."""
        *_, last = steps_of(self.of)
        return self.place(last) if last.what == "raise" else None
