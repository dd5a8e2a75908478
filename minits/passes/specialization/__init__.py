"""Specialization: what a call tells is put into the graph of a plan.

specialize    arguments that are None in this call are None in the graph
module_flags  attributes of modules that seldom change become constants, guarded by the plan

`plan_passes.py` runs both first; what they make constant decides branches, and so what is fused.
Torch's counterpart: torch/csrc/jit/runtime/argument_spec.cpp, passes/specialize_autogradzero.cpp.
"""
