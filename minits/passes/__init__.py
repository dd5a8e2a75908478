"""Passes: from a graph to a graph that means the same. One file a pass, with IR before and after.

pipeline         begin here: every pass by name, and the orders in which they run
context          arguments of passes beside the graph, and results for those after them
instrumentation  showing, verifying and timing passes
user_passes      passes of users' files, for `--load-pass`
emission         a new graph, with loads, stores and returns anywhere, to SSA form
saved_values     tensors that eager saves for gradients
remarks          reports of what was done and what was not, and what would change that
peephole, constant_propagation, constant_pooling, cse, dce, inlining, loop_unrolling,
unrolling_by_eight, list_mutation, whole_slices, refine_types, literal_containers,
lower_simple_tuples, lower_all_tuples, wrapped_numbers, sizes_as_numbers, normalize_ops,
canonicalize_outputs, preoptimize, joined_types
                 the passes that need a graph alone; begin with any of them
refinement       what conditions tell of integers and lengths
specialization, hooked_calls, shape_propagation, hoist_views, remove_mutation
                 those that make a plan: what a call tells is put into the graph
plan_passes      the same as rows of the pipeline
freezing         passes for modules whose attributes are constants
fusion           operators become groups, `prim::FusionGroup`

`frontend/emit/definition.py` runs the pipeline of new graphs, `runtime/planning.py` and
`runtime/fusing.py` those of plans, the command line any.
Torch's counterpart: torch/csrc/jit/passes.
"""
