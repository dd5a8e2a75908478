"""Compiled objects carried by `pickle`, by `copy`, to other processes."""

import copy
import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

import minits


def relu(x: Tensor) -> Tensor:
    return x.relu()


@minits.script
def scaled(x: Tensor, by: float = 2.0, mask: Tensor | None = None) -> Tensor:
    y = relu(x) * by
    return y if mask is None else y + mask


class Net(nn.Module):
    """A module with a tied weight, a view of a buffer, a tensor and a number."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.second = nn.Linear(3, 3)
        self.second.weight = self.first.weight
        self.register_buffer("table", torch.arange(3.0))
        self.rest = self.table[1:]
        self.other = torch.ones(2)
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return self.second(self.first(x)) + self.table + self.rest.sum() + self.other.sum()

    @torch.jit.export
    def doubled(self, x: Tensor) -> Tensor:
        return self.first(x) * 2


class Point:
    def __init__(self, x: int) -> None:
        self.x = x


class Pair(NamedTuple):
    number: int
    tensor: Tensor


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


X = torch.tensor([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]])


# ---- Modules -------------------------------------------------------------------------------------


def test_a_module_computes_the_same() -> None:
    module = minits.script(Net())
    module(X)
    other = again(module)
    assert other.calls == 1 and other.original_name == "Net"
    assert torch.equal(other(X), module(X)) and torch.equal(other.doubled(X), module.doubled(X))
    assert str(other.state_dict()) == str(module.state_dict())
    assert torch.equal(again(other)(X), module(X))


def test_tensors_that_are_shared_stay_shared() -> None:
    module = again(minits.script(Net()))
    assert module.first.weight is module.second.weight
    module.table += 1
    assert module.rest.tolist() == [2.0, 3.0]


def test_an_optimizer_keeps_the_parameters_of_its_module() -> None:
    module = minits.script(Net())
    optimizer = torch.optim.SGD(module.parameters(), 0.1)
    module, optimizer = again((module, optimizer))
    before = module(X)
    before.sum().backward()
    optimizer.step()
    assert not torch.equal(module(X), before)


def test_weights_are_written_once() -> None:
    module = minits.script(nn.Linear(1000, 1000))
    assert 4_000_000 < len(pickle.dumps(module)) < 4_050_000


def test_torch_save_carries_modules() -> None:
    module, file = minits.script(Net()), io.BytesIO()
    torch.save({"model": module}, file)
    file.seek(0)
    assert torch.equal(torch.load(file, weights_only=False)["model"](X), module(X))


def test_what_decides_on_its_state_is_pickled_by_it() -> None:
    class Packed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.ones(3)
            self.training = False

        @torch.jit.export
        def __getstate__(self) -> tuple[Tensor, bool]:
            return self.weight * 2, self.training

        @torch.jit.export
        def __setstate__(self, state: tuple[Tensor, bool]) -> None:
            self.weight = state[0] + 1
            self.training = state[1]

        def forward(self, x: Tensor) -> Tensor:
            return x * self.weight

    module = minits.script(Packed())
    assert again(module).weight.tolist() == [3.0, 3.0, 3.0]


MODULES: dict[str, Callable[[], Any]] = {
    "traced": lambda: minits.trace(nn.Sequential(nn.Linear(3, 2)), X),
    "frozen": lambda: minits.freeze(minits.script(nn.Sequential(nn.Linear(3, 2))).eval()),
    "quantized": lambda: minits.script(
        torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(3, 2)))
    ),
    "of an archive": lambda: minits.load(io.BytesIO(minits.script(Net()).save_to_buffer())),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("made", MODULES.values(), ids=MODULES)
def test_modules_of_all_kinds(made: Callable[[], Any]) -> None:
    module = made()
    assert torch.equal(again(module)(X), module(X))


def test_methods_are_those_of_the_module() -> None:
    module = minits.script(Net())
    module, method = again((module, module.doubled))
    with torch.no_grad():
        module.first.bias += 1
    assert torch.equal(method(X), module.doubled(X))


# ---- Functions and containers --------------------------------------------------------------------


def test_a_function_keeps_its_name_and_its_defaults() -> None:
    other = again(scaled)
    assert other.name == "scaled" and str(other.__signature__) == "(x, by=2.0, mask=None)"
    assert torch.equal(other(X), scaled(X))
    assert torch.equal(other(X, mask=X, by=3.0), scaled(X, by=3.0, mask=X))
    assert again(scaled) is other  # which is compiled once
    assert torch.equal(again(other)(X, 4.0), scaled(X, 4.0))


def test_functions_of_all_kinds() -> None:
    unit = minits.CompilationUnit("def more(x: Tensor):\n    return x + 1\n")
    assert torch.equal(again(unit.more)(X), X + 1)
    assert torch.equal(again(unit).more(X), X + 1)
    assert torch.equal(again(minits.trace(lambda x: x * 3, X))(X), X * 3)


def test_a_copy_of_a_function_is_the_function() -> None:
    assert copy.copy(scaled) is scaled and copy.deepcopy(scaled) is scaled


@pytest.mark.parametrize("items", [[1, 2], [None, 1], {"a": 1.0}, [Pair(1, X)]], ids=str)
def test_containers_keep_their_type(items: Any) -> None:
    shared = minits.script(items)
    other = again(shared)
    assert type(other) is type(shared) and other.shared_type == shared.shared_type
    assert str(other) == str(shared)


def test_a_container_of_objects() -> None:
    minits.script(Point)
    shared = minits.script([Point(1)])
    assert again(shared)[0].x == 1
    del shared[0]
    with pytest.raises(pickle.PicklingError, match="this one is empty"):
        pickle.dumps(shared)


# ---- What cannot travel --------------------------------------------------------------------------


def test_what_archives_cannot_hold_says_so() -> None:
    class CallsPython(nn.Module):
        @torch.jit.ignore
        def noted(self, x: Tensor) -> Tensor:
            return x

        def forward(self, x: Tensor) -> Tensor:
            return self.noted(x)

    with pytest.raises(pickle.PicklingError, match="CallsPython is compiled"):
        pickle.dumps(minits.script(CallsPython()))


def test_functions_of_any_number_of_arguments_say_so() -> None:
    def total(*values: Tensor) -> Tensor:
        return torch.stack(values).sum()

    compiled = minits.script(total, dialect="extended")
    with pytest.raises(pickle.PicklingError, match="total takes any number"):
        pickle.dumps(compiled)
    assert again(compiled.variant(X, X))(X, X) == total(X, X)


def test_objects_of_classes_of_archives_say_so() -> None:
    def point(x: int) -> Point:
        return Point(x)

    made = again(minits.script(point))(3)
    assert made.x == 3
    with pytest.raises(pickle.PicklingError, match="class of this Point was read from an archive"):
        pickle.dumps(made)


# ---- Other processes -----------------------------------------------------------------------------


def _train(module: Any, function: Any) -> None:
    with torch.no_grad():
        module.first.weight += function(torch.ones(3, 3))


@pytest.mark.slow
def test_processes_share_parameters() -> None:
    module = minits.script(Net())
    before = module.first.weight.clone()
    context = torch.multiprocessing.get_context("spawn")
    process = context.Process(target=_train, args=(module, scaled))
    process.start()
    process.join()
    assert process.exitcode == 0
    assert torch.equal(module.first.weight, before + 2)


class Rows(torch.utils.data.Dataset[Tensor]):
    """A dataset that calls what is compiled."""

    def __init__(self, net: Any, function: Any) -> None:
        self.net, self.function = net, function

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> Tensor:
        with torch.no_grad():
            made: Tensor = self.net(self.function(torch.full((3,), float(index))))
        return made


@pytest.mark.slow
def test_workers_of_a_data_loader_call_compiled_objects() -> None:
    rows = Rows(minits.script(Net()), scaled)
    expected = torch.stack([rows[index] for index in range(4)])
    loader = torch.utils.data.DataLoader(
        rows, batch_size=4, num_workers=1, multiprocessing_context="spawn"
    )
    (found,) = loader
    torch.testing.assert_close(found, expected)


@pytest.mark.slow
def test_workers_of_dask_call_compiled_objects(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="pip install distributed")
    dask = pytest.importorskip("dask")
    with (
        dask.config.set({"temporary-directory": str(tmp_path)}),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        module, x = minits.script(Net()), torch.ones(3)
        with torch.no_grad():
            found = client.submit(module, x).result(timeout=120)
            torch.testing.assert_close(found, module(x))
        assert torch.equal(client.submit(scaled, x, 3.0).result(timeout=120), scaled(x, 3.0))
