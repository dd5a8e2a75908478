// Scans of numbers in memory, in place. `step` is -1 where they go from the last element to the
// first. `{a}` is what is accumulated in: double for float, float for the halves, which are rounded
// where they are read.

// No sum of floats is too large for a double, so these are added four at a time: the next four wait
// for one addition.
MTS_INLINE void mts_cumsum_{T}({t} *x, long long count, int step) {
    {a} sum = 0;
    x = step < 0 ? x + count - 1 : x;
    long long i = 0;
    for (; sizeof({a}) > sizeof({t}) && i + 4 <= count; i += 4, x += 4 * step) {
        {a} a = x[0], b = a + x[step], c = b + x[2 * step], d = c + x[3 * step];
        x[0] = ({t})(sum + a);
        x[step] = ({t})(sum + b);
        x[2 * step] = ({t})(sum + c);
        x[3 * step] = ({t})(sum + d);
        sum += d;
    }
    for (; i < count; i++, x += step) {
        sum += *x;
        *x = ({t})sum;
    }
}

MTS_INLINE void mts_cumprod_{T}({t} *x, long long count, int step) {
    {a} product = 1;
    x = step < 0 ? x + count - 1 : x;
    for (long long i = 0; i < count; i++, x += step) {
        product *= *x;
        *x = ({t})product;
    }
}

// Rows that lie behind each other, four at a time: their sums do not wait for each other.
MTS_INLINE void mts_cumsum_rows_{T}({t} *x, int rows, long long count, int step) {
    for (; rows >= 4; rows -= 4, x += 4 * count) {
        {a} a = 0, b = 0, c = 0, d = 0;
        {t} *y = step < 0 ? x + count - 1 : x;
        for (long long i = 0; i < count; i++, y += step) {
            a += y[0], b += y[count], c += y[2 * count], d += y[3 * count];
            y[0] = ({t})a, y[count] = ({t})b, y[2 * count] = ({t})c, y[3 * count] = ({t})d;
        }
    }
    for (int r = 0; r < rows; r++) {
        mts_cumsum_{T}(x + r * count, count, step);
    }
}

MTS_INLINE void mts_cumprod_rows_{T}({t} *x, int rows, long long count, int step) {
    for (; rows >= 4; rows -= 4, x += 4 * count) {
        {a} a = 1, b = 1, c = 1, d = 1;
        {t} *y = step < 0 ? x + count - 1 : x;
        for (long long i = 0; i < count; i++, y += step) {
            a *= y[0], b *= y[count], c *= y[2 * count], d *= y[3 * count];
            y[0] = ({t})a, y[count] = ({t})b, y[2 * count] = ({t})c, y[3 * count] = ({t})d;
        }
    }
    for (int r = 0; r < rows; r++) {
        mts_cumprod_{T}(x + r * count, count, step);
    }
}

// The greatest or the least so far, of equal ones the last; a NaN stays. The choice that is a
// single instruction would lose a NaN, so a row with one goes slowly. Else of four elements each is
// first compared with those before it, then all with what was before the four: that waits for one
// choice.
MTS_INLINE void mts_cum{extreme}_{T}({t} *x, long long count, int step) {
    int has_nan = 0;
    #pragma omp simd reduction(|:has_nan)
    for (long long i = 0; i < count; i++) {
        has_nan |= x[i] != x[i];
    }
    x = step < 0 ? x + count - 1 : x;
    const long long fours = has_nan ? 0 : count / 4;
    #pragma GCC ivdep
    for (long long i = 0; i < fours; i++) {
        {t} *four = x + 4 * i * step;
        {t} a = four[0], b = four[step], c = four[2 * step], d = four[3 * step];
        b = a {beyond} b ? a : b;
        d = c {beyond} d ? c : d;
        four[step] = b;
        four[2 * step] = b {beyond} c ? b : c;
        four[3 * step] = b {beyond} d ? b : d;
    }
    {t} best = *x;
    for (long long i = 0; i < fours; i++, x += 4 * step) {
        {t} last = x[3 * step];
        x[0] = best {beyond} x[0] ? best : x[0];
        x[step] = best {beyond} x[step] ? best : x[step];
        x[2 * step] = best {beyond} x[2 * step] ? best : x[2 * step];
        best = best {beyond} last ? best : last;
        x[3 * step] = best;
    }
    for (long long i = 4 * fours; i < count; i++, x += step) {
        *x = best = best {beyond} *x || best != best && *x == *x ? best : *x;
    }
}

// log(sum(exp(x))): what is summed is exp(x - m), where m is the greatest x so far (zero, where that
// is infinite), and the sum is scaled when m grows. Only the two short loops between go one by one.
MTS_INLINE void mts_logcumsumexp_{T}({t} *x, long long count, int step) {
    enum { block = 64 };
    double shift[block], power[block], scale[block];
    double greatest = -__builtin_inf(), before = greatest, sum = 0;
    x = step < 0 ? x + count - 1 : x;
    for (long long begin = 0; begin < count; begin += block, x += block * step) {
        int stop = count - begin < block ? (int)(count - begin) : block;
        for (int i = 0; i < stop; i++) {
            greatest = x[i * step] > greatest ? x[i * step] : greatest;
            shift[i] = __builtin_isinf(greatest) ? 0 : greatest;
            scale[i] = before - shift[i];
            before = greatest == -__builtin_inf() ? greatest : shift[i];
        }
        #pragma omp simd
        for (int i = 0; i < stop; i++) {
            power[i] = mts_exp_f64(x[i * step] - shift[i]);
            scale[i] = mts_exp_f64(scale[i]);
        }
        for (int i = 0; i < stop; i++) {
            power[i] = sum = sum * scale[i] + power[i];
        }
        #pragma omp simd
        for (int i = 0; i < stop; i++) {
            x[i * step] = ({t})(shift[i] + mts_log_f64(power[i]));
        }
    }
}
