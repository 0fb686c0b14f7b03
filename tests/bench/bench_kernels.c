/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The convolution kernels beside every library that is built in: rates, shares
 * of the peak, paired ratios with their intervals, and the goals.
 *
 *   bench_kernels [ISA...] [threads] [LIST...] [top]
 *
 * Without arguments all instruction sets of the machine with all lists of
 * layers, then all threads; top: no sweeps.  */
#include <config.h>

#include "tests/bench/bench_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/timing/conv_input.h"
#include "harness/timing/conv_tune.h"
#include "kernels/model/machine_calibrate.h"
#include "lib/base/memory.h"
#include "tests/bench/bench_machine.h"

enum { ROUNDS = 21, LONG_ROUNDS = 11, SGEMM_ROUNDS = 7, RESAMPLES = 2000, MOST_REPEATS = 3 };
static const double long_run_s = 0.02;   /* layers that take longer have fewer rounds */
static const double longest_sweep_s = 8; /* else the parameters come from top:8 */
static const int64_t compare_macs = 10000000;
static const double patience_s = 600.0;
static const char *const lists[] = {"bench15", "yolov3-tiny", "depthwise3"};
enum { LISTS = sizeof lists / sizeof lists[0] };

struct place {
    struct bench *bench;
    struct conv_sessions *sessions;
    struct conv_tuner *tuner;
    const struct machine *machine;
    enum isa isa;
};

/* mgemm as tuned, mgemm as it is, and all others.  */
static void find_contestants(struct bench *bench)
{
    const struct conv_kernel *mgemm = conv_kernel_find("mgemm");

    bench->kernel[0] = bench->kernel[1] = mgemm;
    bench->name[0] = "tuned";
    bench->name[1] = "default";
    bench->count = 2;
    for (size_t i = 0; conv_kernel_registry[i].kernel != NULL; i++) {
        const struct conv_kernel *kernel = conv_kernel_registry[i].kernel;

        if (kernel == mgemm || bench->count == BENCH_MOST)
            continue;
        bench->kernel[bench->count] = kernel;
        bench->name[bench->count++] = kernel->name;
    }
}

size_t bench_find(const struct bench *bench, const char *name)
{
    for (size_t i = 1; i < bench->count; i++)
        if (strcmp(bench->name[i], name) == 0)
            return i;
    return 0;
}

static void print_head(int argc, char **argv)
{
    bench_print_machine(argc, argv);
    printf(
        "One thread, batch 1, weights packed before; medians of %d interleaved rounds of 1 ms\n"
        "(%d where a run takes over %.0f ms), ratios of the same round with bootstrap 95 %%\n"
        "intervals of their medians. mgemm is tuned by top:8, in %s by a sweep where that\n"
        "takes under %.0f s, and `deflt` is the same ratio to mgemm without parameters, `regr.`\n"
        "by how much the model alone is slower than the sweep's best. `sprd` is the spread of\n"
        "mgemm's rounds (10 to 90 %%, over the median), `dist` how many rounds had a probe of the\n"
        "peak more than 15 %% under its median; a race with more than a quarter of them is run\n"
        "again, %d times at most, and +1 says once. The probe hardly feels a thread that shares\n"
        "the core and multiplies little; the spread does.\n",
        ROUNDS, LONG_ROUNDS, 1e3 * long_run_s, lists[0], longest_sweep_s, MOST_REPEATS);
    fflush(stdout);
}

/* Seconds for all settings: each is prepared and timed some ten times.  */
static double sweep_seconds(const struct place *at, const struct conv_shape *shape)
{
    const double run =
        (double)conv_shape_macs(shape) / at->machine->vector * at->machine->fma_s * 1.3;
    const double settings = shape->s == 3 && shape->stride_w == 1 ? 340.0 : 120.0;

    return settings * 8.0 * fmax(run, 1e-3);
}

/* The parameters of the tuned contestant, owned.  */
static char *tune(const struct place *at, struct bench_row *row)
{
    const struct conv_contestant mgemm = {at->bench->kernel[0], "mgemm", NULL, at->isa, 1, false};
    const bool sweep = at->bench->sweeps && strcmp(row->list, lists[0]) == 0 &&
                       sweep_seconds(at, &row->shape) < longest_sweep_s;
    struct error error = {""};
    struct conv_tuned tuned;

    row->regret = -1.0;
    if (!conv_tune(at->tuner, &mgemm, &row->shape, sweep ? CONV_TUNE_SWEEP : CONV_TUNE_TOP, 8,
                   ROUNDS, &tuned, &error) ||
        tuned.failed > 0)
        printf("  FAILED: %s\n", error.text);
    if (sweep && tuned.timed > 0)
        row->regret = tuned.model_regret;
    return tuned.params != NULL ? tuned.params : memory_strdup("");
}

/* The peers' versions, with the first layer; two kernels of one library side by
 * side are one.  */
