"""The if statement: conditions, joins, branches decided while compiling."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "if_statements",
    "The if statement",
    "Compound statements: if",
    (
        Rule(
            "conditions",
            shows=(
                "if_statements/number_conditions",
                "control_flow/tensor_conditions",
                "containers/truth_of_containers",
            ),
            breaks=("if_statements/tuple_condition", "if_statements/optional_condition"),
            by="minits.frontend.emit.conditions.to_bool",
        ),
        Rule(
            "branches-bind-variables",
            shows=("if_statements/nested_joins", "control_flow/if_elif_chain_joins"),
            breaks="errors/bound_in_one_branch_only",
            by="minits.frontend.emit.branches.emit_branches",
        ),
        Rule(
            "joined-types",
            shows=("if_statements/optional_join", "control_flow/types_joined_by_branches"),
            breaks=(
                "if_statements/list_join",
                "if_statements/numbers_do_not_join",
                "errors/branches_bind_different_types",
            ),
            by="minits.frontend.emit.branches.emit_branches",
        ),
        Rule(
            "branches-that-leave",
            shows="if_statements/branch_that_leaves",
            breaks="errors/continue_does_not_refine",
            by="minits.frontend.emit.branches.emit_branches",
        ),
        Rule(
            "static-flags",
            shows=(
                "optional_and_final/final_flag_selects_branch",
                "if_statements/and_with_static_side",
                "if_statements/constant_condition",
            ),
            breaks=(
                "errors/final_branch_type",
                "errors/final_int_test_is_not_static",
                "if_statements/right_side_is_compiled",
            ),
            by="minits.frontend.emit.conditions.emit_choice",
        ),
        Rule(
            "static-hasattr",
            shows="if_statements/hasattr_of_module",
            breaks="if_statements/hasattr_of_computed_name",
            by="minits.frontend.emit.type_tests.emit",
        ),
        Rule(
            "static-isinstance",
            shows=("if_statements/isinstance_of_container", "types/isinstance_static"),
            breaks="if_statements/isinstance_at_run_time",
            by="minits.frontend.emit.type_tests.emit",
        ),
        Rule(
            "is-scripting",
            shows="functions/ignored_python_function",
            breaks="if_statements/is_scripting_in_a_variable",
            by="minits.frontend.emit.conditions.emit_choice",
        ),
    ),
    cases=(
        "control_flow/unused_branch_variables",
        "control_flow/nested_conditions_with_calls",
        "optional_and_final/none_attribute_is_static",
        "optional_and_final/none_compared",
    ),
)
