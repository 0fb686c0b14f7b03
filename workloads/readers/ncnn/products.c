/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ncnn layers that multiply matrices: fully connected, attention, recurrent.  */
#include <config.h>

#include <inttypes.h>

#include "lib/base/checked.h"
#include "workloads/readers/ncnn/layers.h"

/* ROWS x INNER x COLUMNS multiply-accumulates.  */
static bool count_macs(struct ncnn_work *work, int64_t rows, int64_t inner, int64_t columns)
{
    if (checked_mul(rows, inner, &work->macs) && checked_mul(work->macs, columns, &work->macs) &&
        work->macs >= 0)
        return true;
    work->macs = 0;
    return error_set(work->error, "its multiply-accumulates overflow 64 bits");
}

/* The file says how many weights there are; the input has to fit them.  */
bool ncnn_inner_product(struct ncnn_work *work)
{
    int64_t k = ncnn_int(work, 0, 0), said = ncnn_int(work, 2, 0), elements, rows = 1;

    if (!ncnn_activation(work, 9) || !shape_elements(&work->in[0], &elements, work->error))
        return false;
    if (k < 1)
        return error_set(work->error, "%" PRId64 " outputs, expected at least 1", k);
    if (said != 0 && said % k != 0)
        return error_set(work->error, "%" PRId64 " weights for %" PRId64 " outputs", said, k);
    work->out[0] = (struct shape){.rank = 1, .dim = {k}};
    if (work->in[0].rank == 2 && work->in[0].dim[0] > 1 && said / k == work->in[0].dim[1]) {
        rows = work->in[0].dim[0];
        elements = work->in[0].dim[1];
        work->out[0] = (struct shape){.rank = 2, .dim = {rows, k}};
    }
    if (said != 0 && said / k != elements)
        return error_set(work->error, "%" PRId64 " weights an output for an input of %" PRId64,
                         said / k, elements);
    return count_macs(work, rows, elements, k) &&
           ncnn_store(work, "weight", VALUE_WEIGHT, 2, (const int64_t[]){k, elements}) &&
           (ncnn_int(work, 1, 0) == 0 || ncnn_store(work, "bias", VALUE_WEIGHT, 1, &k));
}

bool ncnn_matmul(struct ncnn_work *work)
{
    struct shape b = work->in[1];

    if (ncnn_int(work, 0, 0) != 0 && b.rank >= 2) {
        int64_t last = b.dim[b.rank - 1];

        b.dim[b.rank - 1] = b.dim[b.rank - 2];
        b.dim[b.rank - 2] = last;
    }
    if (!shape_matmul(&work->in[0], &b, &work->out[0], work->error))
        return false;
    if (work->out[0].rank == 0)
        work->out[0] = (struct shape){.rank = 1, .dim = {1}};
    return true;
}

/* A matrix that comes in, or is stored with ROWS x COLUMNS.  */
static bool gemm_side(struct ncnn_work *work, size_t *next, bool stored, bool transposed,
                      const char *what, int64_t *rows, int64_t *columns)
{
    if (stored)
        return ncnn_store(work, what, VALUE_WEIGHT, 2,
                          transposed ? (const int64_t[]){*columns, *rows}
                                     : (const int64_t[]){*rows, *columns});
    if (*next >= work->layer->inputs || work->in[*next].rank != 2) {
        work->open = true;
        return true;
    }
    *rows = work->in[*next].dim[transposed ? 1 : 0];
    *columns = work->in[*next].dim[transposed ? 0 : 1];
    ++*next;
    return true;
}

bool ncnn_gemm(struct ncnn_work *work)
{
    int64_t m = ncnn_int(work, 7, 0), n = ncnn_int(work, 8, 0), k = ncnn_int(work, 9, 0);
    int64_t inner = k;
    size_t next = 0;

    if (!gemm_side(work, &next, ncnn_int(work, 4, 0) != 0, ncnn_int(work, 2, 0) != 0, "a", &m,
                   &k) ||
        !gemm_side(work, &next, ncnn_int(work, 5, 0) != 0, ncnn_int(work, 3, 0) != 0, "b", &inner,
                   &n))
        return false;
    if (work->open || ncnn_int(work, 6, 0) != 0 || ncnn_int(work, 11, 0) != 0) {
        work->open = true; /* a stored summand has one of several shapes */
        return true;
    }
    if (k != inner)
        return error_set(work->error, "multiplies %" PRId64 " columns with %" PRId64 " rows", k,
                         inner);
    work->out[0] = (struct shape){.rank = 2, .dim = {m, n}};
    if (ncnn_int(work, 14, 0) != 0)
        work->out[0] = (struct shape){.rank = 2, .dim = {n, m}};
    return count_macs(work, m, k, n);
}

