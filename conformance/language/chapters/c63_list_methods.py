"""The methods of lists."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "list_methods",
    "Methods of lists",
    "Built-in methods: lists",
    (
        Rule(
            "append-and-extend",
            shows="list_methods/append_and_extend",
            breaks="list_methods/append_of_other_type",
            by="minits.ops.implementations.containers.extend",
        ),
        Rule(
            "insert",
            shows="list_methods/insert",
            breaks="list_methods/insert_before_string",
            by="minits.ops.implementations.containers.insert",
        ),
        Rule(
            "pop",
            shows=("list_methods/pop", "containers/stack_and_queue"),
            breaks="list_methods/pop_by_string",
            by="minits.ops.implementations.containers.pop",
        ),
        Rule(
            "remove-index-count",
            shows="list_methods/remove_and_search",
            breaks=("list_methods/remove_missing", "list_methods/unknown_method"),
            by="minits.ops.implementations.containers.index",
        ),
        Rule(
            "reverse-and-sort",
            shows=(
                "list_methods/reverse_and_sort",
                "containers/sort_by_flag",
                "containers/sort_tuples",
            ),
            breaks=("list_methods/sort_of_lists", "list_methods/sort_by_key"),
            by="minits.ops.implementations.sorting.sort",
        ),
        Rule(
            "copy-and-clear",
            shows="list_methods/copy_and_clear",
            breaks="list_methods/copy_of_range",
            by="minits.ops.implementations.containers.slice_",
        ),
        Rule(
            "membership",
            shows="list_methods/membership",
            breaks="list_methods/membership_of_other_type",
            by="minits.ops.implementations.containers.contains_float",
        ),
    ),
    cases=(
        "containers/list_methods",
        "containers/list_comparison_and_search",
    ),
)
