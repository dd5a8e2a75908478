"""What `minits.script` returns: functions and modules that run compiled code.

Source: torch/jit/_script.py (`ScriptFunction`, `RecursiveScriptModule`) and
torch/jit/_recursive.py (`create_script_module_impl`).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from minits.archive.code_printer import print_code
from minits.frontend.function import CompiledFunction
from minits.frontend.module_types import ModuleInfo, is_declared_attribute, module_info
from minits.ir.graph import Graph
from minits.ops.errors import as_script_error
from minits.ops.schema import Schema
from minits.passes.inlining import inlined
from minits.passes.remarks import Remark
from minits.runtime.arguments import Binder, result_converter
from minits.runtime.plans import Plan, Plans
from minits.runtime.strict_fusion import STRICT


class ScriptFunction:
    """A compiled function. Call it like the Python function it was made of."""

    def __init__(self, function: CompiledFunction, original: Any = None) -> None:
        self._minits_function = function
        function.ensure_defined()
        self._plans = Plans(function)
        self._bind = Binder(function.schema).bind
        self._convert_result = result_converter(function.schema.returns[0].type)
        self._direct = self._plans.direct
        if original is not None:
            functools.update_wrapper(self, original)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        last = self._direct.last
        if last is not None and not kwargs and not STRICT.depth:
            found = last if last[0](args) else self._direct.find(args)
            if found is not None:
                _, run, plan = found
                plan.hits += 1
                try:
                    return run(*args)
                except (LookupError, ArithmeticError, ValueError) as error:
                    raise as_script_error(error) from None
        values = self._bind(args, kwargs)
        result = self._plans.run(values)
        if self._plans.newest is not None:
            run, plan = self._plans.newest
            self._plans.newest = None
            if self._convert_result is None and not kwargs:
                self._direct.remember(args, values, run, plan)
        return result if self._convert_result is None else self._convert_result(result)

    @property
    def name(self) -> str:
        return self._minits_function.name

    @property
    def qualified_name(self) -> str:
        """torch's name of the function: `__torch__.module.name`."""
        return self._minits_function.qualified_name

    @property
    def graph(self) -> Graph:
        """The function's graph, as it was emitted and cleaned up."""
        return self._minits_function.graph

    @property
    def inlined_graph(self) -> Graph:
        """A copy of the graph with all calls inlined."""
        return inlined(self.graph)

    @property
    def schema(self) -> Schema:
        return self._minits_function.schema

    @property
    def code(self) -> str:
        """The function as Python source, as torch prints it."""
        text: str = print_code(self._minits_function)
        return text

    def plan_report(self) -> str:
        """Which plans were built for which signatures of calls, and what they cost."""
        return self._plans.report()

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        """The optimised graph of the plan that a call with these arguments runs."""
        return self.plan_for(*args, **kwargs).graph

    def plan_for(self, *args: Any, **kwargs: Any) -> Plan:
        """The plan that a call with these arguments runs."""
        return self._plans.lookup(self._bind(args, kwargs))

    def remarks(self, *args: Any, **kwargs: Any) -> list[Remark]:
        """What was fused, and what was not and why, in the plan of a call with these arguments."""
        return self.plan_for(*args, **kwargs).remarks

    def __repr__(self) -> str:
        return f"<minits.ScriptFunction {self.qualified_name}>"


