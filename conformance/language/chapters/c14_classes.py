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
            breaks=("classes/attribute_not_from_init", "classes/attribute_of_other_type"),
            by="minits.frontend.script_classes.compile_class",
        ),
        Rule(
            "identity",
            shows=("classes/shared_object", "modules/script_class_in_module"),
            breaks="classes/attribute_of_other_type",
            by="minits.ops.implementations.instances.ScriptObject",
        ),
        Rule(
            "methods",
            shows="classes/attributes_from_init",
            breaks=("classes/unknown_method", "errors/python_class_instance"),
            by="minits.frontend.simple_value.MethodValue",
        ),
        Rule(
            "operators",
            shows="classes/operators",
            breaks="classes/operator_missing",
            by="minits.frontend.builtins.MagicMethod",
        ),
        Rule(
            "properties",
            shows="classes/properties",
            breaks="classes/property_without_setter",
            by="minits.frontend.simple_value.SimpleValue.set_attr",
        ),
        Rule(
            "no-inheritance",
            shows="classes/shared_object",
            breaks=("classes/inheritance", "errors/nested_class"),
            by="minits.frontend.script_classes.can_compile",
        ),
    ),
    cases=(
        "modules/properties",
        "classes/dataclass_methods",
    ),
)
