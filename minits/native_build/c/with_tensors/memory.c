// makes a tensor of the CPU of a copy of memory; 0 for success
static int mts_new_tensor(
    mts_tensor_dtype dtype, int64_t rank, const int64_t *sizes, const void *data, mts_any *tensor,
    mts_error *error)
{
    int64_t strides[64], bytes = mts_element_bytes(dtype), count = -1;
    *tensor = mts_none();
    if (rank >= 0 && rank <= 64 && bytes) count = mts_row_strides(rank, sizes, strides);
    if (count < 0 || count > INT64_MAX / bytes)
        return mts_set_error(error, "ValueError", (const char *[]){
            "a tensor has no such dtype, or no such sizes", 0});
    void *handle = 0, *to = 0;
    if (aoti_torch_empty_strided(rank, sizes, strides, dtype, aoti_torch_device_type_cpu(), 0, &handle))
        return mts_no_memory(error);
    aoti_torch_get_data_ptr(handle, &to);
    if (count) memcpy(to, data, count * bytes);
    *tensor = mts_from_tensor(handle);
    return 0;
}

// true for a tensor that stands for other numbers than those of its memory, which an operator tells
static bool mts_has_bit(void *handle, const char *name)
{
    uint64_t stack[] = {mts_pass_handle(handle)};
    return !mts_call(name, "", stack) && stack[0] & 1;
}

// tells where the elements of a tensor lie; 0 for success
static int mts_read_tensor(const mts_any *tensor, mts_tensor *memory, mts_error *error)
{
    int32_t dtype = 0, device = -1;
    void *handle = tensor->kind == MTS_TENSOR ? tensor->as.tensor : 0;
    if (handle) aoti_torch_get_device_type(handle, &device);
    if (!handle || device != aoti_torch_device_type_cpu())
        return mts_set_error(error, "TypeError", (const char *[]){
            "only a tensor of the CPU has elements to read", 0});
    if (mts_has_bit(handle, "aten::is_neg") || mts_has_bit(handle, "aten::is_conj"))
        return mts_set_error(error, "TypeError", (const char *[]){
            "a view of negative or conjugate numbers has none of its own to read", 0});
    int64_t *sizes = 0, *strides = 0;
    aoti_torch_get_dtype(handle, &dtype);
    aoti_torch_get_dim(handle, &memory->rank);
    aoti_torch_get_sizes(handle, &sizes);
    aoti_torch_get_strides(handle, &strides);
    aoti_torch_get_data_ptr(handle, &memory->data);
    memory->dtype = (mts_tensor_dtype)dtype;
    memory->sizes = sizes;
    memory->strides = strides;
    return 0;
}
