"""Tensor, device, layout, Future."""

from conformance.language.rule import Chapter, Rule

CHAPTER = Chapter(
    "torch_types",
    "Types of torch",
    "Types: TorchScript specific types",
    (
        Rule(
            "tensor",
            shows=("torch_types/tensor_results", "tensors/shape_queries"),
            breaks=("torch_types/number_for_tensor", "torch_types/not_a_tensor_from_python"),
            by="minits.types.types.SimpleType",
        ),
        Rule(
            "device",
            shows="torch_types/device_from_string",
            breaks="torch_types/int_for_device",
            by="minits.frontend.matching.convert",
        ),
        Rule(
            "layout-and-memory-format",
            shows="torch_types/layout_and_format",
            breaks="primitive_types/dtype_of_string",
            by="minits.types.dtypes.enum_code",
        ),
        Rule(
            "future",
            shows="torch_types/futures",
            breaks="torch_types/future_is_no_result",
            by="minits.types.types.FutureType",
        ),
    ),
)
