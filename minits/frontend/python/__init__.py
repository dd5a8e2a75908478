"""Functions, classes and scopes as Python has them, or as a text does.

compiled_functions    from a Python function to a compiled one; begin here
declared_overloads    what `@torch.jit._overload` declared, also when torch has taken it
sources, wrappers          source lines and trees of functions
scopes           the names that a function sees: globals, closure
text_scope       the same for a text that is not run
python_values    Python's objects as values of the language
cpp_classes      classes that libraries register with `torch::class_`, as values of the language
torch_jit_objects    modules and functions that torch.jit has compiled
uncompiled, python_functions    those that stay Python, and the schemas of functions
class_registry   the types of classes: NamedTuples, enums, script classes, modules
script_classes, dataclass_methods, named_tuples    the making of these
example_types    types of parameters from example inputs
compilation, currency    one call of `script`; whether what was compiled still means the same

`runtime/script.py` comes in by `compiled_functions`, loading by `text_scope`.

Source: torch/csrc/jit/python/python_sugared_value.cpp, torch/jit/_script.py.
"""
