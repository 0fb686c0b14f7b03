/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules by which certificates are checked: whatever packing satisfies what is known
 * satisfies what a rule adds to it, so none refutes a packing.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/judge/certificate_known.h"
#include "lib/judge/certificate_writer.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/tap.h"

enum { TRIES = 400, STEPS = 4, MOST_NUMBERS = 9, RULES = CERTIFICATE_USE };

/* --- packings --- */

/* A plan below TOP with offsets at random, or NULL where none was met.  */
static struct plan *random_plan(const struct instance *instance, int64_t top, struct rng *rng)
{
    struct plan *plan = plan_new(instance);
    struct error error = {""};

    for (int try = 0; try < TRIES; try++) {
        plan->peak = 0;
        for (size_t b = 0; b < instance->n; b++) {
            const struct buffer *buffer = &instance->buffer[b];
            int64_t places = max64(0, top - buffer->size) / buffer->alignment;

            plan->offset[b] = buffer->alignment * rng_range(rng, 0, places);
            plan->peak = max64(plan->peak, plan->offset[b] + buffer->size);
        }
        if (plan->peak <= top && verify_plan(instance, plan, &error))
            return plan;
    }
    plan_free(plan);
    return NULL;
}

static struct instance *random_rectangles(struct rng *rng)
{
    struct instance *instance = instance_new("rectangles");
    size_t n = (size_t)rng_range(rng, 2, 6);

    for (size_t b = 0; b < n; b++) {
        int64_t begin = rng_range(rng, 0, STEPS - 1);

        add_buffer(instance, begin, rng_range(rng, begin + 1, STEPS), rng_range(rng, 1, 4),
                   rng_range(rng, 1, 4) == 1 ? 2 : 1);
    }
    return sealed(instance);
}

/* --- what is known --- */

static int64_t offset_of(const struct plan *plan, int64_t b)
{
    return b == 0 ? 0 : plan->offset[b - 1];
}

/* Some bounds that the plan satisfies.  */
static void tell(struct certificate_known *known, const struct plan *plan, struct rng *rng)
{
    int64_t slack = rng_range(rng, 0, 2);

    for (int64_t a = 0; a <= (int64_t)known->n; a++)
        for (int64_t b = 0; b <= (int64_t)known->n; b++)
            if (certificate_known_has(known, a, b) && rng_range(rng, 0, 1) == 0)
                certificate_known_raise(known, a, b,
                                        offset_of(plan, b) - offset_of(plan, a) -
                                            rng_range(rng, 0, slack));
}

static bool satisfies(const struct certificate_known *known, const struct plan *plan)
{
    for (int64_t a = 0; a <= (int64_t)known->n; a++)
        for (int64_t b = 0; b <= (int64_t)known->n; b++)
            if (certificate_known_has(known, a, b) &&
                offset_of(plan, b) - offset_of(plan, a) < certificate_known_least(known, a, b))
                return false;
    return !known->broken;
}

/* --- lines --- */

/* A stretch of some buffer that is used at STEP, if there is one.  */
static void draw_task(struct certificate_known *known, int64_t step, struct rng *rng,
                      int64_t *number)
{
    size_t b = (size_t)rng_range(rng, 1, (int64_t)known->n);
    const struct certificate_span *span;

    number[0] = (int64_t)b;
    number[1] = 0;
    number[2] = 1;
    if (certificate_known_stretches(known, b, step) == 0)
        return;
    span = &known->stretch[rng_range(rng, 0, (int64_t)known->stretches - 1)];
    number[1] = rng_range(rng, 0, 3) == 0 ? rng_range(rng, span->lo, span->hi - 1) : span->lo;
    number[2] = rng_range(rng, 0, 3) == 0 ? rng_range(rng, number[1] + 1, span->hi) : span->hi;
}

/* Where a stretch begins at the earliest and ends at the latest.  */
static int64_t begin_of(const struct certificate_known *known, const int64_t *task)
{
    return certificate_known_least(known, 0, task[0]) + task[1];
}

static int64_t end_of(const struct certificate_known *known, const int64_t *task)
{
    return task[2] - certificate_known_least(known, task[0], 0);
}

/* The least window of two stretches, of which the first may end outside, or begin there.  */
static void draw_window(const struct certificate_known *known, struct rng *rng, int64_t *number)
{
    const int64_t *own = number + 3, *other = number + 6;

    number[1] = begin_of(known, other);
    number[2] = end_of(known, other);
    if (rng_range(rng, 0, 1) == 0)
        number[1] = min64(number[1], begin_of(known, own));
    else
        number[2] = max64(number[2], end_of(known, own));
}