static void print_libraries(const struct bench *bench, const struct conv_result *result)
{
    const char *before = "";

    for (size_t i = 0; bench->rows == 0 && i < bench->count; i++) {
        const char *library = result[i].facts.library;

        if (library[0] != '\0' && strcmp(library, before) != 0)
            printf("library: %s\n", library);
        before = library;
    }
}

static void compare_rounds(struct bench_row *row, const struct conv_result *result, size_t i,
                           int rounds)
{
    double ratio[ROUNDS];

    if (result[i].round == NULL || result[0].round == NULL)
        return;
    row->rate[i] = 2.0 * (double)conv_shape_macs(&row->shape) / result[i].time_s;
    for (int r = 0; r < rounds; r++)
        ratio[r] = result[i].round[r] / result[0].round[r];
    row->ratio[i] = statistics_median(ratio, (size_t)rounds);
    row->interval[i] = statistics_bootstrap_median(ratio, (size_t)rounds, RESAMPLES, 1);
}

/* One race of all contestants.  */
static void race_once(const struct place *at, struct bench_row *row, char *params)
{
    const struct bench *bench = at->bench;
    const bool is_long =
        (double)conv_shape_macs(&row->shape) / at->machine->vector * at->machine->fma_s >
        long_run_s;
    const int rounds = is_long ? LONG_ROUNDS : ROUNDS;
    struct conv_contestant contestant[BENCH_MOST];
    struct conv_result result[BENCH_MOST];
    char none[1] = "";

    for (size_t i = 0; i < bench->count; i++)
        contestant[i] = (struct conv_contestant){
            bench->kernel[i], bench->name[i], i == 0 ? params : none, at->isa, 1, false};
    conv_bench(at->sessions, contestant, bench->count, &row->shape, rounds, result);
    for (size_t i = 0; i < bench->count; i++) {
        const struct conv_facts *facts = &result[i].facts;

        compare_rounds(row, result, i, rounds);
        if (facts->end != CONV_END_GOOD && facts->end != CONV_END_SKIPPED)
            printf("  FAILED: %s: %s\n", bench->name[i], facts->reason);
    }
    print_libraries(bench, result);
    if (result[0].round != NULL) {
        row->peak = result[0].peak;
        row->rounds = rounds;
        row->disturbed = result[0].disturbed;
        row->workspace = result[0].facts.workspace_bytes > 0;
        row->spread = (statistics_quantile(result[0].round, (size_t)rounds, 0.9) -
                       statistics_quantile(result[0].round, (size_t)rounds, 0.1)) /
                      result[0].time_s;
    }
    for (size_t i = 0; i < bench->count; i++)
        free(result[i].round);
}

/* Again where more than a quarter of the rounds were disturbed.  */
static void race(const struct place *at, struct bench_row *row, char *params)
{
    race_once(at, row, params);
    while (row->disturbed > row->rounds / 4 && row->repeated < MOST_REPEATS) {
        row->repeated++;
        race_once(at, row, params);
    }
}

/* The matrix product that im2col leaves: the same as a pointwise layer.  */
static void time_sgemm(const struct place *at, struct bench_row *row)
{
    const size_t blas = bench_find(at->bench, "im2col-openblas");
    const struct conv_shape *s = &row->shape;
    const struct conv_shape product = {1,
                                       s->c * s->r * s->s,
                                       conv_shape_out_h(s),
                                       conv_shape_out_w(s),
                                       s->k,
                                       1,
                                       1,
                                       1,
                                       1,
                                       0,
                                       0,
                                       0,
                                       0,
                                       1,
                                       1,
                                       1};
    char none[1] = "";
    const struct conv_contestant contestant = {
        blas > 0 ? at->bench->kernel[blas] : NULL, "sgemm", none, at->isa, 1, false};
    struct conv_result result;

    if (blas == 0 || s->groups > 1)
        return;
    conv_bench(at->sessions, &contestant, 1, &product, SGEMM_ROUNDS, &result);
    if (result.round != NULL && result.peak > 0.0)
        row->sgemm = 2.0 * (double)conv_shape_macs(&product) / result.time_s / result.peak;
    free(result.round);
}

/* A depthwise layer reads and writes each byte once, from where all of it is.  */
static double find_roof(const struct machine *machine, const struct conv_shape *s)
{
    const double bytes = (double)sizeof(float) *
                         ((double)(s->n * s->c * s->h * s->w) + (double)(s->k * s->r * s->s) +
                          (double)(s->n * s->k * conv_shape_out_h(s) * conv_shape_out_w(s)));

    return 2.0 * (double)conv_shape_macs(s) / (bytes * machine_read(machine, bytes));
}

