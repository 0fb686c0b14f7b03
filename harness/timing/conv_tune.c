/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/timing/conv_tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/timing/conv_child.h"
#include "kernels/model/machine_calibrate.h"
#include "kernels/model/tune.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/statistics.h"
#include "lib/base/timer.h"

/* Seconds for the constants of one instruction set.  */
static const double measure_s = 1.0;

/* Multiply-adds of a layer's reference.  */
static const int64_t compare_macs = 1000000;

/* A setting that is far off after these rounds will not be the best.  */
enum { BATCH_ROUNDS = 3, RESAMPLES = 1000 };

struct conv_tuner {
    struct conv_sessions *sessions;
    struct conv_moment *moment, unseen; /* the one that nobody looks at */
    struct machine machine[ISA_COUNT];
    bool measured[ISA_COUNT];
};

static const char *const names[] = {"", "model", "top", "sweep"};

bool conv_tune_parse(const char *text, enum conv_tune_mode *mode, int64_t *top, struct error *error)
{
    *top = 8;
    *mode = CONV_TUNE_NONE;
    if (strcmp(text, "model") == 0)
        *mode = CONV_TUNE_MODEL;
    else if (strcmp(text, "sweep") == 0)
        *mode = CONV_TUNE_SWEEP;
    else if (strcmp(text, "top") == 0 ||
             (strncmp(text, "top:", 4) == 0 && parse_int(text + 4, 1, 100000, top)))
        *mode = CONV_TUNE_TOP;
    if (*mode == CONV_TUNE_NONE)
        return error_set(error, "--tune %s, expected model, top, top:K or sweep", text);
    return true;
}

const char *conv_tune_name(enum conv_tune_mode mode)
{
    return names[mode];
}

struct conv_tuner *conv_tuner_new(double patience_s)
{
    struct conv_tuner *tuner = memory_zalloc(1, sizeof *tuner);

    tuner->sessions = conv_sessions_new(compare_macs, patience_s);
    conv_tuner_watch(tuner, NULL, &tuner->unseen);
    return tuner;
}

void conv_tuner_watch(struct conv_tuner *tuner, const struct watch *watch,
                      struct conv_moment *moment)
{
    tuner->moment = moment;
    conv_sessions_watch(tuner->sessions, watch, moment);
}

void conv_tuner_free(struct conv_tuner *tuner)
{
    if (tuner == NULL)
        return;
    conv_sessions_free(tuner->sessions);
    free(tuner);
}

/* A setting and its time over the predictor's first's; INFINITY: it failed.  */
struct timed {
    size_t index; /* in the list */
    double ratio;
};

static int compare_timed(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;

    return ORDER(x->ratio, y->ratio) ?: ORDER(x->index, y->index);
}

struct tuning {
    struct conv_tuner *tuner;
    const struct conv_contestant *contestant;
    const struct conv_shape *shape;
    const struct tune_list *list;
    struct conv_tuned *tuned;
    struct error *error;
};

/* Notes a setting that did not end well; one that was only skipped did.  */
static void note_end(const struct tuning *t, const char *params, const struct conv_facts *facts)
{
    if (facts->end == CONV_END_GOOD || facts->end == CONV_END_SKIPPED ||
        facts->end == CONV_END_MEMORY || facts->end == CONV_END_STOPPED)
        return;
    if (t->tuned->failed++ == 0)
        error_set(t->error, "%s: %s", params, facts->reason);
}

/* Times COUNT settings, at most CONV_SLOTS, side by side.  The caller frees the
 * rounds of RESULT.  */
static void race(const struct tuning *t, const size_t *index, size_t count, int rounds,
                 struct conv_result *result)
{
    struct conv_contestant contestant[CONV_SLOTS] = {{.kernel = NULL}};

    for (size_t i = 0; i < count; i++) {
        contestant[i] = *t->contestant;
        contestant[i].params = t->list->choice[index[i]].params;
    }
    conv_bench(t->tuner->sessions, contestant, count, t->shape, rounds, result);
    for (size_t i = 0; i < count; i++)
        note_end(t, contestant[i].params, &result[i].facts);
}

static void free_rounds(struct conv_result *result, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(result[i].round);
}

/* A's time over B's, the median of every STEP-th round from FIRST on, with its
 * interval in *INTERVAL unless that is NULL.  INFINITY: one was not timed.  */
static double compare_rounds(const struct conv_result *a, const struct conv_result *b, int rounds,
                             int first, int step, struct interval *interval)
{
    double *ratio, median;
    size_t count = 0;

    if (a->round == NULL || b->round == NULL)
        return INFINITY;
    ratio = memory_alloc((size_t)rounds, sizeof *ratio);
    for (int round = first; round < rounds; round += step)
        ratio[count++] = a->round[round] / b->round[round];
    median = statistics_median(ratio, count);
    if (interval != NULL)
        *interval = statistics_bootstrap_median(ratio, count, RESAMPLES, 1);
    free(ratio);
    return median;
}

/* The first COUNT of the list in batches that all have the predictor's first as
 * their measure, and the list's standard; the best first.  */
