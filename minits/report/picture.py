"""The dataflow of a graph as a picture: operators, in boxes for blocks and fused groups.

Each block is laid out by itself, in layers (grandalf's Sugiyama layout), the blocks in it first: a
node that has blocks is a rectangle as large as these. Constants and reads of attributes are left
out, since they would be half of all boxes.

Of a graph that is too large, neighbours that were inlined by one call are one box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from minits.ir.graph import Block, Graph, Node, Value
from minits.records import dataclass, field
from minits.report.layers import in_layers
from minits.report.model import Box, Picture
from minits.report.ranges import Ranges, group_links

MOST_BOXES = 400
"""The number of boxes of a picture that a person can still read."""
LEFT_OUT = ("prim::Constant", "prim::GetAttr")
_CHARACTER, _HEIGHT, _MARGIN, _TITLE = 7.0, 26.0, 14.0, 20.0
_BETWEEN_COLUMNS, _BETWEEN_LAYERS = 18.0, 26.0


@dataclass(slots=True, eq=False)
class _Item:
    """A rectangle to be laid out: a node, some nodes of one call, or a block's inputs or outputs.

    `parts` are the boxes inside of it, relative to its corner; `edges` the same.
    """

    kind: str
    label: str
    node: Node
    reads: list[Value]
    gives: list[Value]
    width: float = 0.0
    height: float = _HEIGHT
    parts: list[Box] = field(default_factory=list)
    edges: list[list[float]] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0


def picture_of(graph: Graph, key: Callable[[Node], int], ranges: Ranges) -> Picture:
    """Return the picture of a graph. `key` gives the number of a node."""
    depths = [None, *reversed(range(1, 1 + _most_calls(graph)))]
    for depth in depths:
        painter = _Painter(key, ranges, depth)
        if painter.count(graph.block) <= MOST_BOXES:
            width, height, boxes, edges = painter.block(graph.block)
            note = "Constants and reads of attributes are left out."
            if depth is not None:
                note += " Neighbours that one call brought in are one box."
            return Picture(width, height, boxes, edges, note)
    return Picture(note=f"The picture is left out: it would have more than {MOST_BOXES} boxes.")


def _most_calls(graph: Graph) -> int:
    return max((len(node.callstack) for node in graph.all_nodes()), default=0)


class _Painter:
    def __init__(self, key: Callable[[Node], int], ranges: Ranges, depth: int | None) -> None:
        self.key = key
        self.ranges = ranges
        self.depth = depth

    def count(self, block: Block) -> int:
        """Return the number of boxes of a block."""
        found = 0
        for nodes in self._runs(block):
            found += 1
            if len(nodes) == 1:
                found += sum(self.count(inner) for inner in _blocks(nodes[0]))
        return found

    def block(self, block: Block) -> tuple[float, float, list[Box], list[list[float]]]:
        """Return the size of a block, its boxes and its edges."""
        items = list(self._items(block))
        edges = [(a, b) for a, b in _edges(items, block)]
        paths = _lay_out(items, edges)
        boxes, lines = list[Box](), paths
        for item in items:
            boxes.append(self._box(item))
            for part in item.parts:
                part.x, part.y = part.x + item.x, part.y + item.y
            boxes += item.parts
            lines += [_moved(line, item.x, item.y) for line in item.edges]
        width = max([item.x + item.width for item in items], default=0.0) + _MARGIN
        height = max([item.y + item.height for item in items], default=0.0) + _MARGIN
        return width, height, boxes, lines

    def _box(self, item: _Item) -> Box:
        box = Box(
            self.key(item.node), item.kind, item.label, item.x, item.y, item.width, item.height
        )
        if item.kind == "group":
            box.links = group_links(item.node["Subgraph"], self.ranges)
            box.own = len(box.links)
        elif item.kind not in ("inputs", "outputs"):
            box.links = self.ranges.links(item.node)
        return box

    # ---- Items -----------------------------------------------------------------------------------

    def _items(self, block: Block) -> Iterator[_Item]:
        if block.inputs:
            names = _shortened(", ".join(value.name for value in block.inputs))
            yield _sized(_Item("inputs", names, block.param, [], list(block.inputs)))
        for nodes in self._runs(block):
            yield self._item(nodes)
        if block.outputs:
            kind = "outputs"
            yield _sized(_Item(kind, "return", block.end, list(block.outputs), []))

    def _runs(self, block: Block) -> Iterator[list[Node]]:
        """Yield the nodes of each box: one, or neighbours that the same calls brought in."""
        run: list[Node] = []
        for node in block.nodes:
            if node.kind in LEFT_OUT:
                continue
            if run and not self._is_of_same_call(run[-1], node):
                yield run
                run = []
            run.append(node)
        if run:
            yield run

    def _is_of_same_call(self, one: Node, other: Node) -> bool:
        if self.depth is None or not one.callstack:
            return False
        return one.callstack[: self.depth] == other.callstack[: self.depth]

    def _item(self, nodes: Sequence[Node]) -> _Item:
        first, *others = nodes
        if others:
            reads = [value for node in nodes for value in _reads(node)]
            gives = [value for node in nodes for value in node.outputs]
            name = first.callstack[: self.depth][-1][0]
            return _sized(_Item("inlined", f"{name} ({len(nodes)})", first, reads, gives))
        is_group = "Subgraph" in first.attributes
        kind = "group" if is_group else "blocks" if first.blocks else _kind(first)
        label = first.kind.removeprefix("aten::").removeprefix("prim::")
        item = _sized(_Item(kind, label, first, list(_reads(first)), list(first.outputs)))
        blocks = _blocks(first)
        return self._with_blocks(item, blocks) if blocks else item

    def _with_blocks(self, item: _Item, blocks: Sequence[Block]) -> _Item:
        """Lay out the blocks of a node side by side below its title."""
        x = _MARGIN
        for number, block in enumerate(blocks):
            width, height, boxes, edges = self.block(block)
            for box in boxes:
                box.x, box.y = box.x + x, box.y + _TITLE
            item.parts += boxes
            item.edges += [_moved(line, x, _TITLE) for line in edges]
            if len(blocks) > 1:
                title = f"block{number}"
                frame = Box(self.key(block.param), "block", title, x, _TITLE, width, height)
                item.parts.insert(len(item.parts) - len(boxes), frame)
            x += width + (_MARGIN if number + 1 < len(blocks) else 0)
            item.height = max(item.height, _TITLE + height + _MARGIN / 2)
        item.width = max(item.width, x + _MARGIN / 2)
        return item


def _blocks(node: Node) -> list[Block]:
    """Return the blocks that are drawn inside of a node."""
    return [node["Subgraph"].block] if "Subgraph" in node.attributes else list(node.blocks)


def _kind(node: Node) -> str:
    return "calling" if node.kind.startswith("prim::Call") else "operator"


def _sized(item: _Item) -> _Item:
    item.width = len(item.label) * _CHARACTER + 16
    return item


def _shortened(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _reads(node: Node) -> Iterable[Value]:
    """Yield the values that a node reads, in its blocks as well."""
    yield from node.inputs
    for block in node.blocks:
        for inner in block.nodes:
            yield from _reads(inner)
        yield from block.outputs


# ---- Layout ------------------------------------------------------------------------------------


def _edges(items: Sequence[_Item], block: Block) -> dict[tuple[int, int], None]:
    """Return which item reads a value of which, by their positions."""
    makers = {value: number for number, item in enumerate(items) for value in item.gives}
    found: dict[tuple[int, int], None] = {}
    for number, item in enumerate(items):
        for value in item.reads:
            maker = makers.get(value)
            if maker is not None and maker < number:
                found[maker, number] = None
    return found


def _lay_out(items: Sequence[_Item], edges: Iterable[tuple[int, int]]) -> list[list[float]]:
    """Give items their places; return the edges as lists of x and y."""
    boxes = [(item, item.width, item.height) for item in items]
    pairs = [(start, end, None) for start, end in edges]
    parts, arrows = in_layers(boxes, pairs, _BETWEEN_COLUMNS, _BETWEEN_LAYERS)
    x = _MARGIN
    for part in parts:
        x = _place(list(part.sV), list(part.sE), x) + _BETWEEN_COLUMNS
    return [[number for point in arrow.view.points for number in point] for arrow in arrows]


def _place(vertices: list[Any], arrows: list[Any], left: float) -> float:
    """Move a connected part to the right of the parts before it; return its right end."""
    corners = [
        (v.view.xy[0] - v.view.w / 2, v.view.xy[1] - v.view.h / 2, v.view, v.data) for v in vertices
    ]
    dx = left - min(x for x, *_ in corners)
    dy = _MARGIN - min(y for _, y, *_ in corners)
    for x, y, _, item in corners:
        item.x, item.y = x + dx, y + dy
    for arrow in arrows:
        arrow.view.points = [(x + dx, y + dy) for x, y in arrow.view.points]
    right: float = max(x + view.w for x, _, view, _ in corners) + dx
    return right


def _moved(line: list[float], x: float, y: float) -> list[float]:
    return [number + (y if index % 2 else x) for index, number in enumerate(line)]
