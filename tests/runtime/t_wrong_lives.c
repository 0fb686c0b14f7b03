/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A wrong lifetime shows: networks of the zoo run where each buffer in turn ends a step too early,
 * and where an operator writes over what is still read.  Each plan is one that the verifier takes
 * for the wrong lifetimes and refuses for the right ones, and the outputs change.  Where an
 * operator may write over what it reads last, they do not.
 *
 * All buffers lie apart but two: what an operator reads, and what it makes.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "runtime/compare.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "tests/support/telling.h"

enum { ALIGNMENT = 64, ELEMENT = sizeof(float) };

/* Without kernels.  */
static const struct run_options plain_options = {.threads = 1};

/* --- two buffers on one another --- */

/* Output OUTPUT of an operator and what it reads, as buffers.  */
struct pair {
    size_t input, output;
};

/* OUTPUT's first byte at SHIFT from INPUT's, both behind all others, none of which meet.  */
static struct plan *overlapping_plan(const struct instance *instance, struct pair pair,
                                     int64_t shift)
{
    struct plan *plan = plan_new(instance);
    int64_t top = 0;

    for (size_t b = 0; b < instance->n; b++) {
        plan->offset[b] = top;
        if (b != pair.input && b != pair.output)
            top = align_up(top + instance->buffer[b].size, ALIGNMENT);
    }
    plan->offset[pair.input] = top + (shift < 0 ? -shift : 0);
    plan->offset[pair.output] = top + (shift > 0 ? shift : 0);
    plan->peak = plan_peak(instance, plan);
    return plan;
}

/* INSTANCE where the life of buffer WRONG ends with step END.  */
static struct instance *wrong_instance(const struct instance *instance, size_t wrong, int64_t end)
{
    struct instance *copy = instance_new("wrong");
    struct error error = {""};

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        instance_add(copy, buffer->id, buffer->begin, b == wrong ? end : buffer->end, buffer->size,
                     buffer->alignment);
    }
    if (!instance_seal(copy, NULL, &error))
        abort();
    return copy;
}

/* INSTANCE where no buffer lives through its last step, if it has more than one.  */
static struct instance *hasty_instance(const struct instance *instance)
{
    struct instance *copy = instance_new("hasty");
    struct error error = {""};

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        instance_add(copy, buffer->id, buffer->begin, max64(buffer->end - 1, buffer->begin + 1),
                     buffer->size, buffer->alignment);
    }
    if (!instance_seal(copy, NULL, &error))
        abort();
    return copy;
}

/* --- what happens --- */

struct trial {
    const struct instance *instance;
    const struct run_memory *plain; /* with the right outputs */
    int tried, shown, judged;
};

static bool changes(const struct trial *trial, const struct plan *plan)
{
    struct error error = {""};
    struct run_memory *memory = run_planned(trial->instance, plan, &plain_options, &error);
    bool same;

    if (memory == NULL) {
        tap_diag("%s", error.text);
        abort();
    }
    same = run_differs(trial->instance->origin->network, trial->plain, memory) == NULL;
    run_memory_free(memory);
    return !same;
}

/* Whether PAIR on one another, at one of some places, changes what comes out.  For an operator that
 * goes through its input in order the beginning may be harmless, and so may the end for one that
 * makes little of much.  */
static void try_pair(struct trial *trial, struct pair pair)
{
    const struct instance *instance = trial->instance;
    const struct buffer *input = &instance->buffer[pair.input];
    const struct buffer *output = &instance->buffer[pair.output];
    struct instance *wrong = wrong_instance(instance, pair.input, output->begin);
    const int64_t shift[] = {ELEMENT, ALIGNMENT, input->size - output->size, -ALIGNMENT,
                             (input->size - output->size) / 2 / ELEMENT * ELEMENT};
    bool shown = false, judged = true;

    for (size_t i = 0; i < sizeof shift / sizeof shift[0] && !shown; i++) {
        struct plan *plan;
        struct error error = {""};

        /* They have to meet.  */
        if (shift[i] >= input->size || -shift[i] >= output->size)
            continue;
        plan = overlapping_plan(instance, pair, shift[i]);
        judged = judged && verify_plan(wrong, plan, &error) && !verify_plan(instance, plan, &error);
        shown = changes(trial, plan);
        plan_free(plan);
    }
    trial->tried++;
    trial->shown += shown;
    trial->judged += judged;
    if (!shown)
        tap_diag("%s on %s: nothing changes", output->id, input->id);
    instance_free(wrong);
}

/* What operator O reads as input SLOT, and what it makes; false where one has no buffer, or the
 * first does not live before it.  */
