/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which blocking mgemm chooses for layers, what the model says that takes, and what ranks best, as
 * choices.csv beside this file has it: another choice computes the same, so nothing else would show
 * it but the time.  After a change on purpose
 *     t_choices.t --table >tests/kernels/choices.csv
 * and the commit says what it is worth.  */
#include <config.h>

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "kernels/layer.h"
#include "kernels/mgemm/mgemm_plan.h"
#include "kernels/model/machine.h"
#include "kernels/model/predict.h"
#include "kernels/model/tune.h"
#include "tests/support/as_recorded.h"
#include "tests/support/tap.h"

/* Image layers large and small; then what is seldom: few channels, steps, one axis alone, holes,
 * groups, and sizes that leave a rest everywhere; depthwise layers, one pixel, many channels.  */
static const char *const layers[] = {
    "c=3,h=224,w=224,k=64,r=7,s=7,stride=2,pad=3",
    "c=3,h=416,w=416,k=16,r=3,s=3,pad=1",
    "c=64,h=56,w=56,k=256,r=1,s=1",
    "c=64,h=56,w=56,k=64,r=3,s=3,pad=1",
    "c=128,h=56,w=56,k=128,r=3,s=3,stride=2,pad=1",
    "c=256,h=14,w=14,k=256,r=3,s=3,pad=1",
    "c=512,h=7,w=7,k=512,r=3,s=3,pad=1",
    "c=512,h=13,w=13,k=1024,r=3,s=3,pad=1",
    "c=1024,h=14,w=14,k=256,r=1,s=1",
    "c=512,h=13,w=13,k=255,r=1,s=1",
    "c=256,h=14,w=14,k=1024,r=1,s=1,stride=2",
    "c=40,h=7,w=7,k=520,r=1,s=1",
    "c=128,h=17,w=17,k=128,r=1,s=7,pad=0x3",
    "c=192,h=17,w=17,k=192,r=7,s=1,pad=3x0",
    "n=3,c=48,h=27,w=27,k=96,r=5,s=5,pad=2",
    "n=2,c=20,h=15,w=19,k=40,r=3,s=3,pad=1",
    "c=64,h=30,w=30,k=64,r=3,s=3,pad=2,dilation=2",
    "c=4,h=33,w=31,k=12,r=2,s=4,stride=3",
    "c=2,h=20,w=20,k=8,r=3,s=3",
    "c=1,h=5,w=1,k=1,r=1,s=1",
    "c=64,h=28,w=28,k=128,r=3,s=3,pad=1,groups=4",
    "c=12,h=9,w=9,k=18,r=3,s=3,groups=3",
    "c=64,h=9,w=9,k=64,r=1,s=1,groups=2",
    "c=32,h=112,w=112,k=32,r=3,s=3,pad=1,groups=32",
    "c=64,h=112,w=112,k=64,r=3,s=3,stride=2,pad=1,groups=64",
    "c=64,h=9,w=9,k=64,r=3,s=3,pad=2,groups=64",
    "c=32,h=28,w=28,k=32,r=5,s=5,pad=2,groups=32",
    "c=32,h=28,w=28,k=32,r=5,s=5,pad=3,groups=32",
    "c=32,h=28,w=28,k=64,r=5,s=5,stride=2,pad=2,groups=32",
    "c=32,h=28,w=28,k=32,r=5,s=1,pad=2x0,groups=32",
    "c=512,h=1,w=1,k=1000,r=1,s=1",
    "c=1024,h=14,w=14,k=512,r=1,s=1,stride=2",
};

static const char *const settings[] = {
    "", "rows=2", "preset=paper,llc=300000", "order=tile-co,hfil=outside", "wf=keep", "ci=1",
};

/* An invented processor, that plans may be judged without timing one: two multiply-adds a
 * nanosecond of latency 4, caches of 32 KiB and 1 MiB, all else costs a little.  */
static struct machine invented(enum isa isa)
{
    struct machine machine = machine_known(isa);

    machine.fma_s = 0.5e-9;
    machine.latency_s = 4e-9;
    machine.memory_s = 12e-9;
    machine.load_s = 0.5e-9;
    machine.issue_s = machine.fused ? 0.0 : 0.2e-9;
    machine.broadcast_s = machine.fused ? 0.0 : 0.1e-9;
    machine.exposed = 0.3;
    machine.call_s = 2e-9;
    machine.tile_s = 5e-9;
    machine.accumulator_s = 1e-9;
    machine.channel_s = 0.2e-9;
    for (int i = 0; i < MACHINE_SIZES; i++)
        machine.read_s[i] = i <= 2 ? 1e-11 : i <= 7 ? 2e-11 : 1e-10;
    return machine;
}

