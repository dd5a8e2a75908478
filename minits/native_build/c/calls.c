// a place where the program may raise; `told` has the types of the operands that it tells; without
// `message` the first is the message; in one, a byte 1 stands for an operand: how it is shown, and its
// digit; after a byte 2 and a digit, there are two, for that operand if it is zero and for others; a
// byte 4 comes before one that stands for torch's own
typedef struct mts_site {
    const char *type, *message, *told, *file, *source;
    int line;
} mts_site;

// a function that can be called; `names`, up to 0, and `types` are those of its parameters, `defaults`
// belong to those from `required` on
typedef struct mts_method {
    const char *name, *declaration;
    int64_t count, required;
    const char *const *names, *const *types;
    const mts_any *defaults;
    const char *result;
    const mts_site *sites;
    int32_t (*run)(mts_list *state, const mts_value *arguments, mts_list **pool, mts_value *out);
} mts_method;

// sets an error without a place; its message is made of parts, up to 0
static int mts_set_error(mts_error *error, const char *type, const char *const *parts)
{
    int64_t length = 0;
    for (int64_t i = 0; parts[i]; i++) length += strlen(parts[i]);
    char *to = malloc(length + 1);
    *error = (mts_error){to ? type : "MemoryError", to, 0, 0, 0};
    for (int64_t i = 0; to && parts[i]; i++) {
        memcpy(to, parts[i], strlen(parts[i]));
        to += strlen(parts[i]);
    }
    if (to) *to = 0;
    return 1;
}

static int mts_no_memory(mts_error *error)
{
    *error = (mts_error){"MemoryError", 0, 0, 0, 0};
    return 1;
}

// the text of an operand in a message: as str() has it, by %f, or its length; 0 without memory
static mts_list *mts_shown(mts_list **pool, char how, char type, mts_value value)
{
    if (how == 'l') return mts_text_of_int(pool, value.list->length);
    if (how == 'f') {
        char bytes[400];
        return mts_text_of(pool, mts_snprintf(bytes, sizeof bytes, "%f", value.d), bytes);
    }
    switch (type) {
    case 'i': return mts_text_of_int(pool, value.i);
    case 'b': return mts_text_of_bool(pool, value.i != 0);
    case 'f': return mts_text_of_float(pool, value.d);
    }
    return value.list;
}

// the message of a site, or the first or second of two
static const char *mts_chosen(const mts_site *site, const mts_value *told)
{
    const char *message = site->message;
    if (*message == 4) return message + 1;
    if (*message != 2) return message;
    int64_t number = message[1] - '0';
    char type = site->told[number];
    bool is_number = type == 'i' || type == 'b';
    if (is_number ? !told[number].i : !told[number].list->length) return message + 2;
    while (*message != 3) message++;
    return message + 1;
}

// the message of a site, whose operands are in `told`; 0 without memory
static mts_list *mts_message(mts_list **pool, const mts_site *site, const mts_value *told)
{
    if (!site->message) return told[0].list;
    mts_list *of_torch = *site->message == 4 ? mts_torch_message(pool) : 0;
    if (of_torch) return of_torch;
    mts_list *text = mts_text_new(pool, 0);
    for (const char *at = mts_chosen(site, told); text && *at && *at != 3;) {
        mts_list *part;
        if (*at == 1) {
            part = mts_shown(pool, at[1], site->told[at[2] - '0'], told[at[2] - '0']);
            at += 3;
        } else {
            const char *end = at;
            while (*end && *end != 1 && *end != 3) end++;
            part = mts_text_of(pool, end - at, at);
            at = end;
        }
        text = part ? mts_add_texts(pool, text, part) : 0;
    }
    return text;
}

// an assert raises a message alone, which begins with its class
static int64_t mts_assertion_length(const mts_site *site, mts_list *message)
{
    const char *head = "AssertionError: ";
    if (site->type || message->length < 15 || memcmp(message->items, head, 15)) return 0;
    if (message->length == 15) return 15;
    return memcmp(message->items, head, 16) ? 0 : 16;
}

