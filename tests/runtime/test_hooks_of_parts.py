"""Hooks that are registered on parts of compiled modules run, as in eager Python."""

from __future__ import annotations

import copy
import gc
import io
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn.modules import module as torch_modules

import minits
from minits.runtime.hook_tables import HOOKS

Log = list[Any]
Register = Callable[[nn.Module, Log], Any]


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x: Tensor, factor: float = 2.0) -> Tensor:
        return torch.relu(self.lin(x)) * factor + 1


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = Scaled()
        self.rest = nn.ModuleList([Scaled(), nn.Sequential(nn.Linear(3, 3), nn.Tanh())])

    def forward(self, x: Tensor) -> Tensor:
        y = torch.sigmoid(self.first(x)) * 2 + 1
        for each in self.rest:
            y = each(y) * 2 + 1
        return y


def loaded(module: Any) -> Any:
    file = io.BytesIO()
    minits.save(minits.script(module), file)
    file.seek(0)
    return minits.load(file)


X = torch.tensor([[1.0, -2.0, 0.5]])
MAKERS: dict[str, Callable[[nn.Module], Any]] = {
    "scripted": minits.script,
    "loaded": loaded,
    "traced": lambda module: minits.trace(module, X),
    "copied": lambda module: copy.deepcopy(minits.script(module)),
}


def _pre(log: Log) -> Any:
    def hook(module: Any, args: Any) -> Any:
        log.append([each.tolist() if isinstance(each, Tensor) else each for each in args])
        return args[0] * 2, *args[1:]

    return hook


def _post(log: Log) -> Any:
    def hook(module: Any, args: Any, output: Tensor) -> Tensor:
        log.append(output.tolist())
        return output - 1

    return hook


def _with_kwargs(log: Log) -> Any:
    def hook(module: Any, args: Any, kwargs: Any, output: Tensor) -> None:
        log.append((len(args), kwargs, output.tolist()))

    return hook


def _of_gradients(log: Log) -> Any:
    def hook(module: Any, grads: Any, *outputs: Any) -> Any:
        log.append([each.tolist() for each in grads if each is not None])
        return (grads[0] * 2, *grads[1:])

    return hook


KINDS: dict[str, Register] = {
    "pre": lambda module, log: module.register_forward_pre_hook(_pre(log)),
    "post": lambda module, log: module.register_forward_hook(_post(log)),
    "with kwargs": lambda module, log: module.register_forward_hook(
        _with_kwargs(log), with_kwargs=True
    ),
    "always": lambda module, log: module.register_forward_hook(_post(log), always_call=True),
    "full backward": lambda module, log: module.register_full_backward_hook(_of_gradients(log)),
    "backward pre": lambda module, log: module.register_full_backward_pre_hook(_of_gradients(log)),
}
GLOBAL_KINDS: dict[str, Register] = {
    "pre": lambda _, log: torch_modules.register_module_forward_pre_hook(_pre(log)),
    "post": lambda _, log: torch_modules.register_module_forward_hook(_post(log)),
    "full backward": lambda _, log: torch_modules.register_module_full_backward_hook(
        _of_gradients(log)
    ),
    "backward pre": lambda _, log: torch_modules.register_module_full_backward_pre_hook(
        _of_gradients(log)
    ),
}
PARTS = ["first", "first.lin", "rest.0", "rest.1", "rest.1.0"]
CASES = [(made, kind, "first.lin") for made in MAKERS for kind in KINDS]
CASES += [("scripted", "post", part) for part in PARTS] + [("loaded", "pre", "rest.1.0")]


def called(module: Any, log: Log) -> Any:
    """Return all that a call shows: result, gradients and what the hooks saw."""
    log.clear()
    module.zero_grad()
    x = X.clone().requires_grad_()
    y = module(x)
    y.sum().backward()
    grads = [each.grad.clone() for each in module.parameters()]
    return y.detach(), x.grad, grads, list(log)


def history(module: Any, register: Register, part: str) -> list[Any]:
    """Call a module before a hook is there, with it, and after it has been removed."""
    log: Log = []
    found = [called(module, log), called(module, log)]
    for _ in range(2):
        handle = register(module.get_submodule(part), log)
        found += [called(module, log) for _ in range(3)]
        handle.remove()
        found += [called(module, log) for _ in range(2)]
    return found


@pytest.mark.one_in(5, over="made")
@pytest.mark.parametrize(("made", "kind", "part"), list(dict.fromkeys(CASES)))
def test_each_kind_runs_as_in_eager(made: str, kind: str, part: str) -> None:
    torch.manual_seed(0)
    net = Net()
    compiled = MAKERS[made](copy.deepcopy(net))
    wanted, found = history(net, KINDS[kind], part), history(compiled, KINDS[kind], part)
    torch.testing.assert_close(found, wanted)
    assert wanted[2][-1]


@pytest.mark.parametrize("kind", GLOBAL_KINDS)
@pytest.mark.parametrize("made", ["scripted", "loaded"])
def test_hooks_of_all_modules_run(made: str, kind: str) -> None:
    torch.manual_seed(0)
    net = Net()
    compiled = MAKERS[made](copy.deepcopy(net))
    wanted, found = (
        history(net, GLOBAL_KINDS[kind], "first"),
        history(compiled, GLOBAL_KINDS[kind], "first"),
    )
    torch.testing.assert_close(found, wanted)
    assert len(wanted[2][-1]) >= 5


