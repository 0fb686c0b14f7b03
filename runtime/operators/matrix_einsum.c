/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Einsum (ONNX's text of version 12): a letter for each axis of each input, "ij,jk->ik"; letters
 * that the output does not have are summed over.  An ellipsis stands for any axes, which stretch
 * as elementwise operators' do.  */
#include <config.h>

#include <string.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/matrix.h"

#define OPERANDS 8
#define LETTERS 52
#define LABELS                                                                         \
    (LETTERS + NETWORK_MAX_RANK) /* an ellipsis's axes, the last of them first, behind \
                                  */

struct einsum {
    int operands;
    int64_t extent[LABELS]; /* 0: not used yet */
    bool used[LABELS];
    int64_t step[OPERANDS][LABELS];
    int outputs, sums;
    int output[NETWORK_MAX_RANK]; /* labels */
    int sum[LABELS];
};

/* Labels of one term: TEXT is letters and at most one ellipsis, RANK what they have to be; -1: any.
 * Returns how many, or -1.  */
static int read_term(const char *text, size_t length, int rank, int *label)
{
    int letters = 0, count = 0, open;

    for (size_t i = 0; i < length; i++)
        letters += text[i] != '.' && text[i] != ' ';
    open = rank - letters;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];

        if (c == ' ')
            continue;
        if (c == '.') {
            if (length - i < 3 || strncmp(text + i, "...", 3) != 0 || open < 0)
                return -1;
            while (open > 0 && count < NETWORK_MAX_RANK)
                label[count++] = LETTERS + --open;
            open = -1;
            i += 2;
            continue;
        }
        if (count == NETWORK_MAX_RANK)
            return -1;
        if (c >= 'A' && c <= 'Z')
            label[count++] = c - 'A';
        else if (c >= 'a' && c <= 'z')
            label[count++] = c - 'a' + 26;
        else
            return -1;
    }
    return count;
}

/* Adds an operand: what its axes' labels have as extents, and its steps.  */
static bool add_operand(const struct call *call, const char *text, size_t length,
                        struct einsum *einsum)
{
    const struct tensor *x = call_input(call, (size_t)einsum->operands);
    int label[NETWORK_MAX_RANK];
    int64_t step = 1;

    if (x == NULL || einsum->operands == OPERANDS ||
        read_term(text, length, x->rank, label) != x->rank)
        return error_set(call->error, "term %d does not fit its input", einsum->operands);
    for (int i = x->rank - 1; i >= 0; i--) {
        int64_t *extent = &einsum->extent[label[i]];

        if (einsum->used[label[i]] && *extent != 1 && x->dim[i] != 1 && *extent != x->dim[i])
            return error_set(call->error, "axes of different lengths have the same letter");
        if (!einsum->used[label[i]] || *extent == 1)
            *extent = x->dim[i];
        einsum->used[label[i]] = true;
        if (x->dim[i] != 1)
            einsum->step[einsum->operands][label[i]] += step;
        step *= x->dim[i];
    }
    einsum->operands++;
    return true;
}

/* How many axes of ellipses there are.  */
static int ellipsis_axes(const struct einsum *einsum)
{
    int axes = 0;

    for (int i = LETTERS; i < LABELS; i++)
        axes += einsum->used[i];
    return axes;
}

/* Without an arrow: the ellipsis's axes, then the letters that are there once, A to Z, a to z.  */
static int implied_output(const char *terms, const struct einsum *einsum, int *label)
{
    int count = 0;

    for (int i = ellipsis_axes(einsum) - 1; i >= 0 && count < NETWORK_MAX_RANK; i--)
        label[count++] = LETTERS + i;
    for (int i = 0; i < LETTERS; i++) {
        char c = (char)(i < 26 ? 'A' + i : 'a' + i - 26);
        const char *found = strchr(terms, c);

        if (found == NULL || strchr(found + 1, c) != NULL)
            continue;
        if (count == NETWORK_MAX_RANK)
            return -1;
        label[count++] = i;
    }
    return count;
}

static bool read_output(const struct call *call, const char *terms, const char *arrow,
                        struct einsum *einsum)
{
    const struct tensor *y = call_output(call, 0);
    int letters = 0;

