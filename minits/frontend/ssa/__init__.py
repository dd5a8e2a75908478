"""Graph to graph: what happens to a graph between its emission and what torch prints.

ssa              loads and stores of variables to SSA values; begin here
exits, consecutive_ifs    returns within branches and loops, to structured control flow
modified_loops   loops whose condition changes
forks            closures of `torch.jit.fork`
cleanup          the last passes
"""