static void print_row(const struct bench *bench, const struct bench_row *row)
{
    const double share = row->peak > 0.0 ? row->rate[0] / row->peak : 0.0;

    printf("%-26s %6.1f %5.1f %5.1f %6.3f", row->name, row->rate[0] / 1e9, 100.0 * share,
           100.0 * share * row->taps, row->ratio[1]);
    if (row->sgemm > 0.0)
        printf(" %5.1f", 100.0 * row->sgemm);
    else
        printf("     -");
    if (row->regret >= 0.0)
        printf(" %5.3f", row->regret);
    else
        printf("     -");
    printf(" %4.0f %2d+%d", 100.0 * row->spread, row->disturbed, row->repeated);
    for (size_t i = 2; i < bench->count; i++)
        if (row->ratio[i] > 0.0)
            printf("  %5.3f [%5.3f %5.3f]", row->ratio[i], row->interval[i].low,
                   row->interval[i].high);
        else
            printf("  %21s", "-");
    printf("\n");
    fflush(stdout);
}

static void bench_layer(const struct place *at, const char *list, const struct layer *layer)
{
    struct bench *bench = at->bench;
    struct bench_row row = {.list = list,
                            .isa = at->isa,
                            .name = memory_strdup(layer->name),
                            .shape = layer->shape,
                            .taps = layer_tap_share(&layer->shape)};
    char *params = tune(at, &row);

    race(at, &row, params);
    time_sgemm(at, &row);
    if (layer->shape.groups > 1)
        row.roof = find_roof(at->machine, &layer->shape);
    free(params);
    bench->row = memory_grow(bench->row, &bench->capacity, bench->rows + 1, sizeof *bench->row);
    bench->row[bench->rows++] = row;
    print_row(bench, &row);
}

static void bench_list(const struct place *at, const char *list)
{
    struct layer_list layers = {NULL, 0, 0};
    struct error error = {""};

    printf("\n%s, %s: GF/s, %% of the peak, of the effective peak; ratios of tuned over others\n",
           list, isa_name(at->isa));
    printf("%-26s %6s %5s %5s %6s %5s %5s %4s %4s", "layer", "GF/s", "peak", "eff.", "deflt",
           "sgemm", "regr.", "sprd", "dist");
    for (size_t i = 2; i < at->bench->count; i++)
        printf("  %-21s", at->bench->name[i]);
    printf("\n");
    if (!conv_input(&layers, list, &error))
        printf("%s\n", error.text);
    for (size_t i = 0; i < layers.count; i++)
        bench_layer(at, list, &layers.layer[i]);
    layer_list_free(&layers);
}

static void bench_isa(struct bench *bench, struct conv_sessions *sessions, enum isa isa,
                      const bool *wanted)
{
    struct machine machine;
    struct error error = {""};
    const struct place at = {bench, sessions, conv_tuner_new(patience_s), &machine, isa};

    if (!machine_measure(&machine, isa, 1.0, &error)) {
        printf("%s: %s\n", isa_name(isa), error.text);
        conv_tuner_free(at.tuner);
        return;
    }
    for (size_t i = 0; i < LISTS; i++)
        if (wanted[i])
            bench_list(&at, lists[i]);
    conv_tuner_free(at.tuner);
    bench_goals(bench, isa);
}

static void bench_all_threads(struct conv_sessions *sessions, enum isa isa)
{
    struct layer_list layers = {NULL, 0, 0};
    struct error error = {""};

    if (conv_input(&layers, lists[0], &error))
        bench_threads(sessions, isa, &layers);
    else
        printf("%s\n", error.text);
    layer_list_free(&layers);
}

static bool named(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return true;
    return false;
}

/* Whether the arguments name an instruction set or the threads.  */
static bool names_part(int argc, char **argv)
{
    bool any = named(argc, argv, "threads");

    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        any = any || named(argc, argv, isa_name(isa));
    return any;
}

static void find_lists(int argc, char **argv, bool *wanted)
{
    bool any = false;

    for (size_t i = 0; i < LISTS; i++) {
        wanted[i] = named(argc, argv, lists[i]);
        any = any || wanted[i];
    }
    for (size_t i = 0; i < LISTS; i++)
        wanted[i] = wanted[i] || !any;
}

int main(int argc, char **argv)
{
    struct conv_sessions *sessions = conv_sessions_new(compare_macs, patience_s);
    struct bench bench = {.count = 0};
    const bool all = !names_part(argc, argv);
    enum isa best = ISA_GENERIC;
    bool wanted[LISTS];

    bench.sweeps = !named(argc, argv, "top");
    find_lists(argc, argv, wanted);
    find_contestants(&bench);
    print_head(argc - 1, argv + 1);
    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        if (isa_available(isa)) {
            best = isa;
            if (all || named(argc, argv, isa_name(isa)))
                bench_isa(&bench, sessions, isa, wanted);
        }
    if (all || named(argc, argv, "threads"))
        bench_all_threads(sessions, best);
    for (size_t i = 0; i < bench.rows; i++)
        free(bench.row[i].name);
    free(bench.row);
    conv_sessions_free(sessions);
    return 0;
}
