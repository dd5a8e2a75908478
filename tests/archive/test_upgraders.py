"""Operators of older versions of the format mean what they meant, in methods as torch has it."""

import io

import pytest
import torch

import minits
from tests.support.archives import CLASS, archive_of

INTS = torch.tensor([7, -7, 8])
FLOATS = torch.tensor([7.0, -7.0, 8.0])


def archive(version: int, result: str, parameters: str) -> io.BytesIO:
    head = f"  def forward(self: __torch__.M,\n    {parameters}) -> Tensor:\n"
    return archive_of(f"{CLASS}{head}    return {result}\n", version=f"{version}\n")


TENSORS = "x: Tensor, y: Tensor"
NUMBERS = "x: int, y: float"
OUT = torch.ones(3)
CALLS = [
    ("torch.div(x, y)", TENSORS, [(INTS, INTS - 4), (INTS, FLOATS), (FLOATS, INTS)]),
    ("torch.div(x, y)", "x: Tensor, y: int", [(INTS, 2), (FLOATS, 2)]),
    ("torch.div(x, y)", "x: Tensor, y: float", [(INTS, 2.0), (FLOATS, 2.0)]),
    ("torch.div(x, y)", "x: Tensor, y: number", [(INTS, 2.0), (INTS, 2), (FLOATS, 2)]),
    ("torch.div_(x, y)", TENSORS, [(INTS, INTS - 4), (FLOATS, INTS)]),
    ("torch.div_(x, y)", "x: Tensor, y: number", [(INTS, 2), (FLOATS, 2)]),
    (
        "torch.div(x, y, out=z)",
        TENSORS + ", z: Tensor",
        [(INTS, INTS - 4, torch.ones_like(INTS)), (INTS, INTS - 4, OUT)],
    ),
    ('torch.div(x, y, rounding_mode="floor")', "x: Tensor, y: int", [(INTS, 2)]),
    ("torch.full(x, y)", "x: List[int], y: number", [([2], 3), ([2], 2.5)]),
    ("torch.full(x, y, dtype=4)", "x: List[int], y: number", [([2], 3)]),
    (
        'torch.full(x, y, dtype=None, layout=None, device=torch.device("cpu"), pin_memory=False)',
        "x: List[int], y: int",
        [([2], 3)],
    ),
    ("torch.linspace(x, y)", NUMBERS, [(1, 2.0)]),
    ("torch.linspace(x, y, None)", NUMBERS, [(1, 2.0)]),
    ("torch.linspace(x, y, 5, dtype=7)", NUMBERS, [(1, 2.0)]),
    ("torch.linspace(x, y, out=z)", NUMBERS + ", z: Tensor", [(1, 2.0, OUT)]),
    ("torch.logspace(x, y)", NUMBERS, [(1, 2.0)]),
    ("torch.logspace(x, y, 5, 2.)", NUMBERS, [(1, 2.0)]),
    ("torch.logspace(x, y, out=z)", NUMBERS + ", z: Tensor", [(1, 2.0, OUT)]),
]


def copied(arguments: tuple[object, ...]) -> list[object]:
    return [a.clone() if isinstance(a, torch.Tensor) else a for a in arguments]


@pytest.mark.one_in(3)
@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@pytest.mark.parametrize("version", [2, 3, 4, 5, 7, 8, 9, 10])
@pytest.mark.parametrize(("result", "parameters", "calls"), CALLS)
def test_versions_agree_with_torch(version: int, result: str, parameters: str, calls: list) -> None:
    try:
        expected = torch.jit.load(archive(version, result, parameters))
    except RuntimeError:
        with pytest.raises(minits.ArchiveError, match=r"no overload takes|Argument steps"):
            minits.load(archive(version, result, parameters))
        return
    loaded = minits.load(archive(version, result, parameters))
    for arguments in calls:
        try:
            wanted = expected(*copied(arguments))
        except RuntimeError as why:  # an integer tensor takes no quotient of floats
            assert "can't be cast" in str(why)
            with pytest.raises(RuntimeError, match="can't be cast"):
                loaded(*copied(arguments))
            continue
        found = loaded(*copied(arguments))
        assert found.dtype == wanted.dtype
        torch.testing.assert_close(found, wanted)


def test_functions_divide_as_of_old_too() -> None:
    code = CLASS + (
        "  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n"
        "    return __torch__.half(x, )\n"
        "def half(x: Tensor) -> Tensor:\n  return torch.div(x, 2)\n"
    )
    found = minits.load(archive_of(code))(torch.tensor([7]))
    assert found.item() == 3 and found.dtype == torch.int64


@pytest.mark.parametrize("result", ["x / 2", "x.div(2)", "(x).div_(2)"])
def test_other_spellings_of_division_are_refused_rather_than_misread(result: str) -> None:
    with pytest.raises(minits.ArchiveError, match=r"only torch\.div divides"):
        minits.load(archive(3, result, "x: Tensor"))
    assert minits.load(archive(4, result, "x: Tensor"))(torch.tensor([7.0])).item() == 3.5
