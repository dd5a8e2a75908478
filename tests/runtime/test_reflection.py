"""Programs that read compiled objects get the answers of torch.jit."""

from enum import Enum
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

import minits


class Point(NamedTuple):
    x: int
    y: float


class Colour(Enum):
    RED = 1


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.register_buffer("mean", torch.zeros(2))
        self.count = 3

    def forward(
        self,
        xs: list[int],
        d: dict[str, Tensor],
        o: Tensor | None,
        t: tuple[int, float],
        p: Point,
        u: int | str,
        c: Colour,
        ps: list[Point],
        e: tuple[()],
        a: Any,
        f: float = 0.5,
    ) -> dict[str, list[Tensor]]:
        return {"a": [d["x"]]}

    @torch.jit.export
    def other(self, x: Tensor, n: int = 2) -> Tensor:
        return x * n + self.weight


def asked(schema: Any) -> list[Any]:
    return [
        (
            each.name,
            str(each.type),
            each.type.annotation_str,
            each.type.kind(),
            [name for name in TYPES if isinstance(each.type, getattr(torch._C, name))],
            each.has_default_value(),
            each.default_value,
            each.kwarg_only,
        )
        for each in [*schema.arguments, *schema.returns]
    ]


TYPES = ("ListType", "DictType", "OptionalType", "TupleType", "TensorType", "IntType", "UnionType",
         "EnumType", "ClassType", "AnyType", "FloatType")  # fmt: skip


def without_numbers(answer: Any) -> Any:
    """Return an answer without the numbers that torch and minits give to names used before."""
    import re

    return eval(re.sub(r"___torch_mangle_\d+\.", "", repr(answer)))


@pytest.mark.parametrize("method", ["forward", "other"])
def test_schemas(method: str) -> None:
    theirs, ours = (getattr(jit.script(Net()), method).schema for jit in (torch.jit, minits))
    assert without_numbers(asked(ours)) == without_numbers(asked(theirs))
    assert without_numbers(str(ours)) == without_numbers(str(theirs))
    assert ours.name == theirs.name and ours.overload_name == theirs.overload_name


def test_parts_of_types() -> None:
    theirs, ours = (jit.script(Net()).forward.schema for jit in (torch.jit, minits))
    for n in (1, 2, 3, 4, 8):
        one, other = (str(s.arguments[n].type.containedTypes()) for s in (ours, theirs))
        assert without_numbers(repr(one)) == without_numbers(repr(other))
    assert str(ours.arguments[1].type.getElementType()) == "int"
    assert str(ours.arguments[8].type.getElementType()).endswith("Point")


@pytest.mark.parametrize(
    "ask",
    [
        lambda m: m._c._type().annotation_str,
        lambda m: m._c.qualified_name,
        lambda m: sorted(m._c._method_names()),
        lambda m: [m._c._has_method(each) for each in ("forward", "other", "weight")],
        lambda m: [m._c.hasattr(each) for each in ("weight", "mean", "count", "training", "no")],
        lambda m: m._c.getattr("mean").tolist(),
        lambda m: m._c.getattr("count"),
        lambda m: str(m._c._get_method("other").schema),
        lambda m: m.original_name,
        lambda m: m.code_with_constants[0],
        lambda m: [type(m.graph_for).__name__, hasattr(m.forward, "graph_for")],
    ],
)
def test_modules(ask: Any) -> None:
    theirs, ours = (ask(jit.script(Net())) for jit in (torch.jit, minits))
    assert without_numbers(ours) == without_numbers(theirs)


def test_a_module_that_is_read_by_its_object_stays_one() -> None:
    compiled = minits.script(Net())
    compiled._c.setattr("count", 5)
    assert compiled.count == 5
    with pytest.raises(RuntimeError):
        compiled._c.getattr("no")
    assert "_c" not in dict(compiled.named_parameters()) and "_c" not in vars(compiled)