bool ncnn_embed(struct ncnn_work *work)
{
    int64_t k = ncnn_int(work, 0, 0), words = ncnn_int(work, 1, 0), elements;

    if (!shape_elements(&work->in[0], &elements, work->error))
        return false;
    work->out[0] = (struct shape){.rank = 2, .dim = {elements, k}};
    return ncnn_store(work, "weight", VALUE_WEIGHT, 2, (const int64_t[]){words, k}) &&
           (ncnn_int(work, 2, 0) == 0 || ncnn_store(work, "bias", VALUE_WEIGHT, 1, &k));
}

/* Query, key and value as rows; the key defaults to the query, the value to the
 * key.  Parameter 2 is the size of the query's weights.  */
bool ncnn_attention(struct ncnn_work *work)
{
    int64_t embed = ncnn_int(work, 0, 0), said = ncnn_int(work, 2, 0), query;
    int64_t keys = ncnn_int(work, 3, embed), values = ncnn_int(work, 4, embed);

    if (embed < 1 || (said != 0 && said % embed != 0))
        return error_set(work->error, "%" PRId64 " weights for an embedding of %" PRId64, said,
                         embed);
    query = said != 0 ? said / embed : work->in[0].dim[1];
    work->out[0] = (struct shape){.rank = 2, .dim = {work->in[0].dim[0], query}};
    return ncnn_store(work, "q_weight", VALUE_WEIGHT, 2, (const int64_t[]){embed, query}) &&
           ncnn_store(work, "q_bias", VALUE_WEIGHT, 1, &embed) &&
           ncnn_store(work, "k_weight", VALUE_WEIGHT, 2, (const int64_t[]){embed, keys}) &&
           ncnn_store(work, "k_bias", VALUE_WEIGHT, 1, &embed) &&
           ncnn_store(work, "v_weight", VALUE_WEIGHT, 2, (const int64_t[]){embed, values}) &&
           ncnn_store(work, "v_bias", VALUE_WEIGHT, 1, &embed) &&
           ncnn_store(work, "out_weight", VALUE_WEIGHT, 2, (const int64_t[]){query, embed}) &&
           ncnn_store(work, "out_bias", VALUE_WEIGHT, 1, &query);
}

/* GATES matrices a step.  The first output has a row a step, the others (hidden
 * and cell state) a row a direction.  */
static bool recurrent(struct ncnn_work *work, int64_t gates, int64_t bias_rows)
{
    int64_t k = ncnn_int(work, 0, 0), hidden = gates == 4 ? ncnn_int(work, 3, k) : k;
    int64_t directions = ncnn_int(work, 2, 0) == 2 ? 2 : 1, size = work->in[0].dim[1], rows;

    if (k < 1 || k > INT32_MAX || hidden < 1 || hidden > INT32_MAX)
        return error_set(work->error, "%" PRId64 " outputs of %" PRId64 " hidden ones", k, hidden);
    rows = hidden * gates;
    work->out[0] = (struct shape){.rank = 2, .dim = {work->in[0].dim[0], k * directions}};
    for (size_t i = 1; i < work->layer->outputs; i++)
        work->out[i] = (struct shape){.rank = 2, .dim = {directions, i == 2 ? hidden : k}};
    if (!ncnn_store(work, "weight_xc", VALUE_WEIGHT, 3,
                    (const int64_t[]){directions, rows, size}) ||
        !ncnn_store(work, "bias_c", VALUE_WEIGHT, 3,
                    (const int64_t[]){directions, bias_rows, hidden}) ||
        !ncnn_store(work, "weight_hc", VALUE_WEIGHT, 3, (const int64_t[]){directions, rows, k}))
        return false;
    return hidden == k ||
           ncnn_store(work, "weight_hr", VALUE_WEIGHT, 3, (const int64_t[]){directions, k, hidden});
}

bool ncnn_lstm(struct ncnn_work *work)
{
    return recurrent(work, 4, 4);
}

bool ncnn_gru(struct ncnn_work *work)
{
    return recurrent(work, 3, 4);
}

bool ncnn_rnn(struct ncnn_work *work)
{
    return recurrent(work, 1, 1);
}
