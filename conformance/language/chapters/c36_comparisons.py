"""Comparisons of values and identities, membership tests."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "comparisons",
    "Comparisons",
    "Expressions: Comparisons",
    (
        Rule(
            "numbers",
            shows=("comparisons/of_numbers", "types/float_special_values"),
            breaks=("comparisons/of_number_and_string", "errors/compare_incomparable"),
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "strings",
            shows="comparisons/of_strings",
            breaks="errors/compare_incomparable",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "bools",
            shows="comparisons/of_bools",
            breaks="comparisons/of_number_and_string",
            by="minits.frontend.calls.schema_matching.convert",
        ),
        Rule(
            "complex-numbers",
            shows="comparisons/of_complex",
            breaks="comparisons/order_of_complex",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "lists",
            shows=("comparisons/of_lists", "containers/list_comparison_and_search"),
            breaks=("comparisons/of_lists_of_lists", "comparisons/of_dicts"),
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "chains",
            shows=("comparisons/chains", "functions/chained_comparison"),
            breaks="comparisons/chain_of_unordered",
            by="minits.frontend.emit.conditions.chained",
        ),
        Rule(
            "membership",
            shows=("comparisons/membership", "comparisons/membership_in_string_list"),
            breaks=("comparisons/membership_of_other_type", "comparisons/membership_in_tuple"),
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "membership-in-strings",
            shows="comparisons/membership_in_string",
            breaks="comparisons/membership_of_other_type",
            by="minits.frontend.values.builtin_functions.builtin_functions",
        ),
        Rule(
            "identity",
            shows=(
                "comparisons/identity_of_none",
                "comparisons/identity_of_numbers",
                "comparisons/identity_of_optional_numbers",
                "comparisons/identity_of_lists",
                "optional_and_final/none_compared",
            ),
            breaks="errors/subscript_refinement",
            by="minits.frontend.emit.conditions.emit",
        ),
        Rule(
            "tensors",
            shows=("comparisons/of_tensors", "comparisons/chain_of_tensors"),
            breaks="comparisons/of_tensors_unbroadcast",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
    ),
    cases=(
        "comparisons/of_devices_and_dtypes",
        "tensors/comparisons_and_where",
    ),
)
