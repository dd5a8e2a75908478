"""`minits opt`: passes on the text of graphs, as LLVM's opt runs them on that of modules."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import NamedTuple

from minits.cli.compiling import write_text
from minits.cli.errors import UsageError
from minits.cli.passes import watching_passes
from minits.cli.programs import Target, read_source
from minits.diagnostics import error
from minits.ir.dot import print_dot
from minits.ir.graph import Graph
from minits.ir.parser import parse_graph
from minits.ir.printer import print_graph
from minits.ir.verifier import InvalidIR, verify
from minits.passes.context import Context
from minits.passes.pipeline import run_pipeline
from minits.source import SourceFile, SourceRange

_GRAPH = re.compile(r"^(?:# (?P<title>\S.*)\n)?graph\(", re.MULTILINE)


class TitledGraph(NamedTuple):
    """A graph of a file, and the title above it; empty where it has none."""

    title: str
    graph: Graph


def run_opt(options: argparse.Namespace) -> int:
    """Run passes on each graph of a file and print what becomes of it.

    Raises `CompileError` for a text that is no graph, and `UsageError`.
    """
    if options.load_pass and not options.passes:
        raise UsageError("--load-pass is for passes that --passes names")
    source = read_source(Target(options.file, None))
    parts = []
    with watching_passes(options) as watch:
        for title, graph in graphs_of(source):
            run_pipeline(graph, options.passes, Context(program=title))
            text = print_dot(graph, title) if options.emit == "dot" else print_graph(graph)
            parts.append(f"# {title}\n{text}" if title and options.emit == "ir" else text)
        watch.refuse_passes_that_did_not_run(options)
    write_text("\n".join(parts), options.output)
    return 0


def graphs_of(source: SourceFile) -> Iterator[TitledGraph]:
    """Yield the graphs of a text, verified. Raises `CompileError` (TS9xx)."""
    starts = [*_GRAPH.finditer(source.text)]
    ends = [start.start() for start in starts[1:]]
    if not starts:
        parse_graph(source.text, source.filename)  # which says what is wrong with the text
    for start, end in zip(starts, [*ends, len(source.text)], strict=True):
        first = start.start() + start[0].rfind("graph(")
        lines_before = "\n" * source.text.count("\n", 0, first)  # keeps the lines of faults
        text = source.text[first:end]
        graph = parse_graph(lines_before + text, source.filename)
        try:
            verify(graph)
        except InvalidIR as broken:
            head = text.partition("\n")[0]
            loc = SourceRange(source, first, first + len(head))
            raise error(loc, "TS906", str(broken)) from None
        yield TitledGraph(start["title"] or "", graph)
