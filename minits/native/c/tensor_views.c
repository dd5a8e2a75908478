// true for a tensor that C may look into: no gradients are recorded, which the second word of the
// pool tells, and its elements are real numbers, which lie by its sizes and strides
static inline bool mts_is_open(mts_list **pool, void *handle)
{
    int32_t layout = 1, dtype = 8;
    int64_t *sizes = 0;
    if (!pool[1]) return false;
    aoti_torch_get_layout(handle, &layout);
    aoti_torch_get_dtype(handle, &dtype);
    if (layout || (dtype >= 8 && dtype != 11 && dtype != 15)) return false;
    return !aoti_torch_get_sizes(handle, &sizes);  // one that is nested has none
}

// the sizes and strides of a view that is being made, and where it begins; `dim` is below 0 for a
// tensor that C does not look into
typedef struct {
    int64_t dim, start, sizes[8], strides[8];
} mts_view_parts;

static mts_view_parts mts_parts_of(mts_list **pool, void *handle)
{
    mts_view_parts parts = {-1, 0, {0}, {0}};
    int64_t dim = 0, *sizes = 0, *strides = 0;
    if (!mts_is_open(pool, handle)) return parts;
    aoti_torch_get_dim(handle, &dim);
    aoti_torch_get_sizes(handle, &sizes);
    aoti_torch_get_strides(handle, &strides);
    if (dim > 7) return parts;
    parts.dim = dim;
    for (int64_t i = 0; i < dim; i++) {
        parts.sizes[i] = sizes[i];
        parts.strides[i] = strides[i];
    }
    return parts;
}

// puts the view in the place of its tensor; true where it cannot be made
static bool mts_put_view(uint64_t *stack, const mts_view_parts *parts)
{
    void *view = 0, *handle = (void *)stack[0];
    bool fails = aoti_torch__reinterpret_tensor(
        handle, parts->dim, parts->sizes, parts->strides, parts->start, &view);
    aoti_torch_delete_tensor_object(handle);
    stack[0] = (uint64_t)view;
    return fails;
}

// makes room for a dimension
static void mts_add_dim(mts_view_parts *parts, int64_t dim)
{
    for (int64_t i = parts->dim++; i > dim; i--) {
        parts->sizes[i] = parts->sizes[i - 1];
        parts->strides[i] = parts->strides[i - 1];
    }
}

// leaves a dimension out
static void mts_drop_dim(mts_view_parts *parts, int64_t dim)
{
    parts->dim--;
    for (int64_t i = dim; i < parts->dim; i++) {
        parts->sizes[i] = parts->sizes[i + 1];
        parts->strides[i] = parts->strides[i + 1];
    }
}

// aten::slice.Tensor, of which the stack has the tensor, the dimension, both ends and the step
static bool mts_slice_view(mts_list **pool, uint64_t *stack)
{
    mts_view_parts parts = mts_parts_of(pool, (void *)stack[0]);
    int64_t dim = stack[1], start = stack[2], end = stack[3], step = stack[4];
    if (!mts_is_index(dim, parts.dim) || step < 1) {
        stack[2] = mts_pass_given(start);
        stack[3] = mts_pass_given(end);
        return mts_call("aten::slice", "Tensor", stack);
    }
    dim = mts_place(dim, parts.dim);
    int64_t size = parts.sizes[dim];
    start = mts_within(start, size);
    end = mts_within(end, size);
    parts.start = start * parts.strides[dim];
    parts.sizes[dim] = end > start ? (end - start - 1) / step + 1 : 0;
    parts.strides[dim] *= step;
    return mts_put_view(stack, &parts);
}

// an end of a slice, that may count from the end, within the bounds
static inline int64_t mts_within(int64_t index, int64_t size)
{
    index = mts_place(index, size);
    return index < 0 ? 0 : index > size ? size : index;
}

// aten::select.int
static bool mts_select_view(mts_list **pool, uint64_t *stack)
{
    mts_view_parts parts = mts_parts_of(pool, (void *)stack[0]);
    int64_t dim = stack[1], index = stack[2];
    if (!mts_is_index(dim, parts.dim)) return mts_call("aten::select", "int", stack);
    dim = mts_place(dim, parts.dim);
    if (!mts_is_index(index, parts.sizes[dim])) return mts_call("aten::select", "int", stack);
    parts.start = mts_place(index, parts.sizes[dim]) * parts.strides[dim];
    mts_drop_dim(&parts, dim);
    return mts_put_view(stack, &parts);
}

