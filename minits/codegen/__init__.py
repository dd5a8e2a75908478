"""From a graph to a Python function that carries the user's file and lines.

python           begin here: `compile_graph`, and its text for people
blocks, loops, list_loops   control flow
expressions, templates, guarded_forms, statement_templates, torch_calls, tensor_slices,
    evaluated    operators
variables, liveness, uses   the variable of each value, shared by those that allow it
releases         the end of each variable: `del` at the last use of its tensor
integer_bounds, float_signs   where 64-bit integers wrap around, where a test is not needed
constant_containers   lists and dicts that are constants, of which each run gives copies
context_stack, objects, hooked_calls, generated   helpers of running code; data that it carries
script_traceback   the messages of errors, with the program's lines
tasks            calls that `torch.jit.fork` starts, on other threads
groups           a `prim::FusionGroup` as a callable, by `kernels/launch_cache.py`
group_body, group_kernels, kernel_text, stored_launch   its operators; its kernels
temporaries      inputs of groups that nobody can change before their gradients

`runtime/planning.py` makes plans by it, the command line shows its text.
Torch's counterpart: torch/csrc/jit/runtime/interpreter.cpp.
"""
