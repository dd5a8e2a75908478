"""Attributes and methods of tensors."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "tensor_methods",
    "Methods and attributes of tensors",
    "Built-in class: torch.Tensor",
    (
        Rule(
            "attributes",
            shows=("tensor_methods/attributes_in_conditions", "tensors/attributes"),
            breaks="tensor_methods/unknown_attribute",
            by="minits.frontend.values.simple_value.SimpleValue.attr",
        ),
        Rule(
            "shapes",
            shows=("tensor_methods/shape_is_a_list", "tensors/shape_queries"),
            breaks="errors/tensor_attribute_assignment",
            by="minits.frontend.values.simple_value.SimpleValue.attr",
        ),
        Rule(
            "methods-are-functions",
            shows=("tensor_methods/methods_are_functions", "tensors/method_chains_and_kwargs"),
            breaks=(
                "tensor_methods/function_that_is_no_method",
                "tensor_methods/operator_method",
                "errors/unknown_tensor_method",
            ),
            by="minits.frontend.values.simple_value.MethodValue.call",
        ),
        Rule(
            "bound-methods",
            shows="tensor_methods/methods_in_variables",
            breaks=(
                "tensor_methods/method_as_value",
                "errors/unbound_tensor_method",
                "errors/method_on_optional",
            ),
            by="minits.frontend.values.simple_value.MethodValue",
        ),
        Rule(
            "conversions",
            shows=("tensor_methods/conversions", "tensors/dtype_conversions"),
            breaks="tensor_methods/conversion_to_type_object",
            by="minits.frontend.values.builtin_calls.emit_builtin_call",
        ),
        Rule(
            "views-and-permutations",
            shows="tensor_methods/views_and_permutations",
            breaks="tensor_methods/view_by_string",
            by="minits.frontend.calls.schema_matching.match_schema",
        ),
        Rule(
            "tolist",
            shows=("tensor_methods/lists_from_tensors", "tensors/tolist_and_items"),
            breaks="tensor_methods/list_without_annotation",
            by="minits.ops.implementations.conversions.to_list",
        ),
        Rule(
            "item",
            shows="tensor_methods/items",
            breaks="tensor_methods/item_is_no_float",
            by="minits.ops.implementations.conversions.implicit",
        ),
    ),
    cases=("tensor_methods/numpy_array",),
)
