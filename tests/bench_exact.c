/* The goals of exact solving, measured in one run: branch-and-bound against MiniMalloc's
 * search, which is asked for one capacity, and on what is hard to prove.
 *
 *   bench_exact [full] [accelerators] [tight] [large] [others]
 *
 * Times are of solve() in this process, one thread, plans verified.  Ours see the input
 * shuffled, with different seeds, in both directions of time; MiniMalloc's sees it as it
 * is.  The usual run takes about two minutes; `full` has more seeds and longer limits.
 *   Real instances need ARENABENCH_DATA.  */
#include <config.h>

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/statistics.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "tests/bench.h"
#include "tests/bench_machine.h"
#include "tests/bench_runs.h"
#include "tests/tap.h"
#include "workloads/workload.h"

static const char ours[] = "branch-and-bound";
static const char baseline[] = "minimalloc";

/* How much is measured.  */
struct effort {
    bool full;
    uint32_t seeds, tight_seeds, hard_seeds, large_runs;
    int baselines;
    double limit_s, open_s;
};

static const double patience_s = 15.0;

/* What the runs of one instance come to.  */
struct summary {
    double median, slowest;
    size_t runs, proven;
    int64_t peak, bound; /* the least and the largest */
};

/* Ours with SEEDS seeds in both directions; those that are not begun after PATIENCE_S
 * seconds count as not proven.  */
static struct summary measure_ours(const struct instance *instance, uint32_t seeds, double limit_s)
{
    struct summary all = {.peak = INT64_MAX};
    double *time = memory_alloc(2 * (size_t)seeds, sizeof *time), spent = 0.0;
    size_t begun = 0;

    for (uint32_t i = 0; i < 2 * seeds && (i < 2 || spent < patience_s); i++) {
        struct instance *copy = bench_variant(instance, i / 2 + 1, i % 2 == 1);
        struct bench_run run = bench_measure(ours, NULL, copy, i / 2 + 1, limit_s);

        time[i] = run.time;
        spent += run.time;
        begun++;
        all.proven += run.optimal;
        all.slowest = fmax(all.slowest, run.time);
        all.peak = run.peak < all.peak ? run.peak : all.peak;
        all.bound = run.bound > all.bound ? run.bound : all.bound;
        instance_free(copy);
    }
    all.runs = 2 * (size_t)seeds;
    all.median = statistics_median(time, begun);
    free(time);
    return all;
}

/* --- the accelerator instances --- */

static double median_capacity(const struct instance *instance, int rounds)
{
    double time[9];

    for (int i = 0; i < rounds; i++)
        time[i] = bench_measure(baseline, "capacity=1048576", instance, 1, 0.0).time;
    return statistics_median(time, (size_t)rounds);
}

/* The best of the published orders alone; each may take as long as the best so far.  */
static double best_order(const struct instance *instance, int rounds, const char **name)
{
    static const char *const order[] = {"TWA", "TAW", "WAT"};
    double best = 10.0, time[9];

    *name = "none";
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        char *setting = memory_printf("capacity=1048576,orders=%s", order[i]);
        int round;

        for (round = 0; round < rounds; round++) {
            struct bench_run run = bench_measure(baseline, setting, instance, 1, 2.0 * best);

            time[round] = run.time;
            if (run.peak > 1048576)
                break;
        }
        if (round == rounds && statistics_median(time, (size_t)rounds) < best) {
            best = statistics_median(time, (size_t)rounds);
            *name = order[i];
        }
        free(setting);
    }
    return best;
}

static void accelerators(const struct effort *effort)
{
    static const char letters[] = "ACEGI";
    double sum = 0.0, base = 0.0, slowest = 0.0;
    size_t proven = 0, runs = 0, slower = 0;

    printf("\nA, C, E, G, I: seconds; %s asked for 1048576 (median of %d), its best order, as a "
           "minimiser; ours\n",
           baseline, effort->baselines);
    for (const char *letter = letters; *letter != '\0'; letter++) {
        char *file = memory_printf("minimalloc/%c.1048576.csv", *letter);
        struct instance *instance = bench_load_data(file);
        double capacity, single;
        struct bench_run minimiser;
        struct summary mine;
        const char *order;

        free(file);
        if (instance == NULL)
            continue;
        mine = measure_ours(instance, effort->seeds, effort->limit_s);
        capacity = median_capacity(instance, effort->baselines);
        single = best_order(instance, effort->baselines, &order);
        minimiser = bench_measure(baseline, NULL, instance, 1, effort->limit_s);
        printf("  %c  %8.4f  %8.4f (%s)  %8.4f%s  median %.5f, slowest %.5f, %zu of %zu proven\n",
               *letter, capacity, single, order, minimiser.time, minimiser.optimal ? "" : " (open)",
               mine.median, mine.slowest, mine.proven, mine.runs);
        fflush(stdout);
        sum += mine.median;
        base += capacity;
        slowest = fmax(slowest, mine.slowest);
        proven += mine.proven;
        runs += mine.runs;
        slower += mine.median > single;
        instance_free(instance);
    }
    bench_goal(proven == runs, "%zu of %zu runs proven optimal", proven, runs);
    bench_goal(100.0 * sum <= base, "sum of medians %.4f s, 1/%.0f of %.3f s, expected 1/100", sum,
               base / sum, base);
    bench_goal(10.0 * slowest <= base, "slowest run %.4f s, 1/%.0f of that sum, expected 1/10",
               slowest, base / slowest);
    bench_goal(slower == 0, "%zu instances slower than its best order", slower);
}

