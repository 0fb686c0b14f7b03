/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/dag.h"

#include <stdio.h>

#include "lib/base/error.h"
#include "lib/base/rng.h"
#include "lib/graph/fetch.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/problem/instance.h"
#include "tests/support/tap.h"

struct dag dag_new(void)
{
    const int64_t dim[] = {1};
    struct dag dag = {.network = network_new("dag")};

    dag.input = network_add_value(dag.network, "in", VALUE_INPUT, DTYPE_I8, 1, dim);
    return dag;
}

size_t dag_add(struct dag *dag, const size_t *from, size_t count, int64_t size)
{
    size_t input[64], op;
    char name[32];

    for (size_t i = 0; i < count; i++)
        input[i] = dag->made[from[i]];
    if (count == 0)
        input[count++] = dag->input;
    snprintf(name, sizeof name, "op%zu", dag->network->n_ops);
    op = network_add_op(dag->network, name, OP_OTHER, "other", input, count);
    snprintf(name, sizeof name, "v%zu", op);
    dag->made[op] = network_add_output(dag->network, op, name, DTYPE_I8, 1, &size);
    return op;
}

void dag_finish(struct dag *dag)
{
    for (size_t v = 0; v < dag->network->n_values; v++)
        if (dag->network->value[v].producer != NETWORK_NONE && dag->network->value[v].readers == 0)
            network_mark_output(dag->network, v);
}

struct instance *dag_instance(struct network *network, enum io_count io)
{
    struct lifetime_options options = {.io = io};
    struct error error = {""};
    struct instance *instance =
        lifetimes_instance(network, schedule_file_order(network), &options, &error);

    if (instance == NULL)
        tap_diag("%s", error.text);
    return instance;
}

struct network *dag_draw_fetching(struct rng *rng)
{
    struct network *network = network_new("drawn");
    const int64_t n = rng_range(rng, 2, 10);
    size_t made[11] = {0};

    made[0] = network_add_value(network, "x", VALUE_INPUT, DTYPE_I8, 1, (int64_t[]){4});
    for (int64_t x = 0; x < n; x++) {
        size_t input[2] = {made[rng_range(rng, 0, x)]}, count = 1, op;
        char name[16];

        snprintf(name, sizeof name, "w%d", (int)x);
        if (rng_range(rng, 0, 3) > 0)
            input[count++] = network_add_value(network, name, VALUE_WEIGHT, DTYPE_I8, 1,
                                               (int64_t[]){rng_range(rng, 1, 40)});
        snprintf(name, sizeof name, "f%d", (int)x);
        op = network_add_op(network, name, OP_OTHER, "f", input, count);
        made[x + 1] =
            network_add_output(network, op, name, DTYPE_I8, 1, (int64_t[]){rng_range(rng, 1, 40)});
    }
    for (int64_t x = 1; x <= n; x++)
        if (network->value[made[x]].readers == 0)
            network_mark_output(network, made[x]);
    return network_fetch_weights(network);
}
