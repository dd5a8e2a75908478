"""Every private name of torch that minits uses: what for, since when, and what else would do.

torch may move such names in any release; a new torch is tried by reading this file beside it
(`tests/test_torch_internals.py` holds that no other file reaches into torch). The releases were
looked up in the wheels of 1.13, 2.0, 2.2, 2.4, 2.6, 2.8 and 2.9: "2.4" means 2.4, and not yet 2.2.
minits needs 2.9, so only what is younger, or told to be missing in some builds, has a way around it
here.

Not counted as private: `_parameters`, `_buffers`, `_modules`, `_forward_hooks` and
`_forward_pre_hooks` of an nn.Module, which its subclasses have always had to know, and `_fields`,
`_make` and `_replace` of NamedTuples, which are Python's. `kernels/launch/checkpoints.py` also
reads the frames of `torch.utils.checkpoint`, whose attributes are not documented.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, ItemsView, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar, cast

import torch
from torch import Tensor
from torch.utils._python_dispatch import _disable_current_modes

F = TypeVar("F", bound=Callable[..., Any])

# ---- Decorators of torch.jit -------------------------------------------------------------------
#
# `torch._jit_internal` keeps what `@torch.jit.ignore`, `@unused`, `@export` and `@_overload` said
# about functions. `import torch` loads it; `torch.jit`, which compiles, is another module. All are
# in 1.13, but for `_is_drop_fn`, 2.0. Without it: decorators of our own alone, and programs that
# were written for torch.jit would lose theirs.

_internal = torch._jit_internal

is_ignored: Callable[[Any], bool] = _internal.is_ignored_fn
"""Whether a function stays Python: `@ignore`, `@unused`, or torch's own `@_drop`."""

is_dropped: Callable[[Any], bool] = _internal.should_drop
"""Whether calls of a function only raise: `@unused` and `@_drop`."""

is_left_out: Callable[[Any], bool] = _internal._is_drop_fn
"""Whether a method is no part of its class: `@_drop`."""

modifier_of: Callable[[Any], Any] = _internal.get_torchscript_modifier
MODIFIER = "_torchscript_modifier"
EXPORTED: Any = _internal.FunctionModifiers.EXPORT
IGNORED: Any = _internal.FunctionModifiers.IGNORE
UNUSED: Any = _internal.FunctionModifiers.UNUSED
"""Reads a function's modifier; the attribute that it is; the modifiers of one that is compiled
although nothing calls it, of one that stays Python, and of one whose calls raise."""

overloads_of_method: Callable[[Any, type], list[Any] | None] = _internal._get_overloaded_methods
"""The declarations of a method with `@_overload_method`. Raises AssertionError if two classes share
a name."""

is_optional: Callable[[Any], bool] = _internal.is_optional
"""Whether an annotation is an Optional."""


class _NoRRef:
    """Stands for `torch.distributed.rpc.RRef` in a build of torch without remote calls."""


class _NoAwait:
    """Stands for `torch.jit._Await` in a torch without it."""


RREF_CLASS: Any = getattr(_internal, "RRef", _NoRRef)
"""The class of remote references, which is known without an import of torch.distributed, 1.13."""

AWAIT_CLASS: Any = getattr(_internal, "_Await", _NoAwait)
"""`torch.jit._Await`, 2.0."""


def boolean_dispatch(function: Any) -> dict[str, Any] | None:
    """Return the table by which a function of nn.functional chooses by a flag, or None."""
    found: dict[str, Any] | None = _internal.boolean_dispatched.get(function)
    return found


def overloads_of_functions() -> ItemsView[str, list[Any]]:
    """Return the declarations that `@_overload` left, by qualified name, until torch takes them."""
    return cast("ItemsView[str, list[Any]]", _internal._overloaded_fns.items())


def has_overloaded_methods() -> bool:
    """Return whether any method was declared with `@_overload_method`."""
    return bool(_internal._overloaded_methods)


