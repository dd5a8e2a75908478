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

// The sign and the rest are moved apart by widening. The exponent is brought to its place by a
// multiplication, which is exact, for denormals as well; what is 65536 then was infinite or NaN.
MTS_INLINE float mts_load_f16(unsigned short bits) {
    int moved = (int)((unsigned)(int)(short)bits << 13) & (int)0x8fffe000u;
    float finite = mts_from_bits_f32(moved) * 0x1p112f;
    int found = mts_bits_f32(finite);
    found = __builtin_fabsf(finite) >= 65536.0f ? found | 0x7f800000 : found;
    return mts_from_bits_f32(found);
}

// To the nearest, ties to even: what is added, and subtracted again, leaves the bits that float16 has
// of a number with this exponent, or of a denormal one. Then 65536 and more become infinite.
MTS_INLINE float mts_round_f16(float x) {
    MTS_HIDDEN float low = 0x1p-14f, high = 0x1p16f;
    float power = mts_from_bits_f32(mts_bits_f32(x) & 0x7f800000);
    power = mts_within_f32(power, low, high);
    float y = MTS_FMA(power, -0x1.8p13f, MTS_FMA(power, 0x1.8p13f, x));
    return __builtin_copysignf(y * 0x1p112f * 0x1p-112f, x);
}

// Of a value that is rounded already.
MTS_INLINE unsigned short mts_store_f16(float x) {
    unsigned bits = (unsigned)mts_bits_f32(x * 0x1p-112f);
    return (unsigned short)((bits >> 13 & 0x7fff) | (bits >> 16 & 0x8000));
}

// The same of a strip of elements, as many as `MTS_LANES`, by instructions of the processor.
MTS_INLINE void mts_load_lanes_f16(float *x, const unsigned short *bits) {
#if MTS_LANES == 16
    typedef float lanes __attribute__((vector_size(64), aligned(4), may_alias));
    typedef short halves __attribute__((vector_size(32), aligned(2), may_alias));
    *(lanes *)x = __builtin_ia32_vcvtph2ps512_mask(*(const halves *)bits, (lanes){0}, -1, 4);
#elif MTS_CONVERTS
    typedef float lanes __attribute__((vector_size(32), aligned(4), may_alias));
    typedef short halves __attribute__((vector_size(16), aligned(2), may_alias));
    *(lanes *)x = __builtin_ia32_vcvtph2ps256(*(const halves *)bits);
#else
    #pragma omp simd
    for (int lane = 0; lane < MTS_LANES; ++lane) {
        x[lane] = mts_load_f16(bits[lane]);
    }
#endif
}

MTS_INLINE void mts_round_lanes_f16(float *x) {
#if MTS_LANES == 16
    typedef float lanes __attribute__((vector_size(64), aligned(4), may_alias));
    typedef short halves __attribute__((vector_size(32)));
    halves y = __builtin_ia32_vcvtps2ph512_mask(*(lanes *)x, 0, (halves){0}, -1);
    *(lanes *)x = __builtin_ia32_vcvtph2ps512_mask(y, (lanes){0}, -1, 4);
#elif MTS_CONVERTS
    typedef float lanes __attribute__((vector_size(32), aligned(4), may_alias));
    *(lanes *)x = __builtin_ia32_vcvtph2ps256(__builtin_ia32_vcvtps2ph256(*(lanes *)x, 0));
#else
    #pragma omp simd
    for (int lane = 0; lane < MTS_LANES; ++lane) {
        x[lane] = mts_round_f16(x[lane]);
    }
#endif
}

MTS_INLINE void mts_store_lanes_f16(unsigned short *bits, const float *x) {
#if MTS_LANES == 16
    typedef float lanes __attribute__((vector_size(64), aligned(4), may_alias));
    typedef short halves __attribute__((vector_size(32), aligned(2), may_alias));
    *(halves *)bits = __builtin_ia32_vcvtps2ph512_mask(*(const lanes *)x, 0, (halves){0}, -1);
#elif MTS_CONVERTS
    typedef float lanes __attribute__((vector_size(32), aligned(4), may_alias));
    typedef short halves __attribute__((vector_size(16), aligned(2), may_alias));
    *(halves *)bits = __builtin_ia32_vcvtps2ph256(*(const lanes *)x, 0);
#else
    #pragma omp simd
    for (int lane = 0; lane < MTS_LANES; ++lane) {
        bits[lane] = mts_store_f16(x[lane]);
    }
#endif
}
