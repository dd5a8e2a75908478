"""Tools of torch over models that hold compiled objects: `docs/with-other-tools.md`."""

import copy
import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Optional

import pytest
import torch
import torch._dynamo.testing
import torch.fx
from torch import Tensor, nn
from torch.fx.experimental.proxy_tensor import make_fx

import minits
from tests.support.archives import loaded

PAGE = Path(__file__).parents[2] / "docs" / "with-other-tools.md"
HEAD_ENDS = "|---|---|---|---|---|---|---|---|\n"
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
X = torch.tensor([[1.0, -2.0], [0.5, 3.0], [0.1, 0.2]])


@minits.script
def soft(x: Tensor, by: float = 0.5) -> Tensor:
    return x * by * (1.0 + torch.tanh(x))


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(2, 2)

    def forward(self, x: Tensor) -> Tensor:
        y = self.lin(x).relu()
        if self.training:
            y = y + 1
        return y

    @torch.jit.export
    def doubled(self, x: Tensor) -> Tensor:
        return self.lin(x) * 2


class Keeping(nn.Module):
    """A module that assigns attributes and calls a method of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.last = torch.zeros(1)

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        self.last = x
        return self.doubled(self.last)

    def doubled(self, x: Tensor) -> Tensor:
        return x * 2 if self.calls > 0 else x


class Calling(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(2, 2)

    def forward(self, x: Tensor) -> Tensor:
        return soft(self.lin(x)) + soft(x, by=0.25)


class Holder(nn.Module):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner
        self.lin = nn.Linear(2, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(self.lin(x)).sin()


class OfMethod(Holder):
    def forward(self, x: Tensor) -> Tensor:
        return self.inner.doubled(self.lin(x)).sin()


MODELS: dict[str, Callable[[], Any]] = {
    "calls a function": Calling,
    "has a module": lambda: Holder(minits.script(Inner())),
    "calls its method": lambda: OfMethod(minits.script(Inner())),
    "has one that assigns": lambda: Holder(minits.script(Keeping())),
    "has one of an archive": lambda: OfMethod(loaded(minits.script(Inner()))),
    "has a traced one": lambda: Holder(minits.trace(nn.Sequential(nn.Linear(2, 2)), X)),
    "is a compiled module": lambda: minits.script(Inner()),
}


def compiled_whole(model: Any) -> Any:
    return torch.compile(model, backend="aot_eager", fullgraph=True)


def functional_call(model: Any) -> Any:
    state = {name: value.clone() for name, value in model.state_dict().items()}
    return lambda x: torch.func.functional_call(model, state, (x,))


def onnx_graph(model: Any) -> Any:
    """Check what `torch.onnx.export(dynamo=False)` exports, without the package `onnx`."""
    from torch.onnx._internal.torchscript_exporter import utils

    graph, _, result = utils._model_to_graph(model, (X,))
    assert {node.kind().partition("::")[0] for node in graph.nodes()} <= {"onnx", "prim"}
    return lambda x: result


TOOLS: dict[str, Callable[[Any], Any]] = {
    "torch.compile(fullgraph=True)": compiled_whole,
    "torch.export.export": lambda model: torch.export.export(model, (X,)).module(),
    "torch.export.export(strict=True)": lambda model: torch.export.export(
        model, (X,), strict=True
    ).module(),
    "torch.export.export(dynamic_shapes=...)": lambda model: torch.export.export(
        model, (X,), dynamic_shapes=({0: torch.export.Dim("rows")},)
    ).module(),
    "torch.jit.trace": lambda model: torch.jit.trace(model, X),
    "torch.jit.script": torch.jit.script,
    "torch.onnx.export(dynamo=False)": onnx_graph,
    "torch.fx.symbolic_trace": torch.fx.symbolic_trace,
    "make_fx": lambda model: make_fx(model)(X),
    'make_fx(tracing_mode="symbolic")': lambda model: make_fx(
        model, tracing_mode="symbolic", _allow_non_fake_inputs=True
    )(X),
    "torch.vmap": torch.vmap,
    "torch.func.functional_call": functional_call,
    "torch.func.jvp": lambda model: lambda x: torch.func.jvp(model, (x,), (x,))[0],
}


def outcome(tool: str, model: str) -> str:
    """Return "yes" where the tool computes what the model does, else what it says."""
    torch._dynamo.reset()
    made = MODELS[model]()
    expected = made(X)
    for _ in range(2):  # so that there are plans and kernels, which no tool is to see
        made(X)
    before = copy.deepcopy(made.state_dict())
    try:
        found = TOOLS[tool](made)
    except Exception as why:
        text = str(why).partition("\n")[0]
        return "an internal assertion of torch fails" if "INTERNAL ASSERT" in text else text
    torch.testing.assert_close(found(X), expected)
    torch.testing.assert_close(made.state_dict(), before)
    return "yes"


def rows() -> str:
    """Return the table of the page, without its head."""
    lines = [[f"`{tool}`", *(outcome(tool, model) for model in MODELS)] for tool in TOOLS]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_page_has_what_each_tool_does() -> None:
    """`UPDATE=1 pytest` writes the table again."""
    head, end, rest = PAGE.read_text().partition(HEAD_ENDS)
    table, gap, tail = rest.partition("\n\n")
    if os.environ.get("UPDATE"):
        PAGE.write_text(head + end + rows().rstrip("\n") + gap + tail)
    else:
        assert table + "\n" == rows()
    columns = head.splitlines()[-1].strip("| ").split(" | ")
    assert columns == ["over a model that", *MODELS]


# ---- torch.compile -------------------------------------------------------------------------------


def counted(function: Any, **options: Any) -> tuple[Any, Any]:
    counter = torch._dynamo.testing.CompileCounter()
    torch._dynamo.reset()
    return torch.compile(function, backend=counter, **options), counter


class Scaled(nn.Module):
    def __init__(self, by: int) -> None:
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.by = by

    def forward(self, x: Tensor, n: int = 2) -> Tensor:
        y = self.lin(x) * self.by * n
        return y + 1 if self.training else y


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kept", [lambda module: module, loaded], ids=["scripted", "loaded"])
def test_modules_of_one_type_are_told_apart(kept: Any) -> None:
    models = [kept(minits.script(Scaled(by))) for by in (1, 1, 3)]
    called, _ = counted(lambda model, x: model(x, n=5), fullgraph=True)
    for model in (*models, *models):
        torch.testing.assert_close(called(model, X), model(X, n=5))
    models[0].eval()
    torch.testing.assert_close(called(models[0], X), models[0](X, n=5))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kept", [lambda module: module, loaded], ids=["scripted", "loaded"])
def test_gradients_of_a_compiled_model(kept: Any) -> None:
    model = Holder(kept(minits.script(Inner())))
    torch._dynamo.reset()
    torch.compile(model, backend="aot_eager", fullgraph=True)(X).sum().backward()
    found = [parameter.grad for parameter in model.parameters()]
    model.zero_grad()
    model(X).sum().backward()
    torch.testing.assert_close(found, [parameter.grad for parameter in model.parameters()])


@minits.script
def branching(x: Tensor, n: int = 3) -> Tensor:
    if bool(x.sum() > 0):
        return x * n
    return x - n


@pytest.mark.parametrize("kept", [lambda function: function, loaded], ids=["scripted", "loaded"])
def test_what_cannot_be_traced_is_called(kept: Any) -> None:
    """A branch that depends on data breaks the graph: the compiled function runs, none of its own
    frames is compiled.
    """
    function = kept(branching)
    called, counter = counted(lambda x: function(x.sin(), n=2).cos())
    for x in (X.abs(), -X.abs()):
        torch.testing.assert_close(called(x), branching(x.sin(), n=2).cos())
    assert counter.frame_count == 2


@minits.script
def looping(x: Tensor, ns: list[int], y: Optional[Tensor] = None) -> Tensor:  # noqa: UP045
    for n in ns:
        x = x * n + 1
    return x if y is None else x + y


@pytest.mark.parametrize("kept", [lambda function: function, loaded], ids=["scripted", "loaded"])
def test_lists_and_none_are_passed_on(kept: Any) -> None:
    function = kept(looping)
    called, counter = counted(lambda x: function(x, [1, 2]) + function(x, ns=[3], y=x))
    torch.testing.assert_close(called(X), looping(X, [1, 2]) + looping(X, [3], X))
    assert counter.frame_count == 1


class OfMethods(minits.ScriptModule):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))

    @minits.script_method
    def forward(self, x: Tensor) -> Tensor:
        return x * self.weight + self.weight.size(0)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("program", [soft, Holder(OfMethods())])
def test_functions_and_script_methods_are_traced(program: Any) -> None:
    called, counter = counted(program, fullgraph=True)
    torch.testing.assert_close(called(X), program(X))
    assert counter.frame_count == 1


def test_a_compiled_module_alone_runs_as_it_is() -> None:
    """torch.compile looks for the frame of `forward`, which is none of Python's."""
    model = minits.script(Inner())
    called, counter = counted(model)
    torch.testing.assert_close(called(X), model(X))
    assert counter.frame_count == 0


