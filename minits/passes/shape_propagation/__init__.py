"""Shape propagation: the dtype, device, shape and strides of each tensor of a graph, unrun.

propagate       the graph is run on metadata instead of tensors; begin here
rules           the metadata of an operator's result, by torch's rules, without running anything;
                the table, and the rules of what is elementwise or reduces
product_rules, moving_rules   rules of products and windows, and of what moves elements
data_dependent_rules   those of operators whose sizes depend on data: dtype and rank
abstract_values   what values of metadata are, and the join of two
rule_parts      what rules are made of
meta_execution  running an operator on meta tensors, for those that have no rule

The pass `infer-metadata` (`plan_passes.py`) calls it; constant propagation, fusion, the removal of
mutation and the lowering ask what it found.
Torch's counterpart: torch/csrc/jit/passes/shape_analysis.cpp.
"""
