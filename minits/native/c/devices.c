// devices: their type in the upper half of a number, their index in the lower, -1 for none

// the name of a type of devices, by its number (c10/core/DeviceType.h); 0 beyond the last one
static const char *mts_device_name(int64_t type)
{
    static const char *const names[] = {
        "cpu", "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip", "fpga", "maia", "xla",
        "vulkan", "metal", "xpu", "mps", "meta", "hpu", "ve", "lazy", "ipu", "mtia",
        "privateuseone", 0};
    return names[type];
}

// the name of a device's type
static mts_list *mts_device_type(mts_list **pool, int64_t device)
{
    const char *name = mts_device_name(device >> 32);
    return mts_text_of(pool, strlen(name), name);
}

// the index that follows the colon of a device's name, -1 for none, or -2 where it is no index
static int64_t mts_device_index(const char *text, int64_t length)
{
    int64_t index = 0;
    if (!length) return -1;
    if (length < 2 || length > 12 || (text[1] == '0' && length > 2)) return -2;
    for (int64_t i = 1; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return -2;
        index = 10 * index + text[i] - '0';
    }
    return index > 0x7fffffff ? -2 : (int8_t)index;
}

// the device of a name such as cuda:1; below 0 where it is none
static int64_t mts_device_of_text(mts_list *text)
{
    const char *bytes = mts_bytes(text);
    int64_t end = 0;
    while (end < text->length && bytes[end] != ':') end++;
    int64_t index = mts_device_index(bytes + end, text->length - end);
    for (int64_t type = 0; index > -2 && mts_device_name(type); type++) {
        const char *name = mts_device_name(type);
        bool is_known = type != 11 && (int64_t)strlen(name) == end;  // torch takes no metal
        if (is_known && !memcmp(name, bytes, end)) return type << 32 | (uint32_t)index;
    }
    return -1;
}

// the device of the name of a type and an index; below 0 where it is none
static int64_t mts_device_with_index(mts_list *type, int64_t index)
{
    int64_t device = mts_device_of_text(type);
    if (device < 0 || (int32_t)device != -1 || index < 0) return -1;
    return device >> 32 << 32 | (uint32_t)(int8_t)index;
}