def qualified_name(value: Any) -> str:
    """Return torch's name of a function or class: `__torch__.module.name`."""
    name: str = _internal._qualified_name(value)
    return name


# ---- What torch.jit has compiled ---------------------------------------------------------------
#
# Objects that a torch with `torch.jit` has made; a torch without it makes none.

SCRIPT_FUNCTION: Any = torch._C.ScriptFunction
SCRIPT_METHOD: Any = torch._C.ScriptMethod
"""The classes of compiled functions and of methods that are bound to their module, 1.13."""

_SCRIPT_MODULE: Any = getattr(sys.modules.get("torch.jit._script"), "ScriptModule", ())
_COMPILED = frozenset(("_c", "_actual_script_module"))
"""Attributes of modules that torch.jit has compiled, of which those not initialised have none."""


def is_jit_module(value: Any) -> bool:
    """Return whether torch.jit has compiled a module, or traced it, 1.13."""
    return isinstance(value, _SCRIPT_MODULE) and not _COMPILED.isdisjoint(vars(value))


def is_jit_object(value: Any) -> bool:
    """Return whether torch.jit has made a module or a function."""
    return isinstance(value, SCRIPT_FUNCTION) or is_jit_module(value)


def script_object(module: Any) -> Any:
    """Return the C++ object of a module of torch.jit, which is what its methods are bound to."""
    return module._c


def original_of(value: Any) -> Any:
    """Return the Python function of one that torch.jit.script compiled; any other value as it is.

    Since 2.0. A traced function has its original, too, but is no compilation of its source: torch
    remembers what that was compiled to. Without it: the function is read from its archive.
    """
    state: Any = sys.modules.get("torch.jit._state")
    if not isinstance(value, SCRIPT_FUNCTION) or state is None:
        return value
    original = getattr(value, "_torchdynamo_inline", None)
    if original is None:
        return value
    known = state._try_get_jit_cached_function(original)
    is_script = known is not None and known.qualified_name == value.qualified_name
    return original if is_script else value


# ---- The operators that are registered ---------------------------------------------------------
#
# Without them: a copy of native_functions.yaml, and no operators of other libraries.

schemas_of_operator: Callable[[str], Any] = torch._C._jit_get_schemas_for_operator
"""The schemas of all overloads of a name, 1.13."""

schemas_of_classes: Callable[[], Any] = torch._C._jit_get_custom_class_schemas
"""The schemas of all methods of C++ classes, 1.13."""

operators_of_python: Any = getattr(torch.library, "_defs", ())
"""The operators that `torch.library` has registered for Python code, such as `aten::relu.mine`,
2.0. Without it: those that are registered after a program was compiled stay unknown."""

has_kernel: Callable[[str], bool] = torch._C._dispatch_has_kernel
"""Whether `name.overload` is registered with the dispatcher, 1.13."""

OPERATOR_PACKET = torch._ops.OpOverloadPacket
"""The class of `torch.ops.aten.add`; it is not documented, its objects are."""

C: Any = torch._C
NN, LINALG, SPECIAL = C._nn, C._linalg, C._special
FFT, SPARSE, NESTED = C._fft, C._sparse, C._nested
"""The namespaces of torch's generated bindings, 1.13: those of `torch.linalg` and others, as they
are before a library wraps the public ones. `C` itself has a few operators more."""

FUNCTIONS: Any = C._VariableFunctions
"""The bindings of `torch.add` and others, 1.13."""

TENSOR_BASE: type = C.TensorBase
"""The class that has the bindings of methods, 2.2. Without it: those of `torch.Tensor`."""

VF: Any = torch._VF
"""Functions that nn.functional calls past its own wrappers, such as `torch._VF.norm`, 1.13."""

JIT_INTERNAL: Any = _internal
"""The module that `torch.jit.is_scripting` is from."""

