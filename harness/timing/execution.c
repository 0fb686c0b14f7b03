/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/timing/execution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/process.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/graph/control.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "runtime/compare.h"
#include "runtime/inputs.h"
#include "runtime/memory.h"
#include "runtime/wide.h"

/* Rounds without a number: six are the fewest that an interval of the median can be given for.  */
enum { LEAST_ROUNDS = 7 };
static const double enough_s = 1.0;

/* Those of its bodies too.  */
static int64_t stored_bytes(const struct network *network)
{
    int64_t bytes = 0;

    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].elements != NULL)
            bytes += (int64_t)network->value[v].elements->bytes;
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct control *control = network->op[o].control;

        for (size_t b = 0; control != NULL && b < control->bodies; b++)
            bytes += stored_bytes(control->body[b].network);
    }
    return bytes;
}

/* --- rounds --- */

static bool enough(const struct execution_request *request, size_t rounds, double spent)
{
    if (request->rounds > 0)
        return (int64_t)rounds >= request->rounds;
    return rounds >= EXECUTION_MOST_ROUNDS || (rounds >= LEAST_ROUNDS && spent >= enough_s);
}

static void write_inputs(const struct execution_request *request, const struct run_inputs *inputs,
                         const struct run_memory *memory)
{
    const struct run_hooks *hooks = request->options.hooks;

    if (hooks != NULL)
        hooks->begin(hooks->context, memory);
    run_inputs_write(inputs, memory);
}

static bool time_rounds(struct execution *execution, const struct execution_request *request,
                        struct run *run, const struct run_inputs *inputs,
                        const struct run_memory *memory, struct error *error)
{
    size_t rounds = 0, row = execution->operators;
    double begin = timer_now();

    write_inputs(request, inputs, memory);
    if (request->places != NULL) {
        run_traffic_begin(&execution->traffic, memory, request->instance->origin->network);
        run_count(run, &execution->traffic);
    }
    if (!run_once(run, error))
        return false;
    if (request->places != NULL)
        run_count(run, NULL);
    while (!enough(request, rounds, timer_now() - begin)) {
        double start;

        execution->round = memory_resize(execution->round, rounds + 1, sizeof *execution->round);
        execution->each =
            memory_resize(execution->each, (rounds + 1) * row + 1, sizeof *execution->each);
        memset(execution->each + rounds * row, 0, row * sizeof *execution->each);
        write_inputs(request, inputs, memory);
        start = timer_now();
        if (!run_timed(run, execution->each + rounds * row, error))
            return false;
        execution->round[rounds++] = timer_now() - start;
    }
    execution->rounds = rounds;
    return true;
}

/* --- other runs of the same network --- */

static bool compare_plain(struct execution *execution, const struct execution_request *request,
                          const struct run_memory *memory, struct error *error)
{
    const struct origin *origin = request->instance->origin;
    struct run_options options = request->options;
    struct run_memory *plain;

    options.hooks = NULL;
    plain = run_apart(origin->network, origin->schedule, &options, error);
    if (plain == NULL)
        return error_prefix(error, "with each value in memory of its own");
    execution->differs = run_differs(origin->network, memory, plain);
    run_memory_free(plain);
    return true;
}

static bool compare_wide(struct execution *execution, const struct execution_request *request,
                         const struct run_memory *memory, struct error *error)
{
    const struct origin *origin = request->instance->origin;
    const struct run_options options = {.threads = 1, .given = request->options.given};
    struct network *network = network_widened(origin->network);
    struct run_memory *wide = NULL;

    if (run_check(network, error))
        wide = run_apart(network, origin->schedule, &options, error);
    if (wide == NULL) {
        network_free(network);
        return error_prefix(error, "in double");
    }
    execution->distance = run_distance(origin->network, memory, wide);
    run_memory_free(wide);
    network_free(network);
    return true;
}

/* --- one execution --- */

static void keep_outputs(struct execution *execution, const struct network *network,
                         const struct run_memory *memory)
{
    execution->values = network->n_values;
    execution->output = memory_zalloc(network->n_values + 1, sizeof(struct elements *));
    for (size_t v = 0; v < network->n_values; v++) {
        size_t bytes = (size_t)value_bytes(&network->value[v]);

        if (!network->value[v].output)
            continue;
        execution->output[v] = elements_new(bytes);
        memcpy(execution->output[v]->data, memory->value[v], bytes);
    }
}

static bool execute(struct execution *execution, const struct execution_request *request,
                    const struct run_memory *memory, struct error *error)
{
    const struct origin *origin = request->instance->origin;
    struct run_options options = request->options;
    struct run_inputs *inputs;
    struct run *run;
    bool good;

    options.stream = origin->stream;
    options.after = origin->after;
    if (options.hooks != NULL)
        options.hooks->begin(options.hooks->context, memory);
    run = run_new(origin->network, origin->schedule, memory, &options, error);
    if (run == NULL)
        return false;
    inputs = run_inputs_new(origin->network, request->options.given);
    execution->facts = run_facts(run);
    execution->own_bytes = memory->own_bytes + execution->facts.body_bytes;
    execution->how = run_operators(run);
    good = time_rounds(execution, request, run, inputs, memory, error);
    keep_outputs(execution, origin->network, memory);
    execution->resident_bytes = process_resident_most();
    run_inputs_free(inputs);
    run_free(run);
    return good && compare_plain(execution, request, memory, error) &&
           (!request->wide || compare_wide(execution, request, memory, error));
}

bool execution_make(struct execution *execution, const struct execution_request *request,
                    struct error *error)
{
    const struct network *network = request->instance->origin->network;
    struct run_memory *memory;
    bool good;

    process_resident_restart();
    memory = request->places != NULL ? run_memory_placed(request->instance, request->places, error)
                                     : run_memory_planned(request->instance, request->plan, error);
    if (memory == NULL)
        return false;
    *execution = (struct execution){
        .stored_bytes = stored_bytes(network),
        .operators = network->n_ops,
        .wide = request->wide,
        .distance = NAN,
        .bound = run_distance_bound(network),
    };
    for (size_t a = 0; a < memory->arenas; a++)
        execution->arena_bytes += memory->arena[a].bytes;
    run_traffic_init(&execution->traffic, memory);
    good = execute(execution, request, memory, error);
    run_memory_free(memory);
    if (!good)
        execution_clear(execution);
    return good;
}

void execution_clear(struct execution *execution)
{
    free(execution->round);
    free(execution->each);
    free(execution->how);
    run_traffic_clear(&execution->traffic);
    for (size_t v = 0; v < execution->values; v++)
        elements_release(execution->output[v]);
    free(execution->output);
    *execution = (struct execution){0};
}

bool execution_right(const struct execution *execution, struct error *error)
{
    if (execution->differs != NULL)
        return error_set(error,
                         "output '%s' differs from that of a run with each value in memory of its "
                         "own",
                         execution->differs);
    if (!execution->wide || execution->distance <= execution->bound)
        return true;
    if (isnan(execution->distance))
        return error_set(error,
                         "an output has NaN where that in double has none, or the other way round");
    return error_set(error,
                     "the outputs are %.3g of their largest element from those in double, more "
                     "than %.3g",
                     execution->distance, execution->bound);
}

double *execution_operator(const struct execution *execution, size_t o)
{
    double *seconds = memory_alloc(execution->rounds, sizeof *seconds);

    for (size_t r = 0; r < execution->rounds; r++)
        seconds[r] = execution->each[r * execution->operators + o];
    return seconds;
}
