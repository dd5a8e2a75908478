"""Compiled recurrent layers, whose `forward` has overloads, by themselves and as parts of models.

`nn.LSTM`, `nn.GRU` and `nn.RNN` of each form are called and given to torch's tools, with tensors
and packed sequences, with and without a first state. torch.jit calls none of them by itself.
"""

import copy
import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.export import Dim
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence

import minits
from tests.support.archives import loaded

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning"),
    pytest.mark.filterwarnings("error::SyntaxWarning"),  # of generated code
]
X = torch.rand(4, 2, 6)
STATE = torch.rand(1, 2, 5), torch.rand(1, 2, 5)


class Holder(nn.Module):
    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)[0].sin()


def frozen(layer: Any) -> Any:
    return minits.freeze(minits.script(layer).eval())


FORMS: dict[str, Callable[[nn.Module], Any]] = {
    "scripted": minits.script,
    "loaded": lambda layer: loaded(minits.script(layer)),
    "frozen": frozen,
    "loaded and frozen": lambda layer: minits.freeze(loaded(minits.script(layer)).eval()),
    "frozen and loaded": lambda layer: loaded(frozen(layer)),
    "copied": lambda layer: copy.deepcopy(minits.script(layer)),
    "pickled": lambda layer: pickle.loads(pickle.dumps(minits.script(layer))),
}
PARTS: dict[str, Callable[[nn.Module], Any]] = {
    "scripted part": lambda layer: Holder(minits.script(layer)),
    "loaded part": lambda layer: Holder(loaded(minits.script(layer))),
    "frozen part": lambda layer: Holder(frozen(layer)),
    "whole": lambda layer: minits.script(Holder(layer)),
    "loaded whole": lambda layer: loaded(minits.script(Holder(layer))),
    "frozen whole": lambda layer: minits.freeze(minits.script(Holder(layer)).eval()),
    "whole of a loaded part": lambda layer: minits.script(Holder(loaded(minits.script(layer)))),
}
LAYERS: dict[str, Callable[[], Any]] = {
    "LSTM": lambda: nn.LSTM(6, 5),
    "GRU": lambda: nn.GRU(6, 5),
    "RNN": lambda: nn.RNN(6, 5),
    "LSTM, batch first, both ways": lambda: nn.LSTM(6, 5, batch_first=True, bidirectional=True),
    "LSTM, projected": lambda: nn.LSTM(6, 5, 2, proj_size=3),
}


def packed(x: Tensor) -> PackedSequence:
    return pack_padded_sequence(x, torch.tensor([3, 2]), enforce_sorted=False)


# ---- Calls ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("form", FORMS)
def test_calls(form: str, name: str) -> None:
    layer = LAYERS[name]()
    made = FORMS[form](layer)
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [((X,), {}), ((), {"input": X})]
    if not layer.batch_first:
        calls.append(((packed(X),), {}))
    if name in ("LSTM", "GRU", "RNN"):
        state: Any = STATE if name == "LSTM" else STATE[0]
        calls += [((X, state), {}), ((X,), {"hx": state}), ((packed(X), state), {})]
    for args, kwargs in (*calls, *calls, *calls):
        expected = layer(*args, **kwargs)
        torch.testing.assert_close(made(*args, **kwargs), expected)
        torch.testing.assert_close(made.forward(*args, **kwargs), expected)


@pytest.mark.parametrize("form", PARTS)
def test_calls_of_parts(form: str) -> None:
    layer = nn.LSTM(6, 5)
    model = PARTS[form](layer)
    for _ in range(3):
        torch.testing.assert_close(model(X), Holder(layer)(X))


