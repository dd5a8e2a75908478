"""The one entry that minits keeps in the dict of an object of users.

    in                  is
    a module            `ModuleState`
    an exception        its message, before the program's traceback was put in front

No program can have an attribute, buffer, submodule or method of its name, which is no identifier;
so is the name of the entry that functions and classes of programs keep (`kept.py`).
"""

from __future__ import annotations

from typing import Any

ATTRIBUTE = "minits: state"


class ModuleState:
    """State of a module that is compiled, or that declares methods to be compiled."""

    __slots__ = ("declared", "defined", "in_python", "info", "lists", "methods")

    def __init__(self, info: Any = None) -> None:
        self.info = info
        """Its `ModuleInfo`; None until it is compiled."""
        self.methods: dict[str, Any] = {}
        """Its compiled methods, bound to it, that somebody has asked for."""
        self.in_python: dict[str, Any] = {}
        """By name: what only the Python code of its methods has, functions of the class unbound."""
        self.lists: dict[str, list[str]] = {}
        """By name: lists of its tensors, given by their names and made when they are read."""
        self.defined: dict[str, Any] = {}
        """By name: methods that a text has defined while it was made."""
        self.declared: dict[str, Any] = {}
        """By name: types of attributes that were assigned as a `torch.jit.Attribute` meanwhile."""


def module_state(value: Any) -> ModuleState | None:
    """Return the state of a module; None for one that has none, and for all else."""
    state = getattr(value, "__dict__", {}).get(ATTRIBUTE)
    return state if isinstance(state, ModuleState) else None


def known_info(value: Any) -> Any:
    """Return the `ModuleInfo` of a compiled module, None for all else."""
    state = module_state(value)
    return None if state is None else state.info


def is_frozen(cls: Any) -> bool:
    """Return whether a class is a frozen dataclass, whose attributes only `__init__` assigns."""
    return bool(getattr(getattr(cls, "__dataclass_params__", None), "frozen", False))
