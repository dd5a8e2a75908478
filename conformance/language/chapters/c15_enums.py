"""Enums."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "enums",
    "Enums",
    "Types: Enums",
    (
        Rule(
            "members",
            shows=("enums/values_and_names", "types/enum_members"),
            breaks=("enums/unknown_member", "enums/attribute_set"),
            by="minits.frontend.values.builtins.EnumClass",
        ),
        Rule(
            "values",
            shows="enums/aliases",
            breaks=(
                "enums/alias_named",
                "errors/enum_of_mixed_values",
                "errors/enum_of_tensors",
            ),
            by="minits.frontend.python.class_registry._enum",
        ),
        Rule(
            "equality",
            shows="enums/equality",
            breaks=("enums/order", "enums/sought_in_a_list"),
            by="minits.types.types.EnumType",
        ),
        Rule(
            "not-numbers",
            shows="enums/in_containers",
            breaks=("enums/is_no_int", "enums/int_enum"),
            by="minits.types.types.EnumType",
        ),
        Rule(
            "loops",
            shows="enums/walked",
            breaks=("enums/called", "enums/indexed_by_name"),
            by="minits.frontend.values.builtins.EnumClass.iter",
        ),
        Rule(
            "methods-and-bases",
            shows=("enums/with_methods", "enums/inherited_base"),
            breaks="enums/method_called",
            by="minits.frontend.python.class_registry._enum",
        ),
        Rule(
            "no-keys",
            shows="enums/printed",
            breaks="enums/keys_of_dicts",
            by="minits.types.dict_keys.check_key",
        ),
        Rule(
            "tests-of-types",
            shows="enums/told_apart",
            breaks="enums/is_no_int",
            by="minits.types.types.EnumType",
        ),
        Rule(
            "attributes-of-modules",
            shows="enums/in_modules",
            breaks=("enums/assigned_another", "enums/final_member"),
            by="minits.types.inference.infer_type",
        ),
        Rule(
            "numbers-in-modules",
            shows="enums/int_enum_attribute",
            breaks="enums/int_enum_attribute_compared",
            by="minits.types.inference.infer_type",
        ),
        Rule(
            "from-python",
            shows="enums/in_containers",
            breaks="enums/from_python",
            by="minits.runtime.arguments.bind_arguments",
        ),
    ),
)
