/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/run.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/pool.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/graph/computation.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "runtime/bodies.h"
#include "runtime/changes.h"
#include "runtime/convolution.h"
#include "runtime/layouts.h"
#include "runtime/memory.h"
#include "runtime/operators/operator.h"
#include "runtime/regions.h"
#include "runtime/stream_steps.h"
#include "runtime/step.h"
#include "runtime/traffic.h"

enum { ALIGNMENT = 64 };

struct run {
    const struct network *network;
    const struct run_memory *memory;
    struct layouts layouts;
    size_t steps;
    struct step *step;
    struct pool *pool; /* of all kernels; or of the regions, whose kernels have none */
    bool pool_is_own;
    struct regions *regions;      /* and */
    struct stream_steps *streams; /* NULL: one operator after the other */
    unsigned char *scratch;       /* NULL with either, whose threads have their own */
    const struct run_hooks *hooks;
    struct run_traffic *traffic; /* somebody else's, to be counted; NULL: none */
    struct run_facts facts;
};

/* --- what can be run --- */

static bool can_run(const struct network *network, const struct network_op *op, struct error *error)
{
    struct step step;
    struct call call;
    bool good;

    if (op->control != NULL)
        return bodies_accept(op, error);
    if (op->computation == NULL)
        return error_set(error, "%s: nothing says what it computes", op->type);
    step_make(&step, network, NULL, op);
    call = step_call(&step, error);
    good = operator_accepts(&call);
    step_clear(&step);
    return good;
}

/* The word for people.  */
static const char *word(const struct network_op *op)
{
    return op->computation != NULL ? op->computation->name : op->type;
}

/* Operators of one word that cannot be run.  */
struct refusal {
    const char *word;
    size_t count;
};

static void count_refusal(struct refusal *refusal, size_t *count, const char *name)
{
    size_t i = 0;

    while (i < *count && strcmp(refusal[i].word, name) != 0)
        i++;
    if (i == *count)
        refusal[(*count)++] = (struct refusal){.word = name};
    refusal[i].count++;
}

bool run_check(const struct network *network, struct error *error)
{
    struct refusal *refusal = memory_alloc(network->n_ops, sizeof *refusal);
    size_t count = 0, refused = 0, length;
    struct error own;
    FILE *text;
    char *list;

    for (size_t o = 0; o < network->n_ops; o++)
        if (!can_run(network, &network->op[o], refused == 0 ? error : &own)) {
            count_refusal(refusal, &count, word(&network->op[o]));
            refused++;
        }
    if (refused > 0) {
        text = memory_stream(&list, &length);
        for (size_t i = 0; i < count; i++)
            fprintf(text, "%s%s (%zu)", i > 0 ? ", " : "", refusal[i].word, refusal[i].count);
        memory_stream_close(text);
        error_prefix(error, "%zu of %zu operators cannot be run: %.200s%s; the first", refused,
                     network->n_ops, list, length > 200 ? "..." : "");
        free(list);
    }
    free(refusal);
    return refused == 0;
}

/* --- running --- */

static bool has_elements(const struct network *network, struct error *error)
{
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];

        if (value->producer == NETWORK_NONE && value->role != VALUE_INPUT &&
            value->elements == NULL && value->readers > 0 && change_of(network, v) != CHANGE_STATE)
            return error_set(error, "stored value '%s' has no elements", value->name);
    }
    return true;
}

/* Whether operators run at once, each on one thread.  */
static bool at_once(const struct run_options *options)
{
    return options->groups || (options->stream != NULL && options->threads > 1);
}

/* Makes the steps, those of convolutions with the kernel where it takes them.  OUTPUT_BLOCK as for
 * layouts_choose.  */
