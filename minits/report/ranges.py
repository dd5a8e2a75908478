"""Numbers for source ranges, and the ranges that lines of generated code are of.

A line of a kernel is of the range of the value that it defines or, without one, of the first that
it names: `v3`, `sum_v4` (in CUDA `sum4`). A statement of generated Python has the lines and columns
of the source in its tree; what `ast.unparse` writes is parsed again to find on which line it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from minits.ir.graph import Graph, Node
from minits.ir.walks import all_nodes
from minits.kernels.ir.kernel import Kernel, Scalar
from minits.report.model import CodeLine, Excerpt, Page, RangeEntry
from minits.report.recording import ranges_of
from minits.source import Position, SourceFile, SourceRange

_NAMED = re.compile(r"\b(?:[a-z]+_)*(?:v|sum|max|min|prod|any|all|argmax|argmin|nan)(\d+)\b")
"""A value of a kernel in its text."""
_TENSOR = re.compile(r"\b(?:[a-z]+_)*(in|x|out|y)(\d+)\b")
"""An input or output in its text."""


class Ranges:
    """The ranges and files of a page, numbered as they are first asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._numbers: dict[tuple[str, int, int, int, int], int] = {}
        self._known: dict[SourceRange, int] = {}
        self._files: dict[str, int] = {}
        self._excerpts: set[tuple[int, int, str]] = set()

    def file(self, name: str) -> int:
        """Return the number of a file."""
        found = self._files.get(name)
        if found is None:
            found = self._files[name] = len(self.page.files)
            self.page.files.append(name)
        return found

    def number(self, loc: SourceRange) -> int:
        """Return the number of a range; its function becomes an excerpt of the page."""
        known = self._known.get(loc)
        if known is None:
            known = self._known[loc] = self.between(loc.source, loc.begin, loc.finish)
        return known

    def between(self, source: SourceFile, begin: Position, end: Position) -> int:
        """Return the number of the range between two positions of a source."""
        key = (source.filename, *begin, *end)
        found = self._numbers.get(key)
        if found is None:
            file = self.file(source.filename)
            found = self._numbers[key] = len(self.page.ranges)
            self.page.ranges.append(RangeEntry(file, *begin, *end))
            self._add_excerpt(file, source)
        return found

    def at(self, filename: str, line: int, column: int, end_line: int, end_column: int) -> int:
        """Return the number of a range that is known already, or -1."""
        return self._numbers.get((filename, line, column, end_line, end_column), -1)

    def links(self, node: Node) -> list[int]:
        """Return the numbers of a node's ranges: its own, then those of the calls around it."""
        return self.numbers(ranges_of(node))

    def numbers(self, ranges: Iterable[SourceRange]) -> list[int]:
        """Return the numbers of ranges, each once."""
        return list(dict.fromkeys([self.number(loc) for loc in ranges]))

    def note_type(self, node: Node) -> None:
        """Keep the types of a node's results with its range."""
        if node.range is None or not node.outputs:
            return
        types = ", ".join(value.type.annotation for value in node.outputs)
        noted = self.page.ranges[self.number(node.range)].types
        text = f"{node.kind}: {types}"
        if text not in noted:
            noted.append(text)

    def note_reason(self, loc: SourceRange, text: str) -> None:
        """Keep the type of an expression, with its reason, with the expression's range."""
        self.page.ranges[self.number(loc)].reason = text

    def _add_excerpt(self, file: int, source: SourceFile) -> None:
        key = (file, source.first_line, source.text)
        if key not in self._excerpts:
            self._excerpts.add(key)
            self.page.excerpts.append(Excerpt(file, source.first_line, source.text))


# ---- Kernels -----------------------------------------------------------------------------------


def kernel_lines(text: str, kernel: Kernel, graph: Graph, ranges: Ranges) -> list[CodeLine]:
    """Return the lines of a kernel's functions, each with the ranges that it is of.

    The head of a loop is of the ranges of its body, and what is about sizes of the whole group's.
    """
    calls = _links_by_range(graph, ranges)
    lines = [CodeLine(line) for line in text.splitlines()]
    for line in lines:
        loc = next((value.range for value in _values_of(line.text, kernel) if value.range), None)
        if loc is not None:
            line.links = calls.get(loc) or [ranges.number(loc)]
    whole = group_links(graph, ranges)
    for number, line in enumerate(lines):
        if not line.links and _is_statement(line.text):
            body = [link for each in _body(lines, number) for link in each.links[: each.own]]
            line.links = list(dict.fromkeys(body)) or whole
            line.own = len(line.links)
    return lines


