"""Histories of calls that were wrong once, each with what was wrong."""

from __future__ import annotations

from typing import Any

from conformance.fuzz.calls.history import (
    Again,
    Backward,
    Call,
    Change,
    History,
    Step,
    Threads,
)
from conformance.fuzz.calls.tensors import T


def _call(*values: Any, **others: Any) -> Call:
    """A call of `program(a, b, c)`, by position."""
    return Call(tuple(zip("abc", values, strict=False)), len(values), **others)


def _history(text: str, *steps: Step, bound: int = 0) -> History:
    return History(text, steps, bound)


def _sizes(*sizes: int) -> tuple[Call, ...]:
    """Calls with matrices of so many rows."""
    return tuple(_call(T((size, 3))) for size in sizes)


RELU = "def program(a: Tensor) -> Tensor:\n    return torch.relu(a) * 2 + 1\n"
REFUSING = (
    "def program(a: Tensor, b: int) -> Tensor:\n"
    "    y = torch.relu(a) * 2 + 1\n"
    "    if b == 1:\n"
    "        raise ValueError('refused')\n"
    "    return y\n"
)
ROWS = "def program(a: Tensor, b: Tensor) -> Tensor:\n    return F.layer_norm(a * 2, [3], b)\n"
SCALED = "def program(a: Tensor, b: Tensor) -> Tensor:\n    return (a * b * 2).tanh() + 1\n"
PARTS = "def program(a: Tensor) -> Tensor:\n    return a.real * 2 + a.imag.sin()\n"
CHOSEN = "def program(a: Tensor, b: Tensor) -> Tensor:\n    return torch.where(a > 0.5, b * 2, 2)\n"
TENTH = "def program(a: Tensor) -> Tensor:\n    return (a * 0.1).sigmoid() + a\n"
WEIGHTED = """\
class Program(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([0.5, -1.0, 2.0]))

    def forward(self, a: Tensor) -> Tensor:
        return (a * self.weight).tanh() * 2
"""
SHIFTED = """\
class Program(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([0.5, -1.0, 2.0]))
        self.register_buffer('shift', torch.tensor(0.25))

    def forward(self, a: Tensor) -> Tensor:
        return (a * self.weight * 2.0 + self.shift).tanh() + 1
"""

