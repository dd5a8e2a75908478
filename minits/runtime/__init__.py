"""Objects that a user holds and calls: compiled functions and modules; the plans of calls.

interpreter      the reference interpreter, the shortest way to run a graph; begin here
script, script_module, script_containers, compilation_unit   what `minits.script` returns
made_modules     how compiled modules are made
script_variants, overloads, module_attributes, module_containers, hook_tables   their parts
arguments, argument_faults   Python values into compiled code and out of it
plans            begin here for calls: which plan a call has
plan_table       the plans that a function has, and which calls get new ones
planning, fusing, plan, signature, binding, any_sizes    how a plan is made and bound to shapes
native_plans     plans as C: the whole of one, or its loops
task_plans       plans of what a fork runs
direct_calls, repeated_calls   the short way into a plan that is bound
reflection, module_view   what programs ask of schemas and modules, as torch answers
stored_plans, stored, digest   plans on disk
saving, loading, loaded_objects, state_budget   archives written and read, by `minits/archive`
pickling         compiled modules and functions as pickle carries them
in_python        compiled functions as Python ones, for other tools of torch
taken_over       functions and modules that torch.jit has compiled, read as archives
first_errors     the error of a call that comes first in the program; `absent_devices`: its device
strict_fusion    raising where something does not fuse
executor_settings    the settings of torch.jit's executor that mean something here

`minits.api` and the command line call it. Torch's counterpart: torch/jit/_script.py and
torch/csrc/jit/runtime/profiling_graph_executor_impl.cpp.
"""
