// a tensor, as a list whose only item is the handle that torch's C interface has given out for it;
// the handle is taken over; 0 without memory
static inline mts_list *mts_tensor_of(mts_list **pool, void *handle)
{
    mts_list *tensor = malloc(sizeof *tensor + sizeof(mts_value));
    if (!tensor) {
        aoti_torch_delete_tensor_object(handle);
        return 0;
    }
    *tensor = (mts_list){
        1, 1, 0, (mts_value *)(tensor + 1), 0, 0, *pool, pool, 0, mts_end_tensor};
    tensor->items[0].handle = handle;
    if (tensor->next) tensor->next->place = &tensor->next;
    *pool = tensor;
    return tensor;
}

static void mts_end_tensor(mts_list *tensor)
{
    if (tensor->items[0].handle) aoti_torch_delete_tensor_object(tensor->items[0].handle);
}

// the tensor of a handle that stays the caller's
static inline mts_list *mts_tensor_given(mts_list **pool, void *handle)
{
    return mts_tensor_of(pool, (void *)mts_pass_handle(handle));
}

static inline void *mts_handle(mts_list *tensor)
{
    return tensor->items[0].handle;
}

// true where two handles are of one tensor: each points to an at::Tensor, which is a pointer to it
static inline bool mts_is_one(mts_list *first, mts_list *second)
{
    return *(void **)mts_handle(first) == *(void **)mts_handle(second);
}

// another handle of a tensor, for who takes it over
static inline uint64_t mts_pass_handle(void *handle)
{
    void *other = 0;
    aoti_torch_new_tensor_handle(handle, &other);
    return (uint64_t)other;
}

static inline uint64_t mts_pass_tensor(mts_list *tensor)
{
    return mts_pass_handle(mts_handle(tensor));
}

static inline uint64_t mts_pass_float(double number)
{
    return (mts_value){.d = number}.i;
}

static inline double mts_taken_float(uint64_t number)
{
    return (mts_value){.i = number}.d;
}

static inline uint64_t mts_pass_text(mts_list *text)
{
    void *string = 0;
    torch_new_string_handle((const char *)text->items, text->length, &string);
    return (uint64_t)string;
}

// what is given for an argument that may be None; torch frees it
static inline uint64_t mts_pass_given(uint64_t value)
{
    uint64_t *given = 0;
    if (!torch_new_stable_ivalue)
        given = malloc(sizeof *given);
    else if (torch_new_stable_ivalue(&given))
        given = 0;
    if (given) *given = value;
    return (uint64_t)given;
}

// a list of tensors (t), of Optionals of tensors (o), of strs (s) or of numbers (n)
static inline uint64_t mts_pass_list(mts_list *list, char kind)
{
    void *passed = 0;
    torch_new_list_reserve_size(list->length, &passed);
    for (int64_t i = 0; i < list->length; i++) {
        mts_value item = list->items[i];
        uint64_t value = kind == 'n' || !item.list ? (uint64_t)item.i
                         : kind == 's'             ? mts_pass_text(item.list)
                                                   : mts_pass_tensor(item.list);
        torch_list_push_back(passed, kind == 'o' && item.list ? mts_pass_given(value) : value);
    }
    return (uint64_t)passed;
}

// the list of tensors (t) or of numbers (n) that a call has returned; 0 without memory
static inline mts_list *mts_taken_list(mts_list **pool, uint64_t passed, char kind)
{
    __SIZE_TYPE__ length = 0;
    torch_list_size((void *)passed, &length);
    mts_list *list = mts_list_new(pool, length, kind == 't');
    for (__SIZE_TYPE__ i = 0; list && i < length; i++) {
        uint64_t item = 0;
        torch_list_get_item((void *)passed, i, &item);
        if (kind == 'n') {
            list->items[i].i = item;
        } else if (!(list->items[i].list = mts_tensor_of(pool, (void *)item))) {
            list->length = i;
            list = 0;
        }
    }
    torch_delete_list((void *)passed);
    return list;
}

// an operator of torch; the stack has the arguments, which are taken over, and then the results;
// true where it raises
static inline bool mts_call(const char *name, const char *overload, uint64_t *stack)
{
    return torch_call_dispatcher(name, overload, stack, (uint64_t)2 << 56 | (uint64_t)10 << 48);
}
