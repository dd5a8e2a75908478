// a kernel for tensors of one kind, `key`: of each its dtype, its number of dimensions, sizes and
// strides; `words` are triples that say how each argument is found; `made` are the new tensors, as
// in `key`; `results` says which of them each output is
typedef struct mts_launch {
    struct mts_launch *next;
    int32_t (*run)(const uint64_t *);
    const int64_t *key, *words, *made, *results;
    int64_t word_count, made_count;
} mts_launch;

// a fused group: its kernels so far, and the function of Python that runs it where there is none
typedef struct mts_group {
    mts_launch *launches;
    int32_t (*call)(const mts_value *, void **);
} mts_group;

// true where the inputs of a group are of the kind that a kernel is for; `kinds` has a t for each
// that is a tensor
static bool mts_is_like(const mts_launch *launch, const char *kinds, const mts_value *inputs)
{
    const int64_t *key = launch->key;
    for (; *kinds; kinds++, inputs++) {
        if (*kinds != 't') continue;
        int64_t dim = mts_dim(inputs->list), *sizes = 0, *strides = 0;
        if (mts_dtype(inputs->list) != key[0] || dim != key[1]) return false;
        if (mts_device(inputs->list) >> 32) return false;
        aoti_torch_get_sizes(mts_handle(inputs->list), &sizes);
        aoti_torch_get_strides(mts_handle(inputs->list), &strides);
        if (dim && memcmp(sizes, key + 2, dim * sizeof *sizes)) return false;
        if (dim && memcmp(strides, key + 2 + dim, dim * sizeof *strides)) return false;
        key += 2 + 2 * dim;
    }
    return true;
}

static uint64_t mts_data(void *handle)
{
    void *data = 0;
    aoti_torch_get_data_ptr(handle, &data);
    return (uint64_t)data;
}

// runs a kernel; the handles of its outputs are for who takes them over; 0 for success, with the
// lowest bit set there was no memory, else a check failed
static int32_t mts_run_launch(
    const mts_launch *launch, const mts_value *inputs, void **handles, int64_t count)
{
    void *made[16];
    uint64_t arguments[64];
    const int64_t *like = launch->made;
    for (int64_t i = 0; i < launch->made_count; i++, like += 2 + 2 * like[1])
        aoti_torch_empty_strided(like[1], like + 2, like + 2 + like[1], like[0], 0, -1, &made[i]);
    for (int64_t i = 0; i < launch->word_count; i++) {
        const int64_t *word = &launch->words[3 * i];
        switch (word[0]) {
        case 'i': arguments[i] = mts_data(mts_handle(inputs[word[1]].list)); break;
        case 'o': arguments[i] = mts_data(made[word[1]]) + word[2]; break;
        case 'p': arguments[i] = inputs[word[1]].i; break;
        default: arguments[i] = word[1];
        }
    }
    int32_t fault = launch->run(arguments);
    for (int64_t i = 0; i < count; i++) aoti_torch_new_tensor_handle(made[launch->results[i]], &handles[i]);
    for (int64_t i = 0; i < launch->made_count; i++) aoti_torch_delete_tensor_object(made[i]);
    return fault;
}

// the outputs of a fused group; 0 for success
static int32_t mts_run_group(
    mts_list **pool, mts_group *group, const char *kinds, const mts_value *inputs,
    mts_list **outputs, int64_t count)
{
    void *handles[16] = {0};
    mts_launch *launch = __atomic_load_n(&group->launches, __ATOMIC_ACQUIRE);
    while (launch && !mts_is_like(launch, kinds, inputs)) launch = launch->next;
    int32_t fault = launch ? mts_run_launch(launch, inputs, handles, count) : 0;
    if (fault && !(fault & 1)) {  // a check has failed: the operators raise
        for (int64_t i = 0; i < count; i++) aoti_torch_delete_tensor_object(handles[i]);
        launch = 0;
    }
    if (!launch && group->call(inputs, handles)) return MTS_RAISED;
    for (int64_t i = 0; i < count; i++) {
        outputs[i] = mts_tensor_of(pool, handles[i]);
        if (!outputs[i]) fault |= 1;
    }
    return fault & 1 ? MTS_NO_MEMORY : 0;
}
