"""Comprehensions and generator expressions."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "comprehensions",
    "Comprehensions",
    "Expressions: Displays, Comprehensions",
    (
        Rule(
            "type-of-elements",
            shows="comprehensions/element_type",
            breaks="comprehensions/element_of_other_type",
            by="minits.frontend.emit.containers.emit_list_comprehension",
        ),
        Rule(
            "scope",
            shows=("comprehensions/own_scope", "control_flow/list_comprehensions"),
            breaks="comprehensions/variable_outside",
            by="minits.frontend.values.environment.Environment",
        ),
        Rule(
            "what-is-walked",
            shows=("comprehensions/over_ranges", "control_flow/comprehension_over_iterables"),
            breaks=("comprehensions/over_int", "errors/iterate_over_int"),
            by="minits.frontend.emit.loops.emit_iteration",
        ),
        Rule(
            "over-tuples",
            shows="comprehensions/over_tuple",
            breaks="comprehensions/over_tuple_of_mixed",
            by="minits.frontend.emit.loops.emit_iteration",
        ),
        Rule(
            "nesting",
            shows="comprehensions/nested",
            breaks=(
                "comprehensions/two_loops",
                "errors/comprehension_two_loops",
                "errors/comprehension_condition",
            ),
            by="minits.syntax.fence.check_supported",
        ),
        Rule(
            "dicts",
            shows="comprehensions/of_dicts",
            breaks=("comprehensions/of_dicts_with_condition", "comprehensions/of_sets"),
            by="minits.frontend.emit.containers.emit_dict_comprehension",
        ),
        Rule(
            "generators",
            shows="comprehensions/generator",
            breaks="comprehensions/over_int",
            by="minits.frontend.emit.containers.emit_list_comprehension",
        ),
    ),
)
