// the bytes of an element; 0 for a dtype that is not simply numbers or bools
static int64_t mts_element_bytes(int64_t dtype)
{
    static const char bytes[] = {1, 1, 2, 4, 8, 2, 4, 8, 0, 8, 16, 1, 0, 0, 0, 2};
    return dtype >= 0 && dtype < (int64_t)sizeof bytes ? bytes[dtype] : 0;
}

// the strides of a tensor whose elements lie row by row, and their number; -1 for unfit sizes
static int64_t mts_row_strides(int64_t rank, const int64_t *sizes, int64_t *strides)
{
    int64_t count = 1, stride = 1;
    for (int64_t d = rank; d--;) {
        if (sizes[d] < 0 || __builtin_mul_overflow(count, sizes[d], &count)) return -1;
        strides[d] = stride;
        if (sizes[d] && __builtin_mul_overflow(stride, sizes[d], &stride)) return -1;
    }
    return count;
}

// true for a tensor of the CPU with elements that lie row by row; those that are known to be zero
// may lie nowhere
static bool mts_is_in_rows(mts_list **pool, void *handle, mts_view_parts *parts)
{
    int32_t device = 1;
    int64_t count = 0;
    void *data = 0;
    aoti_torch_get_device_type(handle, &device);
    if (device) return false;
    *parts = mts_parts_of(pool, handle);
    if (parts->dim <= 0 || !mts_are_in_rows(parts, &count)) return false;
    return !aoti_torch_get_data_ptr(handle, &data) && data;
}

// lets the elements of parts lie row by row; returns their number, or -1
static int64_t mts_put_in_rows(mts_view_parts *parts)
{
    return mts_row_strides(parts->dim, parts->sizes, parts->strides);
}

// a new tensor of the CPU, of a dtype, and where its elements lie; 0 without memory
static void *mts_new_rows(const mts_view_parts *parts, int32_t dtype, void **data)
{
    void *made = 0;
    if (aoti_torch_empty_strided(parts->dim, parts->sizes, parts->strides, dtype, 0, -1, &made)) return 0;
    aoti_torch_get_data_ptr(made, data);
    return made;
}