static bool time_all(const struct tuning *t, struct timed *timed, size_t count)
{
    struct conv_result result[CONV_SLOTS];
    size_t index[CONV_SLOTS];
    bool good = true;

    timed[0].ratio = 1.0;
    for (size_t next = 1, size; good && next < count; next += size - 1) {
        index[0] = timed[0].index;
        for (size = 1; size < CONV_SLOTS && next + size - 1 < count; size++)
            index[size] = timed[next + size - 1].index;
        t->tuner->moment->before = next - 1;
        race(t, index, size, BATCH_ROUNDS, result);
        good = result[0].round != NULL;
        for (size_t i = 1; i < size; i++)
            timed[next + i - 1].ratio =
                compare_rounds(&result[i], &result[0], BATCH_ROUNDS, 0, 1, NULL);
        free_rounds(result, size);
    }
    qsort(timed, count, sizeof *timed, compare_timed);
    return good;
}

/* The best of COUNT contestants by the rounds FIRST, FIRST + STEP, ...; the first
 * contestant's times are the measure.  */
static size_t find_best(const struct conv_result *result, size_t count, int rounds, int first,
                        int step)
{
    double least = 1.0;
    size_t best = 0;

    for (size_t i = 1; i < count; i++) {
        const double ratio = compare_rounds(&result[i], &result[0], rounds, first, step, NULL);

        if (ratio < least) {
            least = ratio;
            best = i;
        }
    }
    return best;
}

/* How much faster the best is than the first contestant.  The best of many is so
 * partly by chance: it is found by half of the rounds and judged by the other
 * half, both ways around.  */
static double judge_first(const struct conv_result *result, size_t count, int rounds)
{
    double product = 1.0;

    if (rounds < 4)
        return fmax(0.0, 1.0 / compare_rounds(&result[find_best(result, count, rounds, 0, 1)],
                                              &result[0], rounds, 0, 1, NULL) -
                             1.0);
    for (int half = 0; half < 2; half++) {
        const size_t best = find_best(result, count, rounds, half, 2);

        product *= compare_rounds(&result[best], &result[0], rounds, 1 - half, 2, NULL);
    }
    return fmax(0.0, 1.0 / sqrt(product) - 1.0);
}

/* The contestant that is clearly the fastest: what is not with a whole interval
 * faster than STANDARD is no reason to leave that.  */
static size_t pick(const struct conv_result *result, size_t count, size_t standard, int rounds)
{
    double least = INFINITY;
    size_t best = standard;
    struct interval interval;

    if (result[standard].round == NULL)
        return find_best(result, count, rounds, 0, 1);
    for (size_t i = 0; i < count; i++) {
        const double ratio = compare_rounds(&result[i], &result[standard], rounds, 0, 1, &interval);

        if (i != standard && ratio < least && interval.high < 1.0) {
            least = ratio;
            best = i;
        }
    }
    return best;
}

/* The best of the first COUNT of the list and its standard.  */
static size_t choose(const struct tuning *t, size_t count, int rounds)
{
    const size_t own = t->list->standard, entries = count + (own >= count);
    struct timed *timed = memory_zalloc(entries, sizeof *timed);
    struct conv_result result[CONV_SLOTS];
    size_t index[CONV_SLOTS] = {0, own}, finalists = own == 0 ? 1 : 2, best = 0;

    t->tuner->moment->all = entries;
    for (size_t i = 0; i < entries; i++)
        timed[i].index = i < count ? i : own;
    if (entries > CONV_SLOTS && !time_all(t, timed, entries))
        goto done;
    for (size_t i = 0; i < entries && finalists < CONV_SLOTS; i++)
        if (timed[i].index != 0 && timed[i].index != own)
            index[finalists++] = timed[i].index;
    t->tuner->moment->before = 0;
    t->tuner->moment->all = finalists;
    race(t, index, finalists, rounds, result);
    if (result[0].round != NULL) {
        t->tuned->timed = entries;
        best = index[pick(result, finalists, own == 0 ? 0 : 1, rounds)];
        t->tuned->model_regret = judge_first(result, finalists, rounds);
    }
    free_rounds(result, finalists);
done:
    free(timed);
    return best;
}

bool conv_tune(struct conv_tuner *tuner, const struct conv_contestant *contestant,
               const struct conv_shape *shape, enum conv_tune_mode mode, int64_t top, int rounds,
               struct conv_tuned *tuned, struct error *error)
{
    const struct conv_request request = {.shape = *shape,
                                         .isa = contestant->isa,
                                         .threads = contestant->threads,
                                         .relu = contestant->relu};
    struct machine *machine = &tuner->machine[contestant->isa];
    const double start = timer_now();
    struct error unused = {""};
    struct tune_list list;
    size_t best = 0, count;

    *tuned = (struct conv_tuned){.model_regret = -1.0};
    if (!conv_fits(shape, 0.0, &unused)) /* the run itself says so */
        return true;
    if (!tuner->measured[contestant->isa] &&
        !machine_measure(machine, contestant->isa, measure_s, error))
        return false;
    tuner->measured[contestant->isa] = true;
    tune_rank(&list, &request, machine);
    count = list.count;
    if (mode == CONV_TUNE_TOP && (size_t)top < count)
        count = (size_t)top;
    if (count > 0 && mode != CONV_TUNE_MODEL) {
        const struct tuning t = {tuner, contestant, shape, &list, tuned, error};

        best = choose(&t, count, rounds);
    }
    if (count > 0) {
        tuned->params = memory_strdup(list.choice[best].params);
        tuned->predicted_s = list.choice[best].prediction.seconds;
        tuned->settings = list.count;
    }
    tune_list_free(&list);
    tuned->spent_s = timer_now() - start;
    return true;
}