static void make_steps(struct run *run, const struct schedule *schedule,
                       const struct run_options *options, int64_t *output_block)
{
    size_t *order = schedule_sequence(schedule);
    struct conv_request request = {.isa = options->isa,
                                   .threads = at_once(options) ? 1 : options->threads,
                                   .pool = at_once(options) ? NULL : run->pool};

    for (size_t i = 0; i < run->steps; i++) {
        const struct network_op *op = &run->network->op[order[i]];
        struct step *step = &run->step[i];
        struct error error;

        if (run->hooks != NULL)
            run->hooks->place(run->hooks->context, run->memory, order[i]);
        step_make(step, run->network, run->memory, op);
        step->found = options->found == NULL ? NULL : &options->found[order[i]];
        if (step->kind == STEP_IDLE || options->kernel == NULL || !convolution_is(run->network, op))
            continue;
        if (convolution_make(&step->convolution, options->kernel, &request, run->network, op,
                             &error)) {
            step->kind = STEP_KERNEL;
            output_block[order[i]] =
                step->convolution.matrix ? 1 : step->convolution.plan.output.block;
        } else if (run->facts.others++ == 0) {
            snprintf(run->facts.reason, sizeof run->facts.reason, "'%.60s': %.90s", op->name,
                     error.text);
        }
    }
    free(order);
}

/* Makes the bodies of loops and branches, which are run on the threads of RUN, or each on that of
 * its region.  */
static bool make_bodies(struct run *run, const struct run_options *options, struct error *error)
{
    struct run_options inner = *options;

    inner.pool = at_once(options) ? NULL : run->pool;
    inner.threads = at_once(options) ? 1 : options->threads;
    inner.groups = false;
    inner.stream = inner.after = NULL;
    inner.hooks = NULL;
    inner.found = NULL;
    for (size_t i = 0; i < run->steps; i++) {
        struct step *step = &run->step[i];

        if (step->kind != STEP_BODIES)
            continue;
        step->bodies = bodies_new(step->op, step->input, &inner, error);
        if (step->bodies == NULL)
            return error_prefix(error, "operator '%s'", step->op->name);
    }
    return true;
}

/* Says of each step how it is done where values lie in the layouts that were chosen; POOL as in
 * struct step.  */
static void use_layouts(struct run *run, struct pool *pool)
{
    for (size_t i = 0; i < run->steps; i++) {
        struct step *step = &run->step[i];
        size_t o = (size_t)(step->op - run->network->op);

        if (step->kind == STEP_OPERATOR && run->layouts.blocked[o]) {
            step->kind = STEP_BLOCKED;
            step->block = layouts_block(&run->layouts, run->network, step->op);
            step->pool = pool;
        }
        step_convert(step, &run->layouts);
    }
}

/* Room for changes of layout, of the regions, the streams or the run; its bytes.  False where there
 * are too few threads.  */
static bool make_room(struct run *run, const struct schedule *schedule,
                      const struct run_options *options, int64_t *bytes, struct error *error)
{
    *bytes = 0;
    if (options->groups) {
        run->regions =
            regions_new(run->network, schedule, run->step, options->time, run->memory, run->pool);
        *bytes = regions_scratch_bytes(run->regions);
        return true;
    }
    if (at_once(options)) {
        run->streams = stream_steps_new(run->network, options->stream, options->after, run->step,
                                        run->memory, run->pool, error);
        *bytes = run->streams != NULL ? stream_steps_scratch_bytes(run->streams) : 0;
        return run->streams != NULL;
    }
    for (size_t i = 0; i < run->steps; i++)
        *bytes = max64(*bytes, run->step[i].scratch_bytes);
    run->scratch = memory_aligned(ALIGNMENT, (size_t)*bytes);
    return true;
}

static void count_facts(struct run *run)
{
    struct run_facts *facts = &run->facts;

    facts->operators = run->steps;
    for (size_t i = 0; i < run->steps; i++) {
        const struct step *step = &run->step[i];

        facts->idle += step->kind == STEP_IDLE;
        facts->convolutions += step->kind == STEP_KERNEL;
        facts->copied_bytes = capped_add(facts->copied_bytes, step_copied(step));
        if (step->kind == STEP_BODIES)
            bodies_count(step->bodies, facts);
        if (step->kind == STEP_KERNEL) {
            facts->weight_bytes += step->convolution.plan.packed_floats * (int64_t)sizeof(float);
            facts->workspace_bytes =
                max64(facts->workspace_bytes, step->convolution.plan.workspace_bytes);
        }
    }
}

struct run *run_new(const struct network *network, const struct schedule *schedule,
                    const struct run_memory *memory, const struct run_options *options,
                    struct error *error)
{
    struct run *run;
    int64_t *output_block;

