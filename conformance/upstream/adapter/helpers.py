"""The helpers of torch's test classes, where they would go through torch.jit's C++ objects.

They compare what torch's own compare: the compiled function's results, called twice, with those of
Python, and then with those of what is saved and loaded again.
"""

from __future__ import annotations

import inspect
import itertools
import linecache
import textwrap
from typing import Any

import torch
from torch.testing._internal import common_jit, common_utils, jit_utils

from conformance.upstream.adapter.archives import check_archive
from conformance.upstream.adapter.passes import run_pass
from conformance.upstream.adapter.views import graph_of
from minits.compilation_state import STATE
from minits.frontend.values.graph_function import GraphFunction
from minits.ops.implementations.instances import is_instance
from minits.runtime.script import ScriptFunction, ScriptMethod

_numbers = itertools.count()


def function_from_text(text: str, name: str, scope: dict[str, Any]) -> Any:
    """Define a function in `scope`, in a way that its source can be found."""
    text = textwrap.dedent(text)
    file = f"<upstream {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made: dict[str, Any] = {}
    exec(compile(text, file, "exec"), scope, made)
    scope.update(made)
    return scope[name]


def text_of(function: Any) -> str:
    """The text of a Python function, as torch's own parser gets it."""
    return textwrap.dedent(inspect.getsource(function))


def check_script(
    self: Any,
    script: Any,
    inputs: Any,
    name: str = "func",
    optimize: bool = True,
    inputs_requires_grad: bool = False,
    capture_output: bool = False,
    frames_up: int = 1,
    profiling: Any = None,
    atol: float | None = None,
    rtol: float | None = None,
) -> Any:
    """`JitTestCase.checkScript`: a Python function is compiled from its text first."""
    is_text = isinstance(script, str)
    text, name = (script, name) if is_text else (text_of(script), script.__name__)
    compiled = getattr(torch.jit.CompilationUnit(text, _frames_up=frames_up), name)
    function = script
    if is_text:
        function = function_from_text(text, name, self.get_frame_vars(frames_up))
    tolerances = {"atol": atol, "rtol": rtol}
    recorded = inputs
    if inputs_requires_grad:
        recorded = jit_utils.do_input_map(lambda x: x.detach().requires_grad_(), inputs)
    printed = check_calls(self, compiled, recorded, function, inputs, **tolerances)
    if not is_text:
        compiled = torch.jit.script(function)
        printed = check_calls(self, compiled, recorded, function, inputs, **tolerances)
    if capture_output:
        self.assertExpected(printed, subname="stdout")
    check_archive(self, compiled, inputs, **tolerances)
    return compiled


def check_calls(
    self: Any, compiled: Any, recorded: Any, function: Any, inputs: Any, **tolerances: float | None
) -> str:
    """Compare two calls of what is compiled with Python's; return what the first one prints."""
    with self.capture_stdout() as printed:
        first = compiled(*recorded)
    with self.capture_stdout():
        second = compiled(*recorded)
        expected = function(*inputs)
    self.assertEqual(expected, first, **tolerances)
    self.assertEqual(first, second, **tolerances)
    return str(printed[0])


def check_output_types(self: Any, func: Any, ref_outputs: Any, args: Any, kwargs: Any) -> None:
    """`common_jit.check_output_types`: what eager returned is of the type that the graph says."""
    (output,) = graph_of(func.last_graph).outputs
    self.assertTrue(is_instance(ref_outputs, output.type))