// aten::unsqueeze
static bool mts_unsqueeze_view(mts_list **pool, uint64_t *stack)
{
    mts_view_parts parts = mts_parts_of(pool, (void *)stack[0]);
    int64_t dim = stack[1];
    if (parts.dim < 0 || !mts_is_index(dim, parts.dim + 1))
        return mts_call("aten::unsqueeze", "", stack);
    dim = mts_place(dim, parts.dim + 1);
    int64_t stride = dim < parts.dim ? parts.sizes[dim] * parts.strides[dim] : 1;
    mts_add_dim(&parts, dim);
    parts.sizes[dim] = 1;
    parts.strides[dim] = stride;
    return mts_put_view(stack, &parts);
}

// aten::squeeze.dim
static bool mts_squeeze_view(mts_list **pool, uint64_t *stack)
{
    mts_view_parts parts = mts_parts_of(pool, (void *)stack[0]);
    if (!mts_is_index(stack[1], parts.dim)) return mts_call("aten::squeeze", "dim", stack);
    int64_t dim = mts_place(stack[1], parts.dim);
    if (parts.sizes[dim] == 1) mts_drop_dim(&parts, dim);
    return mts_put_view(stack, &parts);
}

// aten::transpose.int
static bool mts_transpose_view(mts_list **pool, uint64_t *stack)
{
    mts_view_parts parts = mts_parts_of(pool, (void *)stack[0]);
    if (!mts_is_index(stack[1], parts.dim) || !mts_is_index(stack[2], parts.dim))
        return mts_call("aten::transpose", "int", stack);
    int64_t first = mts_place(stack[1], parts.dim), second = mts_place(stack[2], parts.dim);
    int64_t size = parts.sizes[first], stride = parts.strides[first];
    parts.sizes[first] = parts.sizes[second];
    parts.strides[first] = parts.strides[second];
    parts.sizes[second] = size;
    parts.strides[second] = stride;
    return mts_put_view(stack, &parts);
}

// aten::t
static bool mts_t_view(mts_list **pool, uint64_t *stack)
{
    int64_t dim = 0;
    aoti_torch_get_dim((void *)stack[0], &dim);
    if (dim != 2) return mts_call("aten::t", "", stack);
    uint64_t call[] = {stack[0], 0, 1};
    bool raises = mts_transpose_view(pool, call);
    stack[0] = call[0];
    return raises;
}

// true where the elements lie row by row; sets their number
static bool mts_are_in_rows(const mts_view_parts *parts, int64_t *count)
{
    *count = 1;
    for (int64_t i = parts->dim - 1; i >= 0; i--) {
        if (parts->strides[i] != *count) return false;
        *count *= parts->sizes[i];
    }
    return parts->dim >= 0 && *count > 0;
}

// aten::view, of which the stack has the tensor and an `mts_list` of sizes
static bool mts_sizes_view(mts_list **pool, uint64_t *stack)
{
    mts_list *sizes = (mts_list *)stack[1];
    mts_view_parts parts = mts_parts_of(pool, (void *)stack[0]);
    int64_t count = 0, known = 1, open = -1;
    bool fits = mts_are_in_rows(&parts, &count) && sizes->length <= 8;
    for (int64_t i = 0; fits && i < sizes->length; i++) {
        int64_t size = sizes->items[i].i;
        fits = size > 0 ? size <= count / known : size == -1 && open < 0;
        if (size == -1)
            open = i;
        else if (fits)
            known *= size;
    }
    if (!fits || count % known || (open < 0 && known != count)) {
        stack[1] = mts_pass_list(sizes, 'n');
        return mts_call("aten::view", "", stack);
    }
    parts.dim = sizes->length;
    for (int64_t i = 0; i < parts.dim; i++) parts.sizes[i] = i == open ? count / known : sizes->items[i].i;
    mts_put_in_rows(&parts);
    return mts_put_view(stack, &parts);
}
