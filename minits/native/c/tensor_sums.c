// the sum of two tensors of ints or bools: torch's own takes a Scalar, which its C interface has
// for floats only. What is written to is the result of another operator of the two, whose elements
// lie in the order that torch chooses
static bool mts_add_ints(uint64_t *stack, int64_t alpha, bool is_difference)
{
    void *handles[] = {0, 0};
    aoti_torch_new_tensor_handle((void *)stack[0], &handles[0]);
    aoti_torch_new_tensor_handle((void *)stack[1], &handles[1]);
    if (mts_call("aten::maximum", "", stack)) {
        aoti_torch_delete_tensor_object(handles[0]);
        aoti_torch_delete_tensor_object(handles[1]);
        return true;
    }
    int32_t dtype = 0;
    aoti_torch_get_dtype((void *)stack[0], &dtype);
    uint64_t other = mts_as_dtype((uint64_t)handles[1], dtype);
    if (alpha != 1 && other) {
        uint64_t factor = mts_scalar_tensor(&(mts_value){.i = alpha}, 'i');
        uint64_t product[] = {other, mts_as_dtype(factor, dtype)};
        other = mts_call("aten::mul", "Tensor", product) ? 0 : product[0];
    }
    if (is_difference && other) {
        uint64_t negated[] = {other};
        other = mts_call("aten::neg", "", negated) ? 0 : negated[0];
    }
    if (!other) {
        aoti_torch_delete_tensor_object((void *)stack[0]);
        aoti_torch_delete_tensor_object(handles[0]);
        return true;
    }
    void *list = 0;
    torch_new_list_reserve_size(2, &list);
    torch_list_push_back(list, (uint64_t)handles[0]);
    torch_list_push_back(list, other);
    uint64_t calls[5] = {(uint64_t)list};
    if (mts_call("aten::broadcast_tensors", "", calls)) return true;
    calls[1] = 0;
    if (mts_call("aten::stack", "", calls)) return true;
    void *dims = 0;
    torch_new_list_reserve_size(1, &dims);
    torch_list_push_back(dims, 0);
    calls[1] = mts_pass_given((uint64_t)dims);
    calls[2] = 0;
    calls[3] = mts_pass_given(dtype);
    calls[4] = stack[0];
    bool raises = mts_call("aten::sum", "IntList_out", calls);
    stack[0] = calls[0];
    return raises;
}

// the sum of two tensors, or their difference, the second one times a float
static bool mts_add(uint64_t *stack, double alpha, bool is_difference)
{
    int32_t first = 0, second = 0;
    aoti_torch_get_dtype((void *)stack[0], &first);
    aoti_torch_get_dtype((void *)stack[1], &second);
    if (!is_difference || (first != 11 && second != 11)) {  // bools have a sum, but no difference
        if (mts_category(first) < 2 && mts_category(second) < 2)
            return mts_add_ints(stack, alpha, is_difference);
        if (first == 11) stack[0] = mts_as_dtype(stack[0], 0);
        if (second == 11) stack[1] = mts_as_dtype(stack[1], 0);
    }
    void *result = 0;
    bool raises = aoti_torch_aten_subtract_Tensor(
        (void *)stack[0], (void *)stack[1], is_difference ? alpha : -alpha, &result);
    aoti_torch_delete_tensor_object((void *)stack[0]);
    aoti_torch_delete_tensor_object((void *)stack[1]);
    stack[0] = (uint64_t)result;
    return raises;
}

// the power 0.5 of a tensor, which is its root for torch, but of floats of 16 bits
static bool mts_root(uint64_t *stack)
{
    int32_t dtype = 0;
    aoti_torch_get_dtype((void *)stack[0], &dtype);
    if (dtype != 5 && dtype != 8) return mts_call("aten::sqrt", "", stack);
    stack[1] = mts_as_dtype(mts_scalar_tensor(&(mts_value){.d = 0.5}, 'f'), dtype);
    return mts_call("aten::pow", "Tensor_Tensor", stack);
}