    if (!has_elements(network, error) || !changes_come_last(network, schedule, error))
        return NULL;
    run = memory_zalloc(1, sizeof *run);
    run->pool = pool_take(options->pool, options->threads, error);
    run->pool_is_own = options->pool == NULL;
    if (run->pool == NULL) {
        free(run);
        return NULL;
    }
    run->network = network;
    run->memory = memory;
    run->hooks = options->hooks;
    run->steps = network->n_ops;
    run->step = memory_zalloc(run->steps, sizeof *run->step);
    output_block = memory_zalloc(network->n_ops, sizeof *output_block);
    make_steps(run, schedule, options, output_block);
    if (!make_bodies(run, options, error)) {
        free(output_block);
        run_free(run);
        return NULL;
    }
    run->layouts = layouts_choose(network, memory, output_block);
    free(output_block);
    use_layouts(run, at_once(options) ? NULL : run->pool);
    if (!make_room(run, schedule, options, &run->facts.scratch_bytes, error)) {
        run_free(run);
        return NULL;
    }
    count_facts(run);
    return run;
}

void run_free(struct run *run)
{
    if (run == NULL)
        return;
    for (size_t i = 0; i < run->steps; i++)
        step_clear(&run->step[i]);
    layouts_clear(&run->layouts);
    regions_free(run->regions);
    stream_steps_free(run->streams);
    if (run->pool_is_own)
        pool_free(run->pool);
    free(run->scratch);
    free(run->step);
    free(run);
}

struct run_facts run_facts(const struct run *run)
{
    return run->facts;
}

struct run_operator *run_operators(const struct run *run)
{
    static const char *const word[] = {[STEP_IDLE] = "nothing",
                                       [STEP_OPERATOR] = "plain",
                                       [STEP_BLOCKED] = "blocks",
                                       [STEP_BODIES] = "bodies",
                                       [STEP_KERNEL] = "kernel"};
    struct run_operator *how = memory_zalloc(run->steps, sizeof *how);

    for (size_t i = 0; i < run->steps; i++) {
        const struct step *step = &run->step[i];

        how[step->op - run->network->op] =
            (struct run_operator){word[step->kind], step_copied(step)};
    }
    return how;
}

static void move_values(const struct run *run, const struct step *step, bool after)
{
    const size_t op = (size_t)(step->op - run->network->op);

    if (run->hooks == NULL)
        return;
    run->hooks->place(run->hooks->context, run->memory, op);
    run->hooks->move(run->hooks->context, run->memory, op, after, run->traffic);
}

static bool run_step(struct run *run, const struct step *step, struct error *error)
{
    move_values(run, step, false);
    if (!step_run(step, run->scratch, error))
        return error_prefix(error, "operator '%s'", step->op->name);
    if (run->traffic != NULL)
        run_traffic_step(run->traffic, run->memory, run->network, step);
    move_values(run, step, true);
    return run_memory_intact(run->memory) ||
           error_set(error, "operator '%s' wrote beside the arena", step->op->name);
}

/* SECONDS NULL: without looking at the clock.  */
static bool run_steps(struct run *run, double *seconds, struct error *error)
{
    if (run->regions != NULL)
        return regions_run(run->regions, seconds, error);
    if (run->streams != NULL)
        return stream_steps_run(run->streams, seconds, error);
    for (size_t i = 0; i < run->steps; i++) {
        const struct step *step = &run->step[i];
        double begin = seconds == NULL ? 0.0 : timer_now();

        if (!run_step(run, step, error))
            return false;
        if (seconds != NULL)
            seconds[step->op - run->network->op] += timer_now() - begin;
    }
    if (run->hooks != NULL)
        run->hooks->end(run->hooks->context, run->memory);
    return true;
}

void run_count(struct run *run, struct run_traffic *traffic)
{
    assert(run->regions == NULL && run->streams == NULL);
    run->traffic = traffic;
}

bool run_once(struct run *run, struct error *error)
{
    return run_steps(run, NULL, error);
}

bool run_timed(struct run *run, double *seconds, struct error *error)
{
    return run_steps(run, seconds, error);
}

const struct runner runner_run = {
    .name = "run",
    .memory = run_memory_planned,
    .make = run_new,
    .time = run_timed,
};
