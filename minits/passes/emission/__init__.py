"""The passes of a new graph, between the emitter and what torch prints.

ssa              loads and stores of variables to SSA values; begin here
exits, consecutive_ifs    returns within branches and loops as structured control flow
copied_names     names of values in blocks that torch copies and consecutive_ifs moves
modified_loops   loops with a trip count and a condition
empty_lists      empty lists without a declared type: lists of tensors, as in torch
forks            closures of `torch.jit.fork`, in two passes
dead_code        dead code and constants, as torch eliminates and folds them in a new graph
warning_numbers  the numbers by which warnings are shown once

The pipeline "emission" (`passes/pipeline.py`) runs them, and `frontend/emit/definition.py` that.
Source: torch/csrc/jit/frontend/ir_emitter.cpp (`runCleanupPasses`).
"""
