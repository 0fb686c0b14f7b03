/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/trace_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "harness/io/options.h"
#include "harness/io/vigil.h"
#include "harness/run/runner.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "solvers/solver.h"
#include "traces/trace.h"

/* --- planning --- */

static bool is_online(const struct contestant *contestant)
{
    return (solver_capabilities(contestant->entry->solver, &contestant->params) & SOLVER_ONLINE) !=
           0;
}

static void show(void *context, struct status_line *line)
{
    const struct comparison *comparison = context;

    status_line_show(line, "%zu/%zu  %s  %.120s", comparison->view.started,
                     comparison->contestants->count, line->elapsed,
                     comparison->view.label != NULL ? comparison->view.label : "");
}

/* The best static plan, and whether all went well.  */
static void look_at_rows(struct trace_pool_answer *answer)
{
    const struct comparison *comparison = &answer->comparison;

    for (size_t i = 0; i < comparison->contestants->count; i++) {
        const struct comparison_row *row = &comparison->row[i];
        const struct contestant *contestant = &comparison->contestants->item[i];

        answer->bad =
            answer->bad || row->outcome == OUTCOME_INVALID || row->outcome == OUTCOME_CRASHED;
        if (!row->has_plan || is_online(contestant) ||
            (answer->best_label != NULL && row->peak >= answer->best))
            continue;
        answer->best = row->peak;
        answer->best_label = contestant->label;
    }
}

static int plan(const struct trace_run *run, struct trace_pool_answer *answer)
{
    struct comparison *comparison = &answer->comparison;
    struct vigil vigil;
    struct error error;
    bool done;

    *comparison = (struct comparison){.instance = answer->instance,
                                      .contestants = run->contestants,
                                      .limits = run->limits,
                                      .seed = run->seed};
    if (!vigil_begin(&vigil, show, comparison, &error))
        return complain_as(STATUS_FAILED, "trace: %s", error.text);
    comparison->watch = &vigil.watch;
    done = comparison_run(comparison, 1, &error);
    comparison->watch = NULL;
    status_line_clear(&vigil.line);
    if (!done)
        complain("trace: %s", error.text);
    else
        look_at_rows(answer);
    return vigil_end(&vigil, done ? STATUS_DONE : STATUS_FAILED);
}

int trace_answer(const struct trace_run *run, size_t pool, struct trace_pool_answer *answer)
{
    struct error error;

    answer->pool = pool;
    answer->instance = trace_instance(run->trace, pool, &error);
    if (answer->instance == NULL)
        return complain_as(STATUS_USAGE, "trace: %s", error.text);
    answer->recorded = trace_plan(run->trace, pool, answer->instance, false, &error);
    answer->closed = trace_plan(run->trace, pool, answer->instance, true, &error);
    if (answer->closed == NULL)
        return complain_as(STATUS_USAGE, "trace: %s", error.text);
    if (!verify_plan(answer->instance, answer->closed, &error))
        return complain_as(STATUS_FAILED, "trace: the recorded plan: %s", error.text);
    return plan(run, answer);
}

void trace_answer_clear(struct trace_pool_answer *answer)
{
    comparison_clear(&answer->comparison);
    plan_free(answer->recorded);
    plan_free(answer->closed);
    instance_free(answer->instance);
}

/* --- rows --- */

struct table *trace_table(void)
{
    return table_named("pool plan kind peak:bytes lower_bound:bytes gap_to_bound: outcome time_s: "
                       "blocks: before: after:");
}

static void add_row(struct table *table, const struct trace_run *run,
                    const struct trace_pool_answer *answer, const char *name, const char *kind,
                    int64_t peak, const struct comparison_row *row)
{
    const struct trace_pool *pool = &run->trace->pool[answer->pool];
    const int64_t bound = answer->comparison.bound;

    table_texts(table, pool->name, name, kind);
    table_ints(table, peak, bound);
    table_real(table, "%.4f",
               peak != TABLE_NONE && bound > 0 ? (double)peak / (double)bound - 1.0 : NAN);
    table_texts(table, row == NULL ? NULL : outcome_name(row->outcome));
    table_real(table, "%.6f", row == NULL || row->outcome == OUTCOME_SKIPPED ? NAN : row->time_s);
    table_ints(table, (int64_t)pool->n, (int64_t)pool->before, (int64_t)pool->after);
}

