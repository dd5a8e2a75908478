"""Modules whose state is not what nn.Module makes, which cannot be compiled or traced."""

from __future__ import annotations

from collections.abc import Iterable

from torch import nn

from minits import torch_internals as internals
from minits.diagnostics import error
from minits.frontend.python.sources import statement_of

_TABLES = {
    name: type(value) for name, value in vars(nn.Module()).items() if isinstance(value, (dict, set))
}
"""Attributes in which nn.Module keeps parameters, submodules and hooks, with their classes."""


def check_initialized(module: nn.Module) -> None:
    """Raise CompileError (TS609) where `__init__` of nn.Module has not run, or its state is lost.

    Modules of torch.jit are asked for nothing: these raise errors of their own then.
    """
    state = vars(module)
    if internals.is_jit_module(module):
        return
    name = type(module).__name__
    if "_parameters" not in state:
        raise error(
            statement_of(type(module)),
            "TS609",
            f"{name} has not been initialized",
            fix="call super().__init__() in __init__",
        )
    for table in _TABLES.keys() & state.keys():
        if not isinstance(state[table], (dict, set)):
            raise error(
                statement_of(type(module)),
                "TS609",
                f"{name}.{table} is {_kind(state[table])}, where nn.Module keeps a "
                f"{_TABLES[table].__name__} of its own",
                fix="give the attribute another name",
            )
    _check_names_of_constants(module)


def _check_names_of_constants(module: nn.Module) -> None:
    names = getattr(module, "__constants__", ())
    if not isinstance(names, Iterable):
        raise error(
            statement_of(type(module)),
            "TS609",
            f"{type(module).__name__}.__constants__ is {_kind(names)}, where nn.Module has names",
            fix='write the names of the constants: __constants__ = ["size"]',
        )


def _kind(value: object) -> str:
    return f"an object of {type(value).__name__}"


def check_shapes(module: nn.Module) -> None:
    """Raise CompileError (TS609) for a lazy parameter or buffer that has no shape yet."""
    name = type(module).__name__
    for attribute, value in [*module._parameters.items(), *module._buffers.items()]:
        if value is not None and nn.parameter.is_lazy(value):
            raise error(
                None,
                "TS609",
                f"{name}.{attribute} is a lazy parameter without a shape",
                fix="call the module once before it is compiled",
            )
