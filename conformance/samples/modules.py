"""Programs of the samples of torch's databases of modules: that of today, and the older lists.

module_db           each class with the samples of its inputs, in training and in evaluation,
                    and with inputs that must fail
the lists           modules, losses and functions of `torch.testing._internal.common_nn` and
                    `jit_metaprogramming_utils`, which modules of `torch.nn` were tested with
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import torch
from torch import nn

from conformance.fusion.database import torch_database
from conformance.samples.program import Arguments, Program, function_of, of_text

DTYPES = (torch.float32, torch.float64, torch.complex64)


def names() -> list[str]:
    """Return the names of the entries of all lists; those of the older ones tell their list."""
    return list(_entries())


def programs(name: str, seed: int, most: int) -> list[Program]:
    """Return the programs of an entry, of up to `most` samples of each dtype and mode."""
    torch.manual_seed(0)
    random = Random(f"{seed} {name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(_entries()[name](random, most))


_Entry = Callable[[Random, int], Iterator[Program]]


@cache
def _entries() -> dict[str, _Entry]:
    torch_database()  # which makes torch's tests importable
    from torch.testing._internal import common_nn, jit_metaprogramming_utils
    from torch.testing._internal.common_modules import module_db

    found: dict[str, _Entry] = {}
    for info in module_db:
        _add(found, info.name, lambda random, most, info=info: _of_info(info, random, most))  # type: ignore[misc]
    for test in jit_metaprogramming_utils.get_all_nn_module_tests():
        name = f"module {jit_metaprogramming_utils.get_nn_mod_test_name(**test)}"
        _add(found, name, lambda random, most, test=test, name=name: _of_test(name, test))  # type: ignore[misc]
    for test in common_nn.criterion_tests:
        name = f"loss {jit_metaprogramming_utils.get_nn_mod_test_name(**test)}"
        _add(found, name, lambda random, most, test=test, name=name: _of_test(name, test))  # type: ignore[misc]
    for test in jit_metaprogramming_utils.get_nn_functional_tests():
        name = " ".join(["function", test[0], *test[3:4]]).strip()
        _add(found, name, lambda random, most, test=test, name=name: _of_function(name, test))  # type: ignore[misc]
    return found


def _add(found: dict[str, _Entry], name: str, entry: _Entry) -> None:
    """Add an entry; names that are there already get a number."""
    number, free = 2, name
    while free in found:
        free, number = f"{name} ({number})", number + 1
    found[free] = entry


# ---- Today's database --------------------------------------------------------------------------


def _of_info(info: Any, random: Random, most: int) -> Iterator[Program]:
    for dtype in [dtype for dtype in DTYPES if dtype in info.dtypes] or [*info.dtypes][:1]:
        for training in (True, False):
            for number, sample in enumerate(_samples(info, dtype, training, random, most)):
                if sample.forward_input is not None:
                    mode = "train" if training else "eval"
                    name = f"{info.name} {mode} {str(dtype).removeprefix('torch.')} {number}"
                    made = sample.constructor_input
                    make = _maker(info.module_cls, made.args, made.kwargs, training)
                    if not _can_be_made(make):  # the sample shows that its class refuses it
                        continue
                    given = sample.forward_input
                    call = Arguments(tuple(given.args), tuple(given.kwargs.items()))
                    if info.name in _OVERLOADED and not given.kwargs:
                        make = _held(make, call)
                    yield Program(name, make, (call, call))


_OVERLOADED = ("nn.RNN", "nn.GRU", "nn.LSTM")
"""Modules whose `forward` has overloads: torch.jit's Python cannot call it, but programs can."""


def _held(make: Callable[[], nn.Module], call: Arguments) -> Callable[[], nn.Module]:
    """Return what makes a module that holds another one, and calls it."""
    names = [chr(ord("a") + number) for number in range(len(call.args))]
    kinds = [_annotation(value) for value in call.args]
    parameters = ", ".join([f"{name}: {kind}" for name, kind in zip(names, kinds, strict=True)])
    lines = [
        "def program(held):",
        "    class Holder(torch.nn.Module):",
        "        def __init__(self):",
        "            super().__init__()",
        "            self.held = held",
        f"        def forward(self, {parameters}):",
        f"            return self.held({', '.join(names)})",
        "    return Holder()",
    ]
    text = "".join([f"{line}\n" for line in lines])
    return lambda: function_of(text)(make())  # type: ignore[no-any-return]