void trace_add_rows(struct table *table, const struct trace_run *run,
                    const struct trace_pool_answer *answer)
{
    const struct trace_pool *pool = &run->trace->pool[answer->pool];
    const struct comparison *comparison = &answer->comparison;

    add_row(table, run, answer, "in use at once", "recorded", answer->instance->load, NULL);
    add_row(table, run, answer, "addresses ever in use", "recorded", answer->closed->peak, NULL);
    add_row(table, run, answer, "span of the addresses", "recorded",
            answer->recorded == NULL ? TABLE_NONE : answer->recorded->peak, NULL);
    if (pool->most_reserved >= 0)
        add_row(table, run, answer, "reserved by the allocator", "recorded", pool->most_reserved,
                NULL);
    for (size_t i = 0; i < comparison->contestants->count; i++) {
        const struct comparison_row *row = &comparison->row[i];
        const struct contestant *contestant = &comparison->contestants->item[i];

        add_row(table, run, answer, contestant->label, is_online(contestant) ? "online" : "static",
                row->has_plan ? row->peak : TABLE_NONE, row);
    }
}

/* --- words --- */

/* What else was read, where there is any.  */
static char *rest_text(const struct trace_pool *pool)
{
    char *text = memory_strdup("");

    if (pool->before > 0)
        text = memory_append(text, ", %zu there before the first event", pool->before);
    if (pool->after > 0)
        text = memory_append(text, ", %zu there after the last", pool->after);
    if (pool->empty > 0)
        text = memory_append(text, "; %zu of no bytes, left out", pool->empty);
    if (pool->unknown > 0)
        text = memory_append(text, "; %zu releases of what nobody saw allocated, left out",
                             pool->unknown);
    if (pool->lost > 0)
        text = memory_append(text, "; %zu whose release is missing, until their place was reused",
                             pool->lost);
    return text;
}

/* What the addresses needed: those that some block had, and how far they are apart, or what the
 * allocator had.  */
static char *addresses_text(const struct trace_pool *pool, const struct trace_pool_answer *answer)
{
    char *used = people_bytes(answer->closed->peak), *text;
    char *wide = answer->recorded == NULL ? memory_strdup("more than 2^63 bytes")
                                          : people_bytes(answer->recorded->peak);

    if (pool->most_reserved >= 0) {
        memory_free(wide);
        wide = people_bytes(pool->most_reserved);
        text = memory_printf("the allocator reserved %s and used %s of it", wide, used);
    } else if (answer->recorded != NULL && answer->recorded->peak == answer->closed->peak) {
        text = memory_printf("its addresses span %s", wide);
    } else {
        text = memory_printf("its addresses span %s, of which it ever used %s", wide, used);
    }
    memory_free(used);
    memory_free(wide);
    return text;
}

void trace_say(FILE *out, const struct trace_run *run, const struct trace_pool_answer *answer)
{
    const struct trace_pool *pool = &run->trace->pool[answer->pool];
    char *rest = rest_text(pool), *needed = people_bytes(answer->instance->load);
    char *addresses = addresses_text(pool, answer);
    char *best = people_bytes(answer->best), *bound = people_bytes(answer->comparison.bound);

    people_print(out, "\n%s: %" PRId64 " events, %zu blocks%s.\n", answer->instance->name,
                 run->trace->events, pool->n, rest);
    if (answer->best_label == NULL)
        people_print(out, "It needed %s at once, %s; no static plan was made.\n", needed,
                     addresses);
    else if (answer->best <= answer->comparison.bound)
        people_print(out, "It needed %s at once, %s; a static plan needs %s, proven.\n", needed,
                     addresses, best);
    else
        people_print(out,
                     "It needed %s at once, %s; a static plan needs %s, and none less than %s.\n",
                     needed, addresses, best, bound);
    free(rest);
    free(needed);
    free(addresses);
    free(best);
    free(bound);
}
