"""The passes of a new graph, between the emitter and what torch prints.

ssa              loads and stores of variables to SSA values; begin here
exits, consecutive_ifs    returns within branches and loops, to structured control flow
copied_names     names of what consecutive_ifs moves and torch copies
modified_loops   loops with a trip count and a condition
empty_lists      lists of which no use has told the type
forks            closures of `torch.jit.fork`, in two passes
dead_code        the elimination of dead code that torch does to a new graph, twice if need be
warning_numbers  the numbers by which warnings are shown once

The pipeline "emission" (`passes/pipeline.py`) runs them, and `frontend/emit/definition.py` that.
Source: torch/csrc/jit/frontend/ir_emitter.cpp (`runCleanupPasses`).
"""
