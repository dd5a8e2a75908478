// Ways to call an operator of torch from compiled code; each function makes `count` calls, of which
// one takes what the last one gave.
//
// Built by benchmarks/dispatcher.py against torch's C++ headers. minits itself uses the C interface
// alone (torch_call_dispatcher), which needs none.

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/maximum.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/inductor/aoti_torch/generated/c_shim_cpu.h>
#include <torch/csrc/stable/c/shim.h>

namespace {

using Maximum = at::Tensor(const at::Tensor &, const at::Tensor &);

at::Tensor &tensor(void *handle)
{
    return *static_cast<at::Tensor *>(handle);
}

c10::OperatorHandle maximum()
{
    return c10::Dispatcher::singleton().findSchemaOrThrow("aten::maximum", "");
}

void boxed(const c10::OperatorHandle &found, at::Tensor &x, void *y)
{
    torch::jit::Stack stack;
    stack.reserve(2);
    stack.emplace_back(std::move(x));
    stack.emplace_back(tensor(y));
    found.callBoxed(stack);
    x = std::move(stack[0]).toTensor();
}

} // namespace

extern "C" {

void by_dispatcher(void *x, void *y, int count)
{
    AtenTensorHandle last;
    aoti_torch_new_tensor_handle(static_cast<AtenTensorHandle>(x), &last);
    for (int i = 0; i < count; i++) {
        AtenTensorHandle first, second;
        aoti_torch_new_tensor_handle(last, &first);
        aoti_torch_new_tensor_handle(static_cast<AtenTensorHandle>(y), &second);
        StableIValue stack[] = {(StableIValue)first, (StableIValue)second};
        torch_call_dispatcher("aten::maximum", "", stack, (uint64_t)2 << 56 | (uint64_t)10 << 48);
        aoti_torch_delete_tensor_object(last);
        last = (AtenTensorHandle)stack[0];
    }
    aoti_torch_delete_tensor_object(last);
}

void by_name(void *x, void *y, int count)
{
    at::Tensor last = tensor(x);
    for (int i = 0; i < count; i++) boxed(maximum(), last, y);
}

void by_cached_handle(void *x, void *y, int count)
{
    auto found = maximum();
    at::Tensor last = tensor(x);
    for (int i = 0; i < count; i++) boxed(found, last, y);
}

void by_typed_handle(void *x, void *y, int count)
{
    auto found = maximum().typed<Maximum>();
    at::Tensor last = tensor(x);
    for (int i = 0; i < count; i++) last = found.call(last, tensor(y));
}

void by_function(void *x, void *y, int count)
{
    at::Tensor last = tensor(x);
    for (int i = 0; i < count; i++) last = at::maximum(last, tensor(y));
}

void by_function_of_the_cpu(void *x, void *y, int count)
{
    AtenTensorHandle last, next;
    aoti_torch_new_tensor_handle(static_cast<AtenTensorHandle>(x), &last);
    for (int i = 0; i < count; i++) {
        aoti_torch_cpu_add_Tensor(last, static_cast<AtenTensorHandle>(y), 1.0, &next);
        aoti_torch_delete_tensor_object(last);
        last = next;
    }
    aoti_torch_delete_tensor_object(last);
}

void new_handles(void *x, void *y, int count)
{
    for (int i = 0; i < count; i++) {
        AtenTensorHandle other;
        aoti_torch_new_tensor_handle(static_cast<AtenTensorHandle>(x), &other);
        aoti_torch_delete_tensor_object(other);
    }
}

} // extern "C"