/* --- tight random instances --- */

/* A row of tight/optima.csv.  */
struct known {
    char file[32];
    int64_t lower, upper; /* upper 0: open */
};

static bool next_known(FILE *in, struct known *known)
{
    char line[200];

    while (fgets(line, sizeof line, in) != NULL) {
        known->upper = 0;
        if (sscanf(line, "%31[^,],%*d,%*d,%" SCNd64 ",%" SCNd64, known->file, &known->lower,
                   &known->upper) >= 2)
            return true;
    }
    return false;
}

struct tight_totals {
    double easy, slowest_easy;
    size_t easy_runs, easy_proven, te, te_fast, hard, hard_fast, open, open_proven, contradicted;
};

static void judge_tight(const struct effort *effort, const struct known *known,
                        struct tight_totals *all)
{
    char *file = memory_printf("tight/%s", known->file);
    struct instance *instance = bench_load_data(file);
    bool easy = known->file[1] < 'e', open = known->upper == 0;
    struct summary mine;

    free(file);
    if (instance == NULL)
        return;
    mine = measure_ours(instance, easy ? effort->tight_seeds : effort->hard_seeds,
                        open ? effort->open_s : 10.0);
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

static void tight(const struct effort *effort)
{
    char *path = memory_printf("%s/tight/optima.csv", tap_data());
    FILE *in = fopen(path, "r");
    struct tight_totals all = {0};
    struct known known;

    printf("\ntight random instances: %u seeds (te, tf: %u), both directions\n",
           effort->tight_seeds, effort->hard_seeds);
    while (in != NULL && next_known(in, &known))
        judge_tight(effort, &known, &all);
    if (in != NULL)
        fclose(in);
    free(path);
    bench_goal(all.easy_proven == all.easy_runs && all.easy < 0.5,
               "ta to td: %zu of %zu runs proven, medians %.3f s together, expected 0.5; slowest "
               "run %.3f s",
               all.easy_proven, all.easy_runs, all.easy, all.slowest_easy);
    bench_goal(all.te_fast == all.te, "te: %zu of %zu within 1 s", all.te_fast, all.te);
    bench_goal(all.hard_fast == all.hard, "te, tf: %zu of %zu with a stored optimum within 10 s",
               all.hard_fast, all.hard);
    bench_goal(all.open_proven > 0, "%zu of %zu open ones proven within %g s", all.open_proven,
               all.open, effort->open_s);
    bench_goal(all.contradicted == 0, "%zu stored bounds contradicted", all.contradicted);
}

/* --- what has to be proven at once --- */

/* One kind of workload, each of which has to be proven within LIMIT_S.  */
struct quota {
    double limit_s, slowest;
    size_t runs, met;
    char *worst;
};

static void add_to_quota(struct quota *quota, const char *spec, uint32_t seed, size_t most)
{
    struct instance *instance = bench_load(spec);
    struct bench_run run;

    if (instance == NULL || instance->n > most || instance->n == 0) {
        instance_free(instance);
        return;
    }
    run = bench_measure(ours, NULL, instance, seed, 10.0 * quota->limit_s);
    instance_free(instance);
    quota->runs++;
    quota->met += run.optimal && run.time < quota->limit_s;
    if (run.time <= quota->slowest && run.optimal)
        return;
    quota->slowest = fmax(run.time, quota->slowest);
    free(quota->worst);
    quota->worst = memory_strdup(spec);
}

static void judge_quota(struct quota *quota, const char *what)
{
    const char *worst = quota->worst != NULL ? quota->worst : "none", *slash = strrchr(worst, '/');

    bench_goal(quota->met == quota->runs, "%s: %zu of %zu proven within %g s; slowest %.4f s (%s)",
               what, quota->met, quota->runs, quota->limit_s, quota->slowest,
               slash != NULL ? slash + 1 : worst);
    free(quota->worst);
}

static void uniform(const struct effort *effort)
{
    struct quota quota = {.limit_s = 0.1};

    for (int n = 30; n <= 200; n += 10)
        for (uint32_t seed = 1; seed <= (effort->full ? 20 : 5); seed++) {
            char *spec = memory_printf("uniform:n=%d,seed=%u", n, seed);

            add_to_quota(&quota, spec, seed, SIZE_MAX);
            free(spec);
        }
    judge_quota(&quota, "dense uniform, n = 30 to 200");
}

/* Networks with loops have none.  */
static bool has_gradient(const char *name)
{
    return strcmp(name, "lstm_lm") != 0 && strcmp(name, "gru_lm") != 0;
}

static void networks(void)
{
    struct quota plain = {.limit_s = 1.0}, training = {.limit_s = 1.0};

    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (const struct network_model *model = network_registry[f]->model; model->name != NULL;
             model++) {
            char *spec = memory_printf("%s:train=sgd", model->name);

            add_to_quota(&plain, model->name, 1, SIZE_MAX);
            if (has_gradient(model->name))
                add_to_quota(&training, spec, 1, 499);
            free(spec);
        }
    judge_quota(&plain, "networks");
    judge_quota(&training, "training graphs under 500 buffers");
}

static void model_files(void)
{
    static const char *const folders[] = {"ncnn", "onnx", "tflite", "onnx-control"};
    struct quota quota = {.limit_s = 1.0};

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *folder = memory_printf("%s/%s", tap_data(), folders[i]);
        DIR *directory = opendir(folder);
        struct dirent *entry;

        while (directory != NULL && (entry = readdir(directory)) != NULL)
            if (entry->d_name[0] != '.') {
                char *path = memory_printf("%s/%s", folder, entry->d_name);

                add_to_quota(&quota, path, 1, SIZE_MAX);
                free(path);
            }
        if (directory != NULL)
            closedir(directory);
        free(folder);
    }
    judge_quota(&quota, "model files");
}

