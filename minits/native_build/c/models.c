// a model: its pool, of the lists that it keeps between calls, and its attributes, one of these
struct mts_model {
    mts_list *pool[2], *state;
    mts_mutex turn;
};

// room for a mutex of the system, however large it is
typedef union mts_mutex {
    char room[128];
    long double alignment;
} mts_mutex;

// an attribute that methods read: its path in the module, the code of its type, its value at first;
// of a tensor the number of its weight, from 1
typedef struct mts_slot {
    const char *path, *type;
    const mts_any *initial;
    int64_t weight;
} mts_slot;

// makes a model with its attributes, but for weights; 0 for success
static int mts_create(const mts_slot *slots, int64_t count, mts_model **model, mts_error *error)
{
    mts_model *made = *model = malloc(sizeof *made);
    if (!made) return mts_no_memory(error);
    made->pool[0] = made->pool[1] = 0;
    made->state = mts_list_new(made->pool, count, false);
    bool is_made = made->state && !pthread_mutex_init(&made->turn, 0);
    for (int64_t i = 0; is_made && i < count; i++) {
        mts_value *item = &made->state->items[i];
        item->list = 0;
        if (!slots[i].weight) is_made = !mts_unbox(made->pool, slots[i].type, slots[i].initial, item);
    }
    if (is_made) return 0;
    mts_free_all(made->pool);
    free(made);
    *model = 0;
    return mts_no_memory(error);
}

// two places that have one list or dict: the numbers of items on the way from all attributes to each,
// up to -1
typedef struct mts_shared_places {
    const int64_t *first, *second;
} mts_shared_places;

static mts_value *mts_value_at(mts_list *list, const int64_t *path)
{
    while (path[1] >= 0) list = list->items[*path++].list;
    return &list->items[*path];
}

// lets each second place have what is at the first
static void mts_share(mts_list *state, const mts_shared_places *shared, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        mts_value *second = mts_value_at(state, shared[i].second);
        mts_list *copy = second->list;
        second->list = mts_retain(mts_value_at(state, shared[i].first)->list);
        mts_release(copy);
    }
}

// lets attributes that no call sets never end, so that threads share them
static void mts_keep_forever(mts_model *model)
{
    for (mts_list *list = *model->pool; list; list = list->next) list->references = MTS_ETERNAL;
}

static void mts_destroy(mts_model *model)
{
    if (!model) return;
    mts_free_all(model->pool);
    pthread_mutex_destroy(&model->turn);
    free(model);
}

// the method of this name, of overloads the first, or 0
static const mts_method *mts_find_method(
    const mts_method *methods, int64_t count, const char *name)
{
    for (int64_t i = 0; i < count; i++)
        if (!strcmp(methods[i].name, name)) return &methods[i];
    return 0;
}

// calls a method by its name, of overloads the first that the arguments fit; 0 for success
static int mts_call_method(
    const mts_method *methods, int64_t method_count, mts_list *state, mts_list **pool,
    const char *name, const mts_any *arguments, int64_t count, mts_value *values, mts_value *out,
    mts_any *result, mts_error *error)
{
    *result = mts_none();
    const mts_method *method = mts_find_method(methods, method_count, name);
    if (!method)
        return mts_set_error(error, "AttributeError", (const char *[]){
            "there is no function '", name, "'", 0});
    while (mts_take_arguments(pool, method, arguments, count, values, error)) {
        if (++method == methods + method_count || strcmp(method->name, name)) return 1;
        free(error->message);
    }
    return mts_run_method(method, state, values, pool, out, result, error);
}

// counts a holder, and those of what a list holds if it is the first
static void mts_count_holder(mts_list *list)
{
    if (!list || list->references == MTS_ETERNAL || list->references++) return;
    if (list->drop == mts_dict_drop)
        for (int64_t i = 0; i < mts_dict_in(list)->used; i++) {
            mts_value *entry = &list->items[3 * i];
            if (!entry[2].i) continue;
            if (mts_dict_in(list)->keys == 's') mts_count_holder(entry[0].list);
            if (mts_dict_in(list)->holds_values) mts_count_holder(entry[1].list);
        }
    for (int64_t i = 0; list->holds && i < list->length; i++)
        if (list->holds >> (i & 63) & 1) mts_count_holder(list->items[i].list);
}

// the end of all lists of a call but those that attributes have now
static void mts_keep_attributes(
    mts_model *model, const mts_slot *slots, int64_t count)
{
    for (mts_list *list = *model->pool; list; list = list->next) list->references = 0;
    mts_count_holder(model->state);
    for (int64_t i = 0; i < count; i++)
        if (mts_is_held(*slots[i].type)) mts_count_holder(model->state->items[i].list);
    for (mts_list *list = *model->pool, *next; list; list = next) {
        next = list->next;
        if (list->references) continue;
        *list->place = next;
        if (next) next->place = list->place;
        mts_free(list);
    }
}
