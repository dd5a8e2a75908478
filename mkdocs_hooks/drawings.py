"""Drawings in pages, as pictures: the site shows them without a network and without scripts.

    ```mermaid
    flowchart LR
        text(["text"]) --> lexer -- tokens --> parser["the parser"]
    ```

becomes an `<svg>`. Of the language of mermaid, which code hosts draw themselves, it knows what the
pages use: `flowchart` with `TB` or `LR`; boxes `["..."]`, ends `(["..."])`, questions `{"..."}`
and stores `[("...")]`; arrows, thick ones too, with labels; subgraphs with a `direction`. A line
that it does not know raises ValueError, and with it the build fails. grandalf lays boxes out in
layers; a subgraph is laid out first, and is a box in what it stands in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from operator import mul
from typing import Any

from mkdocs.structure.pages import Page

from minits.report.layers import in_layers

_BLOCK = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_BOX = re.compile(r'(\w+)(?:(\(\[|\[\(|\[|\{)"(.+?)"(?:\]\)|\)\]|\]|\}))?')
_ARROW = re.compile(r' (?:-->|-- "?(.+?)"? -->|(==) "?(.+?)"? ==>) ')
_CHARACTER, _LINE, _PADDING, _MARGIN, _BETWEEN = 6.8, 18.0, 10.0, 10.0, 26.0
_STYLE = (
    ".drawing svg{font:13px sans-serif;max-width:100%}"
    ".drawing text{fill:var(--md-typeset-color,currentColor);text-anchor:middle;"
    "dominant-baseline:central}"
    ".drawing .box{fill:var(--md-code-bg-color,#f5f5f5);"
    "stroke:var(--md-default-fg-color--light,#777)}"
    ".drawing .around{fill:none;stroke:var(--md-default-fg-color--lighter,#aaa)}"
    ".drawing .label{fill:var(--md-default-bg-color,#fff)}"
    ".drawing .arrow{fill:none;stroke:var(--md-default-fg-color--light,#777);stroke-width:1.2}"
    ".drawing .thick{stroke-width:3}"
    ".drawing .head{fill:var(--md-default-fg-color--light,#777)}"
)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Draw the drawings of a page. Raises ValueError for one that it does not know how to draw."""
    if "```mermaid\n" not in markdown:
        return markdown
    drawn = _BLOCK.sub(lambda block: drawing(block[1]), markdown)
    return f"{drawn}\n\n<style>{_STYLE}</style>\n"  # at the end: a page begins with its title


def drawing(text: str) -> str:
    """Return the picture of a drawing. Raises ValueError."""
    chart = _parse(text)
    _lay_out(chart)
    width, height = round(chart.width), round(chart.height)
    size = f'width="{width}" viewBox="0 0 {width} {height}"'
    shown = "".join(_svg(chart))
    return (
        f'<div class="drawing"><svg xmlns="http://www.w3.org/2000/svg" {size}>{shown}</svg></div>'
    )


# ---- What is drawn -------------------------------------------------------------------------------


@dataclass(eq=False)
class Box:
    """A box with lines of text. `x` and `y` are its centre, within what it stands in."""

    name: str
    shape: str = "["
    lines: list[str] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0
    y: float = 0.0


@dataclass(eq=False)
class Arrow:
    """An arrow; `points` are its corners, from its start on."""

    start: Box
    end: Box
    label: str
    is_thick: bool
    points: list[tuple[float, float]] = field(default_factory=list)


@dataclass(eq=False)
class Chart(Box):
    """A flowchart, or a subgraph in one, which is a box."""

    is_sideways: bool = False
    boxes: dict[str, Box] = field(default_factory=dict)
    arrows: list[Arrow] = field(default_factory=list)


# ---- Reading -------------------------------------------------------------------------------------


def _parse(text: str) -> Chart:
    first, *lines = text.splitlines()
    chart = Chart("", is_sideways=_is_sideways("flowchart", first))
    around: list[Chart] = []
    for line in map(str.strip, lines):
        if line.startswith("subgraph "):
            around.append(chart)
            name = line.removeprefix("subgraph ")
            chart.boxes[name] = chart = Chart(name, lines=[name])
        elif line == "end" and around:
            chart = around.pop()
        elif line.startswith("direction "):
            chart.is_sideways = _is_sideways("direction", line)
        else:
            _parse_chain(chart, line)
    if around:
        raise ValueError(f"the subgraph {chart.name} has no end")
    return chart


