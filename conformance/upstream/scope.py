"""The category of a test, and the reason for which one is left out of the measure.

Left out is what reaches into torch's C++ internals. That is read from the text of the test and of
the helpers in its file that it uses, so it needs no run.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator
from typing import Any

CATEGORIES = (
    "language",
    "classes",
    "modules",
    "builtins",
    "errors",
    "tracing",
    "serialization",
    "async",
)

EXCLUDED_FILES = {
    "torch._C passes": "alias_analysis autodiff_subgraph_slicing autodiff batch_mm "
    "convert_activation dce freezing functional_blocks graph_rewrite_passes op_decompositions "
    "peephole remove_mutation symbolic_shape_analysis dtype_analysis device_analysis "
    "complexity concat_opt",
    "graphs built through torch._C": "python_ir python_bindings ivalue",
    "mobile": "optimize_for_mobile_preserve_debug_info upgraders save_load_for_op_version "
    "export_modes",
    "NNAPI": "backend_nnapi",
    "C++ back ends": "backends",
    "torchbind": "torchbind custom_operators",
    "profiler": "profiler script_profile logging",
    "profile-directed typing (monkeytype)": "pdt",
    "CUDA": "cuda data_parallel",
    "TorchScript's own fusers": "fuser_common",
}
"""Files of jit/ that are left out as a whole: `test_<name>.py` by reason."""

_INTERNALS = {
    "torch._C": r"\btorch\._C\b|\b_C\.",
    "torch._C passes": r"\brun_pass\(|\b_jit_pass|inline_everything|\b_propagate_shapes\b|"
    r"torch\.jit\.(_?freeze|optimize_for_inference|run_frozen_optimizations)\b",
    "a C++ module or graph object": r"\._c\b|\.nodes\(\)|graph\.(in|out)puts\(\)|"
    r"\bfindNode\b|\bfindAllNodes\b|"
    r"\.findAllNodes|\bget_forward|\bget_module_method\b|\.param_node\(|\battrs_with_prefix\b",
    "torch.jit's private modules": r"torch\.jit\.frontend\.(?!\w*Error)|torch\.jit\._recursive|"
    r"torch\.jit\._state|torch\.jit\._script\b|get_jit_def|get_jit_class_def",
    "torch's executor": r"get_execution_plan|get_debug_state|get_executor|last_executed_optimized|"
    r"checkBailouts|bailout|set_fusion_strategy|\bdiff_graph|assertAutodiffNode|"
    r"DifferentiableGraph|\bassertAllFused\b",
    "TorchScript's own fusers": r"\benable_cpu_fuser|FUSION_GROUP|torch\.jit\.fuser|TensorExpr",
    "ONNX": r"\bonnx\b|ONNX",
    "mobile": r"\bmobile\b|_for_lite|bytecode|flatbuffer|_export_operator_list|export_opnames",
    "torchbind": r"torch\.classes\b|torch\.ops\._?TorchScriptTesting|TorchBind",
    "profiler": r"autograd\.profiler\.profile|torch\.profiler\b|_ScriptProfile",
    "quantization": r"quantiz",
    "torch.package": r"torch\.package|PackageExporter",
    "CUDA": r"\.cuda\(\)|device=['\"]cuda",
}
_TRACES = re.compile(
    r"\bjit\.trace|\btrace_module\(|\btrace\(|_get_trace_graph|\bcheckTrace|\bcreate_traced_fn"
)
_JIT = re.compile(
    r"torch\.jit\b|\bjit\.|checkScript|checkModule|checkTrace|checkScriptRaisesRegex|"
    r"\bcheck\w*\(|CompilationUnit|getExportImportCopy|@script|\bscript\(|\btrace\(|_trace\b"
)


def excluded_file(file: str) -> str:
    """The reason for which a whole test file is left out; empty if it is not."""
    for reason, names in EXCLUDED_FILES.items():
        if file in {f"jit/test_{name}.py" for name in names.split()}:
            return reason
    return ""


def internals(test: Any, owner: type) -> str:
    """The internals that a test reaches into, or another reason to leave it out; else empty.

    test: the test's function, as it was found in the class `owner`.
    """
    text = "\n".join(_sources(test, owner, set()))
    for reason, pattern in _INTERNALS.items():
        if re.search(pattern, text):
            return reason
    return "" if _JIT.search(text) else "does not use torch.jit"


def traces(test: Any, owner: type) -> bool:
    """Whether a test traces, whatever else it is about. Parameters: as for `internals`."""
    return any(map(_TRACES.search, _sources(test, owner, set())))


def _sources(function: Any, owner: type, seen: set[Any]) -> Iterator[str]:
    """The text of a function and of its file's functions and classes that it names."""
    import torch

    function = inspect.unwrap(function)
    code = getattr(function, "__code__", None)
    if code is None or code in seen:
        return
    seen.add(code)
    yield _source(function)
    for name in _names(code):
        found = getattr(owner, name, None) or function.__globals__.get(name)
        if isinstance(found, (torch.jit.ScriptFunction, torch.jit.ScriptModule)):
            yield "torch.jit"
        elif isinstance(found, type):
            if found.__module__ == owner.__module__ and found not in seen:
                seen.add(found)
                yield _source(found)
        elif getattr(found, "__module__", None) == owner.__module__ and inspect.isfunction(found):
            yield from _sources(found, owner, seen)
    for cell in function.__closure__ or ():
        if inspect.isfunction(inside := _content(cell)) and inside.__module__ == owner.__module__:
            yield from _sources(inside, owner, seen)


def _source(thing: Any) -> str:
    """The text of a function or class without its comments; empty if it has none."""
    try:
        text = inspect.getsource(thing)
    except (OSError, TypeError):
        return ""
    return re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _names(code: types.CodeType) -> Iterator[str]:
    """All names that a piece of code uses, those of functions inside it too."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


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


def category(name: str, traces: bool = False) -> str:
    """The category of a test: that it traces, or else from its file, or else from its own name.

    `jit/test_enum.py::TestEnum::test_enum_value` is about classes.
    """
    if traces:
        return "tracing"
    file, owner, test = name.split("::")
    if owner in _BY_CLASS:
        return _BY_CLASS[owner]
    for kind, names in _BY_FILE.items():
        if file in {f"jit/test_{each}.py" for each in names.split()}:
            return kind
    for kind, pattern in _BY_NAME.items():
        if re.search(pattern, test):
            return kind
    return "language"
