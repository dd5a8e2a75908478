// Ways to call an operator of torch from compiled code; each function makes `count` calls, of which
// one takes what the last one gave.
//
// Built by benchmarks/dispatcher.py against torch's C++ headers. minits itself uses the C interface
// alone (torch_call_dispatcher), which needs none.

#include <cstring>

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

void view_by_dispatcher(void *x, void *, int count)
{
    for (int i = 0; i < count; i++) {
        AtenTensorHandle base;
        StableIValue *start, *end;
        aoti_torch_new_tensor_handle(static_cast<AtenTensorHandle>(x), &base);
        torch_new_stable_ivalue(&start);
        torch_new_stable_ivalue(&end);
        *start = 3, *end = 35;
        StableIValue stack[] = {(StableIValue)base, 0, (StableIValue)start, (StableIValue)end, 1};
        torch_call_dispatcher("aten::slice", "Tensor", stack, (uint64_t)2 << 56 | (uint64_t)10 << 48);
        aoti_torch_delete_tensor_object((AtenTensorHandle)stack[0]);
    }
}

void view_of_memory(void *x, void *, int count)
{
    const int64_t size = 32, stride = 1;
    for (int i = 0; i < count; i++) {
        AtenTensorHandle base = static_cast<AtenTensorHandle>(x), view;
        aoti_torch__reinterpret_tensor(base, 1, &size, &stride, 3, &view);
        aoti_torch_delete_tensor_object(view);
    }
}

void join_by_dispatcher(void *x, void *y, int count)
{
    for (int i = 0; i < count; i++) {
        AtenTensorHandle first, second;
        StableListHandle list;
        aoti_torch_new_tensor_handle(static_cast<AtenTensorHandle>(x), &first);
        aoti_torch_new_tensor_handle(static_cast<AtenTensorHandle>(y), &second);
        torch_new_list_reserve_size(2, &list);
        torch_list_push_back(list, (StableIValue)first);
        torch_list_push_back(list, (StableIValue)second);
        StableIValue stack[] = {(StableIValue)list, 0};
        torch_call_dispatcher("aten::cat", "", stack, (uint64_t)2 << 56 | (uint64_t)10 << 48);
        aoti_torch_delete_tensor_object((AtenTensorHandle)stack[0]);
    }
}

void join_by_copies(void *x, void *y, int count)
{
    const int64_t size = 128, stride = 1;
    for (int i = 0; i < count; i++) {
        AtenTensorHandle made;
        void *to, *from[2];
        aoti_torch_empty_strided(1, &size, &stride, aoti_torch_dtype_float32(), 0, -1, &made);
        aoti_torch_get_data_ptr(made, &to);
        aoti_torch_get_data_ptr(static_cast<AtenTensorHandle>(x), &from[0]);
        aoti_torch_get_data_ptr(static_cast<AtenTensorHandle>(y), &from[1]);
        std::memcpy(to, from[0], 256);
        std::memcpy(static_cast<char *>(to) + 256, from[1], 256);
        aoti_torch_delete_tensor_object(made);
    }
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
