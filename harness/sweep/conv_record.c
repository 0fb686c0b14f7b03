/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/conv_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/store.h"
#include "harness/store/store_conv.h"
#include "kernels/emitted/emitted.h"
#include "kernels/model/model.h"
#include "kernels/model/predict.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/plan.h"

/* --- layers and machine --- */

static bool record_layer(struct conv_run *run, struct sweep_workload *workload)
{
    const struct store_workload row = {
        .label = workload->label,
        .checksum = workload->checksum,
        .kind = "layer",
        .name = workload->layer->name,
        .params = "",
        .n = STORE_NULL,
        .pairs = STORE_NULL,
        .load = STORE_NULL,
        .width = STORE_NULL,
        .max_size = STORE_NULL,
        .total = STORE_NULL,
        .w = STORE_NULL,
        .width_bound = STORE_NULL,
        .w1_bound = STORE_NULL,
        .w2_bound = STORE_NULL,
    };

    return store_put_workload(run->sweep->store, &row, &workload->row, run->error) &&
           store_put_facts(run->sweep->store, workload->row, workload->fact, workload->facts,
                           run->error);
}

/* The row of the experiment's layer LAYER.  */
static int64_t row_of(const struct sweep *sweep, const struct experiment_layer *layer)
{
    for (size_t w = 0; w < sweep->n_workloads; w++)
        if (strcmp(sweep->workload[w].label, layer->label) == 0)
            return sweep->workload[w].row;
    return 0;
}

bool conv_record_layers(struct conv_run *run)
{
    const struct experiment_layers *layers = &run->set->layers;
    struct store_layer_use *use = memory_alloc(layers->n_uses, sizeof *use);
    bool done = true;

    for (size_t w = 0; done && w < run->sweep->n_workloads; w++)
        if (run->sweep->workload[w].layer != NULL)
            done = record_layer(run, &run->sweep->workload[w]);
    for (size_t u = 0; u < layers->n_uses; u++)
        use[u] = (struct store_layer_use){
            .workload = row_of(run->sweep, &layers->layer[layers->use[u].layer]),
            .network = layers->use[u].network,
            .uses = layers->use[u].count,
        };
    done = done && store_put_layer_uses(run->sweep->store, run->experiment->name,
                                        experiment_size_name(run->sweep->options.size), use,
                                        layers->n_uses, run->error);
    free(use);
    return done;
}

bool conv_record_machine(struct conv_run *run, enum isa isa)
{
    const struct machine *m = &run->machine[isa];
    struct store_constant constant[8 + MACHINE_SIZES] = {
        {"vector", m->vector},
        {"registers", m->registers},
        {"peak_flops", 2.0 * m->vector / m->fma_s},
        {"latency_s", m->latency_s},
        {"load_s", m->load_s},
        {"call_s", m->call_s},
        {"tile_s", m->tile_s},
        {"accumulator_s", m->accumulator_s},
    };
    char name[MACHINE_SIZES][32];

    for (int i = 0; i < MACHINE_SIZES; i++) {
        snprintf(name[i], sizeof name[i], "read %" PRId64, (int64_t)1 << (MACHINE_SMALLEST + i));
        constant[8 + i] = (struct store_constant){name[i], 1.0 / m->read_s[i]};
    }
    return store_put_constants(run->sweep->store, isa_name(isa), constant, 8 + MACHINE_SIZES,
                               run->error);
}

/* --- tasks --- */

static enum outcome outcome_of(enum conv_end end)
{
    switch (end) {
    case CONV_END_GOOD:
        return OUTCOME_MEASURED;
    case CONV_END_SKIPPED:
        return OUTCOME_SKIPPED;
    case CONV_END_WRONG:
        return OUTCOME_INVALID;
    case CONV_END_HUNG:
        return OUTCOME_TIMEOUT;
    case CONV_END_MEMORY:
        return OUTCOME_MEMOUT;
    case CONV_END_CRASHED:
    case CONV_END_GONE:
    case CONV_END_STOPPED: /* no sweep has a watch */
        break;
    }
    return OUTCOME_CRASHED;
}

static const char *role_of(const struct sweep_kernel *kernel)
{
    if (kernel->kernel->rank > 0)
        return "model";
    if (strcmp(kernel->kernel->name, "mgemm") != 0)
        return "peer";
    return kernel->params[0] == '\0' ? "chosen" : "setting";
}

