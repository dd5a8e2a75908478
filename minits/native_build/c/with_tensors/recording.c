// true where gradients are recorded of a tensor among arguments, or within them
static bool mts_is_recorded(const mts_any *arguments, int64_t count)
{
    if (!aoti_torch_grad_mode_is_enabled()) return false;
    for (int64_t i = 0; i < count; i++) {
        const mts_any *each = &arguments[i];
        bool holds = each->kind == MTS_LIST || each->kind == MTS_TUPLE || each->kind == MTS_DICT;
        int64_t length = each->kind == MTS_DICT ? 2 * each->length : each->length;
        if (each->kind == MTS_TENSOR && each->as.tensor && mts_wants_grad(each->as.tensor)) return true;
        if (holds && mts_is_recorded(each->as.items, length)) return true;
    }
    return false;
}