def _is_sideways(word: str, line: str) -> bool:
    found = re.fullmatch(f"{word} (LR|TB)", line)
    if found is None:
        raise ValueError(f"a drawing cannot begin with {line!r}")
    return found[1] == "LR"


def _parse_chain(chart: Chart, line: str) -> None:
    """Read boxes, and the arrows between one and the next."""
    position, previous, label, is_thick = 0, None, "", False
    while True:
        found = _BOX.match(line, position)
        if found is None:
            raise ValueError(f"no box can be read in {line!r} at {line[position:]!r}")
        box = chart.boxes.setdefault(found[1], Box(found[1], lines=[found[1]]))
        if found[2]:
            box.shape, box.lines = found[2], found[3].split("<br>")
        if previous is not None:
            chart.arrows.append(Arrow(previous, box, label, is_thick))
        position = found.end()
        if position == len(line):
            return
        arrow = _ARROW.match(line, position)
        if arrow is None:
            raise ValueError(f"no arrow can be read in {line!r} at {line[position:]!r}")
        previous, label, is_thick = box, arrow[1] or arrow[3] or "", bool(arrow[2])
        position = arrow.end()


# ---- Layout --------------------------------------------------------------------------------------


def _measure(box: Box) -> None:
    if isinstance(box, Chart):
        _lay_out(box)
        return
    box.width = max(map(_width, box.lines)) + 2 * _PADDING * (1 + (box.shape in ("{", "([")))
    box.height = len(box.lines) * _LINE + _PADDING * (1 + (box.shape == "[("))


def _width(text: str) -> float:
    return len(text) * _CHARACTER


def _lay_out(chart: Chart) -> None:
    """Give the boxes and the arrows of a chart their places, and the chart its size."""
    numbers = {box: number for number, box in enumerate(chart.boxes.values())}
    for box in numbers:
        _measure(box)
    boxes = [(box, *_turned(chart, box.width, box.height)) for box in numbers]
    edges = [(numbers[arrow.start], numbers[arrow.end], arrow) for arrow in chart.arrows]
    left = 0.0
    for part in in_layers(boxes, edges, _BETWEEN, _BETWEEN)[0]:
        _make_room_for_labels(chart, part)
        left = _place(chart, part, left) + _BETWEEN
    top = _MARGIN + (_LINE if chart.name else 0)
    _move(chart, _MARGIN, top)
    chart.width = max(box.x + box.width / 2 for box in chart.boxes.values()) + _MARGIN
    chart.height = max(box.y + box.height / 2 for box in chart.boxes.values()) + _MARGIN


def _make_room_for_labels(chart: Chart, part: Any) -> None:
    """Move layers apart, as far as the labels between one and the next need it."""
    heights: dict[float, float] = {}
    for vertex in part.sV:
        y = vertex.view.xy[1]
        heights[y] = max(heights.get(y, 0.0), vertex.view.h)
    ends = [y + height / 2 for y, height in sorted(heights.items())]
    room = [0.0] * len(ends)
    for edge in part.sE:
        if edge.data.label:
            layer = sorted(heights).index(edge.v[0].view.xy[1])
            needed = _width(edge.data.label) + 8 if chart.is_sideways else _LINE
            room[layer] = max(room[layer], needed)

    def moved(y: float) -> float:
        """Return a place moved by the room behind each layer that it has passed, or is passing."""
        passed = [min(max((y - end) / _BETWEEN, 0.0), 1.0) for end in ends]
        return y + sum(map(mul, room, passed))

    for vertex in part.sV:
        x, y = vertex.view.xy
        vertex.view.xy = (x, moved(y))
    for edge in part.sE:
        edge.view.points = [(x, moved(y)) for x, y in edge.view.points]


def _turned(chart: Chart, x: float, y: float) -> tuple[float, float]:
    """Exchange right and down in a chart that goes from left to right."""
    return (y, x) if chart.is_sideways else (x, y)


