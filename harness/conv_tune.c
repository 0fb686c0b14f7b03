#include <config.h>

#include "harness/conv_tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/machine.h"
#include "kernels/tune.h"
#include "lib/memory.h"
#include "lib/params.h"
#include "lib/timer.h"

/* Seconds for the constants of one instruction set.  */
static const double measure_s = 1.0;

/* Multiply-adds of a layer's reference.  */
static const int64_t compare_macs = 1000000;

/* A setting that is far off after these rounds will not be the best.  */
enum { BATCH_ROUNDS = 3 };

struct conv_tuner {
    struct conv_sessions *sessions;
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
    return tuner;
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

    if (x->ratio != y->ratio)
        return x->ratio < y->ratio ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
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
        facts->end == CONV_END_MEMORY)
        return;
    if (t->tuned->failed++ == 0)
        error_set(t->error, "%s: %s", params, facts->reason);
}

/* Times COUNT settings, at most CONV_SLOTS, side by side and sets their ratios
 * to the first of them, which is the predictor's first too.  False when that
 * one failed.  */
static bool time_batch(const struct tuning *t, struct timed *timed, size_t count, int rounds)
{
    struct conv_contestant contestant[CONV_SLOTS] = {{.kernel = NULL}};
    struct conv_result result[CONV_SLOTS];
    bool good;

    for (size_t i = 0; i < count; i++) {
        contestant[i] = *t->contestant;
        contestant[i].params = t->list->choice[timed[i].index].params;
    }
    conv_bench(t->tuner->sessions, contestant, count, t->shape, rounds, result);
    good = result[0].round != NULL;
    for (size_t i = 0; i < count; i++) {
        timed[i].ratio =
            good && result[i].round != NULL ? result[i].time_s / result[0].time_s : INFINITY;
        note_end(t, contestant[i].params, &result[i].facts);
        free(result[i].round);
    }
    return good;
}

/* The first COUNT of the list, in batches; the best first.  */
static bool time_all(const struct tuning *t, struct timed *timed, size_t count)
{
    struct timed batch[CONV_SLOTS];
    bool good = true;

    timed[0] = (struct timed){0, 1.0};
    for (size_t next = 1; good && next < count;) {
        size_t size = 1;

        batch[0] = timed[0];
        for (; size < CONV_SLOTS && next + size - 1 < count; size++)
            batch[size] = (struct timed){next + size - 1, INFINITY};
        good = time_batch(t, batch, size, BATCH_ROUNDS);
        memcpy(timed + next, batch + 1, (size - 1) * sizeof *timed);
        next += size - 1;
    }
    qsort(timed, count, sizeof *timed, compare_timed);
    return good;
}

/* The best of the first COUNT of the list.  */
static size_t choose(const struct tuning *t, size_t count, int rounds)
{
    struct timed *timed = memory_zalloc(count, sizeof *timed), final[CONV_SLOTS];
    size_t finalists = 1, best = 0;

    for (size_t i = 0; i < count; i++)
        timed[i].index = i;
    if (count > CONV_SLOTS && !time_all(t, timed, count))
        goto done;
    final[0] = (struct timed){0, 1.0};
    for (size_t i = 0; i < count && finalists < CONV_SLOTS; i++)
        if (timed[i].index != 0)
            final[finalists++] = timed[i];
    if (!time_batch(t, final, finalists, rounds))
        goto done;
    t->tuned->timed = count;
    qsort(final, finalists, sizeof *final, compare_timed);
    best = final[0].index;
    t->tuned->model_regret = 1.0 / final[0].ratio - 1.0;
done:
    free(timed);
    return best;
}

bool conv_tune(struct conv_tuner *tuner, const struct conv_contestant *contestant,
               const struct conv_shape *shape, enum conv_tune_mode mode, int64_t top, int rounds,
               struct conv_tuned *tuned, struct error *error)
{
    const struct conv_request request = {*shape, contestant->isa, contestant->threads,
                                         contestant->relu};
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
