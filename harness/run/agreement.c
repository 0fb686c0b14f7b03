/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/agreement.h"

#include <stdio.h>

#include "harness/io/watch.h"
#include "harness/run/shrink.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"

/* The first look that ends it is the last one.  */
static bool go_on(void *context)
{
    struct agreement *agreement = context;

    agreement->stopped = agreement->stopped || !watch_goes_on(agreement->watch);
    return !agreement->stopped;
}

/* False when it was stopped: then there is no DUEL.  */
static bool run(struct agreement *agreement, const struct instance *instance, struct duel *duel)
{
    struct watch watch;
    struct duel_rules rules = agreement->rules;

    if (!go_on(agreement))
        return false;
    if (agreement->watch != NULL) {
        watch = (struct watch){go_on, agreement, agreement->watch->period_s, agreement->watch->fd};
        rules.watch = &watch;
    }
    duel_run(&rules, instance, duel);
    if (go_on(agreement))
        return true;
    duel_clear(duel);
    return false;
}

/* --- the random instances --- */

/* WHY: what the one said for whom there is nothing to compare, unless one said it before.  */
static void note_reason(const struct agreement *agreement, const struct duel *duel, char *why,
                        size_t size)
{
    for (int i = 0; i < 2 && why[0] == '\0'; i++) {
        const struct run_result *result = &duel->result[i];
        bool said = duel->verdict == DUEL_REFUSED ? result->outcome == OUTCOME_SKIPPED
                                                  : result->timed || result->plan == NULL ||
                                                        result->outcome == OUTCOME_MEMOUT;

        if (said)
            snprintf(why, size, "%.100s: %.140s", agreement->rules.contestant[i].label,
                     result->reason[0] != '\0' ? result->reason : outcome_name(result->outcome));
    }
}

static bool is_smaller(const struct instance *instance, const struct instance *other)
{
    return other == NULL || instance->n < other->n ||
           (instance->n == other->n && instance->total < other->total);
}

/* Takes over INSTANCE and DUEL.  */
static void count(struct agreement *agreement, struct instance *instance, struct duel *duel)
{
    bool parted = duel->verdict == DUEL_DIFFERENT || duel->verdict == DUEL_FAILED;

    agreement->tally[duel->verdict]++;
    if (duel->verdict == DUEL_REFUSED)
        note_reason(agreement, duel, agreement->refusal, sizeof agreement->refusal);
    if (duel->verdict == DUEL_CUT)
        note_reason(agreement, duel, agreement->cut, sizeof agreement->cut);
    if (parted && is_smaller(instance, agreement->smallest)) {
        agreement_clear(agreement);
        agreement->smallest = instance;
        agreement->duel = *duel;
        agreement->index = agreement->done;
        agreement->drawn = instance->n;
        return;
    }
    duel_clear(duel);
    instance_free(instance);
}

static void run_all(struct agreement *agreement)
{
    struct rng *rng = rng_new(agreement->rules.seed);

    for (; agreement->done < agreement->count; agreement->done++) {
        struct instance *instance = random_rows_draw(&agreement->rows, rng, agreement->done);
        struct duel duel;

        if (!run(agreement, instance, &duel)) {
            instance_free(instance);
            break;
        }
        count(agreement, instance, &duel);
    }
    rng_free(rng);
}

/* --- the smallest --- */

static bool still_part(void *context, const struct instance *instance)
{
    struct agreement *agreement = context;
    struct duel duel;

    if (!run(agreement, instance, &duel))
        return false;
    if (!duel_ends_like(&duel, &agreement->duel)) {
        duel_clear(&duel);
        return false;
    }
    duel_clear(&agreement->duel);
    agreement->duel = duel;
    return true;
}

void agreement_run(struct agreement *agreement)
{
    struct instance *drawn;

    run_all(agreement);
    drawn = agreement->smallest;
    if (drawn == NULL || agreement->stopped)
        return;
    agreement->shrinking = true;
    agreement->smallest = shrink_instance(drawn, still_part, agreement);
    instance_free(drawn);
}

void agreement_clear(struct agreement *agreement)
{
    if (agreement->smallest != NULL)
        duel_clear(&agreement->duel);
    instance_free(agreement->smallest);
}
