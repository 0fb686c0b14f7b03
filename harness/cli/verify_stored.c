/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/verify_stored.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/stored_plan.h"
#include "harness/io/interrupt.h"
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

struct judging {
    struct store *store;
    struct status_line line;
    struct interrupt interrupt;
    size_t plans;    /* that are stored and count */
    size_t right;    /* of these */
    size_t wrong;    /* likewise */
    size_t unjudged; /* of instances that can't be made here */
    size_t refused;  /* when they were recorded */
    size_t without;  /* tasks of planners that ended without a plan */
    size_t others;   /* tasks of kernels and runs, of which no plan is kept */
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

static void judge_row(struct judging *judging, const struct rows *rows, size_t row,
                      const struct instance *instance)
{
    struct error error = {""};
    struct instance *rounded =
        instance->native ? round_natively(rows, row, instance, &error) : NULL;

    judging->plans++;
    if (error.text[0] != '\0') {
        judging->unjudged++;
        complain("verify: task %s: %s", rows_named(rows, row, "id"), error.text);
    } else if (judge(rows, row, instance, rounded != NULL ? rounded : instance, &error)) {
        judging->right++;
    } else {
        judging->wrong++;
        status_line_clear(&judging->line);
        people_print(stdout, "wrong: task %s, %s on %s: %s\n", rows_named(rows, row, "id"),
                     rows_named(rows, row, "solver"), rows_named(rows, row, "label"), error.text);
    }
    instance_free(rounded);
}

/* --- all of them --- */

/* A result that was refused when it was recorded is known to be wrong.  */
#define COUNTS "p.offsets is not null and t.outcome <> 'invalid'"

static bool judge_workload(struct judging *judging, const struct rows *workloads, size_t w,
                           struct error *error)
{
    static const char sql[] =
        "select t.id, t.contestant, " STORE_TASK_LABEL " as solver, w.label, t.outcome, p.peak,"
        " p.lower_bound, p.replay, hex(p.offsets) as offsets from task t"
        " join workload w on w.id = t.workload join plan p on p.task = t.id"
        " where t.workload = cast(?1 as integer) and " COUNTS " order by t.id";
    const char *id = rows_named(workloads, w, "id");
    const char *label = rows_named(workloads, w, "label");
    struct instance *instance;
    struct rows rows;
    bool done = rows_query(&rows, judging->store, sql, &id, 1, error);
    struct error fault = {""};

    if (done && rows.count > 0) {
        instance = stored_instance(label, rows_named(workloads, w, "checksum"), &fault);
        if (instance == NULL) {
            judging->plans += rows.count;
            judging->unjudged += rows.count;
            complain("verify: %s", fault.text);
        }
        for (size_t r = 0; instance != NULL && r < rows.count && judging->interrupt.signal == 0;
             r++) {
            judge_row(judging, &rows, r, instance);
            interrupt_take(&judging->interrupt);
            if (status_line_due(&judging->line))
                status_line_show(&judging->line, "%s, %zu plans: %s", judging->line.elapsed,
                                 judging->plans, label);
        }
        instance_free(instance);
    }
    rows_clear(&rows);
    return done;
}

static bool count(struct judging *judging, struct error *error)
{
    static const char sql[] =
        "select coalesce(sum(t.kind <> 'plan'), 0),"
        " coalesce(sum(t.kind = 'plan' and p.offsets is null), 0),"
        " coalesce(sum(t.kind = 'plan' and p.offsets is not null and t.outcome = 'invalid'), 0)"
        " from task t left join plan p on p.task = t.id";
    struct rows rows;
    bool done = rows_query(&rows, judging->store, sql, NULL, 0, error);

    if (done) {
        judging->others = strtoul(rows_text(&rows, 0, 0), NULL, 10);
        judging->without = strtoul(rows_text(&rows, 0, 1), NULL, 10);
        judging->refused = strtoul(rows_text(&rows, 0, 2), NULL, 10);
    }
    rows_clear(&rows);
    return done;
}

static bool judge_all(struct judging *judging, struct error *error)
{
    struct rows workloads = {0};
    bool done = count(judging, error) &&
                rows_query(&workloads, judging->store,
                           "select id, label, checksum from workload order by id", NULL, 0, error);

    for (size_t w = 0; done && w < workloads.count && judging->interrupt.signal == 0; w++)
        done = judge_workload(judging, &workloads, w, error);
    rows_clear(&workloads);
    return done;
}

static void print_summary(const struct judging *judging)
{
    people_print(stdout, "plans: %zu judged again, %zu right, %zu wrong",
                 judging->right + judging->wrong, judging->right, judging->wrong);
    if (judging->unjudged > 0)
        people_print(stdout, "; %zu not judged, whose instances are not here", judging->unjudged);
    if (judging->refused > 0)
        people_print(stdout, "; %zu refused when they were recorded", judging->refused);
    people_print(stdout, "; tasks without a plan: %zu", judging->without);
    if (judging->others > 0)
        people_print(stdout, ", and %zu of kernels and runs, which keep none", judging->others);
    putchar('\n');
}

int verify_stored(const char *dir)
{
    struct error error = {""};
    struct judging judging = {.store = store_open(dir, false, &error)};
    bool done = judging.store != NULL;
    int status = STATUS_USAGE;

    if (done && interrupt_watch(&judging.interrupt, &error)) {
        status_line_start(&judging.line);
        done = judge_all(&judging, &error);
        status_line_clear(&judging.line);
        if (done) {
            print_summary(&judging);
            status = judging.wrong == 0 && judging.right > 0 ? STATUS_DONE : STATUS_FAILED;
        }
        if (judging.interrupt.signal != 0)
            status = 128 + judging.interrupt.signal;
        interrupt_end(&judging.interrupt);
    }
    if (error.text[0] != '\0')
        complain("verify: %s", error.text);
    else if (status == STATUS_FAILED && judging.wrong == 0)
        complain("verify: no plan in %s could be judged", dir);
    store_close(judging.store);
    return status;
}
