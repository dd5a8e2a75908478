"""Frozen modules: what is left of a module, what may be done with it, and what is refused."""

from __future__ import annotations

import copy
import io
from typing import Any

import pytest
import torch
from torch import nn

import minits
from minits.diagnostics import CompileError
from minits.runtime import interpreter
from minits.users_objects import known_info


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU())
        self.head = nn.Linear(2, 3)
        self.scale = 2
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        return self.head(self.features(x).mean((2, 3))) * self.scale

    @torch.jit.export
    def raw(self, x: torch.Tensor) -> torch.Tensor:
        return self.features(x)


IMAGES = torch.linspace(-1, 1, 72).view(2, 1, 6, 6)


def frozen(net: nn.Module, **options: Any) -> Any:
    return minits.freeze(minits.script(net.eval()), **options)


def saved(module: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    minits.save(module, buffer)
    buffer.seek(0)
    return buffer


def test_what_is_written_to_is_left() -> None:
    module = frozen(Net())
    assert [name for name, _ in module.named_buffers()] == ["count"]
    assert not list(module.parameters())
    assert not list(module.children())
    assert not hasattr(module, "scale")
    assert "training" not in known_info(module).type.attributes
    assert module.training is False
    assert module.method_names() == ["forward"]
    assert module.original_name == "Net"
    assert "batch_norm" not in str(module.graph)


def test_the_original_stays_as_it_was() -> None:
    net = Net()
    compiled = minits.script(net.eval())
    before = str(compiled.graph), str(compiled.inlined_graph), compiled.qualified_name
    minits.freeze(compiled, preserved_attrs=["raw", "head"])
    assert (str(compiled.graph), str(compiled.inlined_graph), compiled.qualified_name) == before
    assert compiled.head.weight is net.head.weight
    assert net.head.weight.requires_grad
    assert list(dict(compiled.named_children())) == ["features", "head"]


def test_what_stays_is_shared_with_the_original() -> None:
    net = Net().eval()
    module = frozen(net)
    module(IMAGES)
    assert net.count.item() == 1
    assert module.count is net.count


def test_it_is_called_fused_copied_and_saved() -> None:
    net = Net().eval()
    expected = net(IMAGES)
    module = frozen(net)
    for _ in range(3):  # as it was written, then by a plan
        torch.testing.assert_close(module(IMAGES), expected)
    assert "no attribute" not in module.plan_report()
    torch.testing.assert_close(copy.deepcopy(module)(IMAGES), expected)
    torch.testing.assert_close(copy.copy(module)(IMAGES), expected)
    torch.testing.assert_close(minits.load(saved(module))(IMAGES), expected)
    torch.testing.assert_close(torch.jit.load(saved(module))(IMAGES), expected)


def test_a_deep_copy_counts_for_itself() -> None:
    module = frozen(Net())
    copied = copy.deepcopy(module)
    copied(IMAGES)
    assert (module.count.item(), copied.count.item()) == (0, 1)


def test_frozen_again() -> None:
    module = frozen(Net())
    again = minits.freeze(module)
    assert str(again.graph).count("\n") == str(module.graph).count("\n")
    torch.testing.assert_close(again(IMAGES), module(IMAGES))


def test_preserved_attributes_are_assigned() -> None:
    module = frozen(Net(), preserved_attrs=["scale"])
    before = module(IMAGES)
    module.scale = 4
    torch.testing.assert_close(module(IMAGES), before * 2)


def test_preserved_submodules_keep_what_they_have() -> None:
    net = Net()
    module = frozen(net, preserved_attrs=["features", "head.bias"])
    assert module.features is not minits.script(net).features
    assert [name for name, _ in module.head.named_parameters()] == ["bias"]
    torch.testing.assert_close(module.features(IMAGES), net.features(IMAGES))
    loaded = torch.jit.load(saved(module))
    torch.testing.assert_close(loaded.features(IMAGES), net.features(IMAGES))


def test_a_module_twice_is_one() -> None:
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Linear(2, 2)
            self.second = self.first

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.first(self.second(x))

    module = frozen(Twice())
    assert str(module.graph).count(".weight : ") == 1


def test_a_trace_is_frozen() -> None:
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Dropout(0.5)).eval()
    nn.init.uniform_(net[1].running_var, 0.5, 2.0)
    traced = minits.trace(net, IMAGES)
    module = minits.freeze(traced)
    assert "batch_norm" not in str(module.graph)
    assert "dropout" not in str(module.graph)
    assert not list(module.children())
    torch.testing.assert_close(module(IMAGES), net(IMAGES))


def test_a_loaded_module_is_frozen() -> None:
    net = Net().eval()
    loaded = minits.load(saved(minits.script(net)))
    torch.testing.assert_close(minits.freeze(loaded)(IMAGES), net(IMAGES))


def test_lists_of_tensors_in_two_branches_are_frozen() -> None:
    class Listing(nn.Module):
        def forward(self, first: bool) -> list[torch.Tensor]:
            if first:
                found = [torch.zeros(2, 1)]
            else:
                found = [torch.ones(2, 2)]
            return found

    module = frozen(Listing())
    for _ in range(2):
        torch.testing.assert_close(module(True), [torch.zeros(2, 1)])
        torch.testing.assert_close(module(False), [torch.ones(2, 2)])


