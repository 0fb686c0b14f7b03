/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TfIdfVectorizer.
 *
 * ONNX's text since version 9, of whole numbers, counting (mode TF): how often each n-gram of a
 * pool is in a row, its elements next to each other or, up to `max_skip_count`, as many apart.
 * Weighed modes and texts are refused.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"

struct grams {
    const int64_t *pool, *begin, *place; /* begin[n - 1]: where n-grams begin in the pool */
    size_t pooled, lengths, places;
    int64_t least, most, skips;
};

static int64_t columns_of(const struct tensor *tensor)
{
    return tensor->dim[tensor->rank - 1];
}

/* The pool's elements of N-grams: [*FIRST, *PAST).  */
static void find_range(const struct grams *grams, int64_t n, int64_t *first, int64_t *past)
{
    *first = grams->begin[n - 1];
    *past = (size_t)n < grams->lengths ? grams->begin[n] : (int64_t)grams->pooled;
}

/* Whether the pool is made of whole n-grams, each with a place among COLUMNS.  */
static bool is_pool(const struct call *call, const struct grams *grams, int64_t columns)
{
    int64_t count = 0;

    for (size_t n = 1; n <= grams->lengths; n++) {
        int64_t first, past;

        find_range(grams, (int64_t)n, &first, &past);
        if ((n == 1 && first != 0) || first < 0 || past < first || past > (int64_t)grams->pooled ||
            (past - first) % (int64_t)n != 0)
            return error_set(call->error, "ngram_counts that do not fit the pool");
        count += (past - first) / (int64_t)n;
    }
    if ((size_t)count != grams->places)
        return error_set(call->error, "%zu places of %" PRId64 " n-grams", grams->places, count);
    for (size_t i = 0; i < grams->places; i++)
        if (grams->place[i] < 0 || grams->place[i] >= columns)
            return error_set(call->error, "place %" PRId64 " of %" PRId64, grams->place[i],
                             columns);
    return true;
}

static bool read_grams(const struct call *call, struct grams *grams)
{
    const struct computation *c = call->computation;

    grams->pool = computation_integers(c, "pool_int64s", &grams->pooled);
    grams->begin = computation_integers(c, "ngram_counts", &grams->lengths);
    grams->place = computation_integers(c, "ngram_indexes", &grams->places);
    grams->least = computation_integer(c, "min_gram_length", 0);
    grams->most = computation_integer(c, "max_gram_length", 0);
    grams->skips = computation_integer(c, "max_skip_count", -1);
    if (grams->least < 1 || grams->most < grams->least || grams->skips < 0 ||
        grams->skips > INT32_MAX || (uint64_t)grams->most > grams->lengths)
        return error_set(call->error, "n-grams of %" PRId64 " to %" PRId64 ", %" PRId64 " apart",
                         grams->least, grams->most, grams->skips);
    return is_pool(call, grams, columns_of(call->output[0]));
}

static bool accepts(const struct call *call)
{
    const struct tensor *x, *y = call_output(call, 0);
    struct grams grams;

    if (!accept_inputs(call, 1) ||
        !attributes_among(call, "max_gram_length max_skip_count min_gram_length mode ngram_counts "
                                "ngram_indexes pool_int64s") ||
        !accept_types(call, 0, 1, TYPES_INDEX) || !accept_output(call, 0, DTYPE_F32))
        return false;
    x = call->input[0];
    if (y == NULL || x->rank < 1 || x->rank > 2 || y->rank != x->rank ||
        (x->rank == 2 && x->dim[0] != y->dim[0]))
        return error_set(call->error, "expected rows of whole numbers, and as many of counts");
    if (!computation_text_is(call->computation, "mode", "TF", false))
        return error_set(call->error, "a mode that weighs");
    return read_grams(call, &grams);
}

/* Counts the N-gram of X, whose elements are STEP apart, where it is one of the pool's.  */
static void count(const struct grams *grams, const struct tensor *x, int64_t at, int64_t n,
                  int64_t step, float *y)
{
    int64_t first, past, before = 0;

    for (int64_t k = 1; k < n; k++) {
        find_range(grams, k, &first, &past);
        before += (past - first) / k;
    }
    find_range(grams, n, &first, &past);
    for (int64_t g = first; g < past; g += n) {
        bool same = true;

        for (int64_t k = 0; k < n && same; k++)
            same = tensor_integer(x, at + k * step) == grams->pool[g + k];
        if (same)
            y[grams->place[before + (g - first) / n]] += 1.0F;
    }
}

static bool run(const struct call *call)
{
    const struct tensor *x = call->input[0], *y = call->output[0];
    int64_t columns = columns_of(x), rows = x->rank == 2 ? x->dim[0] : 1;
    struct grams grams;

    if (!read_grams(call, &grams))
        return false;
    memset(y->data, 0, (size_t)tensor_elements(y) * sizeof(float));
    for (int64_t r = 0; r < rows; r++)
        for (int64_t n = grams.least; n <= grams.most; n++)
            /* A single element is no distance from itself.  */
            for (int64_t step = 1; step <= min64(n == 1 ? 1 : grams.skips + 1, columns); step++)
                for (int64_t i = 0; i + (n - 1) * step < columns; i++)
                    count(&grams, x, r * columns + i, n, step,
                          (float *)y->data + r * columns_of(y));
    return true;
}

const struct operator_rule operators_ngrams[] = {
    {"TfIdfVectorizer", accepts, run, 0},
    {0},
};