def test_the_plan_says_so_and_goes_back() -> None:
    compiled = minits.script(Net())
    assert "hook" not in {each.code for each in compiled.remarks(X)}
    handle = compiled.first.register_forward_hook(lambda *_: None)
    remarks = [each for each in compiled.remarks(X) if each.code == "hook"]
    assert len(remarks) == 1
    assert "self.first(x)" in remarks[0].render()
    assert "hooks of first" in compiled.plan_report()
    assert "hooked=1" in str(compiled.graph_for(X))
    handle.remove()
    assert "hook" not in {each.code for each in compiled.remarks(X)}
    assert "prim::CallMethod" not in str(compiled.graph_for(X))


def test_other_tables_are_watched_as_well() -> None:
    compiled, seen = minits.script(Net()), Log()
    compiled(X)
    compiled.first._forward_hooks[7] = lambda *_: seen.append("set")
    compiled(X)
    compiled.first._forward_hooks = type(nn.Module()._forward_hooks)()
    compiled(X)
    assert seen == ["set"]


class Stop(Exception):
    pass


def test_what_a_hook_raises_comes_out_as_it_is() -> None:
    compiled = minits.script(Net())

    def stop(*_: Any) -> None:
        raise Stop("here")

    for times in range(3):
        handle = compiled.rest[1].register_forward_hook(stop)
        for _ in range(3):
            with pytest.raises(Stop, match=r"^here$"):
                compiled(X)
        handle.remove()
        assert compiled(X).shape == (1, 3), times


def test_what_is_no_value_of_the_type_is_refused() -> None:
    compiled = minits.script(Net())
    compiled.first.register_forward_hook(lambda *_: "text")
    with pytest.raises(RuntimeError, match="a hook of Scaled returned a str to compiled code"):
        compiled(X)


def test_hooks_see_the_arguments_that_the_program_gives() -> None:
    class Both(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.one, self.two = Scaled(), Scaled()

        def forward(self, x: Tensor) -> Tensor:
            return self.one(x) + self.two(x, 3.0)

    net = Both()
    compiled, seen = minits.script(net), Log()
    compiled.one.register_forward_pre_hook(lambda module, args: seen.append(args[1:]))
    compiled.two.register_forward_pre_hook(lambda module, args: seen.append(args[1:]))
    torch.testing.assert_close(compiled(X), net(X))
    assert seen == [(), (3.0,)]


class Shared(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.one = self.two = nn.Linear(3, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.two(self.one(x))


def test_a_part_with_two_names_is_hooked_by_both() -> None:
    compiled, seen = minits.script(Shared()), Log()
    compiled(X)
    compiled.one.register_forward_hook(lambda *_: seen.append("hook"))
    compiled(X)
    compiled(X)
    assert len(seen) == 4
    assert compiled.one is compiled.two


class Tasks(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.inner = Scaled()

    def helped(self, x: Tensor) -> Tensor:
        return self.inner(x)

    def forward(self, x: Tensor) -> Tensor:
        one = torch.jit.fork(self.lin, x)
        other = torch.jit.fork(self.helped, x)
        return torch.jit.wait(one) + torch.jit.wait(other)


def test_hooks_run_in_tasks() -> None:
    compiled, seen = minits.script(Tasks()), Log()
    before = compiled(X)
    compiled.lin.register_forward_hook(lambda *_: seen.append("lin"))
    compiled.inner.lin.register_forward_hook(lambda *_: seen.append("inner.lin"))
    for _ in range(3):
        seen.clear()
        torch.testing.assert_close(compiled(X), before)
        assert sorted(seen) == ["inner.lin", "lin"]


class ByName(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.lin.forward(x) + 1


def test_a_call_of_forward_by_its_name_runs_no_hooks() -> None:
    for module in (ByName(), minits.script(ByName())):
        seen = Log()
        module(X)
        module.lin.register_forward_hook(lambda *_, seen=seen: seen.append("hook"))
        module(X)
        module(X)
        assert seen == []


def plus_input(self: Any, inputs: tuple[Tensor], output: Tensor) -> Tensor:
    return output + inputs[0]


class Hooked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.lin.register_forward_hook(plus_input)

    def forward(self, x: Tensor) -> Tensor:
        return self.lin(x)


def test_those_that_were_compiled_run_once_beside_later_ones() -> None:
    net = Hooked()
    compiled, seen = minits.script(net), Log()
    handle = compiled.lin.register_forward_hook(lambda *_: seen.append("later"))
    for _ in range(3):
        torch.testing.assert_close(compiled(X), net(X))
        torch.testing.assert_close(compiled.lin(X), net.lin(X))
    assert seen == ["later"] * 6
    handle.remove()
    torch.testing.assert_close(compiled(X), net(X))


def test_backward_hooks_from_before_run_as_well() -> None:
    net, seen = Net(), Log()
    net.first.register_full_backward_hook(_of_gradients(seen))
    compiled = minits.script(net)
    wanted = called(net, seen)
    torch.testing.assert_close(called(compiled, seen), wanted)


@pytest.mark.slow
def test_modules_that_go_take_their_hooks_along() -> None:
    gc.collect()
    before = HOOKS.version
    compiled = minits.script(Net())
    compiled.first.register_forward_hook(lambda *_: None)
    assert HOOKS.version != before
    del compiled
    gc.collect()
    assert HOOKS.version == before


def test_a_hooked_module_can_be_saved() -> None:
    compiled = minits.script(Net())
    compiled.first.lin.register_full_backward_hook(lambda *_: None)
    file = io.BytesIO()
    minits.save(compiled, file)
    file.seek(0)
    torch.testing.assert_close(torch.jit.load(file)(X), compiled(X))
