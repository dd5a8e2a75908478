"""A graph in the language of graphviz: `minits compile FILE --emit=dot | dot -Tsvg > graph.svg`.

Operators are boxes, and the values that they pass on are arrows. Blocks of `prim::If` and
`prim::Loop` are clusters, nested as in the graph, and so is each fused group, in colour. Constants
stand in the boxes of the operators that read them.
"""

from __future__ import annotations

from minits.internal_error import internal_errors
from minits.ir.graph import Block, Graph, Node, Value
from minits.recursion import deep_recursion
from minits.short_names import with_short_names

_WIDEST = 40
"""Characters of a constant that are shown."""
_FUSED = 'style="filled,rounded"; fillcolor="#e8f1e4";'


@internal_errors("drawing a graph")
@deep_recursion()
def print_dot(graph: Graph, name: str = "") -> str:
    """Return the graph as a `digraph`."""
    printer = _Printer()
    printer.graph(graph)
    body = "\n".join([*printer.lines, *printer.edges])
    return (
        f"digraph {_quoted(name or 'graph')} {{\n"
        '  node [shape=box, fontname="monospace", fontsize=10];\n'
        '  edge [fontname="monospace", fontsize=9];\n'
        f"{body}\n}}\n"
    )


class _Printer:
    """Writes nodes into the clusters of their blocks; edges stand at the end, outside of all."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.edges: list[str] = []
        self.sources: dict[Value, str] = {}
        """The drawn node that each value comes from."""
        self.count = 0
        self.depth = 1

    def graph(self, graph: Graph) -> None:
        for value in graph.inputs:
            text = with_short_names(f"%{value.name} : {value.type}")
            self.sources[value] = self.box(text, "shape=ellipse")
        self.nodes(graph.block)
        self.read(self.box("return", "shape=ellipse"), graph.outputs)

    def nodes(self, block: Block) -> None:
        for node in block.nodes:
            if node.kind == "prim::Constant":
                continue
            if "Subgraph" in node.attributes:
                self.group(node)
            elif node.blocks:
                self.control_flow(node)
            else:
                self.operator(node)

    def operator(self, node: Node) -> None:
        box = self.box(_text(node), f"tooltip={_quoted(str(node.range or ''))}")
        self.read(box, node.inputs)
        self.sources.update(dict.fromkeys(node.outputs, box))

    def group(self, node: Node) -> None:
        """Draw a fused group, or another node with a graph, as a cluster of its operators."""
        inner = node["Subgraph"]
        assert isinstance(inner, Graph)
        for outer, own in zip(node.inputs, inner.inputs, strict=True):
            if outer in self.sources:
                self.sources[own] = self.sources[outer]
        self.open(node.kind, _FUSED if node.kind == "prim::FusionGroup" else "style=rounded;")
        self.nodes(inner.block)
        self.close()
        for result, own in zip(node.outputs, inner.outputs, strict=False):
            self.sources[result] = self.sources.get(own, "")

    def control_flow(self, node: Node) -> None:
        self.open(node.kind, "style=rounded;")
        head = self.box(_text(node), "shape=diamond")
        self.read(head, node.inputs)
        ends = [self.block(node, index, head) for index in range(len(node.blocks))]
        join = self.box(_references(node.outputs) or "end", "shape=ellipse")
        self.edges += [f"  {end} -> {join};" for end in ends]
        self.sources.update(dict.fromkeys(node.outputs, join))
        self.close()

    def block(self, node: Node, index: int, head: str) -> str:
        """Draw a block as a cluster; return the box of its results."""
        block = node.blocks[index]
        self.open(f"block{index}", "style=dashed;")
        start = self.box(_references(block.inputs) or "start", "shape=ellipse")
        self.sources.update(dict.fromkeys(block.inputs, start))
        self.nodes(block)
        end = self.box(f"-> ({_references(block.outputs)})", "shape=ellipse")
        self.read(end, block.outputs)
        self.close()
        self.edges.append(f"  {head} -> {start} [style=dashed];")
        if node.kind == "prim::Loop":
            self.edges.append(
                f'  {end} -> {start} [style=dashed, constraint=false, label="again"];'
            )
        return end

    # ---- Text ------------------------------------------------------------------------------------

    def box(self, label: str, attributes: str = "") -> str:
        name = f"n{self.count}"
        self.count += 1
        more = f", {attributes}" if attributes else ""
        self.lines.append(f"{'  ' * self.depth}{name} [label={_quoted(label)}{more}];")
        return name

    def read(self, box: str, values: list[Value]) -> None:
        """Draw an arrow for each of the values, once."""
        for value in dict.fromkeys(values):
            if self.sources.get(value):
                label = _quoted(f"%{value.name}")
                self.edges.append(f"  {self.sources[value]} -> {box} [label={label}];")

    def open(self, label: str, style: str) -> None:
        self.lines.append(f"{'  ' * self.depth}subgraph cluster_{self.count} {{")
        self.count += 1
        self.depth += 1
        self.lines.append(f"{'  ' * self.depth}label={_quoted(label)}; {style}")

    def close(self) -> None:
        self.depth -= 1
        self.lines.append(f"{'  ' * self.depth}}}")


def _text(node: Node) -> str:
    """Return a node as its box shows it: `%y = aten::add(%x, 1)`."""
    names = _references(node.outputs)
    shown = [name for name in ("name", "value") if name in node.attributes]
    attributes = ", ".join(f"{name}={_short(repr(node[name]))}" for name in shown)
    kind = f"{node.kind}[{attributes}]" if attributes else node.kind
    operands = ", ".join(map(_operand, node.inputs))
    return f"{names} = {kind}({operands})" if names else f"{kind}({operands})"


def _operand(value: Value) -> str:
    node = value.node
    if node.kind != "prim::Constant" or node.block is None:
        return f"%{value.name}"
    if "value" in node.attributes:
        return _short(repr(node["value"]))
    return str(node["name"]) if "name" in node.attributes else "None"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}..."


def _references(values: list[Value]) -> str:
    return ", ".join(f"%{value.name}" for value in values)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