def _place(chart: Chart, part: Any, left: float) -> float:
    """Place a connected part of a chart beside those before it; return where it ends."""
    dx = left - min(vertex.view.xy[0] - vertex.view.w / 2 for vertex in part.sV)
    dy = -min(vertex.view.xy[1] - vertex.view.h / 2 for vertex in part.sV)
    for vertex in part.sV:
        x, y = vertex.view.xy
        vertex.data.x, vertex.data.y = _turned(chart, x + dx, y + dy)
    for edge in part.sE:
        edge.data.points = [_turned(chart, x + dx, y + dy) for x, y in edge.view.points]
    right: float = max(vertex.view.xy[0] + vertex.view.w / 2 for vertex in part.sV)
    return right + dx


def _move(chart: Chart, dx: float, dy: float) -> None:
    for box in chart.boxes.values():
        box.x, box.y = box.x + dx, box.y + dy
    for arrow in chart.arrows:
        arrow.points = [(x + dx, y + dy) for x, y in arrow.points]


# ---- Writing -------------------------------------------------------------------------------------


def _svg(chart: Chart) -> Iterator[str]:
    """Yield the elements of a chart, within its corner."""
    for arrow in chart.arrows:
        yield from _svg_of_arrow(arrow)
    for box in chart.boxes.values():
        x, y = box.x - box.width / 2, box.y - box.height / 2
        if isinstance(box, Chart):
            yield _rectangle("around", x, y, box.width, box.height, 3)
            yield _text(box.name, box.x, y + _MARGIN + 2)
            yield f'<g transform="translate({x:.1f},{y:.1f})">{"".join(_svg(box))}</g>'
            continue
        yield _outline(box)
        first = box.y - (len(box.lines) - 1) * _LINE / 2 + (box.shape == "[(") * _PADDING / 2
        for number, line in enumerate(box.lines):
            yield _text(line, box.x, first + number * _LINE)


def _outline(box: Box) -> str:
    w, h = box.width, box.height
    x, y = box.x - w / 2, box.y - h / 2
    match box.shape:
        case "{":
            corners = [(x, box.y), (x + h / 2, y), (x + w - h / 2, y), (x + w, box.y)]
            corners += [(x + w - h / 2, y + h), (x + h / 2, y + h)]
            return f'<polygon class="box" points="{_points(corners)}"/>'
        case "[(":
            lid = f"a{w / 2:.1f},{_PADDING / 2} 0 0 0 {w:.1f},0"
            sides = f"M{x:.1f},{y + _PADDING / 2:.1f}{lid}v{h - _PADDING:.1f}"
            back = f"a{w / 2:.1f},{_PADDING / 2} 0 0 1 {-w:.1f},0z"
            top = f"m0,0a{w / 2:.1f},{_PADDING / 2} 0 0 1 {w:.1f},0"
            return f'<path class="box" d="{sides}{back}{top}"/>'
        case shape:
            return _rectangle("box", x, y, w, h, h / 2 if shape == "([" else 3)


def _rectangle(kind: str, x: float, y: float, width: float, height: float, round: float) -> str:
    size = f'width="{width:.1f}" height="{height:.1f}" rx="{round:.1f}"'
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" {size}/>'


def _text(text: str, x: float, y: float) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _points(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _svg_of_arrow(arrow: Arrow) -> Iterator[str]:
    """Yield a line, its head and its label, which is in the middle of the longest part."""
    kind = "arrow thick" if arrow.is_thick else "arrow"
    yield f'<polyline class="{kind}" points="{_points(arrow.points)}"/>'
    (x1, y1), (x2, y2) = arrow.points[-2:]
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    dx, dy = 8 * (x2 - x1) / length, 8 * (y2 - y1) / length
    head = [(x2, y2), (x2 - dx - dy / 2, y2 - dy + dx / 2), (x2 - dx + dy / 2, y2 - dy - dx / 2)]
    yield f'<polygon class="head" points="{_points(head)}"/>'
    if arrow.label:
        (x1, y1), (x2, y2) = max(
            pairwise(arrow.points),
            key=lambda part: abs(part[1][0] - part[0][0]) + abs(part[1][1] - part[0][1]),
        )
        x, y, width = (x1 + x2) / 2, (y1 + y2) / 2, _width(arrow.label) + 4
        yield _rectangle("label", x - width / 2, y - _LINE / 2, width, _LINE, 0)
        yield _text(arrow.label, x, y)
