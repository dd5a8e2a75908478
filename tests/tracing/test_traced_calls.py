"""Calls of compiled code in traces: the graphs are those of torch.jit, call for call."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any, Dict, List, Optional, Tuple  # noqa: UP035

import pytest
import torch
from torch import nn

import minits
from conformance.torch_implementation import without_tracers_lines
from minits.ir.canonical import canonicalize
from minits.ir.printer import print_graph
from minits.name_mangling import demangled


def nested(x) -> Tuple[torch.Tensor, Tuple[torch.Tensor, torch.Tensor]]:  # noqa: UP006
    if bool(x.sum() > 0):
        return x * 4, (x - 1, x * 2)
    return x + 1, (x * 5, x * 3)


def several(x, n: int) -> List[torch.Tensor]:  # noqa: UP006
    out = torch.jit.annotate(List[torch.Tensor], [])  # noqa: UP006
    for i in range(n):
        out.append(x * i)
    return out


def named(x) -> Dict[str, torch.Tensor]:  # noqa: UP006
    return {"a": x * 2, "b": x + 1}


def optional(x, y: Optional[torch.Tensor] = None, s: float = 2.0):  # noqa: UP045
    if y is not None:
        return x + y
    return x * s


def taking(xs: List[torch.Tensor], p: Tuple[torch.Tensor, int]):  # noqa: UP006
    return xs[0] + p[0] * p[1]


def mapped(x: Dict[str, Tuple[torch.Tensor, int]], n: Dict[int, float]):  # noqa: UP006
    first, times = x["a"]
    return first * times + n[1]


def measured(
    xs: List[torch.Tensor],  # noqa: UP006
    named: Optional[Dict[str, Dict[str, List[torch.Tensor]]]] = None,  # noqa: UP006, UP045
):
    if named is not None:
        return named["a"]["b"][0] + len(xs) + len(named["c"])
    return torch.ones(len(xs) + 2)


class Gate(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))

    def forward(self, x):
        if bool(x.sum() > 0):
            return x * self.weight, x
        return -x, x


class Gated(nn.Module):
    def __init__(self, gate: nn.Module) -> None:
        super().__init__()
        self.gate = gate
        self.linear = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        first, second = self.gate(self.linear(x))
        return first + second + self.gate(first)[0]


PROGRAMS: dict[str, Callable[[Callable[[Any], Any]], Any]] = {
    "nested": lambda script: _with(script(nested), lambda f, x: f(x)[1][0] + f(x)[0]),
    "several": lambda script: _with(script(several), lambda f, x: f(x, 3)[2] + 1),
    "named": lambda script: _with(script(named), lambda f, x: f(x)["a"] - f(x)["b"]),
    "optional": lambda script: _with(script(optional), lambda f, x: f(x) + f(x, x) + f(x, s=3.0)),
    "taking": lambda script: _with(script(taking), lambda f, x: f([x, x], (x, 3))),
    "mapped": lambda script: _with(
        script(mapped), lambda f, x: f({"a": (x * 2, 3), "b": (x, 1)}, {1: 0.5})
    ),
    "measured": lambda script: _with(
        script(measured), lambda f, x: f([x], {"a": {"b": [x * 2]}, "c": {}}) + f([])
    ),
    "module": lambda script: Gated(script(Gate())),
    "submodule": lambda script: nn.Sequential(Gated(script(Gate())), nn.ReLU()),
}


def _with(function: Any, program: Callable[[Any, torch.Tensor], Any]) -> Any:
    return lambda x: program(function, x)


@pytest.mark.one_in(4, over="script")
@pytest.mark.parametrize("script", [minits.script, torch.jit.script], ids=["minits", "torch"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_call_is_torchs(name: str, script: Callable[[Any], Any]) -> None:
    """What torch.jit has compiled is called in a trace, too."""
    x = torch.ones(1, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = torch.jit.trace(PROGRAMS[name](torch.jit.script), x, check_trace=False)
    ours = minits.trace(PROGRAMS[name](script), x)
    expected = without_tracers_lines(str(torch._C._jit_pass_canonicalize(theirs.graph, True)))
    assert demangled(print_graph(canonicalize(ours.graph))) == demangled(expected)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("script", [minits.script, torch.jit.script], ids=["minits", "torch"])
@pytest.mark.parametrize("name", [name for name in PROGRAMS if "module" not in name])
def test_control_flow_is_kept(name: str, script: Callable[[Any], Any]) -> None:
    program = PROGRAMS[name](script)
    traced = minits.trace(program, torch.ones(1, 2))
    for x in (torch.ones(2, 2), -torch.ones(3, 2)):
        torch.testing.assert_close(traced(x), program(x))


@pytest.mark.parametrize("script", [minits.script, torch.jit.script], ids=["minits", "torch"])
@pytest.mark.parametrize("given", [(torch.ones(1, 2),), (torch.ones(2), torch.ones(2))])
def test_a_compiled_function_is_traced(script: Callable[[Any], Any], given: Any) -> None:
    theirs = torch.jit.trace(torch.jit.script(optional), given)
    ours = minits.trace(script(optional), given)
    expected = re.sub(" # .*", "", str(torch._C._jit_pass_canonicalize(theirs.graph, False)))
    found = re.sub(" # .*", "", str(canonicalize(ours.graph, keep_names=False)))
    assert demangled(found) == demangled(expected)
    torch.testing.assert_close(ours(*given), theirs(*given))


@pytest.mark.parametrize("script", [minits.script, torch.jit.script], ids=["minits", "torch"])
def test_inputs_that_do_not_fit_are_refused(script: Callable[[Any], Any]) -> None:
    x = torch.ones(1, 2)
    with pytest.raises(RuntimeError, match="expected at most 1 argument"):
        minits.trace(script(nested), (x, x))
    with pytest.raises(RuntimeError, match="missing value for argument 'n'"):
        minits.trace(script(several), x)


@pytest.mark.parametrize("script", [minits.script, torch.jit.script], ids=["minits", "torch"])
def test_a_compiled_module_stays_as_it_is(script: Callable[[Any], Any]) -> None:
    x, module = torch.ones(1, 2), script(Gate())
    with pytest.warns(UserWarning, match="the module is compiled already"):
        assert minits.trace(module, x) is minits.script(module)
    with pytest.raises(RuntimeError, match="is called, but is no submodule of what is traced"):
        minits.trace(module.forward, x)


def test_torchs_classes_are_left_as_they_were() -> None:
    function, method = torch._C.ScriptFunction.__call__, torch._C.ScriptMethod.__call__
    minits.trace(torch.jit.script(nested), torch.ones(1, 2))
    assert torch._C.ScriptFunction.__call__ is function
    assert torch._C.ScriptMethod.__call__ is method
