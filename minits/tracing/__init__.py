"""Traces: graphs recorded while a program runs once.

trace, script_if_tracing   the public functions; begin here
run              running a program, with everything in place that records it
recorder         the graph of a trace, and which of its values each tensor is; read it second
mode, arguments, out_of_place   operators: a dispatch mode, and their arguments as values
autocast         operators whose arguments autocast converts
tensor_methods, indexing   calls that never reach the dispatcher: sizes, subscripts, `int(x)`
traced_size      shapes, and `torch.Size`
attribute_writes   tensors that modules are assigned: warnings
stand_ins        functions in the place of torch's, which scripts see through
sequence_slots   what CPython leaves in types whose methods were exchanged
interface        inputs and outputs: tensors, and tuples, lists and dicts of them
script_calls     calls of compiled functions and modules: one node each
torch_jit_calls  the same for functions and modules that torch.jit has compiled
torch_hooks      what torch's own Python code asks about traces
python_calls     calls of a `torch.autograd.Function`: one node each, which calls Python
forks            calls that the program forks: a block, and then a graph, of their own
traced_module, module_attributes, module_calls   submodules: their types, attributes and methods
program_lines, warning, read_numbers   lines of the program; warnings about what is not recorded
check            tracing again, and comparing

Torch's counterpart: torch/jit/_trace.py and torch/csrc/jit/frontend/tracer.cpp.
"""
