"""What comes from Python: results and exceptions of ignored functions, and tuples."""
# ruff: noqa: UP006, UP035

from typing import Any, Dict, List, Tuple

import pytest
import torch

import minits
from minits.ops.errors import ScriptError
from minits.runtime.interpreter import run


def failure(program: Any, *arguments: Any) -> str:
    with pytest.raises(RuntimeError) as caught:
        program(*arguments)
    return str(caught.value).rstrip()


class OfItsOwn(LookupError):
    pass


CLASSES = [TypeError, RuntimeError, Exception, OfItsOwn]


@torch.jit.ignore
def complain(x: torch.Tensor, which: int) -> torch.Tensor:
    raise CLASSES[which]("no such thing")


def complains(x: torch.Tensor, which: int) -> torch.Tensor:
    return complain(x, which)


@pytest.mark.parametrize("which", range(len(CLASSES)))
def test_what_python_functions_raise_is_a_fault_of_the_program(which: int) -> None:
    expected = failure(torch.jit.script(complains), torch.ones(2), which)
    found = failure(minits.script(complains), torch.ones(2), which)
    assert found == expected.partition("\n\nAt:\n")[0]
    builtin = LookupError if CLASSES[which] is OfItsOwn else CLASSES[which]
    with pytest.raises(builtin) as caught:
        minits.script(complains)(torch.ones(2), which)
    assert isinstance(caught.value, ScriptError)
    assert type(caught.value.__cause__) is CLASSES[which]


@torch.jit.ignore
def pair(x: torch.Tensor) -> Tuple[float, List[int]]:
    return [1, (2, 3)]  # type: ignore[return-value]


@torch.jit.ignore
def rows(x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return x  # type: ignore[return-value]


def converts(x: torch.Tensor) -> Tuple[float, List[int], torch.Tensor]:
    number, numbers = pair(x)
    return number, numbers, rows(x)[1]


def test_results_of_python_functions_are_converted() -> None:
    for script in (torch.jit.script, minits.script):
        number, numbers, row = script(converts)(torch.ones(2, 2))
        assert type(number) is float and numbers == [2, 3] and row.shape == (2,)


def first(pair: Tuple[int, float]) -> float:
    return pair[0] + pair[1]


@pytest.mark.parametrize("given", [[1, 2], torch.tensor([1, 2]), {1: "a", 2: "b"}, range(1, 3)])
def test_what_is_taken_for_a_tuple(given: Any) -> None:
    assert minits.script(first)(given) == torch.jit.script(first)(given) == 3.0


@pytest.mark.parametrize("given", [5, torch.tensor(5), [1, 2, 3], "ab"])
def test_what_is_not_taken_for_a_tuple(given: Any) -> None:
    for script in (torch.jit.script, minits.script):
        assert "Expected a value of type 'Tuple[int, float]'" in failure(script(first), given)


def reverses(x: torch.Tensor) -> torch.Tensor:
    return reversed(x)  # type: ignore[return-value]


def asks_the_type(x: torch.Tensor) -> torch.Tensor:
    return type(x)  # type: ignore[return-value]


def test_classes_without_source_are_called_in_python() -> None:
    for script in (torch.jit.script, minits.script):
        assert script(reverses)(torch.arange(3)).tolist() == [2, 1, 0]
        assert "instead got value of type _TensorMeta" in failure(
            script(asks_the_type), torch.ones(1)
        )


@torch.jit.ignore
def lengthened(xs: List[int], table: Dict[str, List[int]]) -> int:
    xs.append(3)
    table["a"].append(4)
    table["b"] = xs
    return len(xs) + len(table)


def gives_lists(n: int) -> Tuple[int, List[int], Dict[str, List[int]]]:
    xs = [n]
    table = {"a": xs}
    return lengthened(xs, table), xs, table


def test_python_functions_are_given_copies() -> None:
    expected = torch.jit.script(gives_lists)(1)
    assert expected == (4, [1], {"a": [1]})
    script = minits.script(gives_lists)
    assert [script(1) for _ in range(3)] == [expected] * 3
    assert run(script.graph, 1) == expected
