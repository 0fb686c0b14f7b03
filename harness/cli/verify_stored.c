/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/verify_stored.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/input.h"
#include "harness/cli/stored_plan.h"
#include "harness/io/interrupt.h"
#include "harness/io/kernel_workspace.h"
#include "harness/io/options.h"
#include "harness/io/status_line.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/people.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/arenaplan.h"
#include "solvers/library/callers_problem.h"
#include "solvers/solver.h"
#include "workloads/workload.h"

struct judging {
    struct store *store;
    struct status_line line;
    struct interrupt interrupt;
    const struct judge_talk *talk;
    struct judged *judged;
    struct error *error;
    bool native; /* planners rounded the instance at hand as they do where they ship */
};

/* --- one plan --- */

/* What the library, given INSTANCE as its callers would, says of PLAN.  */
static bool check_by_library(const struct instance *instance, const struct plan *plan,
                             struct error *error)
{
    struct arenaplan_result result = ARENAPLAN_RESULT;
    struct callers_problem given;

    callers_problem_init(&given, instance);
    arenaplan_check(&given.problem, NULL, plan->offset, &result);
    callers_problem_clear(&given);
    if (result.status != ARENAPLAN_FEASIBLE)
        return error_set(error, "the library refuses it: fault %d of buffer '%s'",
                         (int)result.fault,
                         result.buffer < instance->n ? instance->buffer[result.buffer].id : "");
    return result.peak == plan->peak ||
           error_set(error, "the library finds peak %" PRId64 ", the verifier %" PRId64,
                     result.peak, plan->peak);
}

/* That the number in column NAME is VALUE.  */
static bool agrees(const struct rows *rows, size_t row, const char *name, int64_t value,
                   struct error *error)
{
    int64_t stored;
    size_t column = rows_column(rows, name);

    return (parse_int(rows_text(rows, row, column), INT64_MIN, INT64_MAX, &stored) &&
            stored == value) ||
           error_set(error, "%s is stored as %s, it is %" PRId64, name,
                     rows_text(rows, row, column), value);
}

/* What the row says beside the offsets: a bound proves optimality where it is the peak, and can
 * be no higher.  */
static bool check_row(const struct rows *rows, size_t row, const struct instance *judged,
                      const struct plan *plan, struct error *error)
{
    bool optimal = strcmp(rows_named(rows, row, "outcome"), "optimal") == 0;
    int64_t bound;

    if (!agrees(rows, row, "peak", plan->peak, error))
        return false;
    if (!parse_int(rows_named(rows, row, "lower_bound"), 0, INT64_MAX, &bound) ||
        bound < judged->load || bound > plan->peak)
        return error_set(
            error, "lower_bound is stored as %s, the load is %" PRId64 " and the peak %" PRId64,
            rows_named(rows, row, "lower_bound"), judged->load, plan->peak);
    return optimal == (bound == plan->peak) ||
           error_set(error, "outcome is stored as %s, with peak %" PRId64 " and bound %" PRId64,
                     rows_named(rows, row, "outcome"), plan->peak, bound);
}

/* JUDGED is GIVEN, or what the planner rounded it to.  */
static bool judge(const struct rows *rows, size_t row, const struct instance *given,
                  const struct instance *judged, struct error *error)
{
    enum replay_kind kind = REPLAY_NONE;
    struct plan *plan = stored_offsets(judged, rows_named(rows, row, "offsets"), error);
    bool good;

    if (plan == NULL)
        return false;
    good = verify_plan(judged, plan, error) && check_by_library(judged, plan, error) &&
           check_row(rows, row, judged, plan, error);
    if (good && (given->origin != NULL || given->loops != NULL))
        good = verify_replay(given, plan, &kind, error);
    if (good && strcmp(rows_named(rows, row, "replay"), replay_name(kind)) != 0)
        good = error_set(error, "replay is stored as %s, it is %s", rows_named(rows, row, "replay"),
                         replay_name(kind));
    plan_free(plan);
    return good;
}