@pytest.mark.parametrize("form", ["scripted", "loaded", "frozen"])
def test_a_wrong_argument_is_told_of_the_overload_that_fits_best(form: str) -> None:
    made = FORMS[form](nn.LSTM(6, 5))
    with pytest.raises(RuntimeError, match=r"forward__0\(\) Expected a value of .* argument 'hx'"):
        made(X, STATE[0])
    with pytest.raises(RuntimeError, match=r"forward__1\(\) Expected a value of .* argument 'hx'"):
        made(packed(X), STATE[0])
    with pytest.raises(RuntimeError, match=r"forward__0\(\) Expected a value of type 'Tensor'"):
        made("x")


def test_a_quantized_layer_of_an_archive_names_its_methods() -> None:
    """`forward_packed` and `forward_tensor`: an archive does not say that they are `forward`."""
    model = torch.ao.quantization.quantize_dynamic(nn.LSTM(6, 5).eval(), {nn.LSTM})
    if not isinstance(model, torch.ao.nn.quantized.dynamic.LSTM):
        model = torch.ao.nn.quantized.dynamic.LSTM(6, 5)
    made = minits.script(model)
    torch.testing.assert_close(made(X), model(X))
    again = loaded(made)
    torch.testing.assert_close(again.forward_tensor(X), model(X))
    with pytest.raises(RuntimeError, match=r"no compiled method 'forward': .*forward_tensor"):
        again(X)


def test_what_calls_report() -> None:
    made = minits.script(nn.GRU(6, 5))
    made.warm_up(X)
    assert made.forward.variant(packed(X)).name == "forward__1"
    assert "aten::gru" in str(made.graph_for(X))
    assert isinstance(made.remarks(X), list)
    assert "forward__0" in made.plan_report()


@pytest.mark.parametrize("form", ["scripted", "loaded", "frozen"])
def test_properties_of_overloads_are_missing(form: str) -> None:
    model = FORMS[form](nn.LSTM(6, 5))
    assert hasattr(model, "forward")
    assert not any(hasattr(model, name) for name in ("code", "graph", "inlined_graph"))
    for name in ("code", "graph"):
        with pytest.raises(RuntimeError, match=r"'forward': ask .* \(forward__0, forward__1\)"):
            getattr(model, name)


# ---- Hooks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["whole", "loaded whole", "scripted part"])
def test_hooks_of_a_part_run(form: str) -> None:
    model = PARTS[form](nn.LSTM(6, 5))
    model(X)
    seen: list[Any] = []
    handle = model.layer.register_forward_hook(lambda _, args, out: seen.append((args, out)))
    for _ in range(3):
        model(X)
    assert len(seen) == 3
    torch.testing.assert_close(seen[0][0][0], X)
    handle.remove()
    model(X)
    assert len(seen) == 3


def test_hooks_are_not_compiled_with_overloads() -> None:
    def hook(self: Any, inputs: tuple[Tensor], output: tuple[Tensor, Tensor]) -> None:
        return None

    layer = nn.GRU(6, 5)
    layer.register_forward_hook(hook)
    for module in (layer, Holder(layer)):
        with pytest.raises(minits.CompileError, match="register it on the compiled module"):
            minits.script(module)


# ---- Tools ---------------------------------------------------------------------------------------


def exported(model: Any, args: Any, **options: Any) -> Any:
    return torch.export.export(model, args, **options).module()


def _fixed(value: Any) -> Any:
    """Return the dynamic shapes of an argument whose sizes are its own."""
    return None if isinstance(value, Tensor) else (None,) * len(value)


def compiled(model: Any, args: Any, **options: Any) -> Any:
    torch._dynamo.reset()
    return torch.compile(model, backend="eager", fullgraph=True, **options)


def functional(model: Any, args: Any) -> Any:
    state = dict(model.state_dict())
    return lambda *given: torch.func.functional_call(model, state, given)


def restored(model: Any, args: Any) -> Any:
    """Return what torch.jit has of a trace that was saved."""
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.trace(model, args), buffer)
    buffer.seek(0)
    return torch.jit.load(buffer)


