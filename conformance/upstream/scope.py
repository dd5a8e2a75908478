"""The category of a test, and the reason for which one is left out of the measure.

Left out is what calls internals of torch that the adapter does not provide, or looks for nodes that
torch's executor alone makes: what a test does is recorded while torch.jit itself runs it
(`recording.py`), so no word of its text decides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from conformance.upstream.adapter.provided import provided

CATEGORIES = (
    "language",
    "classes",
    "modules",
    "builtins",
    "errors",
    "tracing",
    "freezing",
    "passes",
    "serialization",
    "async",
)

_INTERNALS = {
    "torch._C passes": r"torch\._C\.(_jit_pass_|_propagate_shapes)",
    "torch.jit's private modules": r"torch\.jit\.(frontend|_recursive|_state|_ir_utils|_builtins"
    r"|annotations|_decompositions|_shape_functions|_monkeytype_config|_pickle|_logging)\.",
    "torch's executor": r"prim::",
    "ONNX": r"torch\.onnx\b",
    "mobile": r"torch\.jit\.mobile\.|torch\.utils\.(mobile_optimizer|bundled_inputs)\b"
    r"|.*(_for_lite|_mobile|bytecode|LiteScriptModule|flatbuffer|export_opnames)",
    "torch.package": r"torch\.package\.",
    "a C++ module or graph object": r"[A-Z]\w+\.",
    "torch._C": r"torch\._C\b",
}
"""Kinds of internals, by the names that are recorded of calls. What else is called is public."""

_PUBLIC = re.compile(
    # classes that torch.jit and torch show, whose methods pybind11 made
    r"(FileCheck|ScriptFunction|ScriptMethod|ScriptList|ScriptDict|CompilationUnit|Future|Generator"
    r"|PyTorchFile\w+)\.(?!_debug|get_debug)"
    # what torch's compiler in C++ calls back, and the text of an error
    r"|torch\.jit\.(annotations\.try_ann_to_type|_builtins\._find_builtin|frontend\.__str__"
    r"|_state\._get_(python|script)_class)$"
    r"|torch\._C\.(FileCheck|Future|Generator|PyTorchFile\w+)$"
    # the bindings behind torch.nn.functional and the like
    r"|torch\._C\._(nn|special|sparse|linalg|fft)\b"
    # what is not about TorchScript
    r"|torch\._C\.(__\w+|_?has_\w+|_infer_size|_get_tracing_state|_set_\w+|_cuda_\w+)$"
)


def reason(names: Iterable[str]) -> str:
    """Return why a test that calls these functions does not count; empty if it does.

    A reason is a kind and the names of that kind: `torch._C passes: _jit_pass_fuse_linear`.
    """
    left = [name for name in sorted(names) if not _is_public(name)]
    for kind, pattern in _INTERNALS.items():
        found = [name.removeprefix("torch._C.") for name in left if re.match(pattern, name)]
        if found:
            return f"{kind}: {', '.join(found)}"
    return ""


def _is_public(name: str) -> bool:
    return name in provided() or _PUBLIC.match(name) is not None


def traces(names: Collection[str]) -> bool:
    """Return whether a test that calls these functions traces, whatever else it is about."""
    entries = ("trace", "trace_module", "_get_trace_graph")
    return any(f"torch.jit._trace.{name}" in names for name in entries)


_BY_FILE = {
    "async": "async",
    "classes": "class_type dataclasses enum attr",
    "modules": "modules module_containers module_interface module_apis recursive_script hooks "
    "scriptmod_ann type_sharing parametrization models ignorable_args",
    "builtins": "builtins python_builtins list_dict aten_pow tensor_methods tensor_creation_ops "
    "string_formatting hash sparse complex slice",
    "errors": "exception unsupported_ops warn",
    "tracing": "tracer",
    "serialization": "save_load",
    "freezing": "freezing",
    "passes": "peephole dce remove_mutation autodiff alias_analysis autodiff_subgraph_slicing "
    "batch_mm convert_activation functional_blocks graph_rewrite_passes op_decompositions "
    "symbolic_shape_analysis dtype_analysis device_analysis complexity python_ir python_bindings",
}
_BY_CLASS = {"TestJitGeneratedModule": "modules", "TestJitGeneratedFunctional": "builtins"}
_BY_NAME = {
    "async": r"async|fork|future|_wait\b",
    "tracing": r"trac(e|ing)|Trac(e|ing)",
    "serialization": r"_import|export_|save|load|serializ|pickle|archive",
    "errors": r"error|raise|invalid|wrong|not_allowed|fail|unsupported|exception|assert|disallow",
    "modules": r"module|Module|nn_|_mod_|submodul|param|buffer|sequential|script_method|"
    r"container|training|inherit|overload",
    "classes": r"class|enum|namedtuple|NamedTuple|dataclass",
    "builtins": r"builtin|math|string|str_|list|dict|range|sort|tensor_|_op\b|ops\b|format|pow|"
    r"round|div|cast|isinstance|_len\b|print|zip|enumerate|ord|chr|hex|round|min|max",
}


def category(name: str, calls: Collection[str] = ()) -> str:
    """Return the category of a test: from what it calls, or its file, or else its own name.

    `jit/test_enum.py::TestEnum::test_enum_value` is about classes.
    """
    file, owner, test = name.split("::")
    found = next((kind for kind, names in _BY_FILE.items() if _base(file) in names.split()), "")
    if found in ("freezing", "passes"):
        return found
    if traces(calls):
        return "tracing"
    if any(call.startswith("torch._C._jit_pass_") for call in calls):
        return "passes"
    if owner in _BY_CLASS:
        return _BY_CLASS[owner]
    by_name = (kind for kind, pattern in _BY_NAME.items() if re.search(pattern, test))
    return found or next(by_name, "language")


def _base(file: str) -> str:
    """Return `x` of `jit/test_x.py`, or the file's name."""
    return file.removeprefix("jit/test_").removesuffix(".py")
