"""Questions to Python: what is Python's by nature, and for which C has no function of torch.

Before:
    %s : str = ^joined[]()(%values, %separator)
After:
    %s : str = native::ask[number=0](%values)
In C:
    mts_value answer;
    int32_t fault = mts_ask(pool, ask, asker, 0, (mts_value[]){{.list = values}}, 0, &answer);
    if (fault < 0) return fault;
    if (fault) return 1;

These are calls of Python functions and of other workers, warnings, generators of random numbers,
gradients, and context managers of torch. Python is given values as it is given results, and writes
its answer as words, like an argument (`given.py`). A module or manager is an object of Python that
C only passes on; in programs with Python functions each read of its attributes is a question, too.

Layout: `mts_ask` (c/questions.c). Python's side is in `answers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from minits.codegen.context_stack import entering, exiting
from minits.codegen.python import method_of
from minits.codegen.tasks import result_in_program
from minits.codegen.uses import is_used, resolve, uses_of
from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Graph, Node, Value
from minits.native.answers import Answer, Question
from minits.native.attributes import never_changes
from minits.native.c_types import (
    HELD,
    OBJECT,
    NotNative,
    c_type,
    has_tensors,
    holds_object,
)
from minits.native.complex_numbers import BOXED
from minits.native.optional_numbers import BOX
from minits.ops.evaluate import evaluator
from minits.ops.properties import schema_of
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

ASK = "native::ask"
_PYTHON = "prim::PythonOp"
_ASYNC = "prim::rpc_async"
ASKED = frozenset(
    (_PYTHON, "aten::backward", "aten::grad", "prim::grad", "aten::get_autocast_dtype",
     _ASYNC, "prim::rpc_sync", "prim::rpc_remote")
)  # fmt: skip
"""Operators that are asked of Python whatever their operands are."""
_MANAGERS = ("__torch__.torch.amp.", "__torch__.torch.cpu.amp.", "__torch__.torch.cuda.amp.",
             "__torch__.torch.autograd.profiler.")  # fmt: skip
"""Beginnings of the names of classes whose objects Python has."""
_GENERATORS = (t.GENERATOR, t.OptionalType(t.GENERATOR))
_OF_MANAGERS = ("prim::CreateObject", "prim::GetAttr", "prim::SetAttr", "prim::Enter", "prim::Exit")


def asked_in(graph: Graph) -> Node | None:
    """Return the first node for which C would call Python, other than for a warning."""
    return next((node for node in graph.all_nodes() if _is_asked(node)), None)


def ask_python(graph: Graph) -> list[Question]:
    """Make questions of what C cannot do. Return these, by their numbers.

    Raises `NotNative` for values that Python cannot be given.
    """
    nodes = list(graph.all_nodes())
    asked = [node for node in nodes if node.kind == "aten::warn" or _is_asked(node)]
    if any(node.kind == _PYTHON for node in asked):  # it may set any attribute
        wanted = {*asked, *_of_objects(graph, nodes)}
        asked = [node for node in nodes if node in wanted]
    answers = [_answer_of(node) for node in asked]  # by types, before objects are only that
    questions = [
        _ask(graph, node, *each) for each, node in zip(enumerate(answers), asked, strict=True)
    ]
    for value in graph.inputs if questions else ():
        if any(use.user.kind == ASK for use in value.uses) and _is_object(value.type):
            value.type = OBJECT
    _check_objects(graph)
    return questions


def _check_objects(graph: Graph) -> None:
    """Check that objects of Python go nowhere but to it: to C they are no lists of attributes.

    Raises `NotNative`.
    """
    asked = [node.output for node in graph.nodes_of_kind(ASK) if node.outputs]
    for value in (*graph.inputs, *asked):
        for use in uses_of(value) if value.type == OBJECT else ():
            if use.user.kind != ASK:
                raise NotNative(use.user, use.user.kind)


def _of_objects(graph: Graph, nodes: Sequence[Node]) -> set[Node]:
    """Return the nodes that read and set attributes of the objects that a graph is given.

    Raises `NotNative` for lists and dicts: C would have others than the object.
    """
    objects = {value for value in graph.inputs if _is_object(value.type)}
    found = set[Node]()
    for node in nodes:
        if node.kind not in ("prim::GetAttr", "prim::SetAttr") or node.inputs[0] not in objects:
            continue
        value = node.output if node.kind == "prim::GetAttr" else node.inputs[1]
        if _is_object(value.type):
            objects.add(value)
        elif not never_changes(value.type):
            raise NotNative(node, node.kind)
        found.add(node)
    return found


def _is_asked(node: Node) -> bool:
    if node.kind in _OF_MANAGERS:
        values = [*node.outputs[:1], *node.inputs[:1]]
        return any(is_manager_of_python(value.type) for value in values)
    if node.kind in ASKED:
        return node.kind != _PYTHON or "pyobj" in node.attributes
    if node.kind == "aten::wait":
        return node.inputs[0].node.kind == _ASYNC
    return _takes_handle(node)


def is_manager_of_python(type: t.Type) -> bool:
    """Return whether Python has the objects of a class, which are managers of torch."""
    return type.annotation.startswith(_MANAGERS)


def _takes_handle(node: Node) -> bool:
    """Return whether a node is an operator of torch that is given a generator or a reference."""
    if not any(_is_handle(value.type) for value in node.inputs):
        return False
    schema = schema_of(node) if node.kind.startswith("aten::") else None
    return schema is not None and any(_is_handle(each.type) for each in schema.arguments)


def _is_handle(type: t.Type) -> bool:
    return type in _GENERATORS or isinstance(type, t.RRefType)


def _is_object(type: t.Type) -> bool:
    return isinstance(type, t.ClassType)


def _ask(graph: Graph, node: Node, number: int, answer: Answer) -> Question:
    """Put a question in the place of a node. Raises `NotNative`."""
    if len(node.outputs) > 1:
        raise NotNative(node, node.kind)
    constants: list[Any] = []
    given = []
    for value in map(resolve, node.inputs):
        constants.append(to_python(value))
        if constants[-1] is NOT_CONSTANT:
            given.append(_given(graph, node, value))
    question = Question(answer, constants)
    used = [output for output in node.outputs if is_used(output)]
    types = [OBJECT if _is_object_of(node, each.type) else each.type for each in used]
    ask = graph.create(ASK, given, [each for each in types if each != t.NONE]).insert_before(node)
    ask.range, ask.callstack = node.range, node.callstack
    ask.set_attr("number", "i", number).set_attr("what", "s", node.kind)
    for output in used:
        with graph.inserting_at(node):
            none = insert_constant(graph, None, t.NONE, node.range)
        output.replace_all_uses_with(ask.output if ask.outputs else none)
    node.destroy()
    return question


def _is_object_of(node: Node, type: t.Type) -> bool:
    return _is_object(type) or node.kind == _ASYNC


def _given(graph: Graph, node: Node, value: Value) -> Value:
    """Return a value as Python is given it. Raises `NotNative` for objects that are C's."""
    if value.type == t.COMPLEX:
        return graph.create(BOX, [value], [BOXED]).insert_before(node).output
    if holds_object(value.type) and not (_is_object(value.type) and value in graph.inputs):
        raise NotNative(node, value.type.annotation)
    return value


