"""Layout of boxes in layers, one below the other, by grandalf: pictures of graphs and of pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class _View:
    """A box as grandalf wants it: `xy` is its centre."""

    def __init__(self, w: float, h: float) -> None:
        self.w, self.h = w, h
        self.xy = (0.0, 0.0)


class _Path:
    """The points of an edge, given by grandalf."""

    def __init__(self) -> None:
        self.points: list[tuple[float, float]] = []

    def setpath(self, points: list[tuple[float, float]]) -> None:
        self.points = list(points)


def in_layers(
    boxes: Iterable[tuple[Any, float, float]],
    edges: Iterable[tuple[int, int, Any]],
    between_columns: float,
    between_layers: float,
) -> tuple[list[Any], list[Any]]:
    """Lay boxes out, each connected part for itself.

    boxes: what each is, its width and its height
    edges: the numbers of two boxes, and what the edge is

    Return grandalf's parts, with vertices `sV` and edges `sE`, and the edges in order. `data` is
    what each is, `view.xy` the centre of a vertex, and `view.points` are the corners of an edge.
    """
    from grandalf.graphs import Edge, Graph, Vertex
    from grandalf.layouts import SugiyamaLayout
    from grandalf.routing import route_with_lines

    vertices: list[Any] = []
    for data, width, height in boxes:
        vertices.append(Vertex(data))
        vertices[-1].view = _View(width, height)
    arrows: list[Any] = []
    for start, end, data in edges:
        arrows.append(Edge(vertices[start], vertices[end], data=data))
        arrows[-1].view = _Path()
    parts = list(Graph(vertices, arrows).C)
    for part in parts:
        layout = SugiyamaLayout(part)
        layout.xspace, layout.yspace = between_columns, between_layers
        layout.route_edge = route_with_lines
        layout.init_all()
        layout.draw(3)
    return parts, arrows
