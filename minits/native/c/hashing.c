// the hash of some bytes in the C++ library of GNU (`_Hash_bytes`)
static uint64_t mts_hash_bytes(const char *bytes, int64_t length)
{
    const uint64_t factor = 0xc6a4a7935bd1e995u;
    uint64_t hash = 0xc70f6907u ^ (uint64_t)length * factor;
    for (; length > 0; bytes += 8, length -= 8) {
        uint64_t word = 0;
        memcpy(&word, bytes, length < 8 ? length : 8);
        if (length >= 8) {
            word *= factor;
            word = (word ^ word >> 47) * factor;
        }
        hash = (hash ^ word) * factor;
    }
    hash = (hash ^ hash >> 47) * factor;
    return hash ^ hash >> 47;
}

// a tensor is hashed by its address
static uint64_t mts_hash_tensor(mts_list *tensor)
{
    return (uint64_t)*(void **)mts_handle(tensor);
}

// the hash that torch has for a value of the type that `code` tells; `tensor` tells that of a
// tensor, and is 0 where there are none
static uint64_t mts_hash_value(const char *code, mts_value value, uint64_t (*tensor)(mts_list *))
{
    switch (*code) {
    case 'f': return value.d == 0.0 ? 0 : mts_hash_bytes((const char *)&value.d, 8);
    case 's': return mts_hash_bytes(mts_bytes(value.list), value.list->length);
    case 'n': return 0;
    case 'd': return (uint64_t)value.i >> 32 << 16 | (uint8_t)value.i;
    case 'T': return tensor(value.list);
    case '?':
        if (!value.list) return 0;
        return mts_hash_value(
            code + 1, mts_is_number(code[1]) ? *value.list->items : value, tensor);
    case '(': {
        uint64_t hash = 0;
        code++;
        for (int64_t i = 0; i < value.list->length; code = mts_after(code), i++) {
            uint64_t item = mts_hash_value(code, value.list->items[i], tensor);
            hash ^= item + 0x9e3779b9u + (hash << 6) + (hash >> 2);
        }
        return hash;
    }
    }
    return value.i;
}