// tells the error of a site
static int mts_raise(
    mts_list **pool, const mts_site *site, const mts_value *told, mts_error *error)
{
    mts_list *message = mts_message(pool, site, told);
    if (!message) return mts_no_memory(error);
    int64_t skipped = mts_assertion_length(site, message), length = message->length - skipped;
    const char *type = skipped ? "AssertionError" : site->type ? site->type : "RuntimeError";
    char *text = malloc(length + 1);
    if (!text) return mts_no_memory(error);
    memcpy(text, mts_bytes(message) + skipped, length);
    text[length] = 0;
    *error = (mts_error){type, text, site->file, site->line, site->source};
    return 1;
}

// the name of a kind of values, as Python has it
static const char *mts_kind_name(mts_kind kind)
{
    static const char *const names[] = {
        "None", "bool", "int", "float", "str", "list", "tuple", "dict", "Tensor", "LEFT_OUT",
        "complex", "device", "enum"};
    return (unsigned)kind <= MTS_ENUM ? names[kind] : "a value of an unknown kind";
}

static int mts_set_missing(
    mts_error *error, const mts_method *method, int64_t number)
{
    return mts_set_error(error, "TypeError", (const char *[]){
        method->name, "() is missing value for argument '", method->names[number],
        "'. Declaration: ", method->declaration, 0});
}

// tells that an argument is of another kind, or names what there is not
static int mts_set_unfit(
    mts_error *error, const mts_method *method, int64_t number, mts_kind kind, int32_t fault)
{
    bool is_name = fault == MTS_UNKNOWN;
    const char *named = kind == MTS_ENUM ? "member of the enum" : "device";
    return mts_set_error(error, "TypeError", (const char *[]){
        method->name, "() was given no fitting value for argument '", method->names[number],
        is_name ? "' but the name of no " : "' but one of kind ",
        is_name ? named : mts_kind_name(kind), ". Declaration: ", method->declaration, 0});
}

// makes the values of a call's arguments, of which some may be left out; 0 for success
static int mts_take_arguments(
    mts_list **pool, const mts_method *method, const mts_any *arguments, int64_t count,
    mts_value *values, mts_error *error)
{
    if (count > method->count)
        return mts_set_error(error, "TypeError", (const char *[]){
            method->name, "() is given too many arguments. Declaration: ", method->declaration, 0});
    for (int64_t i = 0; i < method->count; i++) {
        bool is_given = i < count && arguments[i].kind != MTS_LEFT_OUT;
        if (!is_given && i < method->required) return mts_set_missing(error, method, i);
        const mts_any *given = is_given ? &arguments[i] : &method->defaults[i - method->required];
        int32_t fault = mts_unbox(pool, method->types[i], given, &values[i]);
        if (fault == MTS_NO_MEMORY) return mts_no_memory(error);
        if (fault) return mts_set_unfit(error, method, i, given->kind, fault);
    }
    return 0;
}

// calls a method with the arguments that were made, and hands out its result; 0 for success
static int mts_run_method(
    const mts_method *method, mts_list *state, const mts_value *values, mts_list **pool,
    mts_value *out, mts_any *result, mts_error *error)
{
    int32_t site = method->run(state, values, pool, out);
    if (site == MTS_NO_MEMORY) return mts_no_memory(error);
    if (site == MTS_RAISED)
        return mts_set_error(error, "OSError", (const char *[]){"cannot write what is printed", 0});
    if (site) return mts_raise(pool, &method->sites[site - 1], out, error);
    int32_t fault = mts_box(method->result, out[0], result);
    if (!fault) return 0;
    mts_clear_any(result);
    if (fault == MTS_NO_MEMORY) return mts_no_memory(error);
    return mts_set_error(error, "OverflowError", (const char *[]){
        "an int of the result is beyond 63 bits", 0});
}

// shows a warning, once in a call
static inline void mts_warn(bool *is_shown, const char *bytes, int64_t length)
{
    if (!*is_shown && write(2, bytes, length) == length) *is_shown = true;
}
