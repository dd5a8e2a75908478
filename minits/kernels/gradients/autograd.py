"""Fused kernels under autograd: a group is one node of the graph, and so is its gradient.

    run = differentiable(FusedKernel(lowered), unfused)
    y, = run(x, bias)                  one kernel
    y.sum().backward()                 one kernel; then bias's gradient is summed to its shape

The gradient's kernel computes what it needs again from inputs and outputs that eager saves as well,
and from values that the kernel saves for it: see `training_kernel`. So what was changed in place
since then is an error where it is one in eager. Of inputs that eager does not save, only gradients
of gradients read anything; what these do when such an input was changed is in `after_changes`.

Calls for tensors of the same shapes and strides share a `Call`, and their gradients a function that
is generated once: a call of a small group takes some microseconds, of which most are autograd's.

What kernels cannot do is done by `unfused`, which takes and returns what the kernel does and is
made of torch's operators: gradients of gradients, calls under `torch.autocast`, `torch.func`'s
transforms or forward-mode differentiation, and kernels with an operation whose derivative is not
known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from minits.bounded_cache import BoundedCache
from minits.kernels.cpu.c_build import NoCompiler
from minits.kernels.fused_kernel import FusedKernel, Launch, ShapeMismatch
from minits.kernels.gradients.dropped_inputs import large
from minits.kernels.gradients.eager_saves import EagerSaves, eager_saves, lies_as_saved
from minits.kernels.gradients.gradient import NotDifferentiable
from minits.kernels.gradients.operator_saves import operator_saves
from minits.kernels.gradients.recorded_call import Call, Unfused, given_as
from minits.kernels.gradients.training_kernel import TrainingKernel
from minits.kernels.launch.call_key import key_of_tensors
from minits.kernels.launch.launch import CallRefused, while_unrecorded
from minits.kernels.launch.observers import is_observed, is_recording, undisturbed

MOST_CALLS = 256
"""Combinations of shapes and strides of a group's inputs that are kept."""
MOST_TRAINING_KERNELS = 64
"""Choices of inputs that want gradients, and kinds of these, that a kernel remembers."""


def differentiable(
    kernel: FusedKernel, unfused: Unfused, temporaries: frozenset[int] = frozenset()
) -> Differentiable:
    """Return an object that runs the kernel as a node of autograd.

    It takes the group's inputs and returns a tuple of its outputs. It raises what the kernel
    raises, ShapeMismatch and NoCompiler, before anything has been computed. `temporaries` are the
    inputs that nobody will change.
    """
    return Differentiable(kernel, unfused, temporaries)


class Differentiable:
    """See `differentiable`. `refusals` tells why calls ran unfused, once for each reason."""

    def __init__(self, kernel: FusedKernel, unfused: Unfused, temporaries: frozenset[int]) -> None:
        self.kernel = kernel
        self.unfused = unfused
        self.temporaries = temporaries
        self.refusals: list[str] = []
        self.tensors = sorted({source.index for source in kernel.lowered.sources})
        self._training_kernels: BoundedCache[Any, TrainingKernel | None] = BoundedCache(
            MOST_TRAINING_KERNELS
        )
        self._key = key_of_tensors(kernel.lowered.seen)
        self._calls: BoundedCache[Any, Callable[..., Any]] = BoundedCache(MOST_CALLS)

    def __call__(self, *values: Any) -> tuple[Tensor, ...]:
        if is_observed():
            return tuple(self.unfused(*values))
        key = self._key(values)
        call = self._calls.get(key)
        if call is None:
            with undisturbed():
                call = self._calls.put(key, self.bind(values))
        result: tuple[Tensor, ...] = call(*values)
        return result

    def bind(self, values: Sequence[Any], single: bool = False) -> Callable[..., Any]:
        """Return a launcher for inputs of exactly these shapes, strides and requires_grad.

        It returns a tuple, or the only output if `single`. It is not for calls under autocast,
        transforms or forward-mode differentiation. Raises ShapeMismatch, NoCompiler, CallRefused.
        """
        wanted = tuple([values[index].requires_grad for index in self.tensors])
        if True not in wanted:
            return self.kernel.bind(values, single)
        if not is_recording():
            return self._unrecorded(self.kernel.bind(values, single), single)
        training = self._training_kernel_for(wanted, values)
        if training is None:
            return self._unfused_call(single)
        if True not in training.is_kept:
            return self.kernel.bind(values, single)
        return _function_of(Call(self.kernel, self.unfused, training, values, single))

    def _unrecorded(self, launch: Launch, single: bool) -> Launch:
        """Return a function that runs a launch, or binds anew for a call that records."""

        @undisturbed()
        def bind(values: Sequence[Any]) -> Launch:
            return self.bind(values, single)

        def other(*values: Any) -> Any:
            return given_as(self.unfused(*values), single)

        return while_unrecorded(launch, bind, other, ShapeMismatch, NoCompiler, CallRefused)

    def _unfused_call(self, single: bool) -> Callable[..., Any]:
        """Without gradients the kernel is right even where its derivative is not known."""

        def unfused_call(*values: Any) -> Any:
            run = self.unfused if is_recording() else self.kernel
            return given_as(run(*values), single)

        return unfused_call

    def recording(self, values: Sequence[Any]) -> FusedKernel | None:
        """Return the kernel that runs while gradients of such inputs are recorded, or None.

        Raises CallRefused.
        """
        wanted = tuple([values[index].requires_grad for index in self.tensors])
        training = self._training_kernel_for(wanted, values)
        return None if training is None else training.kernel

    def _training_kernel_for(
        self, wanted: tuple[bool, ...], values: Sequence[Any]
    ) -> TrainingKernel | None:
        droppable = large(values)
        key = (wanted, droppable, *[lies_as_saved(values[index]) for index in self.tensors])
        try:
            return self._training_kernels[key]
        except KeyError:
            return self._training_kernels.put(key, self._training_kernel(wanted, values, droppable))

    def _training_kernel(
        self, wanted: tuple[bool, ...], values: Sequence[Any], droppable: frozenset[int]
    ) -> TrainingKernel | None:
        chosen = zip(self.tensors, wanted, strict=True)
        indices = frozenset([index for index, wants in chosen if wants])
        try:
            saves = self._saves(values, indices)
            graph = self.kernel.lowered.graph
            of_operators = operator_saves(graph, values, indices) if droppable else None
            return TrainingKernel(
                self.kernel, indices, saves, self.temporaries, droppable, of_operators
            )
        except NotDifferentiable as fault:
            if str(fault) not in self.refusals:
                self.refusals.append(str(fault))
            return None

    def _saves(self, values: Sequence[Any], indices: frozenset[int]) -> EagerSaves:
        try:
            return eager_saves(self.unfused, values, indices)
        except NotDifferentiable:
            raise
        except Exception as fault:
            raise CallRefused from fault


def _function_of(call: Call) -> Launch:
    """Return the call as a function, as all other launches are."""

    def run(*values: Any) -> Any:
        if is_recording():
            return call.recorded(values)
        launch = call.unrecorded
        return call.plain(values) if launch is None else launch(*values)

    return run
