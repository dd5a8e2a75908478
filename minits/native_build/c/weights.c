// a tensor in the file of weights: its rows one after another; `dtype` tells the number that it has
typedef struct mts_weight {
    const char *name;
    int32_t (*dtype)(void);
    int64_t rank, bytes;
    const int64_t *sizes, *strides;
} mts_weight;

// where weights come from: a file, or the memory that they are embedded in
typedef struct mts_source {
    void *file;
    const char *memory;
} mts_source;

// opens a file and checks its head, of which the length and a hash are known; 0 for success
static int mts_open_weights(
    const char *path, int64_t length, uint64_t hash, mts_source *source, mts_error *error)
{
    const char *shown = path ? path : "of weights, of which no path is given";
    source->file = path ? fopen(path, "rb") : 0;
    if (!source->file)
        return mts_set_error(error, "OSError", (const char *[]){"cannot read the file ", shown, 0});
    uint64_t found = 0xcbf29ce484222325u;
    char bytes[256];
    for (int64_t left = length; left;) {
        int64_t wanted = left < (int64_t)sizeof bytes ? left : (int64_t)sizeof bytes;
        if ((int64_t)fread(bytes, 1, wanted, source->file) != wanted) break;
        for (int64_t i = 0; i < wanted; i++) found = (found ^ (uint8_t)bytes[i]) * 0x100000001b3u;
        left -= wanted;
    }
    if (found == hash) return 0;
    fclose(source->file);
    return mts_set_error(error, "ValueError", (const char *[]){
        shown, " is not the file of weights that the library was built with, or one like it", 0});
}

// the next tensor of the weights, an AtenTensorHandle; 0 where there is no memory, or no more data
static void *mts_read_weight(mts_source *source, const mts_weight *weight)
{
    void *handle = 0, *to = 0;
    if (aoti_torch_empty_strided(weight->rank, weight->sizes, weight->strides, weight->dtype(),
                                 aoti_torch_device_type_cpu(), 0, &handle))
        return 0;
    aoti_torch_get_data_ptr(handle, &to);
    bool is_read = !weight->bytes;
    if (source->memory && weight->bytes) {
        memcpy(to, source->memory, weight->bytes);
        source->memory += weight->bytes;
        is_read = true;
    } else if (weight->bytes) {
        is_read = (int64_t)fread(to, 1, weight->bytes, source->file) == weight->bytes;
    }
    if (is_read) return handle;
    aoti_torch_delete_tensor_object(handle);
    return 0;
}

// reads all weights into attributes, of which several may be one tensor; 0 for success
static int mts_take_weights(
    mts_model *model, mts_source *source, const mts_weight *weights, int64_t weight_count,
    const mts_slot *slots, int64_t count, mts_error *error)
{
    for (int64_t i = 0; i < weight_count; i++) {
        void *handle = mts_read_weight(source, &weights[i]);
        mts_list *tensor = handle ? mts_tensor_of(model->pool, handle) : 0;
        if (!tensor)
            return mts_set_error(error, "ValueError", (const char *[]){
                "the weights end before ", weights[i].name, ", or there is no memory for it", 0});
        for (int64_t k = 0; k < count; k++)
            if (slots[k].weight == i + 1) model->state->items[k].list = mts_retain(tensor);
    }
    return 0;
}
