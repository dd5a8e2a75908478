// float16 and bfloat16 as bits in memory, and as floats rounded to them. Without branches.

MTS_INLINE float mts_load_bf16(unsigned short bits) {
    return mts_from_bits_f32((int)((unsigned)bits << 16));
}

// To the nearest, ties to even; a NaN stays one.
MTS_INLINE float mts_round_bf16(float x) {
    unsigned bits = (unsigned)mts_bits_f32(x);
    unsigned rounded = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u;
    return x != x ? mts_from_bits_f32(0x7fc00000) : mts_from_bits_f32((int)rounded);
}

// Of a value that is rounded already.
MTS_INLINE unsigned short mts_store_bf16(float x) {
    return (unsigned short)((unsigned)mts_bits_f32(x) >> 16);
}

// The exponent is brought to its place by a multiplication, which is exact, for denormals as well.
MTS_INLINE float mts_load_f16(unsigned short bits) {
    unsigned sign = (unsigned)(bits & 0x8000) << 16;
    unsigned rest = (unsigned)(bits & 0x7fff) << 13;
    float finite = mts_from_bits_f32((int)rest) * 0x1p112f;
    unsigned special = rest | 0x7f800000u;
    unsigned found = rest >= 0x0f800000u ? special : (unsigned)mts_bits_f32(finite);
    return mts_from_bits_f32((int)(found | sign));
}

// To the nearest, ties to even. Below 2 ** -14 adding 0.5 leaves the bits that float16 has.
MTS_INLINE float mts_round_f16(float x) {
    unsigned bits = (unsigned)mts_bits_f32(x);
    unsigned sign = bits & 0x80000000u, size = bits & 0x7fffffffu;
    unsigned normal = (size + 0xfff + (size >> 13 & 1)) & 0xffffe000u;
    float small = (mts_from_bits_f32((int)size) + 0.5f) - 0.5f;
    unsigned found = size < 0x38800000u ? (unsigned)mts_bits_f32(small) : normal;
    found = found >= 0x47800000u ? 0x7f800000u : found;
    found = size > 0x7f800000u ? 0x7fc00000u : found;
    return mts_from_bits_f32((int)(found | sign));
}

// Of a value that is rounded already.
MTS_INLINE unsigned short mts_store_f16(float x) {
    unsigned bits = (unsigned)mts_bits_f32(x);
    unsigned sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    float scaled = mts_from_bits_f32((int)size) * 0x1p-112f;
    unsigned found = size >= 0x7f800000u ? (size > 0x7f800000u ? 0x7e00u : 0x7c00u)
                                         : (unsigned)mts_bits_f32(scaled) >> 13;
    return (unsigned short)(found | sign);
}
