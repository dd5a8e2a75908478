"""Leaving loops and functions early."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "exits",
    "break, continue, return",
    "Simple statements: break, continue, return",
    (
        Rule(
            "break",
            shows=("exits/break_keeps_values", "control_flow/break_continue_nested"),
            breaks=("exits/break_binds_for_after", "for_loops/break_in_unrolled_loop"),
            by="minits.frontend.emit.loops.emit_break",
        ),
        Rule(
            "continue",
            shows="exits/continue_skips_the_rest",
            breaks="exits/continue_in_unrolled_loop",
            by="minits.frontend.emit.loops.emit_continue",
        ),
        Rule(
            "return-from-within",
            shows=(
                "control_flow/return_from_depth",
                "control_flow/early_return_and_effects",
                "exits/return_from_unrolled_loop",
            ),
            breaks=("exits/return_in_a_loop_of_other_type", "exits/return_missing_after_loop"),
            by="minits.passes.emission.exits.transform_exits",
        ),
        Rule(
            "raise-ends-a-path",
            shows="exits/raise_ends_a_function",
            breaks="exits/raise_in_one_branch",
            by="minits.passes.emission.exits.transform_exits",
        ),
        Rule(
            "unreachable-code",
            shows=("control_flow/dead_code_after_return", "exits/code_after_return"),
            breaks="exits/code_after_raise",
            by="minits.passes.emission.exits.transform_exits",
        ),
    ),
    cases=(
        "control_flow/tuple_returned_from_loops",
        "optional_and_final/early_return_in_loops",
    ),
)
