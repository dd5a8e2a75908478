"""Lists and dicts: their types, their displays, who shares them."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "lists_and_dicts",
    "Lists and dicts",
    "Types: List, Dict; Expressions: List displays, Dictionary displays",
    (
        Rule(
            "list-displays",
            shows=(
                "lists_and_dicts/list_display",
                "lists_and_dicts/list_of_optionals",
                "types/empty_container_annotations",
            ),
            breaks=(
                "lists_and_dicts/list_of_int_and_float",
                "errors/list_of_mixed_types",
                "errors/empty_list_of_tensors",
                "errors/set_literal",
            ),
            by="minits.frontend.emit.containers.emit_list",
        ),
        Rule(
            "list-invariance",
            shows=("lists_and_dicts/invariant", "types/list_invariance_and_covariance"),
            breaks="errors/list_int_for_optional_list",
            by="minits.types.subtyping.is_subtype",
        ),
        Rule(
            "dict-displays",
            shows=("lists_and_dicts/dict_display", "containers/dict_constructor"),
            breaks=(
                "lists_and_dicts/dict_of_mixed_values",
                "lists_and_dicts/dict_of_mixed_keys",
                "errors/empty_dict_of_tensors",
                "errors/dict_spread",
            ),
            by="minits.frontend.emit.containers.emit_dict",
        ),
        Rule(
            "dict-invariance",
            shows="lists_and_dicts/dict_display",
            breaks="lists_and_dicts/dict_invariant",
            by="minits.types.subtyping.is_subtype",
        ),
        Rule(
            "keys",
            shows=("lists_and_dicts/key_types", "containers/dict_key_types"),
            breaks=(
                "lists_and_dicts/tuple_key",
                "lists_and_dicts/tuple_in_a_comprehension",
                "errors/unhashable_key_type",
                "errors/dict_key_type",
            ),
            by="minits.types.dict_keys.check_key",
        ),
        Rule(
            "sharing",
            shows=("lists_and_dicts/shared_not_copied", "containers/list_aliasing"),
            breaks="lists_and_dicts/append_other_type",
            by="minits.frontend.calls.schema_matching.match_schema",
        ),
        Rule(
            "from-python",
            shows=("lists_and_dicts/items_from_python", "functions/arguments_from_python"),
            breaks="lists_and_dicts/wrong_items_from_python",
            by="minits.runtime.arguments.bind_arguments",
        ),
        Rule(
            "walking-dicts",
            shows=("lists_and_dicts/dict_changed_in_loop", "containers/dict_items_and_mutation"),
            breaks="lists_and_dicts/delete_missing_key",
            by="minits.frontend.values.simple_value.SimpleValue.iter",
        ),
    ),
    cases=(
        "containers/list_of_lists_repetition",
        "containers/constant_lists_are_fresh",
        "containers/nested_containers",
        "containers/lists_of_tensors",
        "containers/global_order_of_effects",
    ),
)