/* Numbers for a line with the word; returns how many.  */
static size_t draw_line(struct certificate_known *known, enum certificate_word word,
                        struct rng *rng, int64_t *number)
{
    int numbers = certificate_table[word].numbers;
    int64_t n = (int64_t)known->n, top = known->capacity;

    if (word == CERTIFICATE_SUM || word == CERTIFICATE_CYCLE) {
        if (numbers == CERTIFICATE_ANY)
            numbers = (int)rng_range(rng, 2, 4);
        for (int i = 0; i < numbers; i++)
            number[i] = rng_range(rng, 0, n);
        return (size_t)numbers;
    }
    number[0] = rng_range(rng, -1, STEPS);
    number[1] = rng_range(rng, -1, top);
    number[2] = rng_range(rng, rng_range(rng, 0, 9) == 0 ? -1 : number[1], top + 1);
    if (numbers == 5)
        draw_task(known, number[0], rng, number + 2);
    if (numbers >= 6)
        draw_task(known, number[0], rng, number + 3);
    if (numbers == 9) {
        draw_task(known, number[0], rng, number + 6);
        if (rng_range(rng, 0, 1) == 0)
            draw_window(known, rng, number);
    }
    return (size_t)numbers;
}

struct tally {
    int plans, wrong;
    int said[RULES]; /* lines that added something */
};

static void try_plan(const struct instance *instance, int64_t unit, const struct plan *plan,
                     int64_t top, struct rng *rng, struct tally *tally)
{
    const struct certificate_scope scope = {.capacity = top, .end = STEPS + 1, .unit = unit};
    struct certificate_known known;
    struct error error = {""};

    if (!certificate_known_init(&known, instance, &scope, &error))
        abort();
    certificate_known_pair(&known);
    tally->plans++;
    tell(&known, plan, rng);
    for (int line = 0; line < 300; line++) {
        enum certificate_word word = (enum certificate_word)rng_range(rng, 0, RULES - 1);
        int64_t number[MOST_NUMBERS];
        size_t count = draw_line(&known, word, rng, number), before = known.changes;

        if (!certificate_rule(&known, word, number, count, &error))
            continue;
        tally->said[word] += known.changes > before;
        if (!satisfies(&known, plan)) {
            if (tally->wrong++ == 0)
                tap_diag("wrong: %s", certificate_table[word].word);
            break;
        }
    }
    certificate_known_clear(&known);
}

static void try_many(struct instance *(*draw)(struct rng *rng), const char *what)
{
    struct rng *rng = rng_new(51);
    struct tally tally = {0};

    for (int round = 0; round < tap_tier(1500, 6000); round++) {
        struct instance *instance = draw(rng);
        int64_t top = instance->load + rng_range(rng, 0, 4);
        struct plan *plan = random_plan(instance, top, rng);

        if (plan != NULL)
            try_plan(instance, 1, plan, top, rng, &tally);
        plan_free(plan);
        instance_free(instance);
    }
    ok(tally.plans > 200, "%s: %d packings", what, tally.plans);
    is_int(tally.wrong, 0, "%s: no rule says what one does not satisfy", what);
    for (size_t w = 0; w < RULES; w++)
        if (w != CERTIFICATE_CYCLE && w != CERTIFICATE_OVERLOAD)
            ok(tally.said[w] > 20, "%s: %s says something %d times", what,
               certificate_table[w].word, tally.said[w]);
    rng_free(rng);
}

/* --- units --- */

static bool fits(const struct instance *instance, int64_t unit)
{
    const struct certificate_scope scope = {.capacity = 100, .end = STEPS, .unit = unit};
    struct certificate_known known;
    struct error error = {""};
    bool good = certificate_known_init(&known, instance, &scope, &error);

    certificate_known_clear(&known);
    return good;
}

static void test_units(void)
{
    struct instance *instance = instance_of_rows("a 0 2 12 4; b 0 2 18 3; late 2 5 7");

    ok(fits(instance, 1), "1 is a unit of all");
    ok(fits(instance, 3) == false, "3 and an alignment of 4 do not fit");
    ok(fits(instance, 6) == false, "nor 6 and one of 4");
    ok(fits(instance, 12) == false, "12 does not divide 18");
    instance_free(instance);
}

int main(void)
{
    try_many(random_rectangles, "rectangles");
    try_many(piece_case_random, "pieces");
    test_units();
    return tap_done();
}
