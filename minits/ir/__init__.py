"""Graphs: the SSA form of a program, as torch has and prints it.

graph           Graph, Block, Node, and how to change them; begin here
value           Value and its uses; `walks`: over the nodes of a graph; `last_uses` of values
in_words        values as people know them: variables and expressions
places          the source ranges that nodes are shown at
printer         graphs as text; `debug_names` and `canonical` say how values are called
dot             graphs as graphviz draws them
parser          text as graphs, by grammar/ir.lark; `type_parser` for the types in it
verifier        checks that a graph is well formed
constants       Python values as `prim::Constant` nodes, and back
named_devices   the devices that constants name, and others in their place
trace_notes     notes of a trace: the tensors and the submodules that it saw
copying         copies of nodes, blocks and graphs; `packing`: graphs as tuples for pickle
points_to       the memory that values may point to; `alias`: which nodes write to which values;
                `running_again`: which graphs may run once more
made_objects    where an object of a C++ class is made
native_loops    marks of loops that may run as C, and a loop as a graph of its own
in_place        functional replacements of in-place operators; `in_place_forms`: their functions

The front end makes graphs, the passes change them, `kernels` and `codegen` read them.
Torch's counterpart: torch/csrc/jit/ir.
"""
