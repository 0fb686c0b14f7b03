/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/timing/conv_child.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/placement.h"
#include "harness/io/process.h"
#include "harness/timing/conv_protocol.h"
#include "kernels/model/probe.h"
#include "kernels/pool.h"
#include "kernels/reference.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/base/timer.h"

/* One output and what it should be.  */
struct look {
    int64_t at; /* index in an output as NCHW */
    double value, bound;
};

/* A plan that is ready to run.  */
struct slot {
    struct conv_plan plan; /* plan.kernel NULL: the slot is empty */
    struct params params;
    float *packed; /* the weights */
};

/* The layer that all slots are plans for.  Blocks at multiples of 64 bytes
 * stand in a larger one, which is freed.  */
struct child {
    const struct conv_setup *setup;
    struct pool *pool; /* of the probe, or of all plans: threads are pinned, and so is this one */
    struct conv_shape shape;
    bool relu, has_layer;
    float *input, *filter, *bias; /* NCHW and K-C-R-S, for the reference */
    float *blocked, *output;      /* input in the layout that BLOCK says; output of any plan */
    int64_t block;                /* 0: not there yet */
    int64_t timed_in, timed_out;  /* the blocks whose conversion took convert_s */
    double convert_s;
    int64_t output_floats;
    struct look *look;
    int64_t looks;
    struct slot slot[CONV_SLOTS];
};

/* Freed with free.  */
static float *aligned_floats(int64_t count)
{
    void *block = NULL;

    if (posix_memalign(&block, 64, ((size_t)count + 16) * sizeof(float)) != 0)
        memory_exhausted();
    return block;
}

static float *random_floats(struct rng *rng, int64_t count)
{
    float *value = memory_alloc((size_t)count, sizeof *value);

    for (int64_t i = 0; i < count; i++)
        value[i] = (float)(2.0 * rng_unit(rng) - 1.0);
    return value;
}

static int64_t filter_floats(const struct conv_shape *shape)
{
    return shape->k * (shape->c / shape->groups) * shape->r * shape->s;
}

bool conv_fits(const struct conv_shape *shape, double extra, struct error *error)
{
    const double input = (double)shape->n * (double)shape->c * (double)shape->h * (double)shape->w;
    const double filter =
        (double)shape->k * (double)(shape->c / shape->groups * shape->r * shape->s);
    const double output = (double)shape->n * (double)shape->k * (double)conv_shape_out_h(shape) *
                          (double)conv_shape_out_w(shape);
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double bytes = (input + filter + output + extra) * (double)sizeof(float);

    if (bytes > memory)
        return error_set(error, "the tensors need %.0f MiB, the machine has %.0f MiB",
                         bytes / 0x1p20, memory / 0x1p20);
    return true;
}

/* --- layers --- */

static void clear_slot(struct slot *slot)
{
    if (slot->plan.kernel == NULL)
        return;
    conv_plan_clear(&slot->plan);
    params_clear(&slot->params);
    free(slot->packed);
    memset(slot, 0, sizeof *slot);
}

static void clear_layer(struct child *child)
{
    for (int i = 0; i < CONV_SLOTS; i++)
        clear_slot(&child->slot[i]);
    free(child->input);
    free(child->filter);
    free(child->bias);
    free(child->blocked);
    free(child->output);
    free(child->look);
    *child = (struct child){.setup = child->setup, .pool = child->pool};
}

/* Everything that is allocated for PLAN has to fit into the machine.  */
static bool fits(const struct conv_shape *shape, const struct conv_plan *plan, struct error *error)
{
    return conv_fits(shape,
                     (double)layout_floats(&plan->input) + (double)layout_floats(&plan->output) +
                         (double)plan->packed_floats +
                         (double)plan->workspace_bytes / (double)sizeof(float),
                     error);
}

/* What the output at LOOK->at should be.  */
static void refer(const struct child *child, const struct tensor_layout *out, struct look *look)
{
    const int64_t at = look->at;
    const struct reference_point point =
        reference_output(&child->shape, child->input, child->filter, child->bias, child->relu,
                         at / (out->c * out->h * out->w), at / (out->h * out->w) % out->c,
                         at / out->w % out->h, at % out->w);

    look->value = point.value;
    look->bound = point.bound;
}

