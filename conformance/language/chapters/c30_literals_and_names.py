"""Literals, and what a name stands for."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "literals_and_names",
    "Literals and names",
    "Expressions: Identifiers, Literals",
    (
        Rule(
            "ints",
            shows=("literals_and_names/ints_in_bases", "types/large_literals"),
            breaks="arithmetic/literal_beyond_64_bits",
            by="minits.syntax.literals.number_value",
        ),
        Rule(
            "floats",
            shows="literals_and_names/floats",
            breaks="literals_and_names/bytes_literal",
            by="minits.frontend.values.emitter.Emitter.literal",
        ),
        Rule(
            "imaginary-numbers",
            shows="literals_and_names/imaginary",
            breaks="comparisons/order_of_complex",
            by="minits.syntax.literals.number_value",
        ),
        Rule(
            "strings",
            shows=("literals_and_names/strings_of_characters", "types/string_escapes"),
            breaks="literals_and_names/bytes_literal",
            by="minits.syntax.literals.string_value",
        ),
        Rule(
            "constants",
            shows="literals_and_names/true_false_none",
            breaks=("literals_and_names/not_implemented", "literals_and_names/ellipsis_value"),
            by="minits.ir.constants.insert_constant",
        ),
        Rule(
            "scopes",
            shows=(
                "literals_and_names/local_then_module",
                "functions/scripted_and_overloaded_names",
            ),
            breaks=(
                "literals_and_names/read_before_bound",
                "errors/undefined_name",
                "errors/global_number",
            ),
            by="minits.frontend.values.emitter.Emitter.lookup",
        ),
        Rule(
            "hiding",
            shows="functions/shadowed_builtins",
            breaks="literals_and_names/shadowed_function",
            by="minits.frontend.values.environment.Environment.find",
        ),
        Rule(
            "bound-on-all-paths",
            shows=("literals_and_names/bound_by_both_branches", "control_flow/if_elif_chain_joins"),
            breaks=(
                "errors/bound_in_one_branch_only",
                "errors/bound_in_loop_only",
                "errors/loop_variable_not_defined_after",
            ),
            by="minits.frontend.emit.branches.emit_branches",
        ),
        Rule(
            "underscore",
            shows="literals_and_names/underscore",
            breaks="literals_and_names/underscore_type",
            by="minits.frontend.values.environment.Environment.set",
        ),
        Rule(
            "deletion",
            shows=("literals_and_names/deleted_and_bound_again", "functions/del_and_reuse"),
            breaks="errors/deleted_name",
            by="minits.frontend.emit.statements.emit_delete",
        ),
    ),
    cases=(
        "functions/closure_over_function",
        "functions/imports_and_aliases",
        "errors/closed_over_number",
    ),
)
