"""The programs of a package: its functions and classes, which are compiled.

torch.nn.functional:gelu            a function
torch.nn.modules.linear:Linear      a class of modules: an instance is made, with guessed arguments
torch.distributions.utils:Clamp     another class, compiled itself
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch
from torch import nn

from conformance.foreign.instances import instance

_LEFT_OUT = re.compile(
    r"\b(tests?|testing|conftest|setup|__main__|benchmarks?|examples?|onnx|_inductor|_dynamo"
    r"|tensorboard|cli|version|dtensor|symm_mem|_vendor|cutlass|_strobelight|_export)\b|_test\b"
)
"""Modules that are programs themselves, need other machines, or are none of TorchScript's."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """The place of a program: a module, and a name in it."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}:{self.name}"

    @classmethod
    def parse(cls, text: str) -> Foreign:
        return cls(*text.split(":"))

    def find(self) -> Any:
        """Return the function or class."""
        module = importlib.import_module(self.module)
        return _source(functools.reduce(getattr, self.name.split("."), module))

    def make(self) -> Any:
        """Return the function, class or new module to compile. Raises as a constructor does."""
        found = self.find()
        if inspect.isclass(found) and issubclass(found, nn.Module):
            torch.manual_seed(0)
            return instance(found)
        return found


def module_names(package: str) -> list[str]:
    """Return the names of a package and of its modules, as far as it can be imported."""
    try:
        root = importlib.import_module(package)
    except Exception:
        return []
    found = [package]
    for path in getattr(root, "__path__", []):
        walked = pkgutil.walk_packages([path], f"{package}.", onerror=lambda name: None)
        found += [each.name for each in walked if not _LEFT_OUT.search(each.name)]
    return list(dict.fromkeys(found))


def programs(module: ModuleType) -> Iterator[Foreign]:
    """Yield the functions and classes that a module itself defines, in its order."""
    for name, value in list(vars(module).items()):
        value = _source(value)
        is_own = getattr(value, "__module__", None) == module.__name__
        if is_own and (inspect.isfunction(value) or inspect.isclass(value)):
            yield Foreign(module.__name__, name)


def _source(value: Any) -> Any:
    """Return the Python function that torch.jit has compiled already; another value as it is."""
    return getattr(value, "_torchdynamo_inline", value)
