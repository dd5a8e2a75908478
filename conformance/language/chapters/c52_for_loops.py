"""for loops over ranges, containers, tensors, tuples and modules."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "for_loops",
    "The for statement",
    "Compound statements: for-in, zip, enumerate",
    (
        Rule(
            "range",
            shows=("for_loops/range_counts", "control_flow/range_forms"),
            breaks=("for_loops/range_of_float", "for_loops/range_without_arguments"),
            by="minits.frontend.values.iterables.Range",
        ),
        Rule(
            "evaluated-once",
            shows=(
                "control_flow/range_bounds_evaluated_once",
                "control_flow/mutation_while_iterating",
            ),
            breaks="for_loops/length_is_taken_first",
            by="minits.frontend.emit.loops.emit_iteration",
        ),
        Rule(
            "containers",
            shows=(
                "control_flow/for_over_containers",
                "for_loops/rows_of_a_tensor",
                "for_loops/dict_keys_and_items",
            ),
            breaks=("errors/iterate_over_int", "for_loops/optional_list"),
            by="minits.frontend.emit.loops.emit_for",
        ),
        Rule(
            "zip",
            shows=(
                "for_loops/zip_of_lengths",
                "for_loops/keywords_unread",
                "control_flow/enumerate_and_zip",
            ),
            breaks="for_loops/zip_of_int",
            by="minits.frontend.values.iterables.IterableTree",
        ),
        Rule(
            "enumerate",
            shows="for_loops/enumerate_start",
            breaks="for_loops/enumerate_of_int",
            by="minits.frontend.values.iterables.IterableTree",
        ),
        Rule(
            "modules-unrolled",
            shows=("for_loops/modules_unrolled", "for_loops/list_of_parameters"),
            breaks=("for_loops/modules_of_other_signatures", "for_loops/module_is_no_container"),
            by="minits.frontend.modules.module_value.ModuleValue.iter",
        ),
        Rule(
            "tuples-unrolled",
            shows=("for_loops/tuple_of_one_type", "control_flow/static_unrolled_tuple_loop"),
            breaks="for_loops/break_in_unrolled_loop",
            by="minits.frontend.emit.loops.emit_iteration",
        ),
        Rule(
            "targets",
            shows=("for_loops/nested_targets", "for_loops/attribute_target"),
            breaks="for_loops/targets_do_not_fit",
            by="minits.frontend.emit.assignments.assign_targets",
        ),
        Rule(
            "after-the-loop",
            shows="control_flow/loop_variable_after_loop",
            breaks=("errors/loop_variable_not_defined_after", "errors/bound_in_loop_only"),
            by="minits.frontend.values.environment.Environment.get",
        ),
    ),
    cases=("containers/reversed_and_ranges",),
)