static void tell_prediction(FILE *out, const struct prediction *p)
{
    fprintf(out, ",%.5e,%.5e,%.5e,%.5e,%d,%.5e", p->seconds, p->multiply_add_s, p->core_s,
            p->overhead_s, (int)p->tile.registers, model_total(p->ops));
}

/* Of depthwise layers the tile tells which loops they have; the model knows nothing of them.  */
static void tell_plan(FILE *out, const struct conv_plan *plan)
{
    const struct conv_choice *c = &plan->choice;
    const struct machine machine = invented(plan->request.isa);
    struct prediction prediction;

    fprintf(out, "\"co=%" PRId64 ",wo=%" PRId64 ",ci=%" PRId64 ",wf=%s,rows=%" PRId64, c->co, c->wo,
            c->ci, c->wf, c->rows);
    fprintf(out, ",cco=%" PRId64, c->cco);
    if (c->order != NULL)
        fprintf(out, ",hfil=%s,order=%s,cci=%" PRId64, c->hfil, c->order, c->cci);
    fprintf(out, "\"");
    if (predict_plan(plan, &machine, &prediction)) {
        const struct mgemm_plan *m = plan->state;

        fprintf(out, ",%" PRId64 " of %" PRId64 " rows,%" PRId64, m->row_groups, m->chunk,
                m->slabs);
        tell_prediction(out, &prediction);
    }
    fprintf(out, "\n");
}

/* The kernel is asked as it is, so that nothing hangs on what the machine has: plans of two
 * threads and more are not run, and a pool of one stands in for theirs.  */
static void tell_layer(FILE *out, const char *layer, const char *text, enum isa isa, int threads,
                       struct pool *pool)
{
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    struct conv_plan plan = {.kernel = kernel,
                             .request = {.isa = isa, .threads = threads, .pool = pool}};
    struct error error = {""};
    struct params params;

    if (!layer_parse(layer, &plan.request.shape, &error) ||
        !params_parse(&params, "mgemm", text, &kernel->params, 1, &error)) {
        fprintf(out, "%s\n", error.text);
        return;
    }
    fprintf(out, "\"%s\",%s,%d,\"%s\",", layer, isa_name(isa), threads, text);
    if (kernel->plan(&plan, &params, &error)) {
        tell_plan(out, &plan);
        plan.kernel->clear(&plan);
    } else {
        fprintf(out, "\"%s\"\n", error.text);
    }
    params_clear(&params);
}

/* The settings that rank first and last, and how many there are.  */
static void tell_rank(FILE *out, const char *layer)
{
    const struct machine machine = invented(ISA_GENERIC);
    struct conv_request request = {.isa = ISA_GENERIC, .threads = 1};
    struct error error = {""};
    struct tune_list list;

    if (!layer_parse(layer, &request.shape, &error)) {
        fprintf(out, "%s\n", error.text);
        return;
    }
    tune_rank(&list, &request, &machine);
    for (size_t i = 0; i < list.count; i++) {
        if (i != 0 && i != list.standard && i + 1 != list.count)
            continue;
        fprintf(out, "\"%s\",generic,1,rank %zu of %zu,\"%s\",,", layer, i + 1, list.count,
                list.choice[i].params);
        tell_prediction(out, &list.choice[i].prediction);
        fprintf(out, "\n");
    }
    tune_list_free(&list);
}

static void tell(FILE *out)
{
    struct error error = {""};
    struct pool *pool = pool_new(1, &error);

    fprintf(out, "layer,isa,threads,parameters,chosen,items,slabs,seconds,multiply_add_s,core_s,"
                 "overhead_s,registers,memory_operations\n");
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++)
        for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
            /* The settings in turn with the instruction sets, as they do the same for all three. */
            for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++)
                if (s == 0 || (i + s) % ISA_COUNT == isa)
                    tell_layer(out, layers[i], settings[s], isa, 1, pool);
            tell_layer(out, layers[i], "", isa, 2, pool);
            tell_layer(out, layers[i], "", isa, 7, pool);
        }
    tell_rank(out, "c=40,h=9,w=10,k=24,r=3,s=3,pad=1");
    tell_rank(out, "c=3,h=15,w=17,k=8,r=5,s=5,stride=2,pad=2");
    tell_rank(out, "c=70,h=6,w=6,k=32,r=1,s=1");
    pool_free(pool);
}

int main(int argc, char **argv)
{
#ifdef __FMA__ /* other last digits, which decide between equals */
    const bool fused = true;
#else
    const bool fused = false;
#endif

    if (fused || isa_registers(ISA_GENERIC) != 16 || mgemm_set(ISA_AVX2) == NULL ||
        mgemm_set(ISA_AVX512) == NULL) {
        tap_skip(1,
                 "recorded where kernels are built for SSE2, AVX2 and AVX-512, all else for SSE2");
        return tap_done();
    }
    return as_recorded(argc, argv, "tests/kernels/choices.csv", 400, tell);
}
