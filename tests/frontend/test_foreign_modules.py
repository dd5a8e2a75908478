"""Modules that other parts of torch make: of `torch.fx`, and with objects of C++ classes in them.

They are no cases of the conformance suite: the name of the first one's source has a path in it, and
no archive of minits holds the second one's objects.
"""

from __future__ import annotations

import pytest
import torch
import torch.fx
from torch import nn

import minits
from minits.runtime import interpreter


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(2))

    def forward(self, x):  # annotations that are texts are no types to torch.jit in such a source
        return (x * self.scale).relu() + 1


@pytest.mark.filterwarnings("ignore:The TorchScript type system doesn't support:UserWarning")
def test_a_traced_module_has_torchs_graph() -> None:
    traced = torch.fx.symbolic_trace(Net())
    ours, theirs = minits.script(traced), torch.jit.script(traced)
    x = torch.tensor([-1.0, 2.0])
    torch.testing.assert_close(ours(x), theirs(x))
    kinds = [node.kind for node in ours.graph.all_nodes()]
    assert kinds == [node.kind() for node in theirs.graph.nodes()]
    assert str(ours.code) == str(theirs.code)


@pytest.mark.filterwarnings("ignore::UserWarning")  # quantized tensors are deprecated
def test_an_object_of_a_cpp_class_is_an_attribute_that_operators_take() -> None:
    module = torch.ao.nn.quantized.dynamic.Linear(2, 3)
    weight = torch.quantize_per_tensor(torch.ones(3, 2), 0.1, 0, torch.qint8)
    module.set_weight_bias(weight, torch.zeros(3))
    x = torch.ones(1, 2)
    torch.testing.assert_close(minits.script(module)(x), torch.jit.script(module)(x))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_methods_of_a_cpp_class_are_called() -> None:
    module = torch.ao.nn.quantized.Conv2d(2, 3, 3)
    ours, theirs = minits.script(module), torch.jit.script(module)
    x = torch.quantize_per_tensor(torch.rand(1, 2, 5, 5), 0.1, 0, torch.quint8)
    assert torch.equal(ours(x).int_repr(), theirs(x).int_repr())
    for name in ("forward", "_weight_bias", "set_weight_bias"):
        assert str(getattr(ours, name).graph) == str(getattr(theirs, name).graph)


def parts(packed: torch.classes.quantized.Conv2dPackedParamsBase):
    weight, bias = packed.unpack()
    return packed.stride(), packed.groups(), weight.int_repr(), bias


def test_a_function_of_autograd_is_called_by_the_name_of_its_class() -> None:
    module = nn.CrossMapLRN2d(2)
    ours, theirs = minits.script(module), torch.jit.script(module)
    assert str(ours.graph) == str(theirs.graph)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_an_object_of_a_cpp_class_is_an_argument() -> None:
    packed = torch.ao.nn.quantized.Conv2d(2, 3, 3)._packed_params
    ours, theirs = minits.script(parts), torch.jit.script(parts)
    assert str(ours.graph) == str(theirs.graph)
    assert ours.code == theirs.code
    assert str(ours(packed)) == str(theirs(packed))
    assert str(interpreter.run(ours.graph, packed)) == str(theirs(packed))


def asks_what_is_not_there(packed: torch.classes.quantized.Conv2dPackedParamsBase):
    return packed.nothing()


def test_what_a_cpp_class_lacks_is_refused() -> None:
    with pytest.raises(minits.CompileError, match="no attribute or method 'nothing'"):
        minits.script(asks_what_is_not_there)
