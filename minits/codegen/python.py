"""Graphs as Python functions.

    compile_graph(graph, name)     the function
    python_source(graph, name)     its text, for people

The function's code object carries the file name and the line numbers of the user's source, so that
tracebacks, debuggers and profilers show the program as it was written. How it is made:

    blocks.py           control flow, and which expression goes where
    variables.py        which values share a Python variable
    releases.py         where a variable is deleted, as its tensor is not used again
    templates.py        operators that are Python's own
    torch_calls.py      operators of tensors
    integer_bounds.py   where 64-bit integers need to be wrapped around

What generated code raises is turned into a `ScriptError` by `minits.ops.errors.as_script_error`.
"""

from __future__ import annotations

import ast
import builtins
import sys
import types
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from minits import torch_internals as internals
from minits.codegen.blocks import BlockWriter
from minits.codegen.constant_containers import is_given_away
from minits.codegen.context_stack import ActiveContexts, entering, exiting
from minits.codegen.evaluated import function_of
from minits.codegen.expressions import (
    LOAD,
    Code,
    Location,
    assign,
    combine,
    literal,
    method,
    parsed,
)
from minits.codegen.expressions import call as call_tree
from minits.codegen.generated import EVALUATED, STACKS, Stack
from minits.codegen.hooked_calls import hooked_call
from minits.codegen.integer_bounds import IntegerBounds, operator_key
from minits.codegen.objects import interface_method
from minits.codegen.releases import with_releases
from minits.codegen.temporaries import Temporaries
from minits.codegen.torch_calls import FromNumber, Literal, TorchCall, torch_call
from minits.codegen.variables import Variables
from minits.identity import Identity
from minits.ir.constants import constant_value
from minits.ir.graph import Graph, Node, Value
from minits.ir.in_place import is_marked, lying_as_written
from minits.ir.in_place_forms import writes_to_copy
from minits.ops.copies import copied
from minits.ops.evaluate import is_python
from minits.ops.native_methods import BoundFunction, native_method
from minits.ops.properties import schema_of
from minits.passes.inlining import is_hooked
from minits.source import SourceRange
from minits.types import types as t


def compile_graph(
    graph: Graph,
    name: str = "graph",
    body_of_task: Callable[[Node], Callable[..., Any]] | None = None,
    native_loop: Callable[..., Callable[..., Any]] | None = None,
    owns_arguments: bool = False,
) -> Callable[..., Any]:
    """Return a Python function that takes the graph's inputs by position, without checks.

    body_of_task: makes the Python function of the task that a node forks; this one, if it is None
    native_loop: makes the function that runs a marked loop (ir/native_loops.py), of a graph, a name
        and whether loops are around it; if it is None, marks are not looked at.
    owns_arguments: its callers are generated functions, which may have no other use for them
    """
    writer = FunctionWriter(graph, name, owns_arguments)
    writer.native_loop = native_loop
    writer.body_of_task = body_of_task or writer.body_of_task
    tree = ast.Module([writer.write()], [])
    code = compile(tree, writer.filename, "exec", dont_inherit=True)
    exec(code, writer.globals)
    function: types.FunctionType = writer.globals.pop(writer.name)
    function.__code__ = function.__code__.replace(co_name=name)
    function.__name__ = function.__qualname__ = name
    function.__dict__[EVALUATED] = writer.evaluated
    return function


def compile_function(function: Any) -> Callable[..., Any]:
    """Return the Python function of a compiled function of the program; each is made once."""
    if function.executable is None:
        function.executable = compile_graph(function.graph, function.name, owns_arguments=True)
    made: Callable[..., Any] = function.executable
    return made


def python_source(graph: Graph, name: str = "graph") -> str:
    """Return generated code as text. Names that start with `torch_` or `aten_` are operators."""
    return ast.unparse(FunctionWriter(graph, name).write())


