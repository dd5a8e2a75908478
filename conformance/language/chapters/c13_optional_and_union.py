"""Optional and Union: what a test makes of them, and how long."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "optional_and_union",
    "Optional and Union",
    "Types: Optional, Union; Type refinement",
    (
        Rule(
            "spellings",
            shows=("types/union_none_spellings", "types/pep604_and_585"),
            breaks=("optional_and_union/union_other_member", "errors/unknown_type_name"),
            by="minits.types.subtyping.union_of",
        ),
        Rule(
            "needs-a-test",
            shows=(
                "optional_and_final/optional_through_calls",
                "optional_and_final/optional_lists_and_dicts",
            ),
            breaks=("errors/optional_used_unrefined", "errors/method_on_optional"),
            by="minits.types.subtyping.is_subtype",
        ),
        Rule(
            "is-none",
            shows="optional_and_final/nested_optionals_in_tuples",
            breaks=(
                "optional_and_union/not_refined_by_other_variable",
                "errors/subscript_refinement",
                "errors/attribute_refinement_lost",
            ),
            by="minits.frontend.values.narrowing.refine",
        ),
        Rule(
            "and-or-not",
            shows=(
                "optional_and_final/and_or_refinement",
                "optional_and_union/or_refines_after_not",
            ),
            breaks=("errors/refinement_ends_with_or", "optional_and_union/and_refines_not_else"),
            by="minits.frontend.values.refinement.RefinementSet",
        ),
        Rule(
            "leaving-a-branch",
            shows=("optional_and_union/refined_by_return", "optional_and_final/raise_refines"),
            breaks="errors/continue_does_not_refine",
            by="minits.frontend.emit.branches.emit_branches",
        ),
        Rule(
            "assert",
            shows="optional_and_final/assert_refines",
            breaks="errors/optional_used_unrefined",
            by="minits.frontend.emit.statements.emit_assert",
        ),
        Rule(
            "assignment",
            shows=(
                "optional_and_final/assignment_refines",
                "optional_and_final/refinement_does_not_leak",
            ),
            breaks=("optional_and_union/end_at_assignment", "errors/none_assigned_to_refined"),
            by="minits.frontend.values.environment.Environment.set",
        ),
        Rule(
            "loops",
            shows=("optional_and_final/loop_carried_optional", "optional_and_final/while_not_none"),
            breaks="errors/while_condition_does_not_refine",
            by="minits.frontend.emit.loops.emit_while",
        ),
        Rule(
            "isinstance",
            shows=(
                "optional_and_union/isinstance_splits",
                "types/union_refined_by_isinstance",
                "optional_and_final/isinstance_of_none",
                "types/isinstance_static",
            ),
            breaks="optional_and_union/union_without_test",
            by="minits.frontend.emit.type_tests.emit",
        ),
    ),
    cases=(
        "optional_and_final/default_none_is_optional",
        "optional_and_final/early_return_in_loops",
        "optional_and_final/optional_attribute",
        "optional_and_final/none_attribute_is_static",
        "optional_and_final/unwrap_function",
        "optional_and_final/unwrap_in_containers",
        "optional_and_final/optional_tensor_through_layers",
    ),
)