/* The instance whose peak counts for the row's planner where INSTANCE is one of native alignment;
 * NULL: it is INSTANCE, or with a message that it can't be made.  */
static struct instance *round_natively(const struct rows *rows, size_t row,
                                       const struct instance *instance, struct error *error)
{
    const char *contestant = rows_named(rows, row, "contestant");
    char *name = memory_printf("%.*s", (int)strcspn(contestant, ":"), contestant);
    const struct solver_entry *entry = solver_find(name);
    struct instance *rounded = NULL;

    error->text[0] = '\0';
    if (entry == NULL)
        error_set(error, "there is no solver %s here to say how it rounds", name);
    else if (entry->solver->native.size > 1 || entry->solver->native.offset > 1)
        rounded = instance_rounded(instance, entry->solver->native.size,
                                   entry->solver->native.offset, error);
    free(name);
    return rounded;
}

static void note_absent(struct judging *judging, size_t plans, const struct error *why)
{
    judging->judged->unjudged += plans;
    judging->judged->absence = *why;
    if (judging->talk->absent != NULL)
        judging->talk->absent(why->text);
}

static bool judge_row(struct judging *judging, const struct rows *rows, size_t row,
                      const struct instance *instance)
{
    struct error error = {""};
    struct instance *rounded = judging->native ? round_natively(rows, row, instance, &error) : NULL;
    bool done = true;

    if (error.text[0] != '\0') {
        error_prefix(&error, "task %s", rows_named(rows, row, "id"));
        note_absent(judging, 1, &error);
    } else if (judge(rows, row, instance, rounded != NULL ? rounded : instance, &error)) {
        judging->judged->right++;
    } else {
        judging->judged->wrong++;
        status_line_clear(&judging->line);
        done = judging->talk->wrong(judging->store, rows, row, &error, judging->error);
    }
    instance_free(rounded);
    return done;
}

/* --- all of them --- */

/* A result that was refused when it was recorded is known to be wrong.  */
#define COUNTS "p.offsets is not null and t.outcome <> 'invalid'"

static bool judge_rows(struct judging *judging, const struct rows *rows, const char *label,
                       const struct instance *instance)
{
    const struct judged *judged = judging->judged;
    bool done = true;

    for (size_t r = 0; done && r < rows->count && judging->interrupt.signal == 0; r++) {
        done = judge_row(judging, rows, r, instance);
        interrupt_take(&judging->interrupt);
        if (status_line_due(&judging->line))
            status_line_show(&judging->line, "%s, %zu plans: %s", judging->line.elapsed,
                             judged->right + judged->wrong + judged->unjudged, label);
    }
    return done;
}

static bool judge_workload(struct judging *judging, const struct rows *workloads, size_t w)
{
    static const char sql[] =
        "select t.id, t.contestant, " STORE_TASK_LABEL " as solver, w.label, t.outcome, p.peak,"
        " p.lower_bound, p.replay, hex(offsets_unpack(p.offsets, p.base)) as offsets from task t"
        " join workload w on w.id = t.workload join plan p on p.task = t.id"
        " where t.workload = cast(?1 as integer) and " COUNTS " order by t.id";
    const char *id = rows_named(workloads, w, "id");
    const char *label = rows_named(workloads, w, "label");
    struct instance *instance;
    struct rows rows;
    bool done = rows_query(&rows, judging->store, sql, &id, 1, judging->error);
    struct error fault = {""};

    if (done && rows.count > 0) {
        instance = workload_again(label, rows_named(workloads, w, "checksum"), kernel_workspace,
                                  false, &fault);
        judging->native = input_native(label);
        if (instance == NULL)
            note_absent(judging, rows.count, &fault);
        else
            done = judge_rows(judging, &rows, label, instance);
        instance_free(instance);
    }
    rows_clear(&rows);
    return done;
}

