"""Python's protocol of containers for compiled modules: length, items, membership.

A compiled ModuleList, Sequential or ModuleDict answers as the original does. Any other compiled
module answers by its own compiled `__len__`, `__getitem__`, `__contains__` and `__bool__`.

Source: torch/jit/_script.py (`RecursiveScriptModule.forward_magic_method`).
Differs: the items are the compiled modules, where torch hands out those they were made of; a slice
is a Python list of them; `in` works for ModuleList and Sequential too, and containers of archives
answer as well.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, NoReturn

from minits.frontend.modules.module_info import ModuleInfo
from minits.users_objects import known_info

_KINDS = {"ModuleList": "list", "Sequential": "list", "ModuleDict": "dict"}


def container_kind(info: ModuleInfo) -> str | None:
    """Return "list", "dict" or None; archives hold a container's class by its name only."""
    if info.kind is None and info.type.name.startswith("__torch__.torch.nn.modules.container."):
        return _KINDS.get(info.type.short_name)
    return info.kind if info.kind in _KINDS.values() else None


class ContainerMethods:
    """Mixin: the special methods of a compiled module, which may be a container."""

    _modules: dict[str, Any]

    def __len__(self) -> int:
        if _kind_for(self, "__len__") is not None:
            return len(self._modules)
        return int(_special(self, "__len__")())

    def __iter__(self) -> Iterator[Any]:
        kind = container_kind(known_info(self))
        if kind is None:
            _refuse(self, "__iter__")
        return iter(self._modules if kind == "dict" else self._modules.values())

    def __contains__(self, key: Any) -> bool:
        kind = _kind_for(self, "__contains__")
        if kind is None:
            return bool(_special(self, "__contains__")(key))
        return key in (self._modules if kind == "dict" else self._modules.values())

    def __getitem__(self, index: Any) -> Any:
        kind = _kind_for(self, "__getitem__")
        if kind is None:
            return _special(self, "__getitem__")(index)
        if kind == "dict":
            return self._modules[index]
        modules = list(self._modules.values())
        return modules[index if isinstance(index, slice) else operator.index(index)]

    def __bool__(self) -> bool:
        if "__bool__" in known_info(self).type.methods:
            return bool(_special(self, "__bool__")())
        return True


def _kind_for(module: Any, name: str) -> str | None:
    """Return the kind of container, but None where its class has a method of its own."""
    info = known_info(module)
    method = getattr(info.cls, name, None)
    is_torchs = method is None or method.__module__ == "torch.nn.modules.container"
    return container_kind(info) if is_torchs or name not in info.type.methods else None


def _special(module: Any, name: str) -> Any:
    """Return the compiled special method. Raises `NotImplementedError`."""
    if name not in known_info(module).type.methods:
        _refuse(module, name)
    return type(module).compile_method(module, name)


def _refuse(module: Any, name: str) -> NoReturn:
    cls: str = known_info(module).cls.__name__
    raise NotImplementedError(
        f"{cls} is no container of modules and has no compiled method '{name}': mark one with "
        "@torch.jit.export, or ask its children()"
    )
