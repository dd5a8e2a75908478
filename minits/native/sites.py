"""The places where a native function may raise, and raising there.

A function returns the number of its site, and hands out the operands. What the error is, the
program's operator knows (`ops/`): it is called with the operands, and raises. The error gets the
program's lines and calls as if generated Python had raised it.
"""

from __future__ import annotations

import ast
import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import torch
from torch import Tensor

from minits.codegen.expressions import Location, parsed
from minits.codegen.python import FunctionWriter
from minits.codegen.uses import resolve
from minits.ir.alias import written_inputs
from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Graph, Node, Value
from minits.native.c_types import is_tensor
from minits.native.tasks import task_of
from minits.ops.errors import as_script_error
from minits.ops.evaluate import evaluator
from minits.records import dataclass
from minits.torch_internals import is_zero_tensor
from minits.types import types as t


@dataclass(frozen=True, slots=True)
class Site:
    """A node that may raise, and the values that it tells if it does, with their types in C.

    is_torch: a function of torch has failed there, and knows the message
    at: the node whose place in the program it has, if that is another one
    """

    node: Node
    told: list[Value]
    types: list[t.Type]
    is_torch: bool = False
    at: Node | None = None


_OF_MESSAGES = frozenset(("aten::format", "aten::percentFormat", "aten::str", "aten::add"))
"""Operators that make a str of values which stay as they are."""


class PythonAlone(ctypes.ArgumentError):
    """Python computes what C does not: the quotient of a complex number that a tensor has, say."""


def is_of_message(node: Node) -> bool:
    """Return whether a node makes the message of an error and nothing else: Python computes it."""
    return (
        node.kind in _OF_MESSAGES
        and node.output.type == t.STR
        and all(
            use.user.kind == "prim::RaiseException" or is_of_message(use.user)
            for use in node.output.uses
        )
    )


def told_values(node: Node, has_handles: bool = False) -> list[Value]:
    """Return the values that a node's error is computed from: its inputs.

    A message that the program formats is computed from the operands of its operators, and a view of
    a tensor from indices. The tensors that the function is given are known.

    has_handles: tensors are values of C, and told like others
    """
    found: dict[Value, None] = {}
    for value in map(resolve, node.inputs):
        if to_python(value) is NOT_CONSTANT:
            if is_of_message(value.node) or (is_tensor(value) and not has_handles):
                found.update(dict.fromkeys(told_values(value.node, has_handles)))
            else:
                found[value] = None
    return list(found)


def raise_at(
    site: Site, known: dict[Value, Any], graph: Graph, name: str, error: BaseException | None = None
) -> NoReturn:
    """Raise the error of a site of the function `name`, at its line of the program.

    known: the values that the site tells, and tensors that the function was given.
    error: what the site raises, if its operator is not to be asked
    """
    writer = FunctionWriter(graph, name)
    location = _location(writer, site)
    tree = ast.Module(parsed("def function(error): raise error", location), [])
    code = compile(tree, writer.filename, "exec", dont_inherit=True)
    exec(code, writer.globals)
    function: Callable[[BaseException], NoReturn] = writer.globals["function"]
    function.__code__ = function.__code__.replace(co_name=name)
    function(_error(site.node, known) if error is None else error)


def _location(writer: FunctionWriter, site: Site) -> Location:
    """Return the location of a site, and note its calls.

    A node without a range is where the one before it is.
    """
    at = site.at
    if at is None:
        task = task_of(site.node)
        for node in writer.graph.all_nodes():
            if task_of(node) is task:
                writer.location_of(node, raises=False)
                at = node if node.range is not None else at
            if node is site.node:
                break
    return writer.location_of(site.node if at is None else at)


def _error(node: Node, known: dict[Value, Any]) -> Exception:
    """Return the error that a node raises for values, and leave what it writes to as it is."""
    arguments = {value: _computed(value, known) for value in node.inputs}
    try:
        with _kept([arguments[value] for value in written_inputs(node)]):
            evaluator(node)(*[arguments[value] for value in node.inputs])
    except Exception as error:
        return as_script_error(error).with_traceback(None)
    if any(isinstance(value, complex) for value in arguments.values()):
        return PythonAlone(f"{node.kind} of a complex number of a tensor runs in Python alone")
    if any(
        isinstance(x, torch.Tensor) and (x.is_sparse or x.is_quantized) for x in arguments.values()
    ):
        return PythonAlone(f"{node.kind} of a sparse or quantized tensor runs in Python alone")
    raise AssertionError(f"{node.kind} raises in C, but not in Python")


@contextmanager
def _kept(written: Sequence[Any]) -> Iterator[None]:
    """Give tensors, which may be in lists, the contents back that they have now.

    An operator may write before it raises, as all do to an inference tensor. C has called it once.
    """
    tensors = [each for one in written for each in (one if isinstance(one, list) else [one])]
    storages = [
        each.untyped_storage() for each in tensors if isinstance(each, Tensor) and _has_memory(each)
    ]
    contents = [storage.clone() for storage in storages]
    try:
        yield
    finally:
        for storage, content in zip(storages, contents, strict=True):
            storage.copy_(content)


def _has_memory(tensor: Tensor) -> bool:
    return tensor.layout == torch.strided and not (tensor.is_meta or is_zero_tensor(tensor))


def _computed(value: Value, known: dict[Value, Any]) -> Any:
    """Return a value that is known, or a message computed from such."""
    value = resolve(value)
    content = to_python(value)
    if content is not NOT_CONSTANT:
        return content
    if value in known:
        return known[value]
    inputs = [_computed(each, known) for each in value.node.inputs]
    return evaluator(value.node)(*inputs)
