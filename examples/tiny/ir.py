"""SSA: each value is made once, by a node or as the input of a block. A graph is a block."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Value:
    type: str


@dataclass(eq=False)
class Node:
    """One operation. `constant` is the value of a prim::Constant."""

    kind: str
    inputs: list[Value]
    outputs: list[Value]
    blocks: list["Block"] = field(default_factory=list)
    constant: Any = None


@dataclass(eq=False)
class Block:
    inputs: list[Value] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)

    def __str__(self) -> str:
        names: dict[Value, str] = {}
        inputs = ",\n      ".join(_declared(value, names) for value in self.inputs)
        body = "".join(line for node in self.nodes for line in _lines(node, names, "  "))
        outputs = ", ".join(names[value] for value in self.outputs)
        return f"graph({inputs}):\n{body}  return ({outputs})\n"


def _declared(value: Value, names: dict[Value, str]) -> str:
    names[value] = f"%{len(names)}"
    return f"{names[value]} : {value.type}"


def _lines(node: Node, names: dict[Value, str], indent: str) -> list[str]:
    inputs = ", ".join(names[value] for value in node.inputs)
    outputs = ", ".join(_declared(value, names) for value in node.outputs)
    attribute = "" if node.constant is None else f"[value={_literal(node.constant)}]"
    lines = [f"{indent}{outputs} = {node.kind}{attribute}({inputs})\n"]
    for number, block in enumerate(node.blocks):
        declared = ", ".join(_declared(value, names) for value in block.inputs)
        lines.append(f"{indent}  block{number}({declared}):\n")
        lines += [line for inner in block.nodes for line in _lines(inner, names, indent + "    ")]
        lines.append(f"{indent}    -> ({', '.join(names[value] for value in block.outputs)})\n")
    return lines


def _literal(constant: Any) -> str:
    return str(int(constant)) if isinstance(constant, bool) else str(constant)
