"""The meaning of names: locals, closures, globals, imports; functions that are called."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "name_resolution",
    "Name resolution",
    "Python values: resolution rules",
    (
        Rule(
            "functions-are-found-by-name",
            shows=("functions/imports_and_aliases", "name_resolution/torch_submodules"),
            breaks=(
                "name_resolution/missing_attribute_of_module",
                "errors/undefined_name",
                "errors/unknown_torch_function",
            ),
            by="minits.frontend.python.compiled_functions.ClosureScope.value",
        ),
        Rule(
            "values-of-python-modules",
            shows="name_resolution/values_of_modules",
            breaks=(
                "name_resolution/global_list",
                "name_resolution/global_dtype",
                "name_resolution/class_attribute",
                "errors/global_number",
            ),
            by="minits.frontend.python.python_values.to_sugared",
        ),
        Rule(
            "callees-are-compiled",
            shows=("functions/calls_in_order_of_first_use", "name_resolution/scripted_function"),
            breaks=(
                "name_resolution/partial_function",
                "errors/numpy_function",
                "errors/error_in_callee",
            ),
            by="minits.frontend.python.compiled_functions.compile_function",
        ),
        Rule(
            "no-recursion",
            shows="name_resolution/functions_defined_later",
            breaks=("errors/recursion", "name_resolution/mutual_recursion"),
            by="minits.frontend.values.function.CompiledFunction.ensure_defined",
        ),
        Rule(
            "closures",
            shows=("functions/closure_over_function", "name_resolution/function_made_by_a_factory"),
            breaks="errors/closed_over_number",
            by="minits.frontend.python.compiled_functions.ClosureScope.lookup",
        ),
        Rule(
            "hiding",
            shows=(
                "functions/shadowed_builtins",
                "name_resolution/local_from_its_binding",
                "functions/scripted_and_overloaded_names",
            ),
            breaks=("name_resolution/parameter_hides_function", "errors/call_of_non_function"),
            by="minits.frontend.values.emitter.Emitter.lookup",
        ),
    ),
    cases=(
        "name_resolution/function_in_a_dict",
        "errors/python_class_instance",
        "errors/nested_function",
        "errors/nested_class",
        "errors/lambda_expression",
    ),
)
