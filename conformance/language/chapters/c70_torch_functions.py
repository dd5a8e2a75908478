"""Functions of torch: overloads, arguments, results."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "torch_functions",
    "Functions of torch",
    "torch.* APIs",
    (
        Rule(
            "arguments",
            shows="torch_functions/keyword_arguments",
            breaks=(
                "torch_functions/keyword_only_by_position",
                "torch_functions/unknown_keyword",
                "errors/argument_given_twice",
            ),
            by="minits.frontend.calls.schema_matching.match_schema",
        ),
        Rule(
            "overloads",
            shows=("torch_functions/integers_and_floats_choose", "tensors/overloads_by_argument"),
            breaks=(
                "torch_functions/number_where_a_tensor_is_wanted",
                "errors/operator_has_no_overload",
            ),
            by="minits.frontend.calls.schema_matching.match_schemas",
        ),
        Rule(
            "out-argument",
            shows="torch_functions/out_argument",
            breaks="torch_functions/out_of_other_dtype",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "dtype-and-device",
            shows=("torch_functions/dtype_and_device", "tensors/creation_functions"),
            breaks=(
                "torch_functions/dtype_as_string",
                "torch_functions/unknown_device",
                "torch_functions/factory_with_gradients",
            ),
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "sizes",
            shows=("torch_functions/sizes", "tensors/broadcasting_list_arguments"),
            breaks="torch_functions/size_of_float",
            by="minits.frontend.calls.schema_matching.convertible_to_list",
        ),
        Rule(
            "tensor-of-numbers",
            shows=("torch_functions/tensor_of_numbers", "containers/tensor_from_appended_list"),
            breaks=(
                "torch_functions/tensor_of_uneven_rows",
                "torch_functions/tensor_of_strings",
                "torch_functions/tensor_of_tensor",
                "torch_functions/tensor_of_empty_list",
                "torch_functions/tensor_of_dict",
            ),
            by="minits.ops.implementations.structure.tensor_of_list",
        ),
        Rule(
            "several-results",
            shows=("torch_functions/several_results", "tensors/reductions"),
            breaks="torch_functions/too_many_targets",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "lists-of-tensors",
            shows=("torch_functions/lists_of_tensors", "tensors/concatenation_and_splitting"),
            breaks="torch_functions/list_of_numbers_for_tensors",
            by="minits.frontend.calls.schema_matching.match_schema",
        ),
        Rule(
            "optional-arguments",
            shows="torch_functions/optional_arguments",
            breaks="torch_functions/none_for_a_tensor",
            by="minits.frontend.calls.schema_matching.convert",
        ),
        Rule(
            "like-another",
            shows="torch_functions/like_another",
            breaks="torch_functions/like_a_number",
            by="minits.frontend.calls.schema_matching.match_schema",
        ),
        Rule(
            "functions-written-in-python",
            shows=(
                "functional/torch_functions_in_python",
                "functional/boolean_dispatch",
                "functional/overloads_by_annotation",
            ),
            breaks="errors/unknown_torch_function",
            by="minits.frontend.python.compiled_functions.compile_overloads",
        ),
    ),
    cases=(
        "tensors/matrix_products",
        "tensors/mask_chain",
        "tensors/comparisons_and_where",
        "tensors/scatter_gather",
        "tensors/random_sequence",
        "tensors/operator_errors_at_lines",
        "functional/activations_from_source",
        "functional/attention_function",
        "functional/convolutions",
        "functional/cross_entropy_targets",
        "functional/distances",
        "functional/dropout_modes",
        "functional/embedding_lookup",
        "functional/gumbel_and_random",
        "functional/inplace_flags",
        "functional/losses_reductions",
        "functional/normalisations",
        "functional/padding_modes",
        "functional/pooling",
        "functional/softmax_dims",
        "errors/unknown_keyword",
    ),
)
