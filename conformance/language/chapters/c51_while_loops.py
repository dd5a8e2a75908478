"""The while loop."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "while_loops",
    "The while statement",
    "Compound statements: while",
    (
        Rule(
            "condition",
            shows=(
                "while_loops/no_turn",
                "while_loops/number_condition",
                "while_loops/list_condition",
                "control_flow/while_with_complex_condition",
            ),
            breaks=("while_loops/tensor_of_several_elements", "while_loops/tuple_condition"),
            by="minits.frontend.emit.loops.emit_while",
        ),
        Rule(
            "carried-variables",
            shows=("while_loops/carried_containers", "optional_and_final/loop_carried_optional"),
            breaks=("while_loops/type_changes_in_body", "while_loops/bound_in_body"),
            by="minits.passes.emission.ssa.to_ssa",
        ),
        Rule(
            "no-refinement",
            shows="optional_and_final/while_not_none",
            breaks="errors/while_condition_does_not_refine",
            by="minits.frontend.emit.loops.emit_while",
        ),
        Rule(
            "endless-loops",
            shows="control_flow/infinite_loop_with_exits",
            breaks="errors/loop_else",
            by="minits.frontend.emit.loops.emit_while",
        ),
    ),
    cases=(
        "control_flow/loops_in_branches_in_loops",
        "control_flow/sorting_by_hand",
        "errors/none_assigned_to_refined",
    ),
)