static bool find_pair(const struct instance *instance, size_t o, size_t slot, struct pair *pair)
{
    const struct origin *origin = instance->origin;
    const struct network_op *op = &origin->network->op[o];

    pair->input = origin->buffer[op->input[slot]];
    pair->output = origin->buffer[op->output[0]];
    return pair->input != SIZE_MAX && pair->output != SIZE_MAX &&
           instance->buffer[pair->input].begin < origin->schedule->step[o];
}

/* What only moves does so as if there were a place between, so where all of it is moved at once
 * nothing need show.  */
static bool only_moves(const struct network_op *op)
{
    return op->kind == OP_ALIAS || op->kind == OP_CONCAT || op->kind == OP_SPLIT;
}

static bool may_overwrite(const struct network_op *op, size_t slot)
{
    for (size_t i = 0; i < op->reuses; i++)
        if (op->reuse[i].kind == REUSE_OVERWRITE && op->reuse[i].input == slot)
            return true;
    return false;
}

/* --- networks --- */

/* Every buffer that some operator reads last ends before that.  */
static void end_early(struct trial *trial)
{
    const struct origin *origin = trial->instance->origin;

    for (size_t o = 0; o < origin->network->n_ops; o++)
        for (size_t i = 0; i < origin->network->op[o].inputs; i++) {
            struct pair pair;

            if (!only_moves(&origin->network->op[o]) && find_pair(trial->instance, o, i, &pair) &&
                trial->instance->buffer[pair.input].end == origin->schedule->step[o] + 1)
                try_pair(trial, pair);
        }
}

/* Every operator that could write over its input does so: although there are later readers, which
 * has to show, or as the last one, which has not.  */
static void overwrite(struct trial *trial, bool later)
{
    const struct origin *origin = trial->instance->origin;

    for (size_t o = 0; o < origin->network->n_ops; o++)
        for (size_t i = 0; i < origin->network->op[o].inputs; i++) {
            struct plan *plan;
            struct pair pair;
            bool changed;

            if (!may_overwrite(&origin->network->op[o], i) ||
                !find_pair(trial->instance, o, i, &pair) ||
                (trial->instance->buffer[pair.input].end > origin->schedule->step[o] + 1) != later)
                continue;
            plan = overlapping_plan(trial->instance, pair, 0);
            changed = changes(trial, plan);
            trial->tried++;
            trial->shown += changed == later;
            if (changed != later)
                tap_diag("%s over %s: %s", trial->instance->buffer[pair.output].id,
                         trial->instance->buffer[pair.input].id,
                         later ? "nothing changes" : "something changes");
            plan_free(plan);
        }
}

/* A planner that gets lives without their last steps.  */
static void plan_hastily(const struct trial *trial, const char *spec)
{
    struct instance *hasty = hasty_instance(trial->instance);
    struct plan *plan = solver_plan("section-first", hasty, 1);

    ok(changes(trial, plan), "%s: a plan for lives without their last steps shows", spec);
    plan_free(plan);
    instance_free(hasty);
}

/* The network of SPEC, which is to be tried in each of two ways.  */
static void check_network(const char *spec, bool ends, bool overwrites)
{
    struct instance *instance = runnable_of(spec);
    struct error error = {""};
    const struct origin *origin = instance->origin;
    struct run_memory *plain = run_apart(origin->network, origin->schedule, &plain_options, &error);
    struct trial trial = {.instance = instance, .plain = plain};
    bool runs = plain != NULL && telling_outputs(origin->network, plain);

    ok(runs, "%s runs %s", spec, error.text);
    if (runs && ends) {
        plan_hastily(&trial, spec);
        end_early(&trial);
        ok(trial.tried > 20 && trial.shown == trial.tried,
           "%s: %d of %d lives that end a step early show", spec, trial.shown, trial.tried);
        ok(trial.judged == trial.tried, "%s: the verifier takes them for the wrong lives only",
           spec);
        trial = (struct trial){.instance = instance, .plain = plain};
        overwrite(&trial, false);
        ok(trial.tried > 20 && trial.shown == trial.tried,
           "%s: %d of %d values that their last reader overwrites do not", spec, trial.shown,
           trial.tried);
    }
    if (runs && overwrites) {
        trial = (struct trial){.instance = instance, .plain = plain};
        overwrite(&trial, true);
        ok(trial.tried > 2 && trial.shown == trial.tried,
           "%s: %d of %d values that an earlier reader overwrites show", spec, trial.shown,
           trial.tried);
    }
    run_memory_free(plain);
    instance_free(instance);
}

int main(void)
{
    check_network("mobilenet_v3_small:size=32,io=both", true, false);
    if (tap_tier(0, 1) != 0) {
        check_network("resnet18:size=32,io=both", true, false);
        check_network("shufflenet_v2_x1_0:size=32,io=both", true, false);
        check_network("squeezenet1_1:size=64,io=both", true, false);
        /* Its blocks begin with a ReLU of what goes around them as well.  */
        check_network("xception:size=96,io=both", false, true);
    }
    return tap_done();
}
