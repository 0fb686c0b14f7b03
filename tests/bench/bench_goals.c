/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The goals of the convolution kernels, judged on what bench_kernels measured. */
#include <config.h>

#include "tests/bench/bench_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/pool.h"
#include "lib/base/memory.h"
#include "tests/bench/bench.h"

/* What is taken of a row; 0: the row has none.  */
typedef double pick(const struct bench_row *row, size_t peer);

static double pick_ratio(const struct bench_row *row, size_t peer)
{
    return row->ratio[peer];
}

static double pick_limit(const struct bench_row *row, size_t peer)
{
    return row->rate[peer] > 0.0 ? row->peak / row->taps / row->rate[peer] : 0.0;
}

static double pick_sgemm(const struct bench_row *row, size_t peer)
{
    (void)peer;
    return row->sgemm;
}

static double pick_regret(const struct bench_row *row, size_t peer)
{
    (void)peer;
    return row->regret < 0.0 ? 0.0 : 1.0 / (1.0 + row->regret);
}

static double pick_spread(const struct bench_row *row, size_t peer)
{
    (void)peer;
    return row->spread;
}

/* How quiet the machine was.  */
static void print_noise(const struct bench *bench, enum isa isa)
{
    int rounds = 0, disturbed = 0, repeated = 0;
    double least = INFINITY, most = 0.0;

    for (size_t i = 0; i < bench->rows; i++) {
        const struct bench_row *row = &bench->row[i];

        if (row->isa != isa || !(row->peak > 0.0))
            continue;
        rounds += row->rounds;
        disturbed += row->disturbed;
        repeated += row->repeated;
        least = fmin(least, row->peak);
        most = fmax(most, row->peak);
    }
    printf("  %-8s peak %.1f to %.1f GF/s over the layers; %d of %d rounds disturbed, %d races "
           "repeated\n",
           "", least / 1e9, most / 1e9, disturbed, rounds, repeated);
}

/* Geometric mean over the rows of LIST (NULL: all); 0 with COUNT 0 for none.  */
static double mean(const struct bench *bench, enum isa isa, const char *list, pick *value,
                   size_t peer, size_t *count)
{
    double sum = 0.0;

    *count = 0;
    for (size_t i = 0; i < bench->rows; i++) {
        const struct bench_row *row = &bench->row[i];
        const double x = value(row, peer);

        if (row->isa != isa || (list != NULL && strcmp(row->list, list) != 0) || !(x > 0.0))
            continue;
        sum += log(x);
        (*count)++;
    }
    return *count > 0 ? exp(sum / (double)*count) : 0.0;
}

/* The share of the effective peak that excuses a layer.  */
static double excuse(enum isa isa, const struct conv_shape *shape)
{
    if (isa == ISA_AVX2 && conv_shape_out_w(shape) <= 7)
        return 0.90;
    if (isa == ISA_AVX2 && conv_shape_out_w(shape) <= 14)
        return 0.93;
    return 0.97;
}

static void judge_layers(const struct bench *bench, enum isa isa, size_t onednn)
{
    size_t layers = 0, good = 0, low = 0;

    for (size_t i = 0; i < bench->rows; i++) {
        const struct bench_row *row = &bench->row[i];
        const double share = row->rate[0] / row->peak * row->taps;

        if (row->isa != isa || strcmp(row->list, "bench15") != 0 || !(row->ratio[onednn] > 0.0))
            continue;
        layers++;
        low += row->ratio[onednn] < 0.98;
        if (row->ratio[onednn] >= 1.05 || share >= excuse(isa, &row->shape))
            good++;
        else
            printf("           %s: %.3f of onednn, %.1f %% of the effective peak, expected 1.05 "
                   "or %.0f %%\n",
                   row->name, row->ratio[onednn], 100.0 * share, 100.0 * excuse(isa, &row->shape));
    }
    bench_goal(good == layers, "%zu of %zu layers at 1.05 of onednn or their share of the peak",
               good, layers);
    bench_goal(low == 0, "%zu layers below 0.98 of onednn", low);
}

static void judge_onednn(const struct bench *bench, enum isa isa)
{
    const size_t onednn = bench_find(bench, "onednn");
    size_t count;
    const double ratio = mean(bench, isa, "bench15", pick_ratio, onednn, &count);
    const double limit = mean(bench, isa, "bench15", pick_limit, onednn, &count);
    const double wanted = limit < 1.07 ? 0.98 * limit : 1.05;

    if (onednn == 0 || count == 0) {
        printf("  skipped  onednn is not built in\n");
        return;
    }
    judge_layers(bench, isa, onednn);
    bench_goal(ratio >= wanted,
               "geometric mean %.3f of onednn, expected %.3f (limit L = %.3f, %zu layers)", ratio,
               wanted, limit, count);
}

static void judge_im2col(const struct bench *bench, enum isa isa, const char *list)
{
    const size_t blas = bench_find(bench, "im2col-openblas");
    size_t count;
    const double ratio = mean(bench, isa, list, pick_ratio, blas, &count);
    const double sgemm = mean(bench, isa, list, pick_sgemm, 0, &count);
    const double wanted = sgemm < 0.65 ? 1.58 : 1.4;

    if (blas == 0 || count == 0)
        printf("  skipped  OpenBLAS is not built in\n");
    else
        bench_goal(ratio >= wanted,
                   "%s: geometric mean %.3f of im2col-openblas, expected %.2f; sgemm alone is at "
                   "%.1f %% of the peak",
                   list, ratio, wanted, 100.0 * sgemm);
}

