// what Python answers to a question, given some values; 0 for success, the number of a fault below 0,
// or 1 where the answer is an error of the program; `take` takes a tensor by its handle
static inline int32_t mts_ask(
    mts_list **pool, mts_asking ask, void *asker, int64_t number, const mts_value *values,
    mts_list *(*take)(mts_list **, void *), mts_value *answer)
{
    const mts_value *words = 0;
    int32_t fault = ask(asker, number, values, &words);
    if (fault || !words) return fault;
    return mts_given(pool, words, take, &answer->list) ? 0 : MTS_NO_MEMORY;
}

// a tensor, or one that is not defined for None; 0 without memory
static inline mts_list *mts_tensor_or_undefined(mts_list **pool, mts_list *tensor)
{
    void *undefined = 0;
    if (tensor) return tensor;
    return aoti_torch_new_uninitialized_tensor(&undefined) ? 0 : mts_tensor_of(pool, undefined);
}
