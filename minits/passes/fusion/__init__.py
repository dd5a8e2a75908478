"""Fusion: operators that become one kernel, and changes for more of them to.

fuse          the pass itself, begin here: groups as `prim::FusionGroup`, and remarks
class_losses  cross entropies of classes in parts of which each is a kernel
dropout       dropout in training in a draw, which is torch's, and a multiplication
subgraph      what a group of operators reads and gives, as a graph and as a kernel
dependences   what must come before what in a region of straight-line code
nested_effects  what the blocks within nodes read and write
raising_gradients  operators whose gradients raise an error, and those around them
grouping      which operators become one group
partition     the groups of a region as they grow, and their order
neighbours    pairs of groups that may be joined, near ones first
outline       groups put into the graph as `prim::FusionGroup`
outcomes      the outcome of each operator as a remark: fused, or why not
shape_queries questions for sizes of computed tensors, asked of what they are computed from

The pipeline runs them, by `passes/plan_passes.py`; `codegen/group_kernels.py` lowers the groups.
"""