/* All outputs where that is quick; else the corners and random ones.  */
static void make_looks(struct child *child)
{
    enum { MOST_LOOKS = 1 << 20 };
    const struct conv_shape *shape = &child->shape;
    const struct tensor_layout out = layout_output(shape, 1);
    const int64_t each = shape->c / shape->groups * shape->r * shape->s;
    const int64_t all = out.n * out.c * out.h * out.w;
    const int64_t wanted = max64(64, min64(MOST_LOOKS, child->setup->compare_macs / each));
    struct rng *rng = rng_new(2);

    child->looks = min64(wanted, all);
    child->look = memory_alloc((size_t)child->looks, sizeof *child->look);
    for (int64_t i = 0; i < child->looks; i++) {
        int64_t plane, p, q;

        child->look[i].at = i;
        if (wanted < all) {
            plane = rng_range(rng, 0, out.n * out.c - 1);
            p = i < 16 ? i / 2 % 2 * (out.h - 1) : rng_range(rng, 0, out.h - 1);
            q = i < 16 ? i % 2 * (out.w - 1) : rng_range(rng, 0, out.w - 1);
            child->look[i].at = (plane * out.h + p) * out.w + q;
        }
        refer(child, &out, &child->look[i]);
    }
    rng_free(rng);
}

static void make_layer(struct child *child)
{
    const struct conv_shape *shape = &child->shape;
    struct rng *rng = rng_new(1);

    child->input = random_floats(rng, shape->n * shape->c * shape->h * shape->w);
    child->filter = random_floats(rng, filter_floats(shape));
    child->bias = random_floats(rng, shape->k);
    rng_free(rng);
    make_looks(child);
    child->has_layer = true;
}

/* Input and output in the layouts of PLAN.  Slots share them; a plan with
 * another layout of the input has it converted before it is timed.  */
static void use_layouts(struct child *child, const struct conv_plan *plan)
{
    const struct tensor_layout nchw = layout_input(&child->shape, 1);
    const int64_t outputs = layout_floats(&plan->output);

    if (child->block != plan->input.block) {
        free(child->blocked);
        child->blocked = aligned_floats(layout_floats(&plan->input));
        layout_convert(&nchw, child->input, &plan->input, child->blocked);
        child->block = plan->input.block;
    }
    if (child->output_floats < outputs) {
        free(child->output);
        child->output = aligned_floats(outputs);
        child->output_floats = outputs;
    }
}

static double time_copy(const struct tensor_layout *from, const float *source,
                        const struct tensor_layout *to, float *target)
{
    double start;

    if (from->block == to->block)
        return 0.0;
    layout_convert(from, source, to, target); /* touches the memory */
    start = timer_now();
    layout_convert(from, source, to, target);
    return timer_now() - start;
}

/* Once for each pair of layouts: it is the same for all slots.  */
static double time_convert(struct child *child, const struct conv_plan *plan)
{
    const struct tensor_layout in = layout_input(&child->shape, 1);
    const struct tensor_layout out = layout_output(&child->shape, 1);
    float *nchw;

    if (child->timed_in == plan->input.block && child->timed_out == plan->output.block)
        return child->convert_s;
    nchw = aligned_floats(layout_floats(&out));
    child->convert_s = time_copy(&in, child->input, &plan->input, child->blocked) +
                       time_copy(&plan->output, child->output, &out, nchw);
    free(nchw);
    child->timed_in = plan->input.block;
    child->timed_out = plan->output.block;
    return child->convert_s;
}

/* False with a reason when an output is too far off.  */
static bool compare(const struct child *child, const struct slot *slot, struct conv_facts *facts)
{
    const struct tensor_layout *out = &slot->plan.output;

    for (int64_t i = 0; i < child->looks; i++) {
        const struct look *look = &child->look[i];
        const int64_t n = look->at / (out->c * out->h * out->w);
        const int64_t k = look->at / (out->h * out->w) % out->c;
        const int64_t p = look->at / out->w % out->h, q = look->at % out->w;
        const double got = child->output[layout_index(out, n, k, p, q)];
        const double distance = fabs(got - look->value);
        const double bound = slot->plan.kernel->tolerance * look->bound;

        facts->compared++;
        if (!(distance <= facts->max_error))
            facts->max_error = distance;
        if (distance <= bound)
            continue;
        snprintf(facts->reason, sizeof facts->reason,
                 "wrong result: output %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                 " is %.9g, expected %.9g +- %.2g",
                 n, k, p, q, got, look->value, bound);
        return false;
    }
    return true;
}

/* --- orders --- */

/* The pool, where the kernel has use for it.  */
static bool take_pool(struct child *child, struct error *error)
{
    const struct conv_kernel *kernel = child->setup->kernel;

    if (kernel != NULL && kernel->library)
        return true;
    if (child->pool == NULL)
        child->pool = pool_new(child->setup->threads, error);
    return child->pool != NULL;
}

static bool make_plan(struct child *child, struct slot *slot, const struct conv_order *order,
                      struct error *error)
{
    const struct conv_setup *setup = child->setup;
    const struct conv_shape *shape = &order->shape;
    struct conv_request request = {
        .shape = *shape, .isa = setup->isa, .threads = setup->threads, .relu = order->relu};

