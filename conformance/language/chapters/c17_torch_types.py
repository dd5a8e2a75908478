"""Tensor, Size, dtype, device, layout, Generator, Stream, Future."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "torch_types",
    "Types of torch",
    "Types: TorchScript specific types",
    (
        Rule(
            "tensor",
            shows=(
                "torch_types/tensor_results",
                "torch_types/kinds_of_tensors",
                "tensors/shape_queries",
            ),
            breaks=("torch_types/number_for_tensor", "torch_types/not_a_tensor_from_python"),
            by="minits.types.types.SimpleType",
        ),
        Rule(
            "size",
            shows="torch_types/size_is_a_list",
            breaks=("torch_types/size_annotated", "torch_types/method_of_size"),
            by="minits.types.annotations.type_from_annotation",
        ),
        Rule(
            "dtype",
            shows=(
                "torch_types/dtypes_as_ints",
                "torch_types/dtypes_from_python",
                "types/device_and_dtype",
            ),
            breaks="torch_types/dtype_has_no_attributes",
            by="minits.types.dtypes.enum_code",
        ),
        Rule(
            "device",
            shows="torch_types/device_from_string",
            breaks="torch_types/int_for_device",
            by="minits.frontend.calls.schema_matching.convert",
        ),
        Rule(
            "parts-of-a-device",
            shows=("torch_types/device_parts", "torch_types/device_of_two_parts"),
            breaks="torch_types/device_index_added",
            by="minits.types.types.SimpleType",
        ),
        Rule(
            "layout-and-memory-format",
            shows="torch_types/layout_and_format",
            breaks=("primitive_types/dtype_of_string", "torch_types/layout_annotated"),
            by="minits.types.dtypes.enum_code",
        ),
        Rule(
            "attributes-of-modules",
            shows="torch_types/dtype_attribute",
            breaks="torch_types/memory_format_attribute",
            by="minits.runtime.module_attributes.owned",
        ),
        Rule(
            "quantisation-schemes",
            shows="torch_types/quantisation_schemes",
            breaks="torch_types/name_of_a_scheme",
            by="minits.types.dtypes.enum_code",
        ),
        Rule(
            "generator",
            shows="torch_types/generators",
            breaks=("torch_types/number_for_generator", "torch_types/generator_from_python"),
            by="minits.types.types.SimpleType",
        ),
        Rule(
            "stream",
            shows="torch_types/streams",
            breaks="torch_types/method_of_stream",
            by="minits.types.types.SimpleType",
        ),
        Rule(
            "future",
            shows="torch_types/futures",
            breaks=("torch_types/future_is_no_result", "torch_types/future_done"),
            by="minits.types.types.FutureType",
        ),
    ),
)