FUTURE: type = torch._C.Future
"""The class of what `torch.jit.fork` gives; `torch.futures.Future` inherits from it."""

CPP_OBJECT: type = torch._C.ScriptObject
"""The class of objects of C++ classes; it is `torch.ScriptObject`."""

set_grad_enabled: Callable[[bool], None] = torch._C._set_grad_enabled
"""The function beneath `torch.set_grad_enabled`, which is a context manager as well, 1.13."""

awaitable_nowait: Callable[[Any], Any] | None = getattr(torch._C, "_awaitable_nowait", None)
"""`torch.jit._awaitable_nowait`, 2.0; None in builds without it."""


awaitable: Callable[..., Any] = torch._C._awaitable
"""The function beneath `torch.jit._awaitable`, 2.0: a call that is made when it is waited for."""


def operation(name: str, overload: str) -> tuple[Callable[..., Any], Any, list[Any]] | None:
    """Return the function, dispatch keys and tags of an overload, 1.13; None if there is none.

    Without it: `torch.ops`, which takes longer, since it makes an object for each overload first.
    """
    found: Any = torch._C._get_operation_overload(name, overload)
    return cast("tuple[Callable[..., Any], Any, list[Any]] | None", found)


def name_of_packet(packet: Any) -> str:
    """Return `aten::add` of `torch.ops.aten.add`. Without it: its `str`, `aten.add`."""
    name: str = packet._qualified_op_name
    return name


def is_cpp_class(namespace: str, name: str) -> bool:
    """Return whether torch has bound a C++ class `torch.classes.namespace.name`, 1.13."""
    try:
        torch._C._get_custom_class_python_wrapper(namespace, name)
    except RuntimeError:
        return False
    return True


def is_namespace_of_classes(value: Any) -> bool:
    """Return whether a value is `torch.classes.namespace`."""
    return isinstance(value, torch._classes._ClassNamespace)


def name_of_cpp_class(value: Any) -> str:
    """Return the qualified name of the class of a C++ object."""
    return str(value._type())


def cpp_object(name: str, state: Any) -> Any:
    """Return the object of a C++ class that its `__setstate__` makes of a state, 1.13.

    It is what unpickling such an object calls. Without it: the operators that make such objects,
    as `torch.ops.quantized.linear_prepack`.
    """
    made: Any = cast("Any", CPP_OBJECT).__new__(CPP_OBJECT)
    made.__setstate__((state, name))
    return made


def key_of_cpp_object(value: Any) -> int:
    """Return a number that tells a C++ object from others: it is handed to Python anew each time.

    It is its address, 1.13. Without it: `id`, so that a trace has such an object as a constant.
    """
    return hash(value)


def state_of_cpp_object(value: Any) -> Any:
    """Return the state of a C++ object, by its `__getstate__`, 1.13. Without it: its `unpack`."""
    return value.__getstate__()[0]


empty_quantized: Callable[..., Any] = torch._empty_affine_quantized
empty_quantized_by_channel: Callable[..., Any] = torch._empty_per_channel_affine_quantized
"""Quantized tensors whose storage is still to be set, 1.13. Without them:
`torch.quantize_per_tensor` of an empty tensor, which refuses some zero points."""


def is_remote_reference(value: Any) -> bool:
    """Return whether a value is a reference of `torch.distributed.rpc`, in builds that have it."""
    distributed = getattr(torch._C, "_distributed_rpc", None)
    return distributed is not None and isinstance(value, distributed.PyRRef)


def _call(function: Callable[..., Any], types: tuple[()], args: Any, named: Any) -> Any:
    return function(*args, **named)


in_binding = getattr(torch._C, "_disabled_torch_function_impl", _call)
"""Calls a function within one of torch's bindings, 1.13: these alone hand its warnings to Python,
which are written to stderr else. Meanwhile no tensor class is asked (`__torch_function__`)."""


# ---- The state of the process ------------------------------------------------------------------
#
# Without them: what a transform, a mode or autocast wants to see would be fused, and not be seen.

