"""Changes in place, and the values that see them."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "mutation_and_views",
    "Mutation and views",
    "Built-in class: torch.Tensor, in place",
    (
        Rule(
            "views-share-memory",
            shows=("mutation_and_views/views_share_memory", "tensors/in_place_and_views"),
            breaks="mutation_and_views/view_of_transposed",
            by="minits.ir.alias.AliasAnalysis",
        ),
        Rule(
            "arguments-are-changed",
            shows=(
                "mutation_and_views/arguments_are_changed",
                "mutation_and_views/rebinding_is_no_change",
            ),
            breaks="errors/mutable_default",
            by="minits.ir.alias.AliasAnalysis",
        ),
        Rule(
            "order-of-effects",
            shows=(
                "mutation_and_views/order_of_effects",
                "mutation_and_views/alias_in_a_loop",
                "containers/global_order_of_effects",
            ),
            breaks="mutation_and_views/assignment_to_data",
            by="minits.ir.alias.AliasAnalysis",
        ),
        Rule(
            "overlapping-memory",
            shows="mutation_and_views/overlapping_reads",
            breaks="mutation_and_views/expanded_memory",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "gradients",
            shows=("mutation_and_views/detached_memory", "tensors/autograd_through_graph"),
            breaks="mutation_and_views/leaf_that_requires_gradients",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
    ),
    cases=(
        "containers/list_aliasing",
        "containers/lists_of_tensors",
        "containers/constant_lists_are_fresh",
        "tensors/constants_in_graph",
    ),
)
