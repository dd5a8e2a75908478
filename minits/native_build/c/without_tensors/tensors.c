// a program without tensors takes none
static int32_t mts_unbox_tensor(mts_list **pool, const mts_any *any, mts_value *value)
{
    return MTS_UNFIT;
}

static bool mts_box_tensor(mts_list *tensor, mts_any *any)
{
    return false;
}

static void mts_clear_tensor(mts_any *any) {}

static mts_list *mts_torch_message(mts_list **pool)
{
    return 0;
}
