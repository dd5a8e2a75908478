"""Operators are recorded by a dispatch mode that sees each before torch takes it apart.

torch calls the mode at the PreDispatch key, which is the first of all: `linear`, `matmul` and
`batch_norm` arrive whole, and of what they are made of nothing is seen. Sizes that the trace knows
are tensors without dimensions; where torch's bindings need a number, they ask for the tensor's
`item`, get a `torch.SymInt` that remembers the tensor, and hand it on to the operator.

Source: tools/autograd/gen_trace_type.py and torch/csrc/autograd/TraceTypeManual.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from minits import torch_internals as internals
from minits.diagnostics import error
from minits.ir.graph import Node
from minits.tracing.arguments import arguments_of, plain, traced_number
from minits.tracing.autocast import autocast_key
from minits.tracing.out_of_place import option_values, out_of_place_kind, warn_if_shared
from minits.tracing.recorder import Recorder
from minits.tracing.warning import warn
from minits.types import types as t

Handler = Callable[["OperatorMode", Any, tuple[Any, ...], dict[str, Any]], Any]


_Mode: Any = internals.pre_dispatch_mode()


class OperatorMode(_Mode):  # type: ignore[misc]
    """The dispatch mode of one trace."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._dispatch_key = internals.PRE_DISPATCH
        self.recorder = recorder

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if self.recorder.is_paused:
            return func(*args, **kwargs)
        key = autocast_key(func, args, kwargs)
        if key is not None:
            with self:
                return internals.kernel(func, key, *args, **kwargs)
        handler = _HANDLERS.get(internals.schema_of(func).name)
        if handler is not None:
            return handler(self, func, args, kwargs)
        if not any(_is_tensors(each.type) for each in internals.schema_of(func).returns):
            with self.recorder.paused():
                return run(func, args, kwargs)
        return record_call(self.recorder, func, args, kwargs)


@contextmanager
def recording(recorder: Recorder) -> Iterator[None]:
    """Record the operators that run meanwhile."""
    with internals.python_dispatcher(), OperatorMode(recorder):
        yield


def record_call(
    recorder: Recorder,
    func: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    kind: str | None = None,
) -> Any:
    """Record an operator as a node of the kind that its name is, run it, and return its result."""
    with recorder.at_program_line():
        node = _insert(recorder, kind or internals.schema_of(func).name, func, args, kwargs)
        result = run(func, args, kwargs)
        record_results(recorder, node, func, result)
    return result


def _insert(recorder: Recorder, kind: str, func: Any, args: Any, kwargs: dict[str, Any]) -> Node:
    """Record a node with the arguments of an operator, and without outputs so far.

    Raises `CompileError` (TS829) under a transform of torch.func.
    """
    if internals.functorch_level() is not None:
        raise error(
            recorder.range,
            "TS829",
            "a transform of torch.func (vmap, grad, jvp, ...) is active: what it makes of "
            "operators is not recorded",
            fix="transform what is traced, as in torch.func.vmap(traced), or write the batch "
            "dimension or derivative out",
        )
    is_new = recorder.force_outplace
    if is_new and (new_kind := out_of_place_kind(func)) is not None:
        warn_if_shared(recorder, args[0], internals.schema_of(func).name)
        kind = new_kind
    node = recorder.located(recorder.create(kind, types=()))
    for value in arguments_of(recorder, func, args, kwargs, leaves_out=is_new):
        node.add_input(value)
    if is_new:
        for value in option_values(recorder, func, args, kwargs):
            node.add_input(value)
    return recorder.graph.insert(node)


def run(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an operator with plain numbers, by torch's own kernels."""
    with internals.no_python_dispatcher():
        return func(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})


def record_results(recorder: Recorder, node: Any, func: Any, result: Any) -> None:
    """Give a node an output for each result of an operator."""
    returns = internals.schema_of(func).returns
    is_made = any(each.name == "pin_memory" for each in internals.schema_of(func).arguments)
    for each in result if len(returns) > 1 else [result]:
        _record_result(recorder, node, each, is_made)


def _record_result(recorder: Recorder, node: Any, result: Any, is_made: bool) -> None:
    if isinstance(result, Tensor):
        recorder.bind_output(result, node.add_output(), is_made)
    elif isinstance(result, (list, tuple)):
        items = node.add_output(t.ListType(t.TENSOR))
        unpack = recorder.insert("prim::ListUnpack", [items], [t.TENSOR] * len(result))
        for item, value in zip(result, unpack.outputs, strict=True):
            recorder.bind_output(item, value)
    else:
        node.add_output(t.NONE if result is None else t.INT)


def _is_tensors(type: Any) -> bool:
    text = str(type)
    return text.startswith(("Tensor", "List[Tensor", "Optional[Tensor"))


# ---- Operators that are recorded otherwise than by their names -----------------------------------