def check_script_raises(
    self: Any,
    script: Any,
    inputs: Any,
    exception: Any,
    regex: str,
    name: Any = None,
    outputs: Any = None,
    capture_output: bool = False,
    frames_up: int = 1,
    profiling: Any = None,
) -> None:
    """`JitTestCase.checkScriptRaisesRegex`: of Python, of the text, and of a Python function."""
    is_text = isinstance(script, str)
    with self.assertRaisesRegex(exception, regex):
        scope = self.get_frame_vars(frames_up)
        (function_from_text(script, name, scope) if is_text else script)(*inputs)
    with self.assertRaisesRegex(exception, regex):
        text, name = (script, name) if is_text else (text_of(script), script.__name__)
        getattr(torch.jit.CompilationUnit(text, _frames_up=frames_up), name)(*inputs)
    if not is_text:
        with self.assertRaisesRegex(exception, regex):
            torch.jit.script(script)(*inputs)


def check_module(self: Any, module: Any, args: Any) -> Any:
    """`JitTestCase.checkModule`."""
    compiled = torch.jit.script(module)
    with common_utils.freeze_rng_state():
        expected = module(*args)
    with common_utils.freeze_rng_state():
        found = compiled(*args)
    self.assertEqual(expected, found)
    check_archive(self, compiled, args)
    return compiled


def create_function_from_graph(self: Any, trace: Any) -> ScriptFunction:
    """`JitTestCase.createFunctionFromGraph`."""
    return ScriptFunction(GraphFunction("forward", "__torch__.forward", graph_of(trace)))


def graph_contains(self: Any, graph: Any, kind: str, consider_subgraphs: bool = False) -> None:
    """`JitTestCase.assertGraphContains`."""
    self.assertTrue(_count(graph_of(graph), kind) > 0)


def graph_contains_exactly(
    self: Any, graph: Any, kind: str, num_kind_nodes: int, consider_subgraphs: bool = False
) -> None:
    """`JitTestCase.assertGraphContainsExactly`."""
    self.assertEqual(_count(graph_of(graph), kind, consider_subgraphs), num_kind_nodes)


def _count(graph: Any, kind: str, in_subgraphs: bool = False) -> int:
    nodes = list(graph.all_nodes())
    inner = [node["Subgraph"] for node in nodes if in_subgraphs and "Subgraph" in node.attributes]
    here = sum(node.kind == kind for node in nodes)
    return here + sum(_count(each, kind, in_subgraphs) for each in inner)


class FileCheck:
    """`torch.testing.FileCheck`, which takes torch's graphs or text: give it minits' as text."""

    def __init__(self) -> None:
        self._check = torch._C.FileCheck()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._check, name)

        def add(*args: Any, **kwargs: Any) -> FileCheck:
            method(*args, **kwargs)
            return self

        return add

    def run(self, *args: Any, **named: Any) -> Any:
        if named:  # texts of its own
            return self._check.run(*args, **named)
        *patterns, checked = args
        return self._check.run(*patterns, str(checked))


def clear_class_registry() -> None:
    """`jit_utils.clear_class_registry`: modules that are compiled later share no types or names."""
    STATE.clear()


def profiled(call: Any) -> Any:
    """A call with `profile_and_replay` is made twice, as torch's test utilities make it."""

    def call_perhaps_twice(
        *args: Any, profile_and_replay: bool | None = None, **kwargs: Any
    ) -> Any:
        if profile_and_replay is not None:
            call(*args, **kwargs)
        return call(*args, **kwargs)

    return call_perhaps_twice


def install_helpers() -> None:
    """Replace the helpers of torch's test classes, and `FileCheck`, by those of this file."""
    jit_utils.clear_class_registry = clear_class_registry
    for cls in (ScriptFunction, ScriptMethod):
        cls.__call__ = profiled(cls.__call__)  # type: ignore[method-assign]
    common_jit.check_output_types = check_output_types
    case = jit_utils.JitTestCase
    case.checkScript = check_script
    case.checkScriptRaisesRegex = check_script_raises
    case.checkModule = check_module
    case.run_pass = run_pass
    case.createFunctionFromGraph = create_function_from_graph
    case.assertGraphContains = graph_contains
    case.assertGraphContainsExactly = graph_contains_exactly
    torch.testing.FileCheck = jit_utils.FileCheck = FileCheck
