"""From a compiled module to an archive.

writer             begin here: the entries of a file
program_printer    all functions and classes that the module needs, as code
class_printer      one class
archive_spelling, qualified_names    names as archives have them
traced_functions   what is written of an autograd.Function that a trace calls
format_version     the version of the format that a program needs
value_pickling, tensor_pickling      attributes and tensors
debug_ranges       the ranges of the user's source that lines are from

`runtime/saving.py` calls the writer.
Source: torch/csrc/jit/serialization/export_module.cpp.
"""
