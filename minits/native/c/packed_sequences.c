// true for sizes of batches that no packed sequence has: they are a row of ints of the CPU, of which
// none is larger than the one before, and the padded sequences are not shorter than them
static bool mts_is_no_packing(mts_list *data, mts_list *batch_sizes, int64_t length)
{
    void *handle = mts_handle(batch_sizes), *memory = 0;
    int64_t rows = 0, count = mts_dim(batch_sizes) == 1 ? mts_size(batch_sizes, 0) : 0;
    if (!count || mts_dtype(batch_sizes) != 4 || mts_device(batch_sizes) >> 32) return true;
    if (length > 0 && length < count) return true;
    aoti_torch_get_data_ptr(handle, &memory);
    int64_t stride = mts_stride(batch_sizes, 0), before = *(int64_t *)memory;
    for (int64_t i = 0; i < count; i++) {
        int64_t size = ((int64_t *)memory)[i * stride];
        if (size <= 0 || size > before || __builtin_add_overflow(rows, size, &rows)) return true;
        before = size;
    }
    return mts_dim(data) == 0 || mts_size(data, 0) < rows;
}

// a new tensor of ints in a row, or 0, and where they lie
static uint64_t mts_new_ints(int64_t count, int64_t **data)
{
    void *made = 0;
    int64_t stride = 1;
    if (aoti_torch_empty_strided(1, &count, &stride, 4, 0, -1, &made)) return 0;
    aoti_torch_get_data_ptr(made, (void **)data);
    return (uint64_t)made;
}

// a row of a padding that follows the rows of a tensor, and all these in one tensor; 0 where that
// raises
static uint64_t mts_with_padding(mts_list *data, double padding)
{
    void *sizes = 0, *parts = 0;
    int64_t dim = mts_dim(data);
    torch_new_list_reserve_size(dim, &sizes);
    for (int64_t d = 0; d < dim; d++) torch_list_push_back(sizes, d ? mts_size(data, d) : 1);
    uint64_t row[] = {mts_pass_tensor(data), (uint64_t)sizes, 0, 0, 0, 0};
    if (mts_call("aten::new_empty", "", row)) return 0;
    if (aoti_torch_aten_fill__Scalar((void *)row[0], padding)) {
        aoti_torch_delete_tensor_object((void *)row[0]);
        return 0;
    }
    torch_new_list_reserve_size(2, &parts);
    torch_list_push_back(parts, mts_pass_tensor(data));
    torch_list_push_back(parts, row[0]);
    uint64_t call[] = {(uint64_t)parts, 0};
    return mts_call("aten::cat", "", call) ? 0 : call[0];
}

// the numbers of the rows of packed data that padded sequences have, one time after the other; that
// of the padding is the number of rows
static uint64_t mts_padded_places(mts_list *data, mts_list *batch_sizes, int64_t length, int64_t batch)
{
    int64_t *places = 0, *sizes = 0, count = 0, row = 0, times = mts_size(batch_sizes, 0);
    if (__builtin_mul_overflow(length, batch, &count)) return 0;
    uint64_t made = mts_new_ints(count, &places);
    if (!made) return 0;
    aoti_torch_get_data_ptr(mts_handle(batch_sizes), (void **)&sizes);
    int64_t stride = mts_stride(batch_sizes, 0), rows = mts_size(data, 0);
    for (int64_t i = 0; i < length; i++) {
        int64_t size = i < times ? sizes[i * stride] : 0;
        for (int64_t j = 0; j < batch; j++) places[i * batch + j] = j < size ? row++ : rows;
    }
    if (mts_device(data) >> 32 == 0) return made;
    uint64_t call[] = {made, (uint64_t)mts_device(data), 4, 0, 0, 0};
    return mts_call("aten::to", "device", call) ? 0 : call[0];
}

// aten::_pad_packed_sequence, whose results, padded sequences and their lengths, the stack gets
static bool mts_pad_packed(uint64_t *stack, mts_list *data, mts_list *batch_sizes, bool batch_first,
                           double padding, int64_t total)
{
    int64_t *sizes = 0, *lengths = 0, dim = mts_dim(data), times = mts_size(batch_sizes, 0);
    int64_t length = total > 0 ? total : times, stride = mts_stride(batch_sizes, 0);
    aoti_torch_get_data_ptr(mts_handle(batch_sizes), (void **)&sizes);
    int64_t batch = sizes[0];
    uint64_t places = mts_padded_places(data, batch_sizes, length, batch);
    uint64_t all = places ? mts_with_padding(data, padding) : 0;
    if (!all) {
        if (places) aoti_torch_delete_tensor_object((void *)places);
        return true;
    }
    uint64_t call[] = {all, 0, places};
    if (mts_call("aten::index_select", "", call)) return true;
    void *shape = 0;
    torch_new_list_reserve_size(dim + 1, &shape);
    torch_list_push_back(shape, length);
    torch_list_push_back(shape, batch);
    for (int64_t d = 1; d < dim; d++) torch_list_push_back(shape, mts_size(data, d));
    call[1] = (uint64_t)shape;
    if (mts_call("aten::view", "", call)) return true;
    call[1] = 0;
    call[2] = 1;
    if (batch_first && mts_call("aten::transpose", "int", call)) return true;
    stack[0] = call[0];
    stack[1] = mts_new_ints(batch, &lengths);
    if (!stack[1]) {
        aoti_torch_delete_tensor_object((void *)stack[0]);
        return true;
    }
    for (int64_t j = 0, i = times; j < batch; j++) {
        while (i && sizes[(i - 1) * stride] <= j) i--;
        lengths[j] = i;
    }
    return false;
}