functorch_level: Callable[[], int | None] = torch._C._functorch.maybe_current_level
"""The number of active transforms of `torch.func`, 2.4; None outside of all."""

dispatch_modes: Callable[[], int] = torch._C._len_torch_dispatch_stack
"""The number of active dispatch modes, such as FakeTensorMode, 1.13."""

function_modes: Callable[[], int] = torch._C._len_torch_function_stack
"""The number of active function modes, such as a default device, 1.13."""

is_any_autocast_enabled: Callable[[], bool] = torch._C._is_any_autocast_enabled
"""Whether autocast is on for any kind of device, 2.0. Without it: ask for each kind."""

FORWARD_LEVEL = "forward_ad._current_level"
"""The level of forward-mode differentiation, 1.13, negative where there is none: an expression for
generated code, which names `torch.autograd.forward_ad`."""

without_functions: Any = torch._C.DisableTorchFunction
without_transforms: Any = torch._C._DisableFuncTorch
without_autocast: Any = torch._C._DisableAutocast
without_modes: Any = _disable_current_modes
"""Context managers that set aside `__torch_function__` with all function modes, transforms,
autocast, and dispatch modes, 2.0."""


@contextmanager
def unseen_by_modes() -> Iterator[None]:
    """Let no mode of the caller see what is computed within."""
    with without_functions():
        if not dispatch_modes():
            yield  # the manager of torch imports a lot
            return
        with without_modes():
            yield


_top_hooks = getattr(torch._C._autograd, "_top_saved_tensors_default_hooks", None)


def saving_hooks() -> Any:
    """Return the hooks that pack and unpack what is saved for gradients, 2.8, or None.

    Without it: as if there were none, and checkpoints may count other saved tensors than eager.
    """
    return None if _top_hooks is None else _top_hooks(True)


# ---- Tracing -----------------------------------------------------------------------------------
#
# Without them: an ordinary dispatch mode, which sees `linear` as `t` and `addmm`, and no sizes.


def pre_dispatch_mode() -> Any:
    """Return a class of dispatch modes that torch admits at the PreDispatch key, 2.2."""
    from torch._subclasses.schema_check_mode import SchemaCheckMode

    return SchemaCheckMode


PRE_DISPATCH: Any = getattr(torch._C.DispatchKey, "PreDispatch", None)
"""The dispatch key before all others, 2.1."""

python_dispatcher: Any = torch._C._EnablePythonDispatcher
"""Context manager in which operators ask Python for their kernels, 2.0."""


def tracing_hooks() -> dict[tuple[Any, str], Any]:
    """Return the functions by which torch's Python code asks whether a trace runs, 1.13.

    They are given by the object that has them and their name.

    nn.functional asks `_is_tracing`, nn.Module `_get_tracing_state`, whose answer it tells which
    module is entered, by the table of names in `torch.jit`, `interpolate` computes sizes by
    `torch.floor`, and `torch.jit.fork` and `wait` call functions of C++. `Function.apply` is told,
    whose backward a trace leaves out. Without them: modules are recorded as parts of those that
    call them, and forked calls as calls.
    """
    import_module("torch._dynamo")  # which remembers what has these names when it is imported
    names = ("_get_tracing_state", "_is_tracing", "fork", "wait")
    hooks: list[tuple[Any, str]] = [
        *((torch._C, name) for name in names),
        (torch, "floor"),
        (torch.autograd.Function, "apply"),
    ]
    trace = getattr(getattr(torch, "jit", None), "_trace", None)
    hooks += [(trace, "_trace_module_map"), (trace, "script")] if trace is not None else []
    return {(each, name): getattr(each, name) for each, name in hooks if hasattr(each, name)}


no_python_dispatcher: Any = torch._C._DisablePythonDispatcher
"""Context manager in which they do not, 2.0: Python's kernels draw other random numbers."""