def _annotation(value: Any) -> str:
    if isinstance(value, tuple):
        return f"Tuple[{', '.join([_annotation(each) for each in value])}]"
    return "Tensor"


def _samples(info: Any, dtype: torch.dtype, training: bool, random: Random, most: int) -> list[Any]:
    """Draw samples, and such as must fail; none where torch's own code fails on this machine."""
    options = {"device": "cpu", "dtype": dtype, "requires_grad": False, "training": training}
    found: list[Any] = []
    try:
        found = list(info.module_inputs_func(info, **options))
        found = random.sample(found, min(most, len(found)))
        if info.module_error_inputs_func is not None and dtype == torch.float32:
            wrong = list(info.module_error_inputs_func(info, **options))
            found += [each.module_error_input for each in wrong]
    except Exception:
        return found
    return found


def _can_be_made(make: Callable[[], nn.Module]) -> bool:
    try:
        make()
    except Exception:
        return False
    return True


def _maker(
    cls: Any, args: Any, kwargs: dict[str, Any], training: bool = True
) -> Callable[[], nn.Module]:
    def make() -> nn.Module:
        torch.manual_seed(0)
        own = copy.deepcopy((tuple(args), dict(kwargs)))
        module: nn.Module = cls(*own[0], **own[1])
        return module.train(training)

    return make


# ---- The older lists ---------------------------------------------------------------------------


def _of_test(name: str, test: dict[str, Any]) -> Iterator[Program]:
    """A module or loss that is told by a dict, with one call, in training and in evaluation."""
    dtype = test.get("default_dtype") or torch.float32
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        cls = test.get("constructor") or getattr(nn, test["module_name"])
        made = _value(test, "constructor_args", ())
        inputs = _value(test, "input")
        given = list(inputs) if isinstance(inputs, tuple) else [inputs]
        target = _value(test, "target")
        given += [] if target is None else [target]
        given += [_tensor(each) for each in _value(test, "extra_args", ())]
    except Exception:  # its code fails on this machine
        return
    finally:
        torch.set_default_dtype(before)
    call = Arguments(tuple(given))
    for training in (True, False):
        make = _of_dtype(_maker(cls, made, {}, training), dtype)
        yield Program(f"{name} {'train' if training else 'eval'}", make, (call, call))


def _of_dtype(make: Callable[[], nn.Module], dtype: torch.dtype) -> Callable[[], nn.Module]:
    return lambda: make().to(dtype) if dtype.is_floating_point else make()


def _value(test: dict[str, Any], name: str, default: Any = None) -> Any:
    """A part of a test, which is given by itself, by a function, or by the size of a tensor."""
    if name in test:
        return test[name]
    if f"{name}_fn" in test:
        return test[f"{name}_fn"]()
    size = test.get(f"{name}_size")
    if size is None:
        return default
    return torch.randn(size) if isinstance(size, (tuple, torch.Size)) else size


def _tensor(value: Any) -> Any:
    is_size = isinstance(value, tuple) and all(isinstance(each, int) for each in value)
    return torch.randn(value) if is_size else value


def _of_function(name: str, test: Any) -> Iterator[Program]:
    """A function of `torch.nn.functional`: `(name, its input, its other arguments, ...)`."""
    from torch.testing._internal.jit_metaprogramming_utils import create_input

    rest = test[2] if isinstance(test[2], tuple) else (test[2],)
    given, by_name = create_input((test[1], *rest), call_kwargs=test[7] if test[7:] else None)
    shown, tensors, parameters = [], [], []
    for key, value in [*(("", each) for each in given), *by_name.items()]:
        if isinstance(value, torch.Tensor):
            tensors.append(value.detach())
            parameters.append(chr(ord("a") + len(parameters)))
            value_text = parameters[-1]
        else:
            value_text = repr(value)
        shown.append(f"{key}={value_text}" if key else value_text)
    head = ", ".join([f"{each}: Tensor" for each in parameters])
    call = f"torch.nn.functional.{test[0]}({', '.join(shown)})"
    yield of_text(name, f"def program({head}):\n    return {call}\n", [tuple(tensors)])
