"""Attribute references and subscripts."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "attributes_and_subscripts",
    "Attribute references and subscripts",
    "Expressions: Attribute references, Subscriptions",
    (
        Rule(
            "attributes-of-tensors",
            shows=("attributes_and_subscripts/of_tensors", "tensors/attributes"),
            breaks=("attributes_and_subscripts/unknown_of_tensor", "errors/unknown_tensor_method"),
            by="minits.frontend.values.simple_value.SimpleValue.attr",
        ),
        Rule(
            "attributes-of-python-modules",
            shows="attributes_and_subscripts/of_modules_of_python",
            breaks=(
                "attributes_and_subscripts/missing_in_python_module",
                "errors/unknown_torch_function",
            ),
            by="minits.frontend.python.python_values.PythonModule.attr",
        ),
        Rule(
            "getattr",
            shows="attributes_and_subscripts/getattr_with_name",
            breaks="attributes_and_subscripts/getattr_variable_name",
            by="minits.frontend.modules.module_value.ModuleValue.attr",
        ),
        Rule(
            "hasattr",
            shows="attributes_and_subscripts/hasattr_is_static",
            breaks="attributes_and_subscripts/hasattr_of_int",
            by="minits.frontend.emit.type_tests.emit",
        ),
        Rule(
            "items-of-lists",
            shows="attributes_and_subscripts/list_items",
            breaks=("errors/float_as_index", "attributes_and_subscripts/two_indices_of_list"),
            by="minits.frontend.values.simple_value.SimpleValue.getitem",
        ),
        Rule(
            "items-of-dicts",
            shows="attributes_and_subscripts/dict_items",
            breaks=("errors/dict_key_type", "attributes_and_subscripts/of_int"),
            by="minits.frontend.values.simple_value.SimpleValue.getitem",
        ),
        Rule(
            "items-of-strings",
            shows="attributes_and_subscripts/string_items",
            breaks=("errors/string_is_immutable", "attributes_and_subscripts/of_strings"),
            by="minits.ops.implementations.strings.item",
        ),
        Rule(
            "items-of-tuples",
            shows=(
                "attributes_and_subscripts/tuple_items",
                "attributes_and_subscripts/tuple_of_one_type",
            ),
            breaks=("errors/tuple_index_not_constant", "errors/tuple_index_out_of_range"),
            by="minits.frontend.emit.subscripts.emit",
        ),
        Rule(
            "tensor-indices",
            shows=("attributes_and_subscripts/tensor_ints_and_tensors", "tensors/indexing_forms"),
            breaks=(
                "attributes_and_subscripts/tensor_by_float",
                "attributes_and_subscripts/tensor_too_many",
                "errors/starred_index",
            ),
            by="minits.frontend.emit.subscripts.slice_tensor",
        ),
        Rule(
            "none-and-ellipsis",
            shows="attributes_and_subscripts/tensor_none_and_ellipsis",
            breaks="attributes_and_subscripts/ellipsis_alone",
            by="minits.frontend.emit.subscripts.slice_tensor",
        ),
    ),
    cases=(
        "containers/augmented_subscripts",
        "containers/list_item_assignment",
        "tensors/index_assignment",
        "errors/tensor_attribute_assignment",
    ),
)
