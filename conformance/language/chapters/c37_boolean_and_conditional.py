"""Boolean operators and conditional expressions."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "boolean_and_conditional",
    "Boolean operations and conditional expressions",
    "Expressions: Boolean operations, Conditional expressions",
    (
        Rule(
            "truth",
            shows=(
                "boolean_and_conditional/and_or_give_bools",
                "boolean_and_conditional/and_of_numbers",
                "containers/truth_of_containers",
            ),
            breaks=(
                "boolean_and_conditional/and_of_device",
                "boolean_and_conditional/not_of_optional",
            ),
            by="minits.frontend.emit.conditions.to_bool",
        ),
        Rule(
            "ranks",
            shows=(
                "boolean_and_conditional/ranks_of_logic",
                "control_flow/boolean_operators_short_circuit",
            ),
            breaks="boolean_and_conditional/not_binds_looser",
            by="minits.frontend.emit.conditions.emit",
        ),
        Rule(
            "short-circuit",
            shows="boolean_and_conditional/skipped_side_may_fail",
            breaks="boolean_and_conditional/needed_side_fails",
            by="minits.frontend.emit.conditions.emit",
        ),
        Rule(
            "truth-of-tensors",
            shows=("boolean_and_conditional/tensor_truth", "control_flow/tensor_conditions"),
            breaks="boolean_and_conditional/tensor_truth_ambiguous",
            by="minits.frontend.emit.conditions.to_bool",
        ),
        Rule(
            "conditional-expression",
            shows=(
                "boolean_and_conditional/conditional_joins_optional",
                "control_flow/conditional_expressions",
            ),
            breaks=(
                "boolean_and_conditional/conditional_of_tensor_and_number",
                "errors/ternary_types_differ",
            ),
            by="minits.frontend.emit.conditions.emit_choice",
        ),
        Rule(
            "static-conditions",
            shows="boolean_and_conditional/conditional_static",
            breaks="boolean_and_conditional/conditional_not_static",
            by="minits.frontend.emit.conditions.emit_conditional",
        ),
    ),
    cases=("optional_and_final/ternary_refines",),
)