class FunctionWriter:
    """Writes one function. `globals` are the objects that it refers to by name."""

    def __init__(self, graph: Graph, name: str, owns_arguments: bool = False) -> None:
        """Prepare to write a function of a graph.

        owns_arguments: its callers are generated functions, which may have no other use for them
        """
        self.graph = graph
        self.owns_arguments = owns_arguments
        self.variables = Variables(graph)
        self.bounds = IntegerBounds(graph)
        self.temporaries = Temporaries(graph)
        self.body_of_task: Callable[[Node], Callable[..., Any]] = _body_of_task
        self.native_loop: Callable[..., Callable[..., Any]] | None = None
        self.function_name = name
        self.name = self.variables.fresh(name)
        self.stacks: list[tuple[Location, Stack]] = []
        self.globals: dict[str, Any] = {"__name__": "minits.generated", STACKS: self.stacks}
        self._calls: dict[tuple[int, ...], dict[Node, int]] = {}
        """By the location of a call: the nodes inlined there from other files, with numbers."""
        self.evaluated: dict[str, Node] = {}
        """Names in the generated code, and the node whose function each is."""
        self._names: dict[Identity, str] = {}
        self._kernels = 0
        has_managers = bool(graph.nodes_of_kind("prim::Enter"))
        self._entered = self.variables.fresh("entered") if has_managers else None
        warns = bool(graph.nodes_of_kind("aten::warn"))
        self._warned = self.variables.fresh("warned") if warns else None
        self.filename, self._location = self._start()

    def _start(self) -> tuple[str, Location]:
        """Return the file that most nodes are from, and the first line in it.

        Other files are those of operators that torch writes in Python. They have no name, but
        neither has a program that is a text.
        """
        ranges = [r for node in self.graph.all_nodes() if (r := _own_range(node)) is not None]
        if not ranges:
            return "<minits>", _location(None)
        ranges = [r for r in ranges if not r.source.is_given_as_text] or ranges
        files = Counter(r.source.filename for r in ranges)
        (filename, _), *_ = files.most_common(1)
        first = min((r for r in ranges if r.source.filename == filename), key=lambda r: r.begin)
        return filename, _location(first)

    def write(self) -> ast.FunctionDef:
        location = dict(self._location)
        body = BlockWriter(self)
        body.write(self.graph.block)
        if not body.raised:
            codes = body.read(self.graph.outputs, self._location)
            body.flush()
            body.statements.append(ast.Return(_result(codes, self._location), **self._location))
        variables = self.variables
        given = {
            variables.name(value) for value in self.graph.inputs if not self.is_released(value)
        }
        statements = with_releases(body.statements, frozenset(variables.holding - given))
        if self._entered is not None:
            statements = self._leaving(self._entered, statements)
        if self._warned is not None:
            warned = call_tree(self.bind(set, "set"), [], self._location)
            statements = [assign(self._warned, warned, self._location), *statements]
        names = [self.variables.name(value) for value in self.graph.inputs]
        parameters = [ast.arg(name, None, **location) for name in names]
        arguments = ast.arguments([], parameters, None, [], [], None, [])
        function = ast.FunctionDef(self.name, arguments, statements, [], **location)
        if sys.version_info >= (3, 12):
            function.type_params = []
        return function

    def is_released(self, value: Value) -> bool:
        """Return whether the function deletes the variable of a value at its last use.

        What the caller has stays alive: a parameter is deleted where only generated code calls, and
        where the variable may hold another value.
        """
        if value.node is not self.graph.block.param:
            return value.node.kind != "prim::Constant"
        return self.owns_arguments or self.variables.is_shared(value)

    def _leaving(self, entered: str, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return statements that run the body in a `try`, and exit all managers if it raises."""
        made = parsed(
            f"{entered} = made()\n"
            "try: pass\n"
            "except BaseException:\n"
            f"    {entered}.leave()\n"
            "    raise",
            self._location,
        )
        assignment, attempt = made
        assert isinstance(assignment, ast.Assign)
        assert isinstance(attempt, ast.Try)
        assignment.value = call_tree(
            self.bind(ActiveContexts, "ActiveContexts"), [], self._location
        )
        attempt.body = body
        return made

    def location_of(self, node: Node, raises: bool = True) -> Location:
        """Return the lines and columns at which a node stands in the function's file.

        For a node that was inlined from another file, return a part of the location of the call:
        another one for each node, as far as there are any, so that nodes are told apart.

        raises: an error raised there is the node's own, so that its calls are noted for it.
        """
        calls = (loc for _, loc in reversed(node.callstack))
        for loc in (node.range, *calls):
            if loc is not None and loc.source.filename == self.filename:
                self._location = _location(loc)
                if not raises:
                    break
                if loc is not node.range:
                    self._location = self._within_call(self._location, node)
                self.stacks.append((self._location, self._stack_of(node)))
                break
        return self._location

    def _within_call(self, call: Location, node: Node) -> Location:
        known = self._calls.setdefault(tuple(call.values()), {})
        begin, end = call["col_offset"], call["end_col_offset"]
        width = end - begin if call["lineno"] == call["end_lineno"] else end
        half = max(width // 2, 1)
        later, earlier = divmod(min(known.setdefault(node, len(known)), half * half - 1), half)
        return {**call, "col_offset": begin + later, "end_col_offset": end - earlier}

    def _stack_of(self, node: Node) -> Stack:
        names = [self.function_name, *(name for name, _ in node.callstack)]
        ranges = [*(loc for _, loc in node.callstack), node.range]
        return tuple(zip(names, ranges, strict=True))

    def key(self, node: Node) -> str:
        """Return the operator's overload, or the kind of a node that is no operator."""
        return self.bounds.key(node) or operator_key(node) or node.kind

    def bind(self, value: Any, hint: str) -> ast.Name:
        """Return the name of a Python object in the function's globals.

        Only a builtin has a builtin's name: a method `len` of the program is `len_`.
        """
        key = Identity(value)
        name = self._names.get(key)
        if name is None:
            is_builtin = getattr(builtins, hint, None) is value
            name = hint if is_builtin else self.variables.fresh(hint)
            self._names[key] = name
            self.globals[name] = value
        return ast.Name(name, LOAD, **self._location)

    def constant(self, value: Value, location: Location) -> ast.expr:
        type = value.type
        if isinstance(type, t.FunctionType):
            return self.bind(_called(type.function), type.function.name)
        content = constant_value(value.node)
        tree = literal(content, location)
        if tree is not None:
            return tree
        name = self.bind(content, "constant")
        if is_given_away(value):
            return call_tree(self.bind(copied, "copied"), [name], location)
        return name

    def call(self, node: Node, key: str, codes: list[Code], location: Location) -> Code:
        """Return the call of the function that computes a node."""
        schema = schema_of(node)
        if schema is not None and not is_python(schema):
            found = torch_call(node, schema)
            if found is not None and not writes_to_copy(node):
                if is_marked(node):
                    found = found._replace(function=lying_as_written(found.function))
                return self._torch_call(node, found, codes, location)
        arguments = [code.tree for code in codes]
        if _is_method_of_cpp(node):
            called = method(arguments[0], node["name"], arguments[1:], location)
            return combine(called, codes, True)
        function = self._callee(node, key)
        if node.kind in ("prim::Enter", "prim::Exit"):
            assert self._entered is not None
            arguments.insert(0, ast.Name(self._entered, LOAD, **location))
        if node.kind == "aten::warn":
            assert self._warned is not None
            arguments.append(ast.Name(self._warned, LOAD, **location))
        if node.kind == "prim::CallFunction":
            callee, *arguments = arguments
            return combine(call_tree(callee, arguments, location), codes, True)
        code = combine(call_tree(function, arguments, location), codes, True)
        code.parts = tuple(codes)
        return code

    def _callee(self, node: Node, key: str) -> ast.expr:
        match node.kind:
            case "prim::CallFunction":
                return ast.Constant(None, **self._location)
            case "prim::CallMethod" if is_hooked(node):
                return self.bind(hooked_call(node), "hooked")
            case "prim::CallMethod":
                return self._method(node, node["name"])
            case "prim::Enter":
                type = node.inputs[0].type
                enter, exit = method_of(type, "__enter__"), method_of(type, "__exit__")
                return self.bind(entering(enter, exit), "enter")
            case "prim::Exit":
                exit = method_of(node.inputs[0].type, "__exit__")
                return self.bind(exiting(exit), "exit")
            case "prim::fork" | "prim::awaitable":
                return self._task(node)
            case "aten::wait":
                from minits.codegen.tasks import result_in_program

                return self.bind(result_in_program, "wait")
            case "prim::FusionGroup":
                return self._group(node)
        name = self.bind(function_of(node), key.replace("::", "_").replace(".", "_"))
        self.evaluated.setdefault(name.id, node)
        return name

    def _method(self, node: Node, name: str) -> ast.expr:
        return self.bind(method_of(node.inputs[0].type, name), name.strip("_"))

    def _task(self, node: Node) -> ast.expr:
        from minits.codegen.tasks import fork

        begin: Callable[..., Any] = fork if node.kind == "prim::fork" else internals.awaitable
        body = self.body_of_task(node)
        return self.bind(partial(begin, body), node.kind.removeprefix("prim::"))

    def _group(self, node: Node) -> ast.expr:
        from minits.codegen.group_body import Body
        from minits.codegen.groups import Group

        name = f"kernel_{self._kernels}"
        self._kernels += 1
        find = partial(self.temporaries.among_inputs, node)
        return self.bind(Group(Body.of(node["Subgraph"], name, node.range, find)).call, name)

    def _torch_call(
        self, node: Node, found: TorchCall, codes: list[Code], location: Location
    ) -> Code:
        trees = dict(zip(node.inputs, (code.tree for code in codes), strict=True))
        positional = [self._argument(value, trees) for value in found.positional]
        keywords = [
            ast.keyword(name, self._argument(value, trees), **location)
            for name, value in found.keywords.items()
        ]
        function = self.bind(found.function, found.name)
        tree: ast.expr = ast.Call(function, positional, keywords, **location)
        if found.makes_list:
            tree = call_tree(self.bind(list, "list"), [tree], location)
        return combine(tree, codes, True)

    def _argument(self, value: Any, trees: dict[Value, ast.expr]) -> ast.expr:
        if isinstance(value, FromNumber):
            table = self.bind(value.table, "by_number")
            return ast.Subscript(table, trees[value.value], LOAD, **self._location)
        if not isinstance(value, Literal):
            return trees[value]
        tree = literal(value.value, self._location)
        return self.bind(value.value, _hint(value.value)) if tree is None else tree


def _body_of_task(node: Node) -> Callable[..., Any]:
    return compile_graph(node["Subgraph"], "<forked function>")


def _hint(value: Any) -> str:
    return str(value).replace(".", "_") if isinstance(value, torch.dtype) else "constant"


def _called(function: Any) -> Callable[..., Any]:
    """Return the Python function that a constant stands for: a static method of C++ is there."""
    if isinstance(function, BoundFunction):
        return function.implementation
    return compile_function(function)


def _is_method_of_cpp(node: Node) -> bool:
    """Return whether a node calls a method of a C++ object that Python calls by its name."""
    if node.kind != "prim::CallMethod" or node["name"] == "__init__":
        return False
    owner = node.inputs[0].type
    return isinstance(owner, t.ClassType) and owner.is_bound


def method_of(type: Any, name: str) -> Callable[..., Any]:
    """Return the function that runs a method of objects of a type."""
    # Where branches bind a variable of an interface, it is a Union of their classes.
    if not isinstance(type, t.ClassType) or type.is_interface:
        return interface_method(name, compile_function)
    return native_method(type, name) or compile_function(type.methods[name])


def _result(codes: list[Code], location: Location) -> ast.expr:
    if len(codes) == 1:
        return codes[0].tree
    return ast.Tuple([code.tree for code in codes], LOAD, **location)


def _own_range(node: Node) -> SourceRange | None:
    """Return a node's range in the function itself: the range of the call, for an inlined node."""
    return node.callstack[0][1] if node.callstack else node.range


def _location(loc: SourceRange | None) -> Location:
    if loc is None:
        return {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
    begin, end = loc.begin, loc.finish
    return {
        "lineno": begin.line,
        "col_offset": begin.column,
        "end_lineno": end.line,
        "end_col_offset": end.column,
    }