static bool count(struct judging *judging)
{
    static const char sql[] =
        "select coalesce(sum(t.kind <> 'plan'), 0),"
        " coalesce(sum(t.kind = 'plan' and p.offsets is null), 0),"
        " coalesce(sum(t.kind = 'plan' and p.offsets is not null and t.outcome = 'invalid'), 0)"
        " from task t left join plan p on p.task = t.id";
    struct judged *judged = judging->judged;
    struct rows rows;
    bool done = rows_query(&rows, judging->store, sql, NULL, 0, judging->error);

    if (done) {
        judged->others = strtoul(rows_text(&rows, 0, 0), NULL, 10);
        judged->without = strtoul(rows_text(&rows, 0, 1), NULL, 10);
        judged->refused = strtoul(rows_text(&rows, 0, 2), NULL, 10);
    }
    rows_clear(&rows);
    return done;
}

static bool judge_all(struct judging *judging)
{
    struct rows workloads = {0};
    bool done = count(judging) && rows_query(&workloads, judging->store,
                                             "select id, label, checksum from workload order by id",
                                             NULL, 0, judging->error);

    for (size_t w = 0; done && w < workloads.count && judging->interrupt.signal == 0; w++)
        done = judge_workload(judging, &workloads, w);
    rows_clear(&workloads);
    return done;
}

bool judge_store(struct store *store, const struct judge_talk *talk, struct judged *judged,
                 struct error *error)
{
    struct judging judging = {.store = store, .talk = talk, .judged = judged, .error = error};
    bool done = interrupt_watch(&judging.interrupt, error);

    *judged = (struct judged){0};
    if (!done)
        return false;
    status_line_start(&judging.line);
    done = judge_all(&judging);
    status_line_clear(&judging.line);
    judged->signal = judging.interrupt.signal;
    interrupt_end(&judging.interrupt);
    return done;
}

/* --- verify --- */

static bool tell_wrong(struct store *store, const struct rows *rows, size_t row,
                       const struct error *why, struct error *error)
{
    (void)store;
    (void)error;
    people_print(stdout, "wrong: task %s, %s on %s: %s\n", rows_named(rows, row, "id"),
                 rows_named(rows, row, "solver"), rows_named(rows, row, "label"), why->text);
    return true;
}

static void tell_absent(const char *why)
{
    complain("verify: %s", why);
}

static void print_summary(const struct judged *judged)
{
    people_print(stdout, "plans: %zu judged again, %zu right, %zu wrong",
                 judged->right + judged->wrong, judged->right, judged->wrong);
    if (judged->unjudged > 0)
        people_print(stdout, "; %zu not judged, whose instances are not here", judged->unjudged);
    if (judged->refused > 0)
        people_print(stdout, "; %zu refused when they were recorded", judged->refused);
    people_print(stdout, "; tasks without a plan: %zu", judged->without);
    if (judged->others > 0)
        people_print(stdout, ", and %zu of kernels and runs, which keep none", judged->others);
    putchar('\n');
    people_print(stdout,
                 "looked at: offsets, peaks, outcomes, replays, bounds against load and peak, rows'"
                 " checksums; not at: whether a bound above the load holds, times, memory,"
                 " provenance\n");
}

int verify_stored(const char *dir)
{
    static const struct judge_talk talk = {tell_wrong, tell_absent};
    struct error error = {""};
    struct store *store = store_open(dir, false, &error);
    struct rows unsummed = {0};
    struct judged judged = {0};
    int status = STATUS_USAGE;

    if (store != NULL && store_unsummed(store, &unsummed, &error) &&
        judge_store(store, &talk, &judged, &error)) {
        for (size_t i = 0; i < unsummed.count; i++)
            people_print(stdout, "%s\n", rows_text(&unsummed, i, 0));
        print_summary(&judged);
        status = judged.wrong == 0 && judged.right > 0 && unsummed.count == 0 ? STATUS_DONE
                                                                              : STATUS_FAILED;
        if (judged.signal != 0)
            status = 128 + judged.signal;
        else if (judged.wrong + judged.right == 0)
            complain("verify: no plan in %s could be judged", dir);
    } else {
        complain("verify: %s", error.text);
    }
    rows_clear(&unsummed);
    store_close(store);
    return status;
}
