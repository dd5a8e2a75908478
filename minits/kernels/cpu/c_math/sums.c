// Sums of numbers in memory.

// A block, in four vectors of 64 bytes; these are added up by halves. What is left of the block is
// filled up with zeros.
MTS_INLINE {t} mts_sum_{T}(const {t} *x, long long count) {
    enum { width = 64 / sizeof({t}) };
    typedef {t} lanes __attribute__((vector_size(64), aligned(sizeof({t})), may_alias));
    lanes a = {0}, b = {0}, c = {0}, d = {0};
    long long i = 0;
    for (; i + 4 * width <= count; i += 4 * width) {
        a += *(const lanes *)(x + i);
        b += *(const lanes *)(x + i + width);
        c += *(const lanes *)(x + i + 2 * width);
        d += *(const lanes *)(x + i + 3 * width);
    }
    for (; i + width <= count; i += width) {
        a += *(const lanes *)(x + i);
    }
    if (i < count) {
        {t} rest[width] __attribute__((aligned(64)));
        #pragma omp simd
        for (int j = 0; j < width; j++) {
            rest[j] = j < count - i ? x[i + j] : 0;
        }
        b += *(const lanes *)rest;
    }
    union { lanes all; {t} each[width]; } sum = {(a + b) + (c + d)};
    for (int half = width / 2; half; half /= 2) {
        #pragma omp simd
        for (int j = 0; j < half; j++) {
            sum.each[j] += sum.each[j + half];
        }
    }
    return sum.each[0];
}

// sum + x; what is lost by rounding is added to `lost`. Where the sum is infinite, that is NaN.
MTS_INLINE {t} mts_add_{T}({t} sum, {t} x, {t} *lost) {
    {t} both = sum + x, added = both - sum;
    *lost += (sum - (both - added)) + (x - added);
    return both;
}