KEPT: dict[str, History] = {
    # What was bound for the call that raised was remembered for the next one.
    "after_a_call_that_raises": _history(
        REFUSING,
        Call((("a", T((2, 3))), ("b", 0)), 1),
        _call(T((4, 3)), 1),
        _call(T((2, 3)), 0),
        _call(T((2, 3)), 0),
    ),
    # A thread remembered for its own call what another one had bound.
    **{
        f"threads_that_take_turns_by_{seed}": _history(
            RELU,
            Threads((_sizes(2, 3, 4, 3), _sizes(5, 6, 7, 6)), seed),
            *_sizes(2, 3, 4, 5, 6, 7),
        )
        for seed in (3, 8, 21, 23)
    },
    # The kernel that saves the sums of rows makes more tensors than the one that does not.
    "no_grad_after_a_call_with_gradients": _history(
        ROWS, _call(T(), T((3,), grad=True)), _call(T(), T((3,), grad=True), states=("no_grad",))
    ),
    # Rows in memory were taken for the last dimension.
    "gradient_of_what_is_broadcast_to_channels_last": _history(
        SCALED, _call(T((2, 3, 3, 3), layout="channels_last"), T((3,), grad=True), backward="ramp")
    ),
    # Inputs were saved which eager does not save: the condition alone is.
    "an_inference_tensor_that_is_not_saved": _history(
        CHOSEN, _call(T(kind="inference"), T((3,), grad=True))
    ),
    "a_conjugate_after_a_plain_tensor": _history(
        PARTS, _call(T(dtype="complex64")), _call(T(dtype="complex64", bits="conj"))
    ),
    "a_negative_view_after_a_plain_tensor": _history(RELU, _call(T()), _call(T(bits="neg"))),
    "the_default_dtype_of_another_call": _history(
        TENTH,
        _call(T(dtype="int64")),
        _call(T(dtype="int64"), states=("default dtype float64",)),
        _call(T(dtype="int64")),
    ),
    # The gradient's kernel read numbers of double precision as those of single precision.
    "a_parameter_of_another_dtype_before_backward": _history(
        WEIGHTED,
        _call(T(grad=True)),
        Change("m.weight.data = m.weight.data.double()"),
        Backward(0),
    ),
    # Zeros went to a result that had been saved for another one, and was written to.
    "gradients_of_gradients_beside_what_is_written": _history(
        "def program(a: Tensor, b: Tensor) -> Tuple[Tensor, Tensor]:\n"
        "    v = torch.atan(torch.cos(a) * 2)\n"
        "    w = torch.softmax(b.mean() + v, -1)\n"
        "    w.view(-1).mul_(0.5)\n"
        "    return torch.zeros_like(w.sin()) + 2, v\n",
        _call(T(grad=True), T(), backward="twice"),
        _call(T(grad=True), T(), backward="twice"),
    ),
    # What eager had kept for that gradient was computed again from what was changed.
    "a_gradient_by_one_argument_after_a_change_of_another": _history(
        "def program(a: Tensor, b: Tensor) -> Tensor:\n    return F.silu(a) * b\n",
        _call(T(grad=True), T(grad=True), backward="last, first changed"),
        _call(T(grad=True), T(grad=True), backward="last, first changed"),
    ),
    # The slope of a norm was taken for a constant, by numpy, which works gradients out then.
    "gradients_of_gradients_of_a_norm_after_a_change": _history(
        "def program(a: Tensor) -> Tensor:\n    return F.normalize(a * 3, dim=-1)\n",
        _call(T(grad=True), backward="twice, argument"),
        Backward(0, how="twice"),
        _call(T(grad=True), backward="twice, argument"),
        Backward(2, how="twice"),
    ),
    # Results of complex numbers were taken for such as require no gradients.
    "a_write_to_complex_numbers_that_are_saved": _history(
        "def program(a: Tensor) -> Tensor:\n"
        "    v = a * 3\n"
        "    w = torch.square(v)\n"
        "    v.add_(w)\n"
        "    return v + 2\n",
        _call(T(dtype="complex64", grad=True), backward="sum"),
        _call(T(dtype="complex64", grad=True), backward="sum"),
    ),
    # What leads to an operator whose gradient is an error was in a kernel with what does not.
    "gradients_beside_those_that_are_an_error": _history(
        "def program(a: Tensor, b: Tensor) -> Tuple[Tensor, Tensor]:\n"
        "    v = F.elu(b * 3, inplace=True)\n"
        "    v.mul_(3)\n"
        "    return v, torch.softmax(b * -1.5 + a, dim=-1)\n",
        _call(T(grad=True), T(grad=True)),
        _call(T(grad=True), Again(0, "b", ".unsqueeze(0)"), backward="sum"),
    ),
    # The kernel was bound to an argument that did not require a gradient then.
    "an_argument_that_requires_a_gradient_since_it_is_written": _history(
        "def program(a: Tensor, b: Tensor) -> Tuple[Tensor, Tensor]:\n"
        "    a.copy_(b)\n"
        "    return a.sin() * 2, a\n",
        _call(T(), T((3,), grad=True), backward="ramp"),
    ),
    # torch makes a tensor to find out, which forward-mode differentiation refuses.
    "a_default_device_under_a_transform": _history(
        RELU, _call(T(), states=("default device meta",), transform="jvp")
    ),
    # Kernels do not write complex numbers.
    "what_is_cast_as_a_complex_tensor_is": _history(
        "def program(a: Tensor, b: Tensor) -> Tuple[Tensor, Tensor]:\n"
        "    return b.type_as(a), b * 2\n",
        _call(T(dtype="complex64"), T()),
    ),
    # Grad mode was on, and nothing was recorded nevertheless: outputs could not be saved.
    "grad_mode_within_inference_mode": _history(
        SCALED,
        _call(T(), T((3,), grad=True), states=("inference_mode", "enable_grad")),
        _call(T(), T((3,), grad=True), backward="ramp"),
        _call(T(), T((3,), grad=True), states=("inference_mode", "enable_grad")),
    ),
    # A write to an argument had moved behind an operator that raises.
    "a_write_before_an_operator_that_raises": _history(
        "def program(a: Tensor, b: Tensor) -> Tuple[Tensor, Tensor]:\n"
        "    v = a.sin()\n"
        "    w = torch.square(b) * 2\n"
        "    a[..., :1] = 0.5\n"
        "    w[..., 1:].mul_(0.5)\n"
        "    return v.clone().cos(), w\n",
        *[_call(T(), T(())) for _ in range(3)],
        _call(T(), T()),
        _call(T(), T(())),
    ),
    # The plan kept a constant that a transform or mode had made.
    **{
        f"a_constant_that_is_folded_under_{transform}": _history(
            "def program(a: Tensor, b: int) -> Tensor:\n"
            "    return torch.zeros(b) * 2 + torch.tensor(0.5) + a.sum().tanh()\n",
            _call(T(), 3, transform=transform),
            _call(T(), 3),
            _call(T(), 3, transform="fake"),
            _call(T(), 3),
        )
        for transform in ("fake", "functionalize")
    },
    # What runs without gradients was bound while a default device made its numbers elsewhere.
    "no_grad_on_a_default_device": _history(
        SHIFTED,
        *[
            _call(T((2, 3, 3, 3), "uint8", "channels_last"), states=("default device meta", *more))
            for more in ((), ("no_grad",), ("inference_mode",))
        ],
    ),
    # torch's guard ends the process at a nested tensor, and does not see one that vmap wraps.
    "a_nested_tensor_under_vmap_after_a_dense_tensor": _history(
        RELU, _call(T()), _call(T(kind="nested"), transform="vmap"), _call(T())
    ),
    # A jagged tensor that a transform wraps does not say so, and has no number of elements. Shapes
    # that do not come again are looked at for large ones.
    "a_jagged_tensor_under_a_transform": _history(
        "def program(a: Tensor, b: Tensor) -> Tensor:\n    return torch.relu(b) * 2 + 1\n",
        *[_call(T((size,)), T((size,))) for size in range(1, 40)],
        _call(T(kind="jagged"), T((3,), grad=True), transform="grad"),
    ),
    # torch makes a tensor whose parts are beyond its memory: nobody can look at them.
    "nested_tensors_that_are_joined": _history(
        "def program(a: Tensor) -> Tensor:\n    return torch.cat([a.detach(), a * 2], -1)\n",
        _call(T(kind="nested")),
    ),
    # torch has gradients of silu of complex numbers in place only.
    "silu_of_complex_numbers_in_place": _history(
        "def program(a: Tensor) -> Tensor:\n"
        "    v = F.silu(a * 3, inplace=True)\n"
        "    return torch.cumsum(v, -1)\n",
        *[_call(T(dtype="complex64", grad=True)) for _ in range(2)],
    ),
    # The checkpoint counted what was saved while the first call was planned.
    "what_planning_saves_in_a_checkpoint": _history(
        "def program(a: Tensor) -> Tensor:\n"
        "    v = F.elu(a * 2, inplace=True)\n"
        "    v.mul_(2)\n"
        "    return v + 1\n",
        _call(T(grad=True), transform="checkpoint", backward="sum"),
    ),
    # The program ran unfused for its subclass, and the task was taken to have done so, too.
    "a_task_in_a_checkpoint": _history(
        "def program(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:\n"
        "    v = torch.jit.wait(torch.jit.fork(scaled, b, None, 0.5))\n"
        "    return a * 2 + 1, v\n",
        _call(T(kind="subclass"), T(grad=True), transform="checkpoint", backward="ramp"),
    ),
    # The checkpoint ran another plan of the program for the gradients, whose task was taken to be
    # another function, so that it was fused this time and saved other tensors.
    "a_zero_tensor_for_a_task_in_a_checkpoint": _history(
        "def program(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:\n"
        "    v = torch.jit.wait(torch.jit.fork(scaled, a, b, 0.5))\n"
        "    return torch.atan(a) + 2, v\n",
        *[
            _call(T(grad=True), T(kind="zero"), transform="checkpoint", backward="sum")
            for _ in range(2)
        ],
    ),
    # torch makes a tensor to tell the index of a device, which that mode refuses here.
    "fake_tensors_of_a_default_device_in_inference_mode": _history(
        RELU, _call(T(), states=("inference_mode", "default device meta"), transform="fake")
    ),
    # While a call is planned its modes are off: the device of the program's own tensors was the
    # CPU, so that the product, which eager refuses, was computed before the write.
    "a_number_on_a_default_device": _history(
        "def program(a: Tensor) -> Tensor:\n"
        "    v = torch.minimum(a, a)\n"
        "    a.mul_(2)\n"
        "    return v * (torch.tensor(0.5) * -1.5)\n",
        *[_call(T(dtype="int32"), states=("default device meta",)) for _ in range(2)],
    ),
    # Its numbers could not be looked at outside of that mode.
    "a_sparse_tensor_of_inference_mode": _history(
        TENTH, _call(T(kind="csr"), states=("inference_mode",))
    ),
    **{
        f"{kind}_after_a_dense_tensor": _history(RELU, _call(T()), _call(T(kind=kind)), _call(T()))
        for kind in ("zero", "mkldnn", "csr", "nested")
    },
}
