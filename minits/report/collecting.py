"""From compiled programs to the data of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from minits.codegen.kernel_text import printed_kernel
from minits.codegen.python import FunctionWriter
from minits.internal_error import internal_errors
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Node
from minits.kernels.launch.geometry import ShapeMismatch
from minits.kernels.lowering.result import NotFusable
from minits.passes.context import Context
from minits.passes.pipeline import run_pipeline
from minits.passes.remarks import Remark
from minits.report.model import (
    CodeLine,
    Compilation,
    KernelEntry,
    Page,
    RemarkEntry,
    Row,
    Run,
    StageEntry,
)
from minits.report.picture import picture_of
from minits.report.ranges import Ranges, group_links, kernel_lines, python_lines
from minits.report.recording import Line, Recorder, Stage, change_between
from minits.report.run import files_of, run_entry
from minits.runtime.plan import Plan
from minits.runtime.script import ScriptFunction
from minits.stepping.recording import Recording

LANGUAGES = ("cpp", "cuda")
_KERNEL_BEGINS = re.compile(r'^(?:static int kernel_\d+|extern "C" __global__)', re.MULTILINE)


class RecordedRun(NamedTuple):
    """A recording, and the graphs that ran, in its order."""

    recording: Recording
    graphs: Sequence[Graph]


class Collector:
    """Fills a page. What is shown of programs was recorded while they were compiled."""

    def __init__(self, page: Page, recorder: Recorder) -> None:
        self.page = page
        self.ranges = Ranges(page)
        self._recorder = recorder
        self._rows: dict[tuple[int, str, str], int] = {}
        self._versions: dict[tuple[int, str], int] = {}

    @internal_errors("collecting what a report shows")
    def add(
        self, name: str, title: str, function: ScriptFunction, plan: Plan | None,
        run: RecordedRun | None = None,
    ) -> None:  # fmt: skip
        """Add a function: for calls of a plan, or without one as it is optimised for all calls.

        run: a call of it that was recorded.
        """
        graph = _optimized(function) if plan is None else plan.graph
        stages = self._recorder.stages_of(graph)
        for line in stages[0].lines:
            self.ranges.note_type(line.node)
        compilation = Compilation(name, title, self._stages(stages))
        compilation.python = self._python(graph, function.name)
        if plan is not None:
            self._add_kernels(compilation, plan)
            compilation.remarks = [self._remark(remark) for remark in plan.remarks]
        compilation.picture = picture_of(graph, self._recorder.key, self.ranges)
        if run is not None:
            compilation.run = self._run(run)
        compilation.files = files_of(self.page, compilation)
        self.page.compilations.append(compilation)

    # ---- Stages ----------------------------------------------------------------------------------

    def _stages(self, stages: Sequence[Stage]) -> list[StageEntry]:
        """Return the stages, each as what differs in the rows of the one before it."""
        entries: list[StageEntry] = []
        before: list[Line] = []
        rows: list[int] = []
        for stage in stages:
            new = rows if stage.lines is before else [self._row(line) for line in stage.lines]
            keep, keep_end = _common_ends(rows, new)
            change = change_between(before, stage.lines)
            middle = new[keep : len(new) - keep_end]
            entries.append(StageEntry(stage.name, change, stage.seconds, keep, keep_end, middle))
            before, rows = stage.lines, new
        return entries

    def _row(self, line: Line) -> int:
        key = (line.key, line.text, line.meaning)
        found = self._rows.get(key)
        if found is None:
            found = self._rows[key] = len(self.page.rows)
            version = self._versions.setdefault((line.key, line.meaning), len(self._versions))
            row = Row(line.key, version, line.text.rstrip("\n"), list(line.values), [])
            row.links = self.ranges.numbers(line.ranges)
            if "Subgraph" in line.node.attributes:
                row.links = group_links(line.node["Subgraph"], self.ranges)
                row.own = len(row.links)
            self.page.rows.append(row)
        return found

    def _run(self, run: RecordedRun) -> Run:
        lines = [(graph, line) for graph in run.graphs for line in self._recorder.lines(graph)]
        rows = [self._row(line) for graph, line in lines if line.node.graph is graph]
        return run_entry(run.recording, rows)

    # ---- Kernels and remarks ---------------------------------------------------------------------

    def _python(self, graph: Graph, name: str) -> list[CodeLine]:
        writer = FunctionWriter(graph, name)
        kernels = {
            f"kernel_{number}": group_links(node["Subgraph"], self.ranges)
            for number, node in enumerate(_groups(graph))
        }
        return python_lines(writer.write(), writer.filename, kernels, self.ranges)

    def _add_kernels(self, compilation: Compilation, plan: Plan) -> None:
        groups = {id(node["Subgraph"]): node for node in _groups(plan.graph)}
        found: dict[Any, KernelEntry] = {}
        for number, (graph, metas) in enumerate(plan.kernels):
            name = f"kernel_{number}"
            node = groups.get(id(graph))
            keys = [] if node is None else [self._recorder.key(node)]
            entry = KernelEntry([name], keys, {}, {})
            for language in LANGUAGES:
                try:
                    text, kernel = printed_kernel(graph, metas, language, name)
                except (NotFusable, ShapeMismatch) as reason:
                    self.page.notes.append(f"{compilation.title}: {name}: {reason}")
                    continue
                begin = _KERNEL_BEGINS.search(text)
                start = 0 if begin is None else begin.start()
                entry.preludes[language] = self._prelude(text[:start].rstrip())
                entry.lines[language] = kernel_lines(text[start:], kernel, graph, self.ranges)
            like = found.setdefault(_content(entry), entry)
            if like is entry:
                compilation.kernels.append(entry)
            else:
                like.names.append(name)
                like.nodes += keys

    def _prelude(self, text: str) -> int:
        if text not in self.page.preludes:
            self.page.preludes.append(text)
        return self.page.preludes.index(text)

    def _remark(self, remark: Remark) -> RemarkEntry:
        entry = RemarkEntry(remark.kind, remark.code, remark.message, remark.fix)
        if remark.range is not None:
            entry.link = self.ranges.number(remark.range)
            entry.file = self.page.ranges[entry.link].file
            entry.line = remark.range.begin.line
        return entry


def _optimized(function: ScriptFunction) -> Graph:
    graph = clone_graph(function.graph)
    run_pipeline(graph, "optimize", Context(program=function.name))
    return graph


def _content(kernel: KernelEntry) -> Any:
    """Return all of a kernel but for its name."""
    (name,) = kernel.names
    return tuple(
        (language, line.text.replace(name, ""), *line.links)
        for language, lines in kernel.lines.items()
        for line in lines
    )


def _groups(graph: Graph) -> list[Node]:
    return [node for node in graph.all_nodes() if node.kind == "prim::FusionGroup"]


def _common_ends(old: list[int], new: list[int]) -> tuple[int, int]:
    """Return how many rows are the same at the beginning, and how many at the end."""
    most = min(len(old), len(new))
    keep = next((i for i in range(most) if old[i] != new[i]), most)
    most -= keep
    keep_end = next((i for i in range(most) if old[-1 - i] != new[-1 - i]), most)
    return keep, keep_end