def group_links(graph: Graph, ranges: Ranges) -> list[int]:
    """Return the ranges of all nodes of a group."""
    own = [node.range for node in all_nodes(graph.block) if node.kind != "prim::Constant"]
    return list(dict.fromkeys([ranges.number(loc) for loc in own if loc is not None]))


def _values_of(line: str, kernel: Kernel) -> Iterator[Scalar]:
    """Yield the values that a line names: what it defines or writes comes first.

    After these, those that are read of the inputs that it names, and written to the outputs.
    """
    code = line.partition("//")[0]
    for match in _NAMED.finditer(code):
        if int(match[1]) < len(kernel.values):
            yield kernel.values[int(match[1])]
    for match in _TENSOR.finditer(code):
        number = int(match[2])
        if match[1] in ("out", "y"):
            yield from (output.value for output in kernel.outputs[number : number + 1])
        else:
            yield from (value for value in kernel.values if value.input == number)


def _is_statement(text: str) -> bool:
    return bool(re.search(r"\w", text.partition("//")[0])) and not text.startswith("#")


def _body(lines: Sequence[CodeLine], number: int) -> Iterator[CodeLine]:
    """Yield the lines that are indented below a line that opens a block."""
    if not lines[number].text.endswith("{"):
        return
    depth = _depth(lines[number].text)
    for line in lines[number + 1 :]:
        if line.text.strip() == "}" and _depth(line.text) <= depth:
            return
        yield line


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip())


def _links_by_range(graph: Graph, ranges: Ranges) -> dict[SourceRange, list[int]]:
    """Return the links of a group's nodes by their own ranges, those of several nodes joined."""
    found: dict[SourceRange, dict[int, None]] = {}
    for node in all_nodes(graph.block):
        if node.range is not None:
            found.setdefault(node.range, {}).update(dict.fromkeys(ranges.links(node)))
    return {loc: list(links) for loc, links in found.items()}


# ---- Python ------------------------------------------------------------------------------------


def python_lines(
    tree: ast.FunctionDef, filename: str, kernels: Mapping[str, Sequence[int]], ranges: Ranges
) -> list[CodeLine]:
    """Return the lines of a generated function, each with the ranges that it is of.

    kernels: the ranges of each kernel, by its name in the function.
    """
    text = ast.unparse(tree)
    (parsed,) = ast.parse(text).body
    links: dict[int, dict[int, None]] = {}
    for original, written in _pairs(tree, parsed):
        number = ranges.at(
            filename, original.lineno, original.col_offset, original.end_lineno or 0,
            original.end_col_offset or 0,
        )  # fmt: skip
        if number >= 0:
            links.setdefault(written.lineno, {})[number] = None
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        found = links.get(number, {})
        for name in _KERNEL.findall(line):
            found = {**found, **dict.fromkeys(kernels.get(name, ()))}
        lines.append(CodeLine(line, list(found), len(found)))
    return lines


_KERNEL = re.compile(r"\bkernel_\d+")
_Located = ast.stmt | ast.expr


def _pairs(original: ast.AST, written: ast.AST) -> Iterator[tuple[_Located, _Located]]:
    """Yield the statements and expressions of a tree with those of its text, parsed again.

    Where the text is read as something else, as `-1` is, what is inside is left out.
    """
    if type(original) is not type(written):
        return
    if isinstance(original, _Located) and not isinstance(original, ast.FunctionDef):
        assert isinstance(written, _Located)
        yield original, written
    for name in original._fields:
        ours, theirs = getattr(original, name, None), getattr(written, name, None)
        for one, other in zip(_nodes(ours), _nodes(theirs), strict=False):
            yield from _pairs(one, other)


def _nodes(value: object) -> Iterable[ast.AST]:
    if isinstance(value, ast.AST):
        return [value]
    return value if isinstance(value, list) else []
