"""Calls of functions, methods and operators."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "calls",
    "Calls",
    "Expressions: Calls",
    (
        Rule(
            "positions-and-keywords",
            shows=("calls/positional_and_keywords", "functions/keyword_only"),
            breaks=(
                "calls/keyword_twice",
                "errors/argument_given_twice",
                "errors/unknown_keyword",
                "errors/missing_argument",
                "errors/too_many_arguments",
            ),
            by="minits.frontend.calls.schema_matching.match_schema",
        ),
        Rule(
            "defaults",
            shows=(
                "calls/defaults_at_definition",
                "functions/default_arguments",
                "functions/default_values_convert",
                "calls/default_is_a_tensor",
                "enums/default_of_parameter",
                "functions/number_as_default_of_a_list",
            ),
            breaks=(
                "calls/default_of_other_type",
                "calls/default_for_tensor",
                "calls/default_requires_a_gradient",
                "calls/default_none_of_a_tensor",
                "calls/default_dtype_without_annotation",
                "errors/mutable_default",
                "errors/default_of_other_type",
                "errors/mutable_default_inside",
            ),
            by="minits.frontend.values.signature.read_signature",
        ),
        Rule(
            "spread-tuples",
            shows="calls/starred_tuple",
            breaks=("calls/starred_too_long", "errors/starred_in_call", "calls/keywords_spread"),
            by="minits.frontend.emit.expressions.emit_arguments",
        ),
        Rule(
            "order-of-arguments",
            shows=("calls/order_of_arguments", "functions/evaluation_order"),
            breaks="errors/error_in_callee",
            by="minits.frontend.emit.expressions.emit_call",
        ),
        Rule(
            "conversions",
            shows=(
                "calls/converted_arguments",
                "types/scalar_arguments",
                "types/implicit_tensor_to_number",
                "tensors/broadcasting_list_arguments",
            ),
            breaks=("calls/int_for_float", "errors/wrong_argument_type_in_call"),
            by="minits.frontend.calls.schema_matching.convert",
        ),
        Rule(
            "overloads",
            shows=("calls/overload_by_type", "tensors/overloads_by_argument"),
            breaks=("calls/overload_missing", "errors/operator_has_no_overload"),
            by="minits.frontend.calls.schema_matching.match_schemas",
        ),
        Rule(
            "methods-of-tensors",
            shows=("calls/method_and_function", "tensors/method_chains_and_kwargs"),
            breaks=("errors/unbound_tensor_method", "errors/unknown_tensor_method"),
            by="minits.frontend.values.simple_value.MethodValue.call",
        ),
        Rule(
            "no-result",
            shows="functions/no_return",
            breaks="calls/result_of_procedure",
            by="minits.frontend.values.builtins.FunctionValue.call",
        ),
        Rule(
            "what-is-called",
            shows="functions/calls_in_order_of_first_use",
            breaks=("calls/functions_as_values", "errors/call_of_non_function", "errors/recursion"),
            by="minits.frontend.values.builtins.FunctionValue.call",
        ),
    ),
    cases=(
        "functions/ignored_python_function",
        "functions/many_results",
        "errors/var_arguments",
        "errors/keyword_only_default",
        "errors/numpy_function",
        "errors/python_builtin_unsupported",
        "functional/boolean_dispatch",
        "functional/overloads_by_annotation",
        "functional/activations_from_source",
    ),
)
