static void mts_clear_tensor(mts_any *any)
{
    (void)any;  // a program without tensors gives none
}

static mts_list *mts_torch_message(mts_list **pool)
{
    (void)pool;
    return 0;
}
