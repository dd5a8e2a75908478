// Sums of numbers in memory.

// In two vectors of 16 lanes, which are then added up by halves; the rest one by one.
MTS_INLINE float mts_sum_f32(const float *x, long long count) {
    typedef float lanes __attribute__((vector_size(64), aligned(4), may_alias));
    typedef float quarter __attribute__((vector_size(16)));
    union { lanes all; quarter quarters[4]; } sum;
    lanes a = {0}, b = {0};
    long long i = 0;
    for (; i + 32 <= count; i += 32) {
        a += *(const lanes *)(x + i);
        b += *(const lanes *)(x + i + 16);
    }
    if (i + 16 <= count) {
        a += *(const lanes *)(x + i);
        i += 16;
    }
    sum.all = a + b;
    quarter q = (sum.quarters[0] + sum.quarters[1]) + (sum.quarters[2] + sum.quarters[3]);
    float total = (q[0] + q[2]) + (q[1] + q[3]);
    for (; i < count; i++) {
        total += x[i];
    }
    return total;
}