    if (!take_pool(child, error) || !params_parse(&slot->params, setup->kernel->name, order->params,
                                                  &setup->kernel->params, 1, error))
        return false;
    request.pool = child->pool;
    if (conv_fits(shape, 0.0, error) &&
        conv_plan_make(&slot->plan, setup->kernel, &request, &slot->params, error)) {
        if (fits(shape, &slot->plan, error))
            return true;
        conv_plan_clear(&slot->plan);
    }
    params_clear(&slot->params);
    memset(slot, 0, sizeof *slot);
    return false;
}

static void run_plan(const struct child *child, const struct slot *slot)
{
    slot->plan.kernel->run(&slot->plan, child->blocked, slot->packed, child->output);
}

static void prepare(struct child *child, const struct conv_order *order, struct conv_facts *facts)
{
    struct slot *slot = &child->slot[order->slot];
    struct error error = {""};
    double start;

    facts->end = CONV_END_SKIPPED;
    if (child->setup->kernel == NULL) {
        facts->end = take_pool(child, &error) ? CONV_END_GOOD : CONV_END_SKIPPED;
        snprintf(facts->reason, sizeof facts->reason, "%s", error.text);
        return;
    }
    if (child->has_layer && (memcmp(&child->shape, &order->shape, sizeof child->shape) != 0 ||
                             child->relu != order->relu))
        clear_layer(child);
    clear_slot(slot);
    if (!make_plan(child, slot, order, &error)) {
        snprintf(facts->reason, sizeof facts->reason, "%s", error.text);
        return;
    }
    child->shape = order->shape;
    child->relu = order->relu;
    if (!child->has_layer)
        make_layer(child);
    use_layouts(child, &slot->plan);
    slot->packed = aligned_floats(slot->plan.packed_floats);
    slot->plan.kernel->pack(&slot->plan, child->filter, child->bias, slot->packed);
    start = timer_now();
    slot->plan.kernel->pack(&slot->plan, child->filter, child->bias, slot->packed);
    facts->pack_s = timer_now() - start;
    facts->convert_s = time_convert(child, &slot->plan);
    for (int64_t i = 0; i < layout_floats(&slot->plan.output); i++)
        child->output[i] = NAN;
    run_plan(child, slot);
    facts->choice = slot->plan.choice;
    snprintf(facts->library, sizeof facts->library, "%s", slot->plan.library);
    facts->workspace_bytes = slot->plan.workspace_bytes;
    facts->packed_bytes = slot->plan.packed_floats * (int64_t)sizeof(float);
    facts->end = compare(child, slot, facts) ? CONV_END_GOOD : CONV_END_WRONG;
}

/* Runs that are not timed.  Caches, branches and clock are those of whoever had the turn before,
 * and several threads sleep (conv_session.c waits for that): some milliseconds wake them all.  */
static void warm_up(const struct child *child, const struct slot *slot, int64_t repeats)
{
    const double begin = timer_now(), awake_s = child->setup->threads > 1 ? 3e-3 : 0.0;

    if (repeats > 1)
        for (int64_t i = 0; i < repeats; i += 4)
            run_plan(child, slot);
    while (timer_now() - begin < awake_s)
        run_plan(child, slot);
}

static double time_batch(struct child *child, const struct conv_order *order)
{
    struct slot *slot = &child->slot[order->slot];
    double start;

    if (child->setup->kernel == NULL)
        return probe_flops(child->setup->isa, child->pool, 1e-3);
    use_layouts(child, &slot->plan);
    warm_up(child, slot, order->repeats);
    start = timer_now();
    for (int64_t i = 0; i < order->repeats; i++)
        run_plan(child, slot);
    return (timer_now() - start) / (double)order->repeats;
}

static bool serve(struct child *child, const struct message *message, int socket)
{
    struct conv_facts facts;
    double result;

    if (message->kind == CONV_TIME) {
        result = time_batch(child, message->data);
        return message_send(socket, CONV_ANSWER, &result, sizeof result);
    }
    memset(&facts, 0, sizeof facts); /* padding too: it is written */
    prepare(child, message->data, &facts);
    return message_send(socket, CONV_ANSWER, &facts, sizeof facts);
}

static void out_of_memory(void *context)
{
    (void)context;
    _exit(CONV_EXIT_MEMORY);
}

void conv_child(void *setup, int socket)
{
    struct child child = {.setup = setup};
    struct message message;
    sigset_t none;
    bool served = true;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* The parent is told of an interrupt too, and ends its sessions.  */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    memory_set_hook(out_of_memory, NULL);
    if (child.setup->threads == 1)
        (void)process_pin(child.setup->cpu);
    else
        (void)placement_bind((size_t)child.setup->threads);
    while (served && message_receive(socket, &message, INFINITY, NULL) == MESSAGE_HERE) {
        served = serve(&child, &message, socket);
        free(message.data);
    }
}