// the bytes that the elements of a tensor fill, each once and in some order of its dimensions; 0 for
// a tensor that has gaps, or elements that share memory
static int64_t mts_dense_bytes(void *handle)
{
    int32_t dtype = 0;
    int64_t dim = 0, total = 0, count = 1, *sizes = 0, *strides = 0;
    aoti_torch_get_dtype(handle, &dtype);
    aoti_torch_get_numel(handle, &total);
    aoti_torch_get_dim(handle, &dim);
    aoti_torch_get_sizes(handle, &sizes);
    aoti_torch_get_strides(handle, &strides);
    while (count < total) {
        int64_t next = 0;
        while (next < dim && (sizes[next] == 1 || strides[next] != count)) next++;
        if (next == dim) return 0;
        count *= sizes[next];
    }
    return total * mts_element_bytes(dtype);
}

// true where two tensors have the same sizes and strides
static bool mts_are_alike(void *one, void *other)
{
    int64_t dim = 0, other_dim = 0, *sizes[2] = {0, 0}, *strides[2] = {0, 0};
    aoti_torch_get_dim(one, &dim);
    aoti_torch_get_dim(other, &other_dim);
    aoti_torch_get_sizes(one, &sizes[0]);
    aoti_torch_get_sizes(other, &sizes[1]);
    aoti_torch_get_strides(one, &strides[0]);
    aoti_torch_get_strides(other, &strides[1]);
    bool is_equal = dim == other_dim;
    for (int64_t i = 0; is_equal && i < dim; i++)
        is_equal = sizes[0][i] == sizes[1][i] && strides[0][i] == strides[1][i];
    return is_equal;
}

// true where torch does not write to the first of two tensors while it reads the second, since they
// share some of their memory; of tensors with gaps it does not find that out
static bool mts_share_in_part(void *target, void *other)
{
    int64_t length = mts_dense_bytes(target), other_length = mts_dense_bytes(other);
    char *begin = 0, *start = 0;
    aoti_torch_get_data_ptr(target, (void **)&begin);
    aoti_torch_get_data_ptr(other, (void **)&start);
    if (!length || !other_length || !begin || !start) return false;
    if (begin >= start + other_length || start >= begin + length) return false;
    return begin != start || !mts_are_alike(target, other);
}

// an operator in place that torch refuses for such tensors: it leaves its message
static bool mts_leave_message(void *target, void *other)
{
    bool records = aoti_torch_grad_mode_is_enabled();
    aoti_torch_grad_mode_set_enabled(false);
    uint64_t call[] = {mts_pass_handle(target), mts_pass_handle(other), mts_pass_handle(target)};
    bool raises = mts_call("aten::maximum", "out", call);
    if (!raises) aoti_torch_delete_tensor_object((void *)call[0]);
    aoti_torch_grad_mode_set_enabled(records);
    return raises;
}

// the same in place, of a first tensor whose dtype stays
static bool mts_add_in_place(uint64_t *stack, double alpha, bool is_difference)
{
    void *target = 0, *other = 0;
    int32_t dtype = 0, computed = 0;
    aoti_torch_new_tensor_handle((void *)stack[0], &target);
    aoti_torch_new_tensor_handle((void *)stack[1], &other);
    aoti_torch_get_dtype(target, &dtype);
    bool raises = mts_add(stack, alpha, is_difference);
    if (!raises) aoti_torch_get_dtype((void *)stack[0], &computed);
    if (!raises && mts_share_in_part(target, other) && mts_leave_message(target, other)) {
        aoti_torch_delete_tensor_object((void *)stack[0]);
        raises = true;
    }
    aoti_torch_delete_tensor_object(other);
    if (raises) {
        aoti_torch_delete_tensor_object(target);
        return true;
    }
    uint64_t call[] = {(uint64_t)target, stack[0], 0};
    if (mts_category(computed) > mts_category(dtype))  // which raises, as any operator in place
        raises = mts_call("aten::mul_", "Tensor", call);
    else
        raises = mts_call("aten::copy_", "", call);
    stack[0] = call[0];
    return raises;
}
