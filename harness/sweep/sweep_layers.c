/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From layers and kernels to tasks.
 *
 * Parameters become a task for each layer and instruction set that the kernel
 * has a plan for; what it has none for is left out here.  Libraries and ranks
 * are only known once they run, and are skipped then.  The key of a task holds all
 * parameters that the kernel chose, so settings that come to the same are one
 * task.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/facts.h"
#include "harness/sweep/planning.h"
#include "harness/timing/conv_params.h"
#include "kernels/layer.h"
#include "kernels/model/tune.h"
#include "lib/base/memory.h"

static size_t layer_facts(const struct conv_shape *s, struct fact **fact)
{
    const struct fact all[] = {
        {"n", (double)s->n},
        {"c", (double)s->c},
        {"h", (double)s->h},
        {"w", (double)s->w},
        {"k", (double)s->k},
        {"r", (double)s->r},
        {"s", (double)s->s},
        {"stride", (double)s->stride_w},
        {"groups", (double)s->groups},
        {"out_h", (double)conv_shape_out_h(s)},
        {"out_w", (double)conv_shape_out_w(s)},
        {"macs", (double)conv_shape_macs(s)},
        {"tap_share", layer_tap_share(s)},
        {"input_bytes", 4.0 * (double)s->n * (double)s->c * (double)s->h * (double)s->w},
        {"filter_bytes",
         4.0 * (double)s->k * (double)(s->c / s->groups) * (double)s->r * (double)s->s},
        {"output_bytes", 4.0 * (double)s->n * (double)s->k * (double)conv_shape_out_h(s) *
                             (double)conv_shape_out_w(s)},
    };

    *fact = memory_alloc(1, sizeof all);
    memcpy(*fact, all, sizeof all);
    return sizeof all / sizeof all[0];
}

static size_t add_layer(struct planning *planning, const struct experiment_layer *layer)
{
    bool new;
    size_t index = planning_workload(planning, layer->label, &new);
    struct sweep_workload *row = &planning->sweep->workload[index];

    if (new) {
        row->layer = layer;
        row->facts = layer_facts(&layer->shape, &row->fact);
    }
    return index;
}

/* The parameters that KERNEL runs LAYER with; NULL: it has no plan for them.  */
static char *settle(const struct experiment_kernel *kernel, enum isa isa,
                    const struct conv_shape *shape)
{
    const struct conv_request request = {.shape = *shape, .isa = isa, .threads = 1, .relu = false};
    struct error error = {""};
    struct params params;
    struct conv_plan plan;
    char *text, *settled = NULL;

    if (kernel->rank > 0)
        return shape->groups == 1 ? memory_printf("rank=%" PRId64, kernel->rank) : NULL;
    if (kernel->entry == NULL || kernel->entry->kernel->library || kernel->params[0] == '\0')
        return memory_strdup(kernel->params);
    text = conv_params_in_vectors(kernel->params, isa_vector(isa));
    if (params_parse(&params, kernel->name, text, &kernel->entry->kernel->params, 1, &error)) {
        if (conv_plan_make(&plan, kernel->entry->kernel, &request, &params, &error)) {
            settled = conv_params_of(&plan.choice);
            conv_plan_clear(&plan);
        }
        params_clear(&params);
    }
    free(text);
    return settled;
}

static char *kernel_label(const struct experiment_kernel *kernel, const char *params, enum isa isa)
{
    return memory_printf("%s%s%s, %s, %d thread%s", kernel->name, params[0] == '\0' ? "" : ":",
                         params, isa_name(isa), kernel->threads, kernel->threads == 1 ? "" : "s");
}

/* What a result depends on beside parameters and layer: of a setting by its rank also what
 * ranks.  The caller frees it.  */
static char *build_of(const struct experiment_kernel *kernel)
{
    if (kernel->entry == NULL)
        return memory_strdup("none");
    return memory_printf("%s%s%s", kernel->entry->checksum, kernel->rank > 0 ? "-" : "",
                         kernel->rank > 0 ? tuner_registry[0].checksum : "");
}

static void add_kernel(struct planning *planning, size_t experiment, size_t workload,
                       const struct experiment_kernel *kernel, enum isa isa)
{
    const struct sweep *sweep = planning->sweep;
    const struct experiment_set *set = &sweep->experiment[experiment]->set[sweep->options.size];
    const struct sweep_workload *layer = &sweep->workload[workload];
    struct sweep_task task = {.workload = workload,
                              .seed = set->seed[0],
                              .repetition = 1,
                              .limits = set->limits,
                              .kernel = {.kernel = kernel, .isa = isa}};
    char *build;

    task.kernel.params = settle(kernel, isa, &layer->layer->shape);
    if (task.kernel.params == NULL)
        return;
    build = build_of(kernel);
    task.kernel.label = kernel_label(kernel, task.kernel.params, isa);
    task.key =
        memory_printf("conv %s %s:%s isa=%s threads=%d seed=%" PRIu32 " time=%.17g rounds=%" PRId64
                      "-%" PRId64 " spread=%.17g final=%" PRId64 " build=%s",
                      layer->label, kernel->name, task.kernel.params, isa_name(isa),
                      kernel->threads, task.seed, task.limits.time_s, set->layers.rounds_least,
                      set->layers.rounds_most, set->layers.spread, set->layers.final_rounds, build);
    free(build);
    planning_task(planning, &task, experiment);
}

void planning_layers(struct planning *planning, size_t experiment)
{
    struct sweep *sweep = planning->sweep;
    const struct experiment_layers *layers =
        &sweep->experiment[experiment]->set[sweep->options.size].layers;

    for (size_t l = 0; l < layers->n_layers; l++) {
        size_t workload = add_layer(planning, &layers->layer[l]);

        for (enum isa isa = 0; isa < ISA_COUNT; isa++)
            for (size_t k = 0; k < layers->n_kernels; k++)
                if ((layers->isas & 1U << isa) != 0)
                    add_kernel(planning, experiment, workload, &layers->kernel[k], isa);
    }
}
