"""Fusion: groups of operators that become one kernel each, and rewrites that make larger groups.

fuse          the pass itself, begin here: groups as `prim::FusionGroup`, and remarks
class_losses  splits the cross entropy of classes into parts that are a kernel each
dropout       splits dropout in training into torch's draw of a mask and a multiplication
subgraph      the inputs and outputs of a group of operators; the group as a graph and as a kernel
dependences   the order that nodes of a region of straight-line code must keep
nested_effects  the memory that the blocks within nodes read and write
raising_gradients  operators whose gradients raise an error, and those around them
grouping      finds the operators that become one group
partition     the groups of a region as they grow, and their order
neighbours    pairs of groups that may be joined, near ones first
outline       groups put into the graph as `prim::FusionGroup`
outcomes      the remark on each operator: in which kernel it is, or why in none
causes        the first of a chain of operators that one cause keeps out of kernels
known_slices  passes over slices of a whole dimension, where the rank is known
shape_queries makes the size of a computed tensor one of the tensors it is computed from

The pipeline runs them, by `passes/plan_passes.py`; `codegen/group_kernels.py` lowers the groups.
"""