def _answer_of(node: Node) -> Answer:
    """Return the function that answers for a node, given who asks and the node's inputs.

    Raises `NotNative` for an operator that is not known.
    """
    if node.kind == "aten::warn":
        return _with_warned(evaluator(node))
    if node.kind in ("prim::Enter", "prim::Exit"):
        return _with_entered(node)
    if node.kind == "aten::wait":
        return _without_asker(result_in_program)
    try:
        return _without_asker(evaluator(node))
    except LookupError:
        raise NotNative(node, node.kind) from None


def _without_asker(operation: Callable[..., Any]) -> Answer:
    return lambda asker, *values: operation(*values)


def _with_warned(operation: Callable[..., Any]) -> Answer:
    return lambda asker, *values: operation(*values, asker.warned)


def _with_entered(node: Node) -> Answer:
    type = node.inputs[0].type
    exit = method_of(type, "__exit__")
    if node.kind == "prim::Exit":
        operation = exiting(exit)
    else:
        operation = entering(method_of(type, "__enter__"), exit)
    return lambda asker, *values: operation(asker.entered, *values)


def print_ask(printer: BlockPrinter, node: Node) -> None:
    """Print a question. Raises `NotNative`, in a task for what may raise there."""
    function = printer.function
    if not function.has_python or printer.ending is not None:
        raise NotNative(node, node["what"])
    function.asks = function.has_lists = True
    question = function.questions[node["number"]]
    at_boundary = function.tags.at_boundary
    question.types = [at_boundary(value.type) for value in node.inputs]
    question.type = at_boundary(node.output.type) if node.outputs else None
    types = map(c_type, node.inputs)
    given = [
        f"{{.{type.slot} = {printer.read(value)}}}"
        for type, value in zip(types, node.inputs, strict=True)
    ]
    printer.show(node)
    answer, fault = function.names.new("answer"), function.names.new("fault")
    takes = bool(node.outputs) and has_tensors(node.output.type)
    asked = [
        "pool, ask, asker",
        str(node["number"]),
        f"(mts_value[]){{{', '.join(given)}}}" if given else "0",
        "mts_tensor_given" if takes else "0",
        f"&{answer}",
    ]
    printer.line(f"mts_value {answer};")
    printer.line(f"int32_t {fault} = mts_ask({', '.join(asked)});")
    printer.line(f"if ({fault} < 0) return {fault};")
    printer.leave_if(fault, node)
    if node.outputs:
        _take(printer, node.output, answer)


def _take(printer: BlockPrinter, output: Value, answer: str) -> None:
    type, name = c_type(output), printer.function.names.of(output)
    if output.type == t.TENSOR:  # for None a tensor that is not defined
        printer.make(output, f"mts_tensor_or_undefined(pool, {answer}.list)")
        return
    if type is HELD:
        printer.hold(name)
        printer.tensors.add(output)
    printer.line(f"{type.of(name)} = {answer}.{type.slot};")