class ScriptMethod(ScriptFunction):
    """A compiled method, bound to its module."""

    def __init__(self, function: CompiledFunction, owner: ScriptModule) -> None:
        super().__init__(function)
        self._owner = owner

    def plan_for(self, *args: Any, **kwargs: Any) -> Plan:
        return super().plan_for(self._owner, *args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        values = self._bind((self._owner, *args), kwargs)
        result = self._plans.run(values)
        return result if self._convert_result is None else self._convert_result(result)


class ScriptModule(nn.Module):  # type: ignore[misc]
    """A compiled module: parameters, buffers and submodules as in the original, methods compiled.

    Parameters and buffers are shared with the original, not copied.
    """

    _minits_info: ModuleInfo

    def __init__(self, original: nn.Module, info: ModuleInfo) -> None:
        super().__init__()
        own = self.__dict__
        own["_minits_info"] = info
        own["_minits_methods"] = {}
        own["_minits_name"] = type(original).__name__
        self._parameters.update(original._parameters)
        self._buffers.update(original._buffers)
        for name, child in original._modules.items():
            submodule = info.submodules.get(name)
            self._modules[name] = None if submodule is None else ScriptModule(child, submodule)
        for name, attribute in info.type.attributes.items():
            if not (attribute.is_parameter or attribute.is_buffer or name in self._modules):
                value = getattr(original, name)
                own[name] = value.value if is_declared_attribute(value) else value
        for name in info.type.constants:
            own.setdefault(name, getattr(original, name))
        _copy_ignored(original, self)

    def get_slot(self, name: str) -> Any:
        """Return the attribute that `prim::GetAttr` reads."""
        return getattr(self, name)

    def set_slot(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def compile_method(self, name: str) -> ScriptMethod:
        """Return a compiled method. Raises `CompileError`, or `AttributeError` if it has none."""
        methods: dict[str, ScriptMethod] = self.__dict__["_minits_methods"]
        if name not in methods:
            function = self._minits_info.type.methods.get(name)
            if function is None:
                raise AttributeError(f"{self._minits_name} has no compiled method '{name}'")
            methods[name] = ScriptMethod(function, self)
        return methods[name]

    def method_names(self) -> list[str]:
        return list(self._minits_info.type.methods)

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        if "_minits_info" in own:
            info: ModuleInfo = own["_minits_info"]
            if name in info.type.methods:
                return self.compile_method(name)
            if name in info.type.properties:
                return self.compile_method(info.type.properties[name][0])()
            if name in info.overloads:
                return _Overloads([self.compile_method(each) for each in info.overloads[name]])
        return super().__getattr__(name)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.compile_method("forward")(*args, **kwargs)

    def __len__(self) -> int:
        return int(self.compile_method("__len__")())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            return self._modules[index]
        return list(self._modules.values())[index]

    def __bool__(self) -> bool:
        return True

    @property
    def graph(self) -> Graph:
        return self.compile_method("forward").graph

    @property
    def inlined_graph(self) -> Graph:
        return self.compile_method("forward").inlined_graph

    @property
    def code(self) -> str:
        return self.compile_method("forward").code

    @property
    def qualified_name(self) -> str:
        """torch's name of the module's type."""
        return self._minits_info.type.name

    def plan_report(self) -> str:
        return self.compile_method("forward").plan_report()

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        return self.compile_method("forward").graph_for(*args, **kwargs)

    def remarks(self, *args: Any, **kwargs: Any) -> list[Remark]:
        return self.compile_method("forward").remarks(*args, **kwargs)

    def extra_repr(self) -> str:
        return f"original_name={self._minits_name}"


class _Overloads:
    """An overloaded method called from Python: the first overload that takes the arguments."""

    def __init__(self, methods: list[ScriptMethod]) -> None:
        self.methods = methods

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from minits.runtime.arguments import ArgumentError

        for method in self.methods[:-1]:
            try:
                return method(*args, **kwargs)
            except ArgumentError:
                continue
        return self.methods[-1](*args, **kwargs)


def _copy_ignored(original: nn.Module, module: ScriptModule) -> None:
    """Methods marked `@ignore` and `@unused` stay Python methods of the compiled module."""
    for name, function in inspect.getmembers(type(original), inspect.isfunction):
        if torch._jit_internal.is_ignored_fn(function):
            module.__dict__[name] = function.__get__(module)


def script_module(original: nn.Module, dialect: str) -> ScriptModule:
    """Compile a module: its type, and every entry point of it and its submodules."""
    info = module_info(original, dialect)
    _define_all(info, set())
    return ScriptModule(original, info)


def _define_all(info: ModuleInfo, done: set[int]) -> None:
    """Define the methods of a module, those of submodules first."""
    if id(info) in done:
        return
    done.add(id(info))
    for submodule in info.submodules.values():
        _define_all(submodule, done)
    for method in list(info.type.methods.values()):
        method.ensure_defined()
