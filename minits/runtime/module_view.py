"""The object behind `module._c`, of which libraries ask what a compiled module has.

    module._c.hasattr("weight")     module._c._method_names()     module._c.qualified_name

Source: torch/csrc/jit/python/script_init.cpp (`py::class_<Module, Object>`).
"""

from __future__ import annotations

from typing import Any

from torch import nn

from minits.runtime.reflection import reflected_type
from minits.users_objects import known_info


class ModuleView:
    """A compiled module as torch's C++ object shows it; it reads and sets the module itself."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._info = known_info(module)

    @property
    def qualified_name(self) -> str:
        return str(self._info.type.name)

    def _type(self) -> Any:
        """Return the type of the module."""
        return reflected_type(self._info.type)

    def hasattr(self, name: str) -> bool:
        """Return whether the module has an attribute, parameter, buffer or submodule."""
        tables = (self._module._parameters, self._module._buffers, self._module._modules)
        return name in self._info.type.attributes or any(name in table for table in tables)

    def getattr(self, name: str) -> Any:
        """Return an attribute; a submodule as such an object. Raises `RuntimeError`."""
        if not self.hasattr(name):
            raise RuntimeError(f"Module has no attribute '{name}'")
        value = getattr(self._module, name)
        return ModuleView(value) if isinstance(value, nn.Module) else value

    def setattr(self, name: str, value: Any) -> None:
        """Set an attribute."""
        setattr(self._module, name, value)

    def _method_names(self) -> list[str]:
        """Return the names of the compiled methods."""
        return list(self._info.type.methods)

    def _has_method(self, name: str) -> bool:
        """Return whether there is a compiled method of this name."""
        return name in self._info.type.methods

    def _get_method(self, name: str) -> Any:
        """Return a compiled method. Raises `AttributeError`."""
        return type(self._module).compile_method(self._module, name)

    def _get_methods(self) -> list[Any]:
        """Return the compiled methods."""
        return [self._get_method(each) for each in self._method_names()]

    @property
    def code(self) -> Any:
        return self._module.code

    @property
    def code_with_constants(self) -> Any:
        return self._module.code_with_constants

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the module (see `minits.save`)."""
        self._module.save(*args, **kwargs)

    def save_to_buffer(self, *args: Any, **kwargs: Any) -> Any:
        """Return the bytes that `save` writes."""
        return self._module.save_to_buffer(*args, **kwargs)