def test_what_a_fork_writes_to_stays() -> None:
    class Forking(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.total = torch.zeros(2)

        def add(self, x: torch.Tensor) -> torch.Tensor:
            return self.total.add_(x)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.jit.wait(torch.jit.fork(self.add, x)) + self.total

    module = frozen(Forking())
    module(torch.ones(2))
    assert module.total.tolist() == [1.0, 1.0]


def test_gradients_of_the_inputs_flow() -> None:
    module = frozen(nn.Linear(2, 1))
    x = torch.ones(1, 2, requires_grad=True)
    module(x).sum().backward()
    assert x.grad is not None
    assert x.grad.shape == (1, 2)


# ---- The whole as torch has it -------------------------------------------------------------------


def test_optimize_for_inference_freezes() -> None:
    compiled = minits.script(Net())
    module = minits.optimize_for_inference(compiled, other_methods=["raw"])
    assert not compiled.training
    assert module.method_names() == ["forward", "raw"]
    assert minits.optimize_for_inference(module) is module
    torch.testing.assert_close(module.raw(IMAGES), compiled.raw(IMAGES))


def test_run_frozen_optimizations() -> None:
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2)).eval()
    module = frozen(net, optimize_numerics=False)
    before = module(IMAGES)
    assert "batch_norm" in str(module.graph)
    minits.run_frozen_optimizations(module, optimize_numerics=False)
    assert "batch_norm" in str(module.graph)
    minits.run_frozen_optimizations(module)
    assert "batch_norm" not in str(module.graph)
    torch.testing.assert_close(module(IMAGES), before)


def test_without_compilation_nothing_is_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_JIT", "0")
    net = Net().eval()
    assert minits.freeze(net) is net
    assert minits.optimize_for_inference(net) is net
    minits.run_frozen_optimizations(net)


# ---- Refused -------------------------------------------------------------------------------------


class ReturnsItself(nn.Module):
    def forward(self, x: torch.Tensor):  # type: ignore[no-untyped-def]
        return self


class Overlapping(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.a = torch.ones(2)
        self.both = [self.a, torch.zeros(2)]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.a + self.both[0]


def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@pytest.mark.parametrize(
    ("make", "options", "code", "part"),
    [
        (lambda: minits.script(double), {}, "TS830", "a ScriptFunction"),
        (Net, {}, "TS830", "an nn.Module"),
        (lambda: minits.script(Net()), {}, "TS831", "this Net is trained"),
        (
            lambda: minits.script(Net().eval()),
            {"preserved_attrs": ["features.1.none"]},
            "TS832",
            "Unknown name: features.1.none",
        ),
        (lambda: minits.script(ReturnsItself().eval()), {}, "TS833", "return itself"),
        (lambda: minits.script(Overlapping().eval()), {}, "TS836", "'a' and 'both'"),
    ],
)
def test_refused(make: Any, options: dict[str, Any], code: str, part: str) -> None:
    program = make()
    with pytest.raises(CompileError) as caught:
        minits.freeze(program, **options)
    [fault] = caught.value.diagnostics
    assert (fault.code, part in fault.message, fault.fix is not None) == (code, True, True)


def test_an_exchanged_interface_is_refused_at_the_method() -> None:
    from tests.freezing.exchanged import Exchanging

    with pytest.raises(CompileError) as caught:
        frozen(Exchanging())
    [fault] = caught.value.diagnostics
    assert fault.code == "TS835"
    assert fault.range is not None
    assert fault.range.text.startswith("def forward(self")


def test_a_method_that_is_not_there() -> None:
    module = frozen(Net())
    with pytest.raises(AttributeError, match="Net has no compiled method 'raw'"):
        minits.run_frozen_optimizations(module, preserved_methods=["raw"])


class Sums(nn.Module):
    """Has methods that nobody calls, and an attribute that only one of them reads."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two, self.three = 1, 2, 3

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.one

    @torch.jit.export
    def total(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.one + self.two

    @torch.jit.export
    def rest(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.three


class TwoSums(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = Sums(), Sums()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.first(x) * self.second(x)


class OneSum(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.sums = Sums()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


def test_a_named_method_of_a_submodule_is_frozen_as_well() -> None:
    module = frozen(OneSum(), preserved_attrs=["sums.total", "sums.three"])
    assert module.sums.method_names() == ["total"]
    assert not hasattr(module.sums, "one") and module.sums.three == 3
    assert "GetAttr" not in str(module.sums.total.graph)
    assert torch.equal(module.sums.total(torch.ones(2)), torch.full((2,), 4.0))
    again = minits.load(io.BytesIO(module.save_to_buffer()))
    assert torch.equal(again.sums.total(torch.ones(2)), torch.full((2,), 4.0))


def test_a_submodule_with_a_named_method_stays_whole_where_others_have_its_type() -> None:
    module = frozen(TwoSums(), preserved_attrs=["first.total"])
    assert module.first.method_names() == ["forward", "rest", "total"]
    assert torch.equal(module.first.total(torch.ones(2)), torch.full((2,), 4.0))


class Lists(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.sizes = [1, 2]
        self.names = {"a": 1}
        self.nested = ([[1], [2]], 3)
        self.parts = [torch.ones(2)]

    def forward(self) -> Any:
        return self.sizes, self.names, self.nested, self.parts


@pytest.mark.parametrize("interpreted", [False, True])
def test_callers_may_change_the_containers_that_they_get(interpreted: bool) -> None:
    for script in (torch.jit.freeze(torch.jit.script(Lists().eval())), frozen_lists(interpreted)):
        for _ in range(3):
            sizes, names, (nested, three), parts = script()
            assert (sizes, names, nested, three) == ([1, 2], {"a": 1}, [[1], [2]], 3)
            assert len(parts) == 1
            sizes.append(3)
            names["b"] = 2
            nested[0].append(4)
            parts.clear()


def frozen_lists(interpreted: bool) -> Any:
    frozen = minits.freeze(minits.script(Lists().eval()))
    if not interpreted:
        return frozen
    return lambda: interpreter.run(frozen.graph, frozen)