def _number(mode: OperatorMode, func: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
    """Return a number that remembers which tensor it is from, for the operator that asks for it."""
    (tensor,) = args
    with mode.recorder.paused():
        value = tensor.item()
    return traced_number(mode.recorder, tensor, value)


def _in_parts(mode: OperatorMode, func: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
    """Record the operators that it is made of."""
    with mode:
        return internals.composite(func, *map(plain, args), **kwargs)


def _convolution(mode: OperatorMode, func: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
    """Record `aten::_convolution`, which has the flags of cuDNN; its result needs no gradient."""
    recorder = mode.recorder
    with recorder.at_program_line():
        inner_args = (*args, *_cudnn_flags())
        node = _insert(
            recorder, "aten::_convolution", internals.inner_convolution, inner_args, kwargs
        )
        result = run(func, args, kwargs)
        recorder.bind_output(result, node.add_output())
    note = recorder.notes.types[node.output]
    recorder.notes.types[node.output] = note.replace("requires_grad=1", "requires_grad=0")
    return result


def _cudnn_flags() -> tuple[bool, bool, bool, bool]:
    cudnn = torch.backends.cudnn
    deterministic = cudnn.deterministic or torch.are_deterministic_algorithms_enabled()
    return bool(cudnn.benchmark), bool(deterministic), bool(cudnn.enabled), bool(cudnn.allow_tf32)


def _detach(mode: OperatorMode, func: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
    """Record `detach`, also where it is done in place."""
    return record_call(mode.recorder, func, args, kwargs, "aten::detach")


def _lift(mode: OperatorMode, func: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
    """Record a tensor that was made of numbers of Python: a constant, which torch converts."""
    with mode.recorder.at_program_line():
        if mode.recorder.knows(args[0]):
            return func(*args)
        if args[0].untyped_storage().resizable():
            return lifted(mode.recorder, args[0])
    return record_call(mode.recorder, func, args, kwargs)  # memory of NumPy


def lifted(recorder: Recorder, tensor: Tensor) -> Tensor:
    """Record a new tensor as a constant on its device; return what stands for it."""
    recorder.value_of(tensor)
    result = tensor.view(tensor.shape)
    args = tensor, tensor.device, tensor.dtype
    node = _insert(recorder, "aten::to", torch.ops.aten.to.device, args, {})
    recorder.bind_output(result, node.add_output(), is_made=True)
    return result


def _copy(mode: OperatorMode, func: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
    """Record a copy; that it does not go on beside the program has no line of its own."""
    recorder = mode.recorder
    with recorder.at_program_line():
        return copy_to(recorder, func, args, kwargs)


def copy_to(
    recorder: Recorder, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
) -> Any:
    """Record and do `args[0].copy_(args[1])`, by hand."""
    target, source = (recorder.value_of(each) for each in args[:2])
    if recorder.force_outplace and not warn_if_shared(recorder, args[0], "aten::copy_"):
        node = recorder.insert("aten::expand_as", [source, target], ())
    else:
        is_async = recorder.constant(False)
        is_async.node.range = None
        node = recorder.located(recorder.insert("aten::copy_", [target, source, is_async], ()))
    result = run(func, args, kwargs or {})
    record_results(recorder, node, func, result)
    return result


def _resize(mode: OperatorMode, func: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
    """Record nothing: what is resized is a constant from then on, as in torch."""
    name = internals.schema_of(func).name.partition("::")[2]
    warn(
        f"{name} is not recorded: what is resized becomes a constant of the trace where it is used"
    )
    mode.recorder.forget(args[0])
    with mode.recorder.paused():
        return run(func, args, kwargs)


def _set(mode: OperatorMode, func: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
    """Record `set_`. Raises `CompileError` (TS829) where it is given memory without a tensor."""
    if len(args) < 2 or isinstance(args[1], Tensor):
        return record_call(mode.recorder, func, args, kwargs)
    with mode.recorder.at_program_line():
        raise error(
            mode.recorder.range,
            "TS829",
            "a tensor is given the memory of another one by its storage, as copy.copy and "
            "copy.deepcopy do: this is not recorded",
            fix="copy tensors by clone()",
        )


_HANDLERS: dict[str, Handler] = {
    "aten::item": _number,
    "aten::_local_scalar_dense": _number,
    **dict.fromkeys(
        (
            "aten::conv1d", "aten::conv2d", "aten::conv3d", "aten::conv_transpose1d",
            "aten::conv_transpose2d", "aten::conv_transpose3d", "aten::lstm_cell",
            "aten::gru_cell", "aten::rnn_tanh_cell", "aten::rnn_relu_cell",
        ),
        _in_parts,
    ),
    "aten::convolution": _convolution,
    "aten::copy_": _copy,
    "aten::detach_": _detach,
    "aten::lift_fresh": _lift,
    "aten::resize_": _resize,
    "aten::resize_as_": _resize,
    "aten::set_": _set,
}  # fmt: skip
