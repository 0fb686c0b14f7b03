/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a program's answer, which may be several plans.  Cut into pieces of any size
 * it gives the same plans as in one, and these are what a plain split at the lines that repeat the
 * first one gives.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/plan_csv.h"
#include "solvers/program/answer.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fixed_instance.h"

struct heard {
    const struct instance *instance;
    size_t plans, capacity;
    struct plan **plan;
    bool good; /* to the end */
};

static bool hear(void *context, const struct plan *plan, struct error *error)
{
    struct heard *heard = context;

    (void)error;
    heard->plan = memory_grow(heard->plan, &heard->capacity, heard->plans + 1, sizeof *heard->plan);
    heard->plan[heard->plans] = plan_new(heard->instance);
    plan_copy(heard->plan[heard->plans++], plan);
    return true;
}

static void forget(struct heard *heard)
{
    for (size_t i = 0; i < heard->plans; i++)
        plan_free(heard->plan[i]);
    free(heard->plan);
}

/* STEP bytes at a time.  What is CUT in the end is never bad for that.  */
static void listen_to(const struct instance *instance, const char *text, size_t size, size_t step,
                      bool cut, struct heard *heard)
{
    struct answer answer;
    struct error error = {""};

    *heard = (struct heard){.instance = instance, .good = true};
    answer_start(&answer, instance, size + 1, hear, heard);
    for (size_t at = 0; at < size && heard->good; at += step)
        heard->good = answer_add(&answer, text + at, size - at < step ? size - at : step, &error);
    if (heard->good)
        heard->good = answer_end(&answer, cut, &error);
    must(heard->good || strstr(error.text, "the command's answer:") != NULL);
    answer_clear(&answer);
}

static bool same_plan(const struct plan *one, const struct plan *other)
{
    return one->peak == other->peak &&
           memcmp(one->offset, other->offset, one->n * sizeof *one->offset) == 0;
}

static void check_same(const struct heard *one, const struct heard *other)
{
    must(one->good == other->good && one->plans == other->plans);
    for (size_t i = 0; i < one->plans; i++)
        must(same_plan(one->plan[i], other->plan[i]));
}

/* Where the plan at TEXT ends: before the next line like its first, or with SIZE.  */
static size_t plan_end(const char *text, size_t size)
{
    const char *end = memchr(text, '\n', size);
    size_t header = end == NULL ? size : (size_t)(end + 1 - text), at = header;

    while (end != NULL && at < size) {
        const char *next = memchr(text + at, '\n', size - at);
        size_t length = next == NULL ? size - at : (size_t)(next + 1 - text) - at;

        if (next != NULL && length == header && memcmp(text, text + at, header) == 0)
            return at;
        at += length;
    }
    return size;
}

/* The plans before the first bad one are those that were heard; of that one, what was there may
 * have been a plan before it went bad.  */
static void check_split(const struct instance *instance, const char *text, size_t size,
                        const struct heard *heard)
{
    size_t plans = 0;

    for (size_t at = 0; at < size;) {
        size_t length = plan_end(text + at, size - at);
        FILE *in = bytes_file(text + at, length);
        struct plan *plan = plan_csv_read(in, "part", instance, NULL);

        fclose(in);
        if (plan == NULL) {
            must(!heard->good && heard->plans - plans <= 1);
            return;
        }
        must(plans < heard->plans && same_plan(heard->plan[plans], plan));
        plan_free(plan);
        plans++;
        at += length;
    }
    must(heard->good && heard->plans == plans);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct instance *instance = fixed_instance();
    struct heard whole, cut, again;

    listen_to(instance, text, size, size + 1, false, &whole);
    listen_to(instance, text, size, size + 1, true, &cut);
    check_split(instance, text, size, &whole);
    /* A limit that comes at the end takes at most the plan that has no end yet.  */
    must(cut.plans <= whole.plans && whole.plans - cut.plans <= 1);
    for (size_t step = 1; step < 12; step += 3) {
        listen_to(instance, text, size, step, false, &again);
        check_same(&whole, &again);
        forget(&again);
    }
    forget(&cut);
    forget(&whole);
    instance_free(instance);
    return 0;
}
