/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Broadcasting, permutations, slices and repetitions of random shapes, each element against the
 * definition by its indices.  */
#include <config.h>

#include "lib/base/rng.h"
#include "runtime/operators/operator.h"
#include "tests/support/operator_case.h"
#include "tests/support/tap.h"

#define RANK 5
#define SIDE 4
#define ELEMENTS (1 << 2 * RANK)

struct example {
    struct rng *rng;
    struct computation *computation;
    struct tensor input[5], output;
    float data[3][ELEMENTS], result[ELEMENTS];
    uint8_t truth[ELEMENTS];
    int64_t number[4][RANK]; /* starts, ends, axes, steps */
    size_t inputs;
};

static int draw(struct example *e, int low, int high)
{
    return (int)rng_range(e->rng, low, high);
}

static struct tensor draw_tensor(struct example *e, int rank, float *data)
{
    struct tensor tensor = {.dtype = DTYPE_F32, .rank = rank, .data = data};

    for (int d = 0; d < rank; d++)
        tensor.dim[d] = draw(e, 1, SIDE);
    for (int i = 0; i < ELEMENTS; i++)
        data[i] = (float)draw(e, -1000, 1000);
    return tensor;
}

static void begin(struct example *e, const char *name, int64_t version)
{
    e->computation = computation_new(name, version, 0, 0);
    e->output = (struct tensor){.dtype = DTYPE_F32, .data = e->result};
}

static bool runs(struct example *e)
{
    const struct tensor *in[5], *out = &e->output;
    bool good;

    for (size_t i = 0; i < e->inputs; i++)
        in[i] = &e->input[i];
    good = operator_runs(e->computation, in, e->inputs, &out, 1);
    computation_free(e->computation);
    return good;
}

/* The indices of element I.  */
static void indices_of(const struct tensor *tensor, int64_t i, int64_t *index)
{
    for (int d = tensor->rank - 1; d >= 0; d--) {
        index[d] = i % tensor->dim[d];
        i /= tensor->dim[d];
    }
}

/* The place of the element of TENSOR with these indices, the last of which are its own; of a
 * dimension of 1 it is the only one.  */
static int64_t place_of(const struct tensor *tensor, const int64_t *index, int rank)
{
    int64_t place = 0;

    for (int d = 0; d < tensor->rank; d++) {
        int64_t at = index[rank - tensor->rank + d];

        place = place * tensor->dim[d] + (tensor->dim[d] == 1 ? 0 : at);
    }
    return place;
}

/* --- broadcasting --- */

/* A tensor that can be broadcast to the output's shape.  */
static struct tensor draw_slim(struct example *e, void *data)
{
    struct tensor slim = {.dtype = DTYPE_F32, .rank = draw(e, 0, e->output.rank), .data = data};

    for (int d = 0; d < slim.rank; d++)
        slim.dim[d] = draw(e, 0, 2) == 0 ? 1 : e->output.dim[e->output.rank - slim.rank + d];
    return slim;
}

static bool broadcast(struct example *e, bool choose)
{
    int64_t index[RANK];
    bool good;

    begin(e, choose ? "Where" : "Sub", 13);
    for (int i = 0; i < 3; i++)
        draw_tensor(e, RANK, e->data[i]);
    for (int i = 0; i < ELEMENTS; i++)
        e->truth[i] = (uint8_t)draw(e, 0, 1);
    e->output = draw_tensor(e, draw(e, 0, RANK), e->result);
    e->inputs = choose ? 3 : 2;
    for (size_t i = 0; i < e->inputs; i++)
        e->input[i] = draw_slim(e, e->data[i]);
    if (choose)
        e->input[0].dtype = DTYPE_BOOL;
    if (choose)
        e->input[0].data = e->truth;
    good = runs(e);
    for (int64_t i = 0; good && i < tensor_elements(&e->output); i++) {
        int64_t at[3];

        indices_of(&e->output, i, index);
        for (size_t k = 0; k < e->inputs; k++)
            at[k] = place_of(&e->input[k], index, e->output.rank);
        if (choose)
            good = e->result[i] == (e->truth[at[0]] != 0 ? e->data[1][at[1]] : e->data[2][at[2]]);
        else
            good = e->result[i] == e->data[0][at[0]] - e->data[1][at[1]];
    }
    return good;
}

/* --- permutations --- */