TOOLS: dict[str, Callable[[Any, Any], Any]] = {
    "compile": compiled,
    "compile, dynamic": lambda model, args: compiled(model, args, dynamic=True),
    "export": exported,
    "export, strict": lambda model, args: exported(model, args, strict=True),
    "export, dynamic": lambda model, args: exported(
        model, args, dynamic_shapes=({1: Dim.AUTO}, *map(_fixed, args[1:]))
    ),
    "torch.jit.trace": lambda model, args: torch.jit.trace(model, args),
    "torch.jit.load": restored,
    "make_fx": lambda model, args: make_fx(model)(*args),
    "functional_call": functional,
    "minits.trace": lambda model, args: minits.trace(model, args),
    "minits.script": lambda model, args: minits.script(model),
}


@pytest.mark.one_in(7)
@pytest.mark.parametrize("with_state", [False, True])
@pytest.mark.parametrize("name", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("form", ["scripted", "loaded", "frozen"])
@pytest.mark.parametrize("tool", TOOLS)
def test_tools(tool: str, form: str, name: str, with_state: bool) -> None:
    layer = LAYERS[name]()
    state = STATE if name == "LSTM" else STATE[0]
    args = (X, state) if with_state else (X,)
    made = FORMS[form](layer)
    made(*args)
    torch.testing.assert_close(TOOLS[tool](made, args)(*args), layer(*args))


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", ["LSTM", "GRU", "LSTM, batch first, both ways"])
@pytest.mark.parametrize("form", PARTS)
@pytest.mark.parametrize("tool", TOOLS)
def test_tools_with_parts(tool: str, form: str, name: str) -> None:
    layer = LAYERS[name]()
    model = PARTS[form](layer)
    model(X)
    torch.testing.assert_close(TOOLS[tool](model, (X,))(X), Holder(layer)(X))


class Packing(nn.Module):
    """A Python model that packs what it gives to a compiled layer."""

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        return self.layer(pack_padded_sequence(x, lengths))[0].data.sin()


@pytest.mark.parametrize("form", ["scripted", "loaded", "frozen"])
@pytest.mark.parametrize("tool", ["torch.jit.trace", "minits.trace", "functional_call"])
def test_packed_sequences(tool: str, form: str) -> None:
    layer = nn.LSTM(6, 5)
    model, args = Packing(FORMS[form](layer)), (X, torch.tensor([4, 2]))
    torch.testing.assert_close(TOOLS[tool](model, args)(*args), Packing(layer)(*args))


@pytest.mark.parametrize("form", ["scripted", "loaded", "frozen", "whole", "loaded part"])
@pytest.mark.parametrize("dynamo", [False, True])
def test_onnx(dynamo: bool, form: str, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxscript")
    model = {**FORMS, **PARTS}[form](nn.LSTM(6, 5))
    torch.onnx.export(model, (X,), str(tmp_path / "o.onnx"), dynamo=dynamo, verbose=False)
    kinds = {node.op_type for node in onnx.load(str(tmp_path / "o.onnx")).graph.node}
    assert "LSTM" in kinds


def test_torch_jit_script() -> None:
    """As a part; by itself, torch.jit's own has no `forward` either."""
    layer = nn.LSTM(6, 5)
    model = Holder(minits.script(layer))
    torch.testing.assert_close(torch.jit.script(model)(X), model(X))
    assert torch.jit.script(minits.script(layer)).forward__0(X)[0].shape == (4, 2, 5)
    with pytest.raises(minits.CompileError, match=r"LSTM is frozen, .*\n.*torch\.jit\.freeze"):
        torch.jit.script(frozen(layer))


def test_a_graph_of_fx_calls_the_module() -> None:
    for form in ("scripted part", "loaded part"):
        graph = torch.fx.symbolic_trace(PARTS[form](nn.LSTM(6, 5))).graph
        assert [node.op for node in graph.nodes if node.target == "layer"] == ["call_module"]
