/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/program/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/plan_csv.h"

void answer_start(struct answer *answer, const struct instance *instance, size_t longest,
                  answer_take *take, void *context)
{
    *answer =
        (struct answer){.instance = instance, .take = take, .context = context, .longest = longest};
}

void answer_clear(struct answer *answer)
{
    free(answer->text);
    *answer = (struct answer){0};
}

/* The first LENGTH bytes as a plan, or NULL.  */
static struct plan *read_plan(const struct answer *answer, size_t length, struct error *error)
{
    FILE *in = fmemopen(answer->text, length, "r");
    char name[80] = "the command's answer";
    struct plan *plan;

    if (in == NULL)
        memory_exhausted();
    if (answer->plans > answer->known)
        snprintf(name, sizeof name, "plan %zu of the command's answer",
                 answer->plans - answer->known + 1);
    plan = plan_csv_read(in, name, answer->instance, error);
    fclose(in);
    return plan;
}

/* Hands on the plan that is being written; false when it is not taken.  */
static bool hand_on(struct answer *answer, const struct plan *plan, struct error *error)
{
    bool first = answer->plans == 0;

    answer->plans++;
    answer->known = true;
    if (answer->take(answer->context, plan, error))
        return true;
    return first ? false : error_prefix(error, "plan %zu", answer->plans);
}

/* The plan that is being written has LENGTH bytes and no more.  What follows its last buffer is
 * judged here too.  */
static bool end_plan(struct answer *answer, size_t length, struct error *error)
{
    struct plan *plan = read_plan(answer, length, error);
    bool good = plan != NULL && (answer->known || hand_on(answer, plan, error));

    plan_free(plan);
    return good;
}

/* Hands on what the whole lines hold, where that is a plan; where it is none yet, nothing is
 * wrong.  */
static bool hand_on_if_whole(struct answer *answer, struct error *error)
{
    struct plan *plan = read_plan(answer, answer->lines, NULL);
    bool good = plan == NULL || hand_on(answer, plan, error);

    plan_free(plan);
    return good;
}

/* Knows the plan when all of its rows are there.  Rows of empty buffers may stand anywhere, so
 * as many rows as there are buffers need not be those of all.  */
static bool look_for_plan(struct answer *answer, struct error *error)
{
    const struct instance *instance = answer->instance;

    if (answer->known ||
        (answer->rows != instance->n && answer->rows != instance->n + instance->n_empty))
        return true;
    return hand_on_if_whole(answer, error);
}

static bool repeats_header(const struct answer *answer, size_t length)
{
    return length == answer->header &&
           memcmp(answer->text, answer->text + answer->lines, length) == 0;
}

/* Takes the line of LENGTH bytes, its end among them, that follows the lines before.  */
static bool add_line(struct answer *answer, size_t length, struct error *error)
{
    const char *line = answer->text + answer->lines;

    if (answer->header == 0) {
        answer->header = length;
    } else if (repeats_header(answer, length)) {
        if (!end_plan(answer, answer->lines, error))
            return false;
        answer->length -= answer->lines;
        memmove(answer->text, line, answer->length);
        answer->lines = answer->rows = 0;
        answer->known = false;
    } else {
        answer->rows += length > 1 && line[0] != '\r';
    }
    answer->lines += length;
    return look_for_plan(answer, error);
}

bool answer_add(struct answer *answer, const char *text, size_t length, struct error *error)
{
    size_t from = answer->length; /* no line ends before */
    const char *end;

    answer->text = memory_grow(answer->text, &answer->capacity, answer->length + length, 1);
    memcpy(answer->text + answer->length, text, length);
    answer->length += length;
    while ((end = memchr(answer->text + from, '\n', answer->length - from)) != NULL) {
        if (!add_line(answer, (size_t)(end + 1 - answer->text) - answer->lines, error))
            return false;
        from = answer->lines;
    }
    return answer->length <= answer->longest ||
           error_set(error, "the command's answer is far too long for a plan");
}

bool answer_end(struct answer *answer, bool cut, struct error *error)
{
    if (!cut)
        return answer->length == 0 || end_plan(answer, answer->length, error);
    return answer->known || answer->lines == 0 || hand_on_if_whole(answer, error);
}
