"""Graphs printed as TorchScript code, with the range of the source that each part is from.

printer       begin here: a function's graph as code
trees, expressions   nodes that are written where they are used; the text of each
names, spelling, constants   variables; names and literals; constants
source_map    from parts of the code to ranges of the program

`archive/writing` prints what it saves, and the runtime what `.code` shows.
Source: torch/csrc/jit/serialization/python_print.cpp.
"""
