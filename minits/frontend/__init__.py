"""From a program to its graph: the checker and emitter of TorchScript.

calls      arguments against schemas: overloads, conversions, the errors of a call that does not fit
cures      what to write instead, and the edit that does it, by where an error stands
values     sugared values (all that expressions stand for), variables, the state of an emission
python     functions, classes and scopes of a running Python, and of a text
modules    nn.Module: types that instances share, methods, hooks
emit       statements and expressions, one file for each kind: the torch dialect
extended   additions of the extended dialect (docs/extensions.md)
dialects   the choice of the dialect by which a function is compiled

A room imports from those above it. One import goes back: a function that is called is compiled, by
`dialects.py`.
Begin with `values/emitter.py`, then `emit/conditions.py`. A graph that was emitted goes through the
passes of `passes/emission/`.
`minits.api.script` comes in by `python/compiled_functions.py` and `modules/module_types.py`.

Source: torch/csrc/jit/frontend/ir_emitter.cpp and torch/jit/_recursive.py.
"""
