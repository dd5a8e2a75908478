"""Programs that compute with sizes, under tools of torch that follow sizes as symbols."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.export import Dim
from torch.fx.experimental.proxy_tensor import make_fx

import minits
from tests.support.archives import loaded

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning"),
]
X, OTHER = torch.rand(2, 3, 4), torch.rand(5, 3, 4)
PROGRAMS: dict[str, Callable[[Tensor], Tensor]] = {
    "view": lambda x: x.view(x.size(0), 12),
    "half": lambda x: x[:, x.size(1) // 2 :],
    "factor": lambda x: x * x.shape[0],
    "mean": lambda x: x.sum() / x.numel(),
    "share": lambda x: x * (x.shape[0] / x.shape[1]),
    "rest": lambda x: x * (x.shape[0] % x.shape[1] + 0.5) * (x.shape[0] // x.shape[1]),
}


class Net(nn.Module):
    def __init__(self, program: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.program = program
        self.lin = nn.Linear(4, 4)

    def forward(self, x: Tensor) -> Tensor:
        return self.program(self.lin(x))


class Holder(nn.Module):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x) + 1


def exported(model: Any, strict: bool) -> Any:
    sizes = ({0: Dim("rows", min=2, max=64)},)
    return torch.export.export(model, (X,), dynamic_shapes=sizes, strict=strict).module()


def compiled(model: Any) -> Any:
    torch._dynamo.reset()
    return torch.compile(Holder(model), fullgraph=True, dynamic=True, backend="eager")


TOOLS: dict[str, Callable[[Any], Any]] = {
    "export": lambda model: exported(Holder(model), False),
    "strict export": lambda model: exported(Holder(model), True),
    "compile": compiled,
    "make_fx": lambda model: make_fx(
        Holder(model), tracing_mode="symbolic", _allow_non_fake_inputs=True
    )(X),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_sizes_of_traces_stay_sizes(program: str, tool: str) -> None:
    net = Net(PROGRAMS[program]).eval()
    found = TOOLS[tool](minits.trace(net, X))
    torch.testing.assert_close(found(OTHER), net(OTHER) + 1)


class Dividing(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        share = x.shape[0] / x.shape[1]
        mean = x.numel() / (2 * x.shape[0])
        return x * share + (x.shape[0] // x.shape[1]) ** 2 + x.shape[0] ** 2 - mean


FORMS: dict[str, Callable[[nn.Module], Any]] = {
    "scripted": minits.script,
    "loaded": lambda module: loaded(minits.script(module)),
    "frozen": lambda module: minits.freeze(minits.script(module).eval()),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tool", TOOLS)
def test_quotients_and_powers_of_sizes_are_followed(tool: str, form: str) -> None:
    found = TOOLS[tool](FORMS[form](Dividing()))
    torch.testing.assert_close(found(OTHER), Dividing()(OTHER) + 1)


def test_a_traced_attention_is_exported_to_onnx(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    args = (X, X, X)
    model = minits.trace(nn.MultiheadAttention(4, 2).eval(), args)
    torch.onnx.export(model, args, str(tmp_path / "o.onnx"), dynamo=False)