static bool transpose(struct example *e)
{
    int64_t order[RANK], from[RANK], to[RANK];
    bool good;

    begin(e, "Transpose", 13);
    e->input[0] = draw_tensor(e, draw(e, 1, RANK), e->data[0]);
    e->inputs = 1;
    e->output.rank = e->input[0].rank;
    for (int d = 0; d < e->output.rank; d++)
        order[d] = d;
    rng_shuffle(e->rng, order, (size_t)e->output.rank, sizeof *order);
    for (int d = 0; d < e->output.rank; d++)
        e->output.dim[d] = e->input[0].dim[order[d]];
    computation_set_integers(e->computation, "perm", order, (size_t)e->output.rank);
    good = runs(e);
    for (int64_t i = 0; good && i < tensor_elements(&e->output); i++) {
        indices_of(&e->output, i, to);
        for (int d = 0; d < e->output.rank; d++)
            from[order[d]] = to[d];
        good = e->result[i] == e->data[0][place_of(&e->input[0], from, e->output.rank)];
    }
    return good;
}

/* --- slices --- */

/* The elements of each dimension: START, START + STEP and so on, COUNT of them.  */
static bool slice(struct example *e)
{
    int64_t index[RANK];
    bool good;

    begin(e, "Slice", 13);
    e->input[0] = draw_tensor(e, draw(e, 1, RANK), e->data[0]);
    e->output.rank = e->input[0].rank;
    for (int d = 0; d < e->output.rank; d++) {
        int64_t length = e->input[0].dim[d], start = draw(e, 0, (int)length - 1);
        int64_t step = draw(e, 0, 1) == 0 ? draw(e, 1, 3) : -draw(e, 1, 3);
        int64_t most = step > 0 ? (length - 1 - start) / step : start / -step;
        int64_t count = draw(e, 1, (int)most + 1), end = start + count * step;

        e->output.dim[d] = count;
        e->number[0][d] = start;
        e->number[1][d] = end < 0 ? -length - 1 : end; /* none is before the first */
        e->number[2][d] = d;
        e->number[3][d] = step;
    }
    for (int i = 0; i < 4; i++)
        e->input[1 + i] = (struct tensor){DTYPE_I64, 1, {e->output.rank}, e->number[i]};
    e->inputs = 5;
    good = runs(e);
    for (int64_t i = 0; good && i < tensor_elements(&e->output); i++) {
        indices_of(&e->output, i, index);
        for (int d = 0; d < e->output.rank; d++)
            index[d] = e->number[0][d] + index[d] * e->number[3][d];
        good = e->result[i] == e->data[0][place_of(&e->input[0], index, e->output.rank)];
    }
    return good;
}

/* --- repetitions --- */

static bool tile(struct example *e)
{
    int64_t index[RANK];
    bool good;

    begin(e, "Tile", 13);
    e->input[0] = draw_tensor(e, draw(e, 1, RANK), e->data[0]);
    e->inputs = 1;
    e->output.rank = e->input[0].rank;
    for (int d = 0; d < e->output.rank; d++) {
        e->input[0].dim[d] = draw(e, 1, 2);
        e->output.dim[d] = e->input[0].dim[d] * draw(e, 1, 2);
    }
    good = runs(e);
    for (int64_t i = 0; good && i < tensor_elements(&e->output); i++) {
        indices_of(&e->output, i, index);
        for (int d = 0; d < e->output.rank; d++)
            index[d] %= e->input[0].dim[d];
        good = e->result[i] == e->data[0][place_of(&e->input[0], index, e->output.rank)];
    }
    return good;
}

int main(void)
{
    static struct example e;
    int rounds = tap_tier(50, 300);
    bool good[5] = {true, true, true, true, true};

    e.rng = rng_new(26);
    for (int i = 0; i < rounds; i++) {
        good[0] = good[0] && broadcast(&e, false);
        good[1] = good[1] && broadcast(&e, true);
        good[2] = good[2] && transpose(&e);
        good[3] = good[3] && slice(&e);
        good[4] = good[4] && tile(&e);
    }
    ok(good[0], "differences of broadcast tensors");
    ok(good[1], "choices among broadcast tensors");
    ok(good[2], "permutations");
    ok(good[3], "slices");
    ok(good[4], "repetitions");
    rng_free(e.rng);
    return tap_done();
}
