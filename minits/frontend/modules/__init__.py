"""nn.Module: how instances become types that they share, and methods that are compiled once.

module_types     from an instance to its type; begin here
module_info      properties of a type of modules
module_methods, method_stubs    methods that are compiled, and those that stay Python's
module_value     `self`, submodules and containers as values of the language
cycles           modules that hold themselves
initialized      modules that nn.Module has not initialised, or whose tables are gone
hooks            forward hooks and pre-hooks

`runtime/script_module.py` asks for types and methods, the emitter for values.

Source: torch/jit/_recursive.py, torch/csrc/jit/python/python_sugared_value.cpp (`ModuleValue`).
"""
