"""Answer questions about lists and dicts that are written out and never changed.

Before:
    %l : int[] = prim::ListConstruct(%a, %b)
    %n : int = aten::len(%l)
    %x : int = aten::__getitem__(%l, %one)
    %m : int[] = aten::add(%l, %l)
After (every use of %x now uses %b):
    %n : int = prim::Constant[value=2]()
    %m : int[] = prim::ListConstruct(%a, %b, %a, %b)

An index that is out of range, or a key that is not there, is left to raise when the program runs.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/peephole_list_idioms.cpp and peephole_dict_idioms.cpp.
"""

from __future__ import annotations

from typing import Any

from minits.ir.alias import AliasAnalysis
from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Graph, Node, Value

_LITERALS = ("prim::ListConstruct", "prim::DictConstruct")
_QUESTIONS = frozenset(
    ("aten::len", "aten::__getitem__", "prim::ListUnpack", "aten::add", "aten::slice")
)


def fold_container_queries(graph: Graph) -> bool:
    """Return whether the graph changed."""
    literals = [node.output for node in graph.nodes_of_kind(*_LITERALS)]
    if not literals:
        return False
    alias = AliasAnalysis(graph)
    unchanged = {value for value in literals if not alias.is_written(value)}
    questions = graph.nodes_of_kind(*_QUESTIONS)
    answered = [node for node in questions if _answer(node, unchanged)]
    return bool(answered)


def _answer(question: Node, unchanged: set[Value]) -> bool:
    """Replace the results of a question that has an answer; return whether it has."""
    if not question.inputs or question.inputs[0] not in unchanged:
        return False
    container = question.inputs[0]
    with question.graph.inserting_at(question):
        if container.node.kind == "prim::DictConstruct":
            answers = _of_dict(question, container.node)
        else:
            answers = _of_list(question, container.node.inputs, unchanged)
    if answers is None:
        return False
    for output, answer in zip(question.outputs, answers, strict=True):
        output.replace_all_uses_with(answer)
    return True


def _of_list(question: Node, items: list[Value], unchanged: set[Value]) -> list[Value] | None:
    match question.kind:
        case "aten::len":
            return [insert_constant(question.graph, len(items))]
        case "aten::__getitem__":
            index = to_python(question.inputs[1])
            known = isinstance(index, int) and -len(items) <= index < len(items)
            return [items[index]] if known else None
        case "prim::ListUnpack":
            return items if len(items) == len(question.outputs) else None
        case "aten::slice":
            bounds = [to_python(value) for value in question.inputs[1:]]
            return None if NOT_CONSTANT in bounds else [_list(question, items[slice(*bounds)])]
    other = question.inputs[1]
    return [_list(question, [*items, *other.node.inputs])] if other in unchanged else None


def _list(question: Node, items: list[Value]) -> Value:
    made = question.graph.emit("prim::ListConstruct", items, [question.output.type], question.range)
    return made.output


def _of_dict(question: Node, made: Node) -> list[Value] | None:
    keys = [to_python(key) for key in made.inputs[::2]]
    if not all(isinstance(key, (int, float, str)) for key in keys) or len({*keys}) < len(keys):
        return None
    if question.kind == "aten::len":
        return [insert_constant(question.graph, len(keys))]
    wanted: Any = to_python(question.inputs[1]) if question.kind == "aten::__getitem__" else None
    return [made.inputs[2 * keys.index(wanted) + 1]] if wanted in keys else None