static void judge_depthwise(const struct bench *bench, enum isa isa)
{
    const size_t onednn = bench_find(bench, "onednn");

    for (size_t i = 0; i < bench->rows; i++) {
        const struct bench_row *row = &bench->row[i];
        const double wanted = row->shape.stride_w == 1 ? 1.6 : 1.2;
        const double roof = fmin(row->peak / row->taps, row->roof);

        if (row->isa != isa || row->shape.groups == 1 || !(row->rate[0] > 0.0))
            continue;
        bench_goal((onednn > 0 && row->ratio[onednn] >= wanted) || row->rate[0] >= 0.9 * roof,
                   "%s: %.2f of onednn, expected %.1f; %.0f %% of the roof of %.1f GF/s, "
                   "expected 90",
                   row->name, onednn > 0 ? row->ratio[onednn] : 0.0, wanted,
                   100.0 * row->rate[0] / roof, roof / 1e9);
    }
}

void bench_goals(const struct bench *bench, enum isa isa)
{
    size_t count, needy = 0;
    const double model = mean(bench, isa, NULL, pick_regret, 0, &count);

    printf("\n%s: goals; spread of the rounds %.1f %% (geometric mean of 10 to 90 %%)\n",
           isa_name(isa), 100.0 * mean(bench, isa, NULL, pick_spread, 0, &needy));
    print_noise(bench, isa);
    for (size_t peer = 1; peer < bench->count; peer++)
        for (int list = 0; list < 2; list++) {
            size_t layers;
            const char *name = list == 0 ? "bench15" : "yolov3-tiny";
            const double ratio = mean(bench, isa, name, pick_ratio, peer, &layers);

            if (layers > 0)
                printf("  %-8s %s over %s: geometric mean %.3f over %zu layers\n", "", name,
                       bench->name[peer], ratio, layers);
        }
    needy = 0;
    for (size_t i = 0; i < bench->rows; i++)
        needy += bench->row[i].isa == isa && bench->row[i].workspace;
    if (isa != ISA_GENERIC) {
        judge_onednn(bench, isa);
        judge_im2col(bench, isa, "bench15");
        judge_im2col(bench, isa, "yolov3-tiny");
        judge_depthwise(bench, isa);
    }
    bench_goal(needy == 0, "%zu layers with workspace", needy);
    if (count > 0)
        bench_goal(model >= 0.95, "the model's own choice at %.3f of a sweep's best (%zu layers)",
                   model, count);
}

/* A layer with one thread and with all, and the probes with one and all.  */
enum { ONE, ALL, PEAK_ONE, PEAK_ALL, RUNS };

/* All threads' rate over P times one thread's, the median of ROUNDS; 0: it
 * can't be timed.  */
static double scale(struct conv_sessions *sessions, enum isa isa, int threads,
                    const struct conv_shape *shape, double *p)
{
    enum { ROUNDS = 11 };
    double ratio[ROUNDS], peaks[ROUNDS], time[RUNS];
    struct conv_session *session[RUNS];
    struct conv_facts facts;

    for (int i = 0; i < RUNS; i++) {
        session[i] = conv_sessions_get(sessions, i < PEAK_ONE ? conv_kernel_find("mgemm") : NULL,
                                       isa, i % 2 == 0 ? 1 : threads);
        if (!conv_session_prepare(session[i], 0, shape, "", false, &facts))
            return 0.0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < RUNS; i++)
            if (!conv_session_time(session[i], 0, i < PEAK_ONE ? 2 : 1, &time[i], &facts))
                return 0.0;
        peaks[round] = time[PEAK_ALL] / time[PEAK_ONE];
        ratio[round] = time[ONE] / time[ALL] / peaks[round];
    }
    *p = statistics_median(peaks, ROUNDS);
    return statistics_median(ratio, ROUNDS);
}

/* Operations a second that no thread has: with them the batch is large enough
 * for 10 ms a thread.  */
static const double most_flops = 200e9;

void bench_threads(struct conv_sessions *sessions, enum isa isa, const struct layer_list *layers)
{
    const int threads = pool_processors();
    double p = 0.0, least = INFINITY, sum = 0.0;
    size_t count = 0;

    printf("\n%d threads, %s: rate over (one thread's rate x P), P = peak of all over one's\n",
           threads, isa_name(isa));
    for (size_t i = 0; threads > 1 && i < layers->count; i++) {
        struct conv_shape shape = layers->layer[i].shape;
        const double flops = 2.0 * (double)conv_shape_macs(&shape);
        double ratio;

        if (flops < 1e9)
            continue;
        shape.n = (int64_t)ceil(10e-3 * threads * most_flops / flops);
        ratio = scale(sessions, isa, threads, &shape, &p);
        printf("%-26s %5.3f (P = %.3f)\n", layers->layer[i].name, ratio, p);
        sum += log(fmax(ratio, 1e-3));
        least = fmin(least, p);
        count++;
    }
    if (count == 0)
        printf("  skipped  one processor, or no layer is large enough\n");
    else if (least < 0.95) /* more threads do no less, unless they wait for others */
        printf("  skipped  the processors are not free: P = %.3f\n", least);
    else
        bench_goal(exp(sum / (double)count) >= 0.95, "geometric mean %.3f, expected 0.95",
                   exp(sum / (double)count));
}
