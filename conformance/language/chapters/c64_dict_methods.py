"""The methods of dicts."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "dict_methods",
    "Methods of dicts",
    "Built-in methods: dicts",
    (
        Rule(
            "get",
            shows="dict_methods/get",
            breaks="dict_methods/get_is_optional",
            by="minits.ops.implementations.containers.dict_item",
        ),
        Rule(
            "keys-values-items",
            shows=("dict_methods/views", "containers/dict_items_and_mutation"),
            breaks="dict_methods/unknown_method",
            by="minits.frontend.values.simple_value.SimpleValue.attr",
        ),
        Rule(
            "pop-and-popitem",
            shows="dict_methods/pop",
            breaks="dict_methods/popitem",
            by="minits.ops.implementations.containers.dict_pop",
        ),
        Rule(
            "setdefault-and-update",
            shows="dict_methods/setdefault_and_update",
            breaks="dict_methods/update_by_other_type",
            by="minits.ops.implementations.containers.dict_update",
        ),
        Rule(
            "copy-and-clear",
            shows="dict_methods/copy_and_clear",
            breaks="dict_methods/clear_of_key",
            by="minits.frontend.values.simple_value.SimpleValue.attr",
        ),
        Rule(
            "membership-and-deletion",
            shows=("dict_methods/membership", "containers/dict_operations"),
            breaks=("dict_methods/membership_of_value", "dict_methods/deletion"),
            by="minits.ops.implementations.containers.dict_delete",
        ),
    ),
    cases=(
        "containers/dict_key_types",
        "dict_methods/keywords_beside_pairs",
        "errors/dict_key_type",
        "errors/unhashable_key_type",
    ),
)