    if (arrow == NULL) {
        einsum->outputs = implied_output(terms, einsum, einsum->output);
    } else {
        for (const char *c = arrow + 2; *c != '\0'; c++)
            letters += *c != '.' && *c != ' ';
        einsum->outputs = read_term(arrow + 2, strlen(arrow + 2), letters + ellipsis_axes(einsum),
                                    einsum->output);
    }
    if (y == NULL || einsum->outputs != y->rank)
        return error_set(call->error, "an output that does not fit its term");
    for (int i = 0; i < LABELS; i++) {
        bool kept = false;

        for (int j = 0; j < einsum->outputs; j++) {
            if (einsum->output[j] == i && (kept || !einsum->used[i]))
                return error_set(call->error, "the output has a letter twice, or of its own");
            kept = kept || einsum->output[j] == i;
        }
        if (einsum->used[i] && !kept)
            einsum->sum[einsum->sums++] = i;
    }
    for (int j = 0; j < einsum->outputs; j++)
        if (einsum->extent[einsum->output[j]] != y->dim[j])
            return error_set(call->error, "an output that does not fit its term");
    return true;
}

static bool read_einsum(const struct call *call, struct einsum *einsum)
{
    const char *terms = computation_text(call->computation, "equation", NULL), *arrow, *end;

    *einsum = (struct einsum){0};
    if (terms == NULL)
        return error_set(call->error, "there is no equation");
    arrow = strstr(terms, "->");
    end = arrow == NULL ? terms + strlen(terms) : arrow;
    for (const char *term = terms;;) {
        size_t length = strcspn(term, ",");

        if (term + length > end)
            length = (size_t)(end - term);
        if (!add_operand(call, term, length, einsum))
            return false;
        term += length;
        if (term == end)
            break;
        term++;
    }
    if (call_input(call, (size_t)einsum->operands) != NULL)
        return error_set(call->error, "more inputs than terms");
    return read_output(call, terms, arrow, einsum);
}

bool matrix_accepts_einsum(const struct call *call)
{
    struct einsum einsum;

    return attributes_among(call, "equation") && read_einsum(call, &einsum) &&
           accept_types(call, 0, (size_t)einsum.operands, TYPES_REAL);
}

/* Steps on by one in COUNT labels, the last one first; false after the last of them.  */
static bool advance(const struct einsum *einsum, const int *label, int count, int64_t *index,
                    int64_t *at)
{
    for (int i = count - 1; i >= 0; i--) {
        int64_t extent = einsum->extent[label[i]];

        for (int x = 0; x < einsum->operands; x++)
            at[x] += einsum->step[x][label[i]];
        if (++index[i] < extent)
            return true;
        for (int x = 0; x < einsum->operands; x++)
            at[x] -= extent * einsum->step[x][label[i]];
        index[i] = 0;
    }
    return false;
}

#define EINSUM(type)                                                                          \
    static type sum_##type(const struct einsum *einsum, const void *const *data, int64_t *at) \
    {                                                                                         \
        int64_t index[LABELS] = {0};                                                          \
        type sum = 0;                                                                         \
                                                                                              \
        do {                                                                                  \
            type product = 1;                                                                 \
                                                                                              \
            for (int x = 0; x < einsum->operands; x++)                                        \
                product *= ((const type *)data[x])[at[x]];                                    \
            sum += product;                                                                   \
        } while (advance(einsum, einsum->sum, einsum->sums, index, at));                      \
        return sum;                                                                           \
    }
EINSUM(float)
EINSUM(double)

bool matrix_run_einsum(const struct call *call)
{
    const struct tensor *y = call_output(call, 0);
    const void *data[OPERANDS];
    int64_t index[NETWORK_MAX_RANK] = {0}, at[OPERANDS] = {0}, terms = 1;
    struct einsum einsum;

    if (!read_einsum(call, &einsum))
        return false;
    for (int x = 0; x < einsum.operands; x++)
        data[x] = call_input(call, (size_t)x)->data;
    for (int i = 0; i < einsum.sums; i++)
        terms *= einsum.extent[einsum.sum[i]];
    for (int64_t i = 0; i < tensor_elements(y); i++) {
        if (y->dtype == DTYPE_F32)
            ((float *)y->data)[i] = terms == 0 ? 0 : sum_float(&einsum, data, at);
        else
            ((double *)y->data)[i] = terms == 0 ? 0 : sum_double(&einsum, data, at);
        advance(&einsum, einsum.output, einsum.outputs, index, at);
    }
    return true;
}
