/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tight random instances, on which proofs are hard, against the optima stored with them.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_exact.h"
#include "tests/bench/bench_runs.h"
#include "tests/support/tap.h"

/* A row of tight/optima.csv.  */
struct known {
    char file[32];
    int64_t lower, upper; /* upper 0: open */
};

/* The next one that is WANTED; NULL: all are.  */
static bool next_known(FILE *in, const char *wanted, struct known *known)
{
    char line[200];

    while (fgets(line, sizeof line, in) != NULL) {
        known->upper = 0;
        if (sscanf(line, "%31[^,],%*d,%*d,%" SCNd64 ",%" SCNd64, known->file, &known->lower,
                   &known->upper) >= 2 &&
            (wanted == NULL || strncmp(known->file, wanted, strlen(wanted)) == 0))
            return true;
    }
    return false;
}

struct tight_totals {
    double easy, slowest_easy;
    size_t easy_runs, easy_proven, te, te_fast, hard, hard_fast, open, open_proven, contradicted;
};

static void judge_tight(const struct exact_effort *effort, const struct known *known,
                        struct tight_totals *all)
{
    char *file = memory_printf("tight/%s", known->file);
    struct instance *instance = bench_load_data(file);
    bool easy = known->file[1] < 'e', open = known->upper == 0;
    uint32_t seeds = easy ? effort->tight_seeds : open ? effort->open_seeds : effort->hard_seeds;
    struct exact_summary mine;

    free(file);
    if (instance == NULL)
        return;
    mine = exact_measure(instance, seeds, open ? effort->open_s : 10.0, effort->patience_s);
    instance_free(instance);
    all->contradicted += mine.peak < known->lower || (!open && mine.bound > known->upper);
    if (easy) {
        all->easy += mine.median;
        all->slowest_easy = fmax(all->slowest_easy, mine.slowest);
        all->easy_runs += mine.runs;
        all->easy_proven += mine.proven;
        return;
    }
    printf("  %s  median %8.4f s, slowest %8.4f s, %zu of %zu proven: %" PRId64 " to %" PRId64 "\n",
           known->file, mine.median, mine.slowest, mine.proven, mine.runs, mine.bound, mine.peak);
    fflush(stdout);
    if (known->file[1] == 'e') {
        all->te++;
        all->te_fast += mine.proven == mine.runs && mine.median <= 1.0;
    }
    all->hard += !open;
    all->hard_fast += !open && mine.proven == mine.runs;
    all->open += open;
    all->open_proven += open && mine.proven > 0;
}

void exact_tight(const struct exact_effort *effort, const char *wanted)
{
    char *path = memory_printf("%s/tight/optima.csv", tap_data());
    FILE *in = fopen(path, "r");
    struct tight_totals all = {0};
    struct known known;

    printf("\ntight random instances: %u seeds (te, tf: %u; open ones: %u), both directions\n",
           effort->tight_seeds, effort->hard_seeds, effort->open_seeds);
    while (in != NULL && next_known(in, wanted, &known))
        judge_tight(effort, &known, &all);
    if (in != NULL)
        fclose(in);
    free(path);
    if (all.easy_runs > 0)
        bench_goal(
            all.easy_proven == all.easy_runs && all.easy < 0.5,
            "ta to td: %zu of %zu runs proven, medians %.3f s together, expected 0.5; slowest "
            "run %.3f s",
            all.easy_proven, all.easy_runs, all.easy, all.slowest_easy);
    if (all.te > 0)
        bench_goal(all.te_fast == all.te, "te: %zu of %zu proven in all runs, median within 1 s",
                   all.te_fast, all.te);
    if (all.hard > 0)
        bench_goal(all.hard_fast == all.hard,
                   "te, tf: %zu of %zu with a stored optimum within 10 s in all runs",
                   all.hard_fast, all.hard);
    if (all.open > 0)
        bench_goal(all.open_proven > 0, "%zu of %zu open ones proven within %g s in some run",
                   all.open_proven, all.open, effort->open_s);
    bench_goal(all.contradicted == 0, "%zu stored bounds contradicted", all.contradicted);
}
