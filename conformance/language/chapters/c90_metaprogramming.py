"""Decisions of Python before and beside the compiler."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "metaprogramming",
    "Metaprogramming",
    "Meta programming: ignore, unused, export, is_scripting, overloads",
    (
        Rule(
            "ignore",
            shows=(
                "metaprogramming/ignored_function",
                "metaprogramming/ignored_method_changes_state",
                "metaprogramming/ignored_without_annotation",
                "functions/callable_object",
                "functions/python_function_with_type_comment",
            ),
            breaks=("metaprogramming/ignored_result_of_other_type", "functions/bound_method"),
            by="minits.frontend.python.uncompiled.PythonValue",
        ),
        Rule(
            "unused",
            shows="metaprogramming/unused_function",
            breaks=(
                "metaprogramming/unused_without_types",
                "metaprogramming/unused_method_of_other_result",
            ),
            by="minits.frontend.python.uncompiled.PythonValue",
        ),
        Rule(
            "is-scripting-and-is-tracing",
            shows=("metaprogramming/is_tracing", "functions/ignored_python_function"),
            breaks="metaprogramming/branch_of_is_scripting",
            by="minits.frontend.python.python_values.to_sugared",
        ),
        Rule(
            "script-if-tracing",
            shows="metaprogramming/script_if_tracing",
            breaks="name_resolution/partial_function",
            by="minits.frontend.python.python_values.to_sugared",
        ),
        Rule(
            "overloads",
            shows="metaprogramming/overloads",
            breaks="metaprogramming/no_overload_fits",
            by="minits.frontend.python.compiled_functions.compile_overloads",
        ),
        Rule(
            "decorated-functions",
            shows="metaprogramming/decorated_functions",
            breaks="metaprogramming/decorated_without_wraps",
            by="minits.frontend.python.sources.function_definition",
        ),
        Rule(
            "annotate",
            shows="metaprogramming/annotate",
            breaks="metaprogramming/annotate_other_type",
            by="minits.frontend.emit.special_forms.emit",
        ),
        Rule(
            "isinstance-of-containers",
            shows="metaprogramming/container_isinstance",
            breaks="metaprogramming/isinstance_refines_one_branch",
            by="minits.frontend.emit.type_tests.emit",
        ),
    ),
)
