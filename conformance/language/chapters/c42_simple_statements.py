"""raise, assert, return, del, pass, print, warnings.warn."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "simple_statements",
    "Simple statements",
    "Simple statements: raise, assert, return, del, pass, print",
    (
        Rule(
            "raise",
            shows=(
                "control_flow/raise_kinds",
                "simple_statements/raise_with_computed_message",
                "simple_statements/raise_class_alone",
                "simple_statements/raise_own_class",
            ),
            breaks=("errors/raise_of_int", "simple_statements/bare_raise"),
            by="minits.frontend.emit.statements.emit_raise",
        ),
        Rule(
            "assert",
            shows=(
                "control_flow/assert_with_message",
                "simple_statements/assert_conditions",
                "simple_statements/assert_message_of_any_type",
                "simple_statements/torch_check",
            ),
            breaks="simple_statements/assert_of_many_elements",
            by="minits.frontend.emit.statements.emit_assert",
        ),
        Rule(
            "return",
            shows=(
                "functions/inferred_return_type",
                "functions/no_return",
                "simple_statements/return_nothing",
            ),
            breaks=(
                "errors/missing_return",
                "errors/returns_disagree",
                "errors/return_type_mismatch",
                "simple_statements/returned_value_of_none_function",
            ),
            by="minits.frontend.emit.statements.emit_return",
        ),
        Rule(
            "del-of-variables",
            shows="functions/del_and_reuse",
            breaks=(
                "errors/deleted_name",
                "simple_statements/delete_attribute",
                "if_statements/deleted_before_other_branch",
            ),
            by="minits.frontend.emit.statements.emit_delete",
        ),
        Rule(
            "del-of-items",
            shows="simple_statements/delete_items",
            breaks=("simple_statements/delete_slice", "simple_statements/delete_tuple_item"),
            by="minits.frontend.emit.statements.emit_delete",
        ),
        Rule(
            "expression-statements",
            shows=("simple_statements/expression_statement", "functions/print_and_pass"),
            breaks="errors/yield_statement",
            by="minits.frontend.emit.statements.emit_expression_statement",
        ),
        Rule(
            "print",
            shows="simple_statements/print_values",
            breaks=("errors/print_keyword", "simple_statements/print_is_no_value"),
            by="minits.frontend.values.builtins.Print",
        ),
        Rule(
            "warnings",
            shows="simple_statements/warnings",
            breaks="simple_statements/warning_of_number",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
    ),
    cases=(
        "simple_statements/raise_from",
        "functions/many_results",
        "errors/global_statement",
        "errors/import_statement",
        "errors/try_statement",
        "errors/async_function",
        "errors/match_statement",
    ),
)
