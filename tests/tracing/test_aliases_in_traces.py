"""Aliases that torch makes of tensors where no dispatch mode sees it: parameters, subclasses."""

import pytest
import torch

import minits


class Weight(torch.nn.Parameter):
    pass


def a_parameter(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.Parameter(torch.sqrt(x)) * x


def a_parameter_without_gradients(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.Parameter(torch.sqrt(x), requires_grad=False) * x


def of_a_class_of_its_own(x: torch.Tensor) -> torch.Tensor:
    return x * Weight(torch.sqrt(x))


def a_buffer(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.Buffer(torch.sqrt(x)) * x


def as_a_subclass(x: torch.Tensor) -> torch.Tensor:
    return torch.sqrt(x).as_subclass(Weight) * x


def a_weight(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.linear(x, torch.nn.Parameter(torch.outer(x, x)))


def a_parameter_of_the_argument(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.Parameter(x).exp()


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "program",
    [
        a_parameter,
        a_parameter_without_gradients,
        of_a_class_of_its_own,
        a_buffer,
        as_a_subclass,
        a_weight,
        a_parameter_of_the_argument,
    ],
)
def test_an_alias_is_computed_again_in_each_call(program) -> None:  # type: ignore[no-untyped-def]
    traced = minits.trace(program, torch.ones(2))
    theirs = torch.jit.trace(program, torch.ones(2))
    assert [node.kind for node in traced.graph.nodes] == [
        node.kind() for node in theirs.graph.nodes()
    ]
    for number in (4.0, 9.0, 16.0):
        x = torch.full((2,), number)
        assert torch.equal(traced(x), program(x).detach())


def test_a_parameter_from_elsewhere_stays_a_constant_or_a_fault() -> None:
    known = torch.ones(2)
    traced = minits.trace(
        lambda x: x + torch.nn.Parameter(known, requires_grad=False), torch.ones(2)
    )
    assert traced(torch.zeros(2)).tolist() == [1.0, 1.0]
    with pytest.raises(minits.CompileError, match="requires grad"):
        minits.trace(lambda x: x + torch.nn.Parameter(known), torch.ones(2))
