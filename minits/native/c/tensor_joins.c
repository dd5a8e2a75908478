// the sizes of the tensors of a list, joined; of no dimensions where torch is to join them: those
// that are unlike each other, and so many elements that it has threads for them
static mts_view_parts mts_joined(mts_list **pool, mts_list *list, int64_t dim)
{
    mts_view_parts none = {0}, joined = {0}, parts;
    for (int64_t i = 0; i < list->length; i++) {
        mts_list *tensor = list->items[i].list;
        if (!mts_is_in_rows(pool, mts_handle(tensor), &parts)) return none;
        if (!i) {
            joined = parts;
            continue;
        }
        if (mts_dtype(tensor) != mts_dtype(list->items[0].list) || parts.dim != joined.dim) return none;
        for (int64_t j = 0; j < parts.dim; j++)
            if (j != dim && parts.sizes[j] != joined.sizes[j]) return none;
        joined.sizes[dim] += parts.sizes[dim];
    }
    bool has_order = joined.dim > 3;  // of images, whose channels may be last
    return has_order || mts_put_in_rows(&joined) > 32768 ? none : joined;
}

// aten::cat, of which the stack has an `mts_list` of tensors and the dimension
static bool mts_cat_rows(mts_list **pool, uint64_t *stack)
{
    mts_list *list = (mts_list *)stack[0];
    int64_t dim = stack[1], outer = 1;
    int64_t count = list->length ? mts_dim(list->items[0].list) : 0;
    mts_view_parts joined = {0};
    void *data = 0;
    if (mts_is_index(dim, count)) joined = mts_joined(pool, list, dim = mts_place(dim, count));
    int32_t dtype = joined.dim ? mts_dtype(list->items[0].list) : 0;
    int64_t bytes = mts_element_bytes(dtype);
    if (!joined.dim || !bytes) {
        stack[0] = mts_pass_list(list, 't');
        return mts_call("aten::cat", "", stack);
    }
    stack[0] = (uint64_t)mts_new_rows(&joined, dtype, &data);
    if (!stack[0]) return true;
    for (int64_t i = 0; i < dim; i++) outer *= joined.sizes[i];
    int64_t row = joined.sizes[dim] * joined.strides[dim] * bytes, place = 0;
    for (int64_t i = 0; i < list->length; i++) {
        void *from = 0, *handle = mts_handle(list->items[i].list);
        aoti_torch_get_data_ptr(handle, &from);
        int64_t part = mts_size(list->items[i].list, dim) * joined.strides[dim] * bytes;
        for (int64_t j = 0; j < outer; j++)
            memcpy((char *)data + j * row + place, (char *)from + j * part, part);
        place += part;
    }
    return false;
}
