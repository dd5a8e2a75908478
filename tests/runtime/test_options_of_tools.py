"""Tools of torch, with the options that people give them, over compiled modules of each form.

`test_other_tools.py` has what the tools do without options.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Optional

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
X, BIAS = torch.rand(2, 4, 6), torch.rand(4)
BOTH = {"x": X, "bias": BIAS}


class Part(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x: Tensor, by: float = 0.5) -> Tensor:
        return torch.tanh(self.lin(x)) * by


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(4, 4, 3, padding=1)
        self.norm = nn.BatchNorm1d(4)
        self.part = Part()
        self.drop = nn.Dropout(0.2)

    def forward(self, x: Tensor, bias: Optional[Tensor] = None) -> Tensor:  # noqa: UP045
        y = self.norm(self.conv(x)).transpose(1, 2)
        if bias is not None:
            y = y + bias
        return self.drop(self.part(y, by=2.0))


class Holder(nn.Module):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Tensor, bias: Optional[Tensor] = None) -> Tensor:  # noqa: UP045
        return self.inner(x, bias=bias)


def net() -> Net:
    torch.manual_seed(0)
    return Net().eval()


def scripted() -> Any:
    return minits.script(net())


def traced() -> Any:
    return minits.trace(net(), (X, BIAS))


FORMS: dict[str, Callable[[], Any]] = {
    "scripted": scripted,
    "traced": traced,
    "frozen": lambda: minits.freeze(scripted()),
    "loaded": lambda: loaded(scripted()),
    "frozen and loaded": lambda: loaded(minits.freeze(scripted())),
    "loaded trace, frozen": lambda: minits.freeze(loaded(traced())),
    "in a module": lambda: Holder(scripted()).eval(),
    "frozen, in a module": lambda: Holder(minits.freeze(scripted())).eval(),
}


def called(program: Any, *args: Any, **kwargs: Any) -> None:
    """Check that a program computes what the network does."""
    torch.testing.assert_close(program(*args, **kwargs), net()(X, BIAS))


def compiled(m: Any, **options: Any) -> Any:
    torch._dynamo.reset()
    return torch.compile(m, fullgraph=True, **options)


def exported(m: Any, args: Any, kwargs: Any = None, **options: Any) -> Any:
    return torch.export.export(m, args, kwargs, **options).module()


NAMED = {"x": {0: Dim("rows"), 2: Dim("steps")}, "bias": None}
TOOLS: dict[str, Callable[[Any], Any]] = {
    "compile, dynamic": lambda m: called(compiled(m, backend="eager", dynamic=True), X, BIAS),
    "compile, keywords": lambda m: called(compiled(m, backend="aot_eager"), **BOTH),
    "export, keywords": lambda m: called(exported(m, (), BOTH), **BOTH),
    "export, strict keywords": lambda m: called(
        exported(m, (X,), {"bias": BIAS}, strict=True), X, bias=BIAS
    ),
    "export, dynamic keywords": lambda m: called(
        exported(m, (X,), {"bias": BIAS}, dynamic_shapes=NAMED), X, bias=BIAS
    ),
    "export, automatic sizes": lambda m: called(
        exported(m, (X, BIAS), dynamic_shapes=({0: Dim.AUTO}, None)), X, BIAS
    ),
    "export, strict sizes": lambda m: called(
        exported(m, (X, BIAS), strict=True, dynamic_shapes=NAMED), X, BIAS
    ),
    "torch.jit.trace, keywords": lambda m: called(
        torch.jit.trace(m, example_kwarg_inputs=BOTH), **BOTH
    ),
    "torch.jit.trace_module": lambda m: called(
        torch.jit.trace_module(m, {"forward": (X, BIAS)}), X, BIAS
    ),
    "torch.jit.freeze of a trace": lambda m: called(
        torch.jit.freeze(torch.jit.trace(m, (X, BIAS))), X, BIAS
    ),
    "make_fx, symbolic": lambda m: called(
        make_fx(m, tracing_mode="symbolic", _allow_non_fake_inputs=True)(X, BIAS), X, BIAS
    ),
    "vmap, in_dims": lambda m: called(
        lambda: torch.vmap(m, in_dims=(0, None))(X[None], BIAS).squeeze(0)
    ),
    "functional_call, keywords": lambda m: called(
        torch.func.functional_call, m, dict(m.state_dict()), (X,), {"bias": BIAS}
    ),
}
ONNX: dict[str, dict[str, Any]] = {
    "names": {"dynamo": False, "input_names": ["x", "bias"], "output_names": ["y"]},
    "axes": {"dynamo": False, "input_names": ["x", "bias"], "dynamic_axes": {"x": {0: "rows"}}},
    "lists of axes": {"dynamo": False, "input_names": ["x", "bias"], "output_names": ["y"],
                      "dynamic_axes": {"x": [0], "y": [0]}},
    "mode": {"dynamo": False, "training": torch.onnx.TrainingMode.PRESERVE},
    "new": {"dynamo": True, "verbose": False},
    "new, shapes": {"dynamo": True, "verbose": False, "input_names": ["x", "bias"],
                    "dynamic_shapes": {"x": {0: "rows", 2: "steps"}, "bias": None}},
}  # fmt: skip


@pytest.mark.one_in(38, over="")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tool", TOOLS)
def test_tools_with_options(tool: str, form: str) -> None:
    model = FORMS[form]()
    for _ in range(3):  # so that there are plans and kernels, which no tool is to see
        model(X, BIAS)
    TOOLS[tool](model)


@pytest.mark.one_in(38, over="")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("options", ONNX)
def test_onnx_with_options(options: str, form: str, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxscript")
    model, given = FORMS[form](), ONNX[options]
    model(X, BIAS)
    torch.onnx.export(model, (X, BIAS), str(tmp_path / "o.onnx"), **given)
    graph = onnx.load(str(tmp_path / "o.onnx")).graph
    names = given.get("input_names")
    assert names is None or [each.name for each in graph.input][:2] == names
    if given.keys() & {"dynamic_axes", "dynamic_shapes"}:
        assert graph.input[0].type.tensor_type.shape.dim[0].dim_param


def test_keywords_of_onnx(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    for model in (scripted(), minits.freeze(scripted())):
        torch.onnx.export(model, (), str(tmp_path / "o.onnx"), kwargs=BOTH, dynamo=False)


def test_a_compiled_module_has_its_graph_again_after_an_export(tmp_path: Path) -> None:
    model = scripted()
    pytest.importorskip("onnx")
    torch.onnx.export(model, (X, BIAS), str(tmp_path / "o.onnx"), dynamo=False)
    assert "prim::CallMethod" in str(model.graph)


@pytest.mark.parametrize("layer", [nn.Conv1d(4, 2, 3), nn.ConvTranspose1d(4, 2, 3, stride=2)])
def test_exporters_see_the_public_convolution(layer: nn.Module) -> None:
    model = minits.trace(layer, X)
    assert "aten::_convolution" in str(model.inlined_graph)
    targets = {str(node.target) for node in torch.export.export(model, (X,)).graph.nodes}
    assert "aten.convolution.default" in targets
    assert "aten._convolution.default" not in targets
    torch.testing.assert_close(model(X), layer(X))
    torch.testing.assert_close(compiled(model, backend="eager")(X), layer(X))


def test_frozen_modules_are_in_evaluation_mode() -> None:
    for model in (minits.freeze(scripted()), loaded(minits.freeze(scripted()))):
        assert model.training is False
    assert minits.optimize_for_inference(minits.freeze(scripted())).training is False