/* S_1 in a process of its own, so that its memory can be told.  */
static void large(const struct effort *effort)
{
    size_t met = 0;

    printf("\nidealloc/S_1.csv: seconds, MiB\n");
    fflush(stdout);
    for (uint32_t i = 0; i < effort->large_runs; i++) {
        struct rusage usage;
        int status = 0;
        pid_t child = fork();

        if (child == 0) {
            struct instance *instance = bench_load_data("idealloc/S_1.csv");
            struct instance *copy = bench_variant(instance, i / 2 + 1, i % 2 == 1);
            struct bench_run run = bench_measure(ours, NULL, copy, i / 2 + 1, 10.0);

            printf("  %.3f s, %s", run.time, run.optimal ? "proven" : "not proven");
            fflush(stdout);
            _exit(run.optimal && run.time <= 2.0 ? 0 : 1);
        }
        if (child < 0 || wait4(child, &status, 0, &usage) < 0)
            continue;
        printf(", %.0f MiB with the instance\n", (double)usage.ru_maxrss / 1024.0);
        met += WIFEXITED(status) && WEXITSTATUS(status) == 0 && usage.ru_maxrss < 100L * 1024L;
    }
    bench_goal(met == effort->large_runs, "S_1: %zu of %u runs proven within 2 s and 100 MiB", met,
               effort->large_runs);
}

/* Without any part named, all are run.  */
static bool wanted(int argc, char **argv, const char *part)
{
    bool any = false;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], part) == 0)
            return true;
        any = any || strcmp(argv[i], "full") != 0;
    }
    return !any && strcmp(part, "full") != 0;
}

int main(int argc, char **argv)
{
    static const struct effort usual = {false, 20, 3, 1, 1, 3, 5.0, 10.0};
    static const struct effort paper = {true, 50, 20, 3, 10, 5, 300.0, 120.0};
    const struct effort *effort = wanted(argc, argv, "full") ? &paper : &usual;
    bool data = tap_data() != NULL;

    bench_print_machine(argc - 1, argv + 1);
    if (!data)
        fprintf(stderr, "bench_exact: real instances are skipped: ARENABENCH_DATA is not set\n");
    if (data && wanted(argc, argv, "accelerators"))
        accelerators(effort);
    if (data && wanted(argc, argv, "tight"))
        tight(effort);
    if (data && wanted(argc, argv, "large"))
        large(effort);
    if (wanted(argc, argv, "others")) {
        printf("\nto be proven at once\n");
        uniform(effort);
        networks();
        if (data)
            model_files();
    }
    return 0;
}
