"""Script classes: attributes, methods, properties, magic methods."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "classes",
    "Classes",
    "Types: Class types",
    (
        Rule(
            "attributes",
            shows="classes/attributes_from_init",
            breaks=(
                "classes/attribute_not_from_init",
                "classes/attribute_of_other_type",
                "classes/attribute_set_in_a_branch",
                "classes/class_attribute",
                "classes/holds_itself",
            ),
            by="minits.frontend.python.script_classes.compile_class",
        ),
        Rule(
            "construction",
            shows=("classes/made_with_defaults", "classes/made_by_its_own_methods"),
            breaks=(
                "classes/too_many_arguments",
                "classes/default_within_its_class",
                "classes/default_of_another_method",
            ),
            by="minits.frontend.python.script_classes.compile_class",
        ),
        Rule(
            "identity",
            shows=("classes/shared_object", "modules/script_class_in_module"),
            breaks=("classes/attribute_of_other_type", "classes/equality_without_eq"),
            by="minits.ops.implementations.instances.ScriptObject",
        ),
        Rule(
            "containers",
            shows="classes/in_containers",
            breaks="classes/sought_in_a_list",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "methods",
            shows="classes/attributes_from_init",
            breaks=(
                "classes/unknown_method",
                "errors/python_class_instance",
                "classes/faults_in_order_of_names",
                "classes/arguments_before_bodies",
            ),
            by="minits.frontend.values.simple_value.MethodValue",
        ),
        Rule(
            "static-methods",
            shows=("classes/static_methods", "classes/static_method_not_called"),
            breaks="classes/static_method_on_object",
            by="minits.frontend.python.script_classes.compile_class",
        ),
        Rule(
            "class-methods",
            shows="classes/class_methods",
            breaks="classes/class_method_through_its_class",
            by="minits.frontend.python.python_functions.takes_names_when_bound",
        ),
        Rule(
            "operators",
            shows="classes/operators",
            breaks=("classes/operator_missing", "classes/number_times_object"),
            by="minits.frontend.values.builtins.MagicMethod",
        ),
        Rule(
            "conversions-and-calls",
            shows="classes/conversions_and_calls",
            breaks="classes/item_augmented",
            by="minits.frontend.values.builtins.MagicMethod",
        ),
        Rule(
            "order",
            shows="classes/sorted_by_lt",
            breaks=("classes/greater_than_by_lt", "classes/sorted_without_lt"),
            by="minits.frontend.values.builtins.MagicMethod",
        ),
        Rule(
            "properties",
            shows=("classes/properties", "classes/inherited_property"),
            breaks=("classes/property_without_setter", "classes/inherited_method"),
            by="minits.frontend.values.attribute_assignment.assign_attribute",
        ),
        Rule(
            "tests-of-types",
            shows=("classes/told_apart", "classes/told_apart_by_protocol"),
            breaks="classes/unknown_method",
            by="minits.frontend.emit.type_tests.emit",
        ),
        Rule(
            "unused-methods",
            shows="classes/unused_method",
            breaks="classes/ignored_method",
            by="minits.frontend.python.script_classes.compile_class",
        ),
        Rule(
            "no-inheritance",
            shows="classes/shared_object",
            breaks=(
                "classes/inheritance",
                "errors/nested_class",
                "errors/fault_in_annotated_class",
            ),
            by="minits.frontend.python.script_classes.can_compile",
        ),
    ),
    cases=(
        "modules/properties",
        "classes/dataclass_methods",
    ),
)