/* What the models say about a dense plan of mgemm; nothing about others.  */
static void ask_models(const struct conv_run *run, const struct sweep_kernel *kernel,
                       const struct conv_shape *shape, const char *text, struct store_conv *row)
{
    const struct conv_request request = {
        .shape = *shape, .isa = kernel->isa, .threads = 1, .relu = false};
    const struct conv_kernel *mgemm = kernel->kernel->entry->kernel;
    struct error error = {""};
    struct prediction prediction;
    struct params params;
    struct conv_plan plan;

    if (!params_parse(&params, mgemm->name, text, &mgemm->params, 1, &error))
        return;
    if (conv_plan_make(&plan, mgemm, &request, &params, &error)) {
        if (predict_plan(&plan, &run->machine[kernel->isa], &prediction)) {
            const struct conv_choice *c = &plan.choice;
            const bool kept = strcmp(c->wf, "reload") != 0;
            const struct emitted_loop *loop = emitted_find(&plan);

            row->model_m = model_total(model_effective(
                shape, c->co, c->wo, c->rows, kept ? shape->s : 1, strcmp(c->hfil, "inside") == 0));
            row->model_exact = model_total(prediction.ops);
            row->predicted_s = prediction.seconds;
            row->registers = prediction.tile.registers;
            row->spilled = prediction.tile.spilled;
            row->chains = prediction.tile.chains;
            if (loop != NULL)
                row->counted_m = emitted_operations(loop, isa_vector(kernel->isa));
        }
        conv_plan_clear(&plan);
    }
    params_clear(&params);
}

static struct store_conv conv_row(const struct conv_run *run, const struct conv_lane *lane)
{
    const struct sweep_task *task = &run->sweep->task[lane->task];
    const struct sweep_kernel *kernel = &task->kernel;
    const bool timed = lane->facts.end == CONV_END_GOOD;
    struct store_conv row = {
        .isa = isa_name(kernel->isa),
        .threads = kernel->kernel->threads,
        .role = role_of(kernel),
        .rank = kernel->kernel->rank,
        .run_params = lane->params,
        .choice = lane->facts.choice,
        .workspace_bytes = timed ? lane->facts.workspace_bytes : STORE_NULL,
        .packed_bytes = timed ? lane->facts.packed_bytes : STORE_NULL,
        .pack_s = timed ? lane->facts.pack_s : NAN,
        .max_error = lane->facts.compared > 0 ? lane->facts.max_error : NAN,
        .compared = lane->facts.compared,
        .rounds = (int64_t)lane->turns,
        .turn_s = {lane->turn, lane->turns},
        .turn_at_s = {lane->at_s, lane->turns},
        .low_s = lane->interval.high > 0.0 ? lane->interval.low : NAN,
        .high_s = lane->interval.high > 0.0 ? lane->interval.high : NAN,
        .settled = lane->settled,
        .peak_flops = timed ? lane->peak : NAN,
        .reference_s = timed ? lane->reference : NAN,
        .model_m = NAN,
        .model_exact = NAN,
        .predicted_s = NAN,
        .registers = STORE_NULL,
        .spilled = STORE_NULL,
        .chains = STORE_NULL,
        .counted_m = NAN,
    };

    if (timed && strcmp(kernel->kernel->name, "mgemm") == 0)
        ask_models(run, kernel, &run->sweep->workload[task->workload].layer->shape, lane->params,
                   &row);
    return row;
}

bool conv_record_lane(struct conv_run *run, const struct conv_lane *lane)
{
    struct sweep_task *task = &run->sweep->task[lane->task];
    const struct sweep_kernel *kernel = &task->kernel;
    struct store_conv conv = conv_row(run, lane);
    struct store_task row = {
        .kind = "conv",
        .contestant = kernel->kernel->name,
        .params = kernel->params,
        .contestant_checksum = kernel->kernel->entry == NULL ? "" : kernel->kernel->entry->checksum,
        .outcome = outcome_name(outcome_of(lane->facts.end)),
        .reason = lane->facts.reason,
        .time_s = lane->turns > 0 ? statistics_median(lane->turn, lane->turns) : NAN,
        .cpu_s = NAN,
        .harness_s = timer_now() - lane->began,
        .rss_bytes = STORE_NULL,
        .conv = &conv,
    };
    bool done;

    done = sweep_record(run->sweep, task, &row, &run->clock, run->error);
    progress_ended(&run->progress,
                   lane->facts.end != CONV_END_GOOD && lane->facts.end != CONV_END_SKIPPED);
    return done;
}