class Unscripted(nn.Module):
    """Uses what compiled code does not have, where it is not compiled."""

    def __init__(self) -> None:
        super().__init__()
        self.names = {1: "a", "b": 2}
        self.act = torch.relu
        self.own = soft_in_python

    def forward(self, x: Tensor) -> Tensor:
        if not torch.jit.is_scripting():
            self.check(x)
        return self.own(self.act(x))

    def check(self, x: Tensor) -> None:
        assert len(self.names) == x.dim()


def soft_in_python(x: Tensor) -> Tensor:
    return x * (1.0 + torch.tanh(x))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_python_code_has_what_it_had() -> None:
    compiled = minits.script(Unscripted())
    for model in (compiled, copy.deepcopy(compiled), copy.copy(compiled)):
        called, _ = counted(model, fullgraph=True)
        torch.testing.assert_close(called(X), model(X))
        torch.testing.assert_close(torch.jit.trace(model, X, check_trace=False)(X), model(X))
    torch.testing.assert_close(torch.jit.script(compiled)(X), compiled(X))
    assert not hasattr(compiled, "names") and not hasattr(compiled, "check")


# ---- The others ----------------------------------------------------------------------------------


def test_a_graph_of_fx_has_one_node_for_a_call() -> None:
    targets = [node.target for node in torch.fx.symbolic_trace(Calling()).graph.nodes]
    assert targets.count(soft) == 2
    graph = torch.fx.symbolic_trace(Holder(minits.script(Inner()))).graph
    assert [node.op for node in graph.nodes if node.target == "inner"] == ["call_module"]
    traced = torch.fx.symbolic_trace(OfMethod(minits.script(Inner())))
    assert [node.target for node in traced.graph.nodes if node.op == "call_method"] == [
        "doubled", "sin",
    ]  # fmt: skip
    assert len(list(traced.parameters())) == 4


def test_what_no_tensor_class_takes_is_still_refused() -> None:
    with pytest.raises(RuntimeError, match="Expected a value of type 'Tensor' for argument 'x'"):
        soft("a")


def test_functions_tell_their_signature_and_place() -> None:
    of_archive = loaded(minits.script(Scaled(2)))
    assert list(inspect.signature(branching).parameters) == ["x", "n"]
    assert str(inspect.signature(of_archive.forward)) == "(x, n=2)"
    assert of_archive.forward.__code__.co_filename == __file__
    assert of_archive.forward.__name__ == "forward"


def test_torch_jit_script_shares_parameters_with_the_compiled_module() -> None:
    ours = minits.script(Inner())
    theirs = torch.jit.script(ours)
    assert theirs.lin.weight is ours.lin.weight
    torch.testing.assert_close(torch.jit.script(soft)(X), soft(X))
