// a tensor of the caller, as another handle of it
static int32_t mts_unbox_tensor(mts_list **pool, const mts_any *any, mts_value *value)
{
    if (any->kind != MTS_TENSOR) return MTS_UNFIT;
    value->list = mts_tensor_given(pool, any->as.tensor);
    return value->list ? 0 : MTS_NO_MEMORY;
}

// a tensor for the caller, who deletes its handle
static int32_t mts_box_tensor(mts_list *tensor, mts_any *any)
{
    any->kind = MTS_TENSOR;
    if (aoti_torch_new_tensor_handle(mts_handle(tensor), &any->as.tensor)) return MTS_NO_MEMORY;
    return 0;
}

static void mts_clear_tensor(mts_any *any)
{
    if (any->as.tensor) aoti_torch_delete_tensor_object(any->as.tensor);
}

// the message of the operator of torch that has failed, or 0
static mts_list *mts_torch_message(mts_list **pool)
{
    const char *message = 0;
    if (torch_exception_get_what_without_backtrace)
        message = torch_exception_get_what_without_backtrace();
    return message && *message ? mts_text_of(pool, strlen(message), message) : 0;
}