inner_convolution: Any = torch.ops.aten._convolution.default
"""The operator beneath all convolutions, with the flags of cuDNN, 1.13."""


def composite(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Run an overload as the operators that it is made of, 2.0."""
    return kernel(function, torch._C.DispatchKey.CompositeImplicitAutograd, *args, **kwargs)


def schema_of(operator: Any) -> Any:
    """Return the schema of an overload of `torch.ops`, as dispatch modes are given it, 1.13."""
    return operator._schema


def has_backward_hooks(module: torch.nn.Module) -> bool:
    """Return whether a module has backward hooks, which torch.jit refuses to trace, 1.13."""
    return bool(module._backward_hooks)


def kernel(function: Any, key: Any, *args: Any, **kwargs: Any) -> Any:
    """Run the kernel that an overload has for a dispatch key, 2.0."""
    return function._op_dk(key, *args, **kwargs)


def autocast_key_of(function: Any, device_type: str) -> Any | None:
    """Return the dispatch key for autocast on a kind of device, 2.0.

    None where the overload has no kernel of its own for it: autocast leaves such operators alone.
    """
    name = f"Autocast{torch._C._dispatch_key_for_device(device_type)}"
    is_cast = torch._C._dispatch_has_kernel_for_dispatch_key(function.name(), name)
    return getattr(torch._C.DispatchKey, name) if is_cast else None


# ---- Tools of torch that look into calls ---------------------------------------------------------
#
# Without them: torch.compile would trace the runtime of minits, and torch.jit.trace its kernels.

is_traced_by_torch: Callable[[], Any] = torch._C._get_tracing_state
"""Whether torch.jit.trace records what this thread does, 1.13."""


def constant_to_dynamo(function: F) -> F:
    """Let torch.compile call a function while it traces, and take the result for a constant, 2.0.

    As `torch.compiler.assume_constant_result`, which imports all of torch.compile.
    """
    function._dynamo_marked_constant = True  # type: ignore[attr-defined]
    return function


def inlined_as(python: Callable[..., Any]) -> Callable[[F], F]:
    """Let torch.compile trace `python` in the place of a function, 2.0.

    Where it cannot, the function is called; its frame and those below are not compiled, 2.7.
    """

    def mark(function: F) -> F:
        function._torchdynamo_inline = python  # type: ignore[attr-defined]
        frames = torch._C._dynamo.eval_frame
        skip = frames._FrameAction.SKIP
        strategy = frames._FrameExecStrategy(skip, skip)
        frames.set_code_exec_strategy(function.__code__, strategy)
        return function

    return mark


# ---- Tensors -----------------------------------------------------------------------------------

is_wrapped: Callable[[Tensor], bool] = torch._C._functorch.is_functorch_wrapped_tensor
"""Whether a transform of `torch.func` has wrapped a tensor, 1.13."""

is_batched: Callable[[Tensor], bool] = torch._C._functorch.is_legacy_batchedtensor
"""Whether a gradient stands for several, as under `is_grads_batched`, 2.4."""

is_functional: Callable[[Tensor], bool] = torch._is_functional_tensor
"""Whether a tensor has no memory of its own, but stands for another (`functionalize`), 1.13."""

conjugated: Callable[[Tensor], Tensor] = torch._conj
negated: Callable[[Tensor], Tensor] = torch._neg_view
"""The tensor with its conjugate or negative bit set, 1.13. Without them: a copy without the bit."""

TENSOR_GUARDS: Any = getattr(torch._C._dynamo.guards, "TensorGuards", None)
"""Compares tensors with earlier ones in C++, 2.0. Without it: the key of the call, in Python."""

empty_strided_cpu = getattr(torch._C._dynamo.guards, "_empty_strided_cpu", torch.empty_strided)
"""Half the cost of `torch.empty_strided`, which asks the dispatcher; the same tensor. 2.4."""

empty_strided_cuda = getattr(torch._C._dynamo.guards, "_empty_strided_cuda", None)
"""The same on the current CUDA device, 2.4; None in builds without it."""


def is_zero_tensor(tensor: Tensor) -> bool:
    """Return whether a tensor is zeros without memory, as some gradients are, 1.13."""
    found: bool = tensor._is_zerotensor()
    return found


def storage_of(tensor: Tensor) -> int:
    """Return a number by which tensors share their memory, those without data too, 2.0.

    Without it: `data_ptr`, which is zero of all meta tensors.
    """
    address: int = tensor.untyped_storage()._cdata
    return address


def version_of(tensor: Tensor) -> int:
    """Return the number of changes in place; torch.autograd documents it by this name."""
    changes: int = tensor._version
    return changes


def raw_saved_tensors(ctx: Any) -> tuple[Any, ...]:
    """Return the saved tensors of a function of autograd, still packed, 1.13; none without it."""
    return getattr(ctx, "_raw_saved_tensors", ())


def saved_by(node: Any) -> list[Any]:
    """Return the values that a node of autograd has saved: attributes `_saved_...`, 1.13."""
    return [getattr(node, name) for name in dir(node) if name.startswith("_saved_")]


def saved_other(node: Any) -> Tensor | None:
    """Return the second operand that a node of autograd keeps, 1.13. Without it: None."""
    return getattr(node, "_saved_other", None)


def will_run(node: Any) -> bool:
    """Return whether autograd runs a node for the gradients that it computes now, 2.0.

    True where it does not tell: of leaves, while `torch.autograd.grad` runs. Without it: always
    True, so that gradients nobody asked for may say that a tensor was changed in place.
    """
    try:
        return node is not None and bool(torch._C._will_engine_execute_node(node))
    except RuntimeError:
        return True


def _by_questions(tensor: Tensor) -> Any:
    """Return the properties that dispatch keys tell, for a torch that has no number for them."""
    return tensor.layout, tensor.is_neg(), tensor.is_conj(), is_zero_tensor(tensor)


def _dispatch_keys() -> Callable[[Tensor], Any]:
    keys = getattr(torch._C, "_dispatch_keys", None)
    if keys is None or not hasattr(keys(torch.empty(0)), "raw_repr"):
        return _by_questions
    return lambda tensor: keys(tensor).raw_repr()


dispatch_keys = _dispatch_keys()
"""The kind of a tensor to torch's dispatcher: strided, sparse, nested, of another library,
with the negative or conjugate bit, a tensor of zeros without memory, wrapped by a transform, made
in inference mode. As a number: 2.6."""


# ---- CUDA --------------------------------------------------------------------------------------
#
# `torch.cuda._utils`, 2.8. Without it: ctypes, as there.

cuda_device: Callable[[], int] | None = getattr(torch._C, "_cuda_getDevice", None)
"""The current device, 1.13; None in builds for the CPU."""

cuda_stream: Callable[[int], int] | None = getattr(torch._C, "_cuda_getCurrentRawStream", None)
"""The current stream of a device, as the driver knows it, 1.13; None in builds for the CPU."""


def cuda_driver() -> ctypes.CDLL:
    """Return the library of the CUDA driver. The name of 2.9 is another than that of later ones."""
    from torch.cuda import _utils

    load = getattr(_utils, "_get_gpu_runtime_library", None) or _utils._get_cuda_library
    return cast(ctypes.CDLL, load())


def load_cuda_module(binary: bytes, names: list[str]) -> dict[str, Any]:
    """Load a compiled module into the current context, and return its functions by name."""
    from torch.cuda._utils import _cuda_load_module

    return cast("dict[str, Any]", _cuda_load_module(binary, names))


def check_cuda(status: int) -> None:
    """Raise RuntimeError, with the driver's words, if a call of the driver has failed."""
    from torch.cuda._utils import _check_cuda

    _check_cuda(status)
