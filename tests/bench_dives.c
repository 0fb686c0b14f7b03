/* The goals of section-first: how soon it is how near to the load.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/statistics.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "tests/bench.h"
#include "tests/bench_runs.h"
#include "tests/tap.h"

static const char dives[] = "section-first";

/* The median over SEEDS shuffles and both directions of when the peak is at most RATIO
 * of the load; runs that never get there count as infinite.  */
static double median_reached(const struct instance *instance, double ratio, uint32_t seeds,
                             const char *deadline)
{
    double *reached = memory_alloc(2 * (size_t)seeds, sizeof *reached), median;
    int64_t wanted = (int64_t)floor(ratio * (double)instance->load);

    for (uint32_t i = 0; i < 2 * seeds; i++) {
        struct instance *copy = bench_variant(instance, i / 2 + 1, i % 2 == 1);

        reached[i] = bench_measure(dives, deadline, copy, i / 2 + 1, 0.0, wanted).reached;
        instance_free(copy);
    }
    median = statistics_median(reached, 2 * (size_t)seeds);
    free(reached);
    return median;
}

static void judge(const char *file, double ratio, double limit_s, uint32_t seeds,
                  const char *deadline)
{
    struct instance *instance = bench_load_data(file);
    double median;

    if (instance == NULL)
        return;
    median = median_reached(instance, ratio, seeds, deadline);
    bench_goal(median <= limit_s, "%s: %.3f of the load after %.5f s, expected %g s", file, ratio,
               median, limit_s);
    instance_free(instance);
}

/* Ten thousand buffers made of copies.  */
static void combined(const char *generator, uint32_t seeds)
{
    double *ratio = memory_alloc(seeds, sizeof *ratio);
    uint32_t count = 0;

    for (uint32_t seed = 1; seed <= seeds; seed++) {
        char *spec = memory_printf("%s:of=data:minimalloc/A.1048576.csv+data:minimalloc/"
                                   "C.1048576.csv+data:minimalloc/E.1048576.csv+data:minimalloc/"
                                   "G.1048576.csv+data:minimalloc/I.1048576.csv,n=10000,seed=%u",
                                   generator, seed);
        struct instance *instance = bench_load(spec);

        free(spec);
        if (instance == NULL)
            continue;
        ratio[count++] = (double)bench_measure(dives, "deadline=3s", instance, seed, 0.0, 0).peak /
                         (double)instance->load;
        instance_free(instance);
    }
    if (count > 0)
        bench_goal(statistics_median(ratio, count) <= 1.12,
                   "%s, 10,000 buffers: %.4f of the load after 3 s, expected 1.12", generator,
                   statistics_median(ratio, count));
    free(ratio);
}

static void million(void)
{
    struct instance *instance = bench_load("chain:n=1000000,length=62,skip=50");
    struct bench_run mine, greedy;

    if (instance == NULL)
        return;
    mine = bench_measure(dives, "deadline=9s", instance, 1, 0.0, 0);
    greedy = bench_measure("greedy-by-size", NULL, instance, 1, 0.0, 0);
    bench_goal(mine.peak <= greedy.peak && mine.time <= 10.0,
               "a chain of a million buffers: %" PRId64 " in %.2f s, expected %" PRId64
               " (greedy-by-size, %.2f s) in 10 s",
               mine.peak, mine.time, greedy.peak, greedy.time);
    instance_free(instance);
}

void bench_dives(uint32_t seeds, bool full)
{
    printf("\n%s: medians over %u seeds and both directions\n", dives, seeds);
    if (tap_data() != NULL) {
        judge("minimalloc/A.1048576.csv", 1.0, 1e-3, seeds, "deadline=20ms");
        judge("minimalloc/C.1048576.csv", 1.0, 1e-3, seeds, "deadline=20ms");
        judge("minimalloc/E.1048576.csv", 1.0, 1e-3, seeds, "deadline=20ms");
        judge("minimalloc/G.1048576.csv", 1.0, 1e-3, seeds, "deadline=20ms");
        judge("minimalloc/I.1048576.csv", 1.03, 10e-3, seeds, "deadline=100ms");
        judge("minimalloc/I.1048576.csv", 1.0, 100e-3, seeds, "deadline=200ms");
        judge("idealloc/S_1.csv", 1.001, 1.0, full ? seeds : 1, "deadline=2s");
        combined("chained", full ? 10 : 1);
        combined("overlaid", full ? 10 : 1);
    }
    million();
}
