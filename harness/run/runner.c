/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/runner.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/watch.h"
#include "harness/run/cgroup.h"
#include "harness/run/child.h"
#include "harness/run/nested.h"
#include "harness/run/stream.h"
#include "lib/base/checked.h"
#include "lib/base/timer.h"
#include "lib/lifetimes/loops.h"
#include "lib/problem/instance.h"
#include "solvers/solver.h"

static void __attribute__((format(printf, 2, 3)))
set_reason(struct run_result *result, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(result->reason, sizeof result->reason, format, args);
    va_end(args);
}

/* --- the process that runs the solver --- */

struct call {
    const struct solver *solver;
    const struct instance *instance; /* as the solver sees it */
    const struct nest *nest;         /* of it; NULL: none */
    const struct params *params;
    uint32_t seed;
    const struct run_limits *limits;
    struct stream *stream;
    FILE *proof;
    const char *enter; /* as in struct solver_env */
};

static void send_incumbent(void *context, const struct plan *plan)
{
    stream_incumbent(context, plan);
}

static void send_bound(void *context, int64_t lower_bound)
{
    stream_bound(context, lower_bound);
}

static void solve(void *context)
{
    const struct call *call = context;
    const struct solver_env env = {
        .params = call->params,
        .seed = call->seed,
        .work_limit = call->limits->work,
        .time_limit = call->limits->time_s,
        .memory_limit = call->limits->memory_bytes,
        .cpu_limit = call->limits->cpu_s,
        .incumbent = send_incumbent,
        .bound = send_bound,
        .context = call->stream,
        .enter = call->enter,
        .statistics = stream_statistics(call->stream),
        .proof = call->proof,
    };
    struct plan *plan = plan_new(call->instance);
    enum outcome outcome;

    stream_start(call->stream);
    if (call->nest != NULL)
        outcome = nested_solve(call->solver, call->instance, call->nest, &env, plan);
    else
        outcome = call->solver->solve(call->instance, &env, plan);
    if (call->proof != NULL)
        fflush(call->proof); /* what is not there is no certificate */
    stream_end(call->stream, outcome, plan);
}

static double started(void *context)
{
    const struct call *call = context;

    return stream_started(call->stream);
}

/* --- what it has left --- */

/* How the process ended, before anyone looked at its plan.  */
static enum outcome way_of_end(const struct stream_report *report, const struct child_end *end,
                               struct run_result *result)
{
    enum outcome outcome;

    /* Where the kernel has killed its programs for want of memory, it saw only that they died.  */
    if (report->state == STREAM_ENDED && (!end->exceeded || report->returned == OUTCOME_INVALID)) {
        set_reason(result, "%s", report->note);
        return report->returned;
    }
    outcome = child_outcome(end, result->reason, sizeof result->reason);
    if (outcome == OUTCOME_CRASHED && end->signal == 0 && report->state == STREAM_READY)
        set_reason(result, "status %d before the solver was called", end->status);
    return outcome;
}

/* What a plan is checked against: the instance that was given, and the one whose
 * peak, load and bounds count, which is the same but for native alignment.  */
struct subject {
    const struct instance *given, *judged;
};

static bool verify(const struct subject *subject, struct run_result *result, struct error *error)
{
    const struct instance *instance = subject->given;
    double start = timer_now();
    bool good = verify_plan(subject->judged, result->plan, error);

    result->verify_s = timer_now() - start;
    if (!good || (instance->origin == NULL && instance->loops == NULL))
        return good;
    start = timer_now();
    good = verify_replay(instance, result->plan, &result->replay, error);
    result->replay_s = timer_now() - start;
    return good;
}

static enum outcome refuse(struct run_result *result, const char *why)
{
    set_reason(result, "%s", why);
    result->lower_bound = result->load; /* who is wrong here may be wrong there */
    result->joined_bound = 0;
    return OUTCOME_INVALID;
}

/* The first that applies, in the order of enum outcome.  */
static enum outcome judge(const struct subject *subject, enum outcome end,
                          struct run_result *result)
{
    int64_t claimed = max64(result->lower_bound, result->joined_bound);
    struct error error = {""};

    if (result->plan != NULL && !verify(subject, result, &error))
        return refuse(result, error.text);
    if (end == OUTCOME_INVALID) {
        error_set(&error, "%s", result->reason);
        return refuse(result, error.text);
    }
    if (result->plan != NULL && claimed > result->plan->peak) {
        error_set(&error, "it claims a lower bound of %" PRId64 ", its own plan has peak %" PRId64,
                  claimed, result->plan->peak);
        return refuse(result, error.text);
    }
    if (result->plan != NULL && result->plan->peak == result->lower_bound)
        return OUTCOME_OPTIMAL;
    if (result->plan == NULL && result->reason[0] == '\0')
        set_reason(result, "ended without a plan");
    if (end == OUTCOME_TIMEOUT || end == OUTCOME_MEMOUT || end == OUTCOME_CRASHED)
        return end;
    return result->plan != NULL ? OUTCOME_FEASIBLE : OUTCOME_CRASHED;
}

/* All that the child has left.  */
static enum outcome collect(const struct instance *instance, const struct stream *stream,
                            const struct child_end *end, struct run_result *result)
{
    struct stream_report report;
    enum outcome way;

    stream_report(stream, &report);
    way = way_of_end(&report, end, result);
    result->timed = way == OUTCOME_TIMEOUT;
    result->time_s = report.state == STREAM_READY     ? 0
                     : report.state == STREAM_STARTED ? end->moment - report.start
                                                      : report.end - report.start;
    result->cpu_s = end->cpu_s;
    result->rss_bytes = end->rss_bytes;
    result->nodes = report.nodes;
    result->statistics = report.statistics;
    result->n_events = stream_events(stream, &result->event, &result->events_lost);
    if (result->joined)
        result->joined_bound = report.bound;
    else
        result->lower_bound = max64(result->load, report.bound);
    result->plan = plan_new(instance);
    if (stream_plan(stream, result->plan)) {
        result->plan->nodes = report.nodes;
        memcpy(result->plan->note, report.note, sizeof report.note);
    } else {
        plan_free(result->plan);
        result->plan = NULL;
    }
    return way;
}

/* Whoever watches a run, and what is shown of it.  */
struct onlooker {
    const struct watch *watch;
    struct run_view *view;
    const struct stream *stream;
    const struct run_result *result;
};

static bool look(void *context)
{
    const struct onlooker *onlooker = context;
    struct run_view *view = onlooker->view;
    int64_t bound;

    view->has_plan = stream_progress(onlooker->stream, &bound, &view->peak);
    view->lower_bound =
        onlooker->result->joined ? onlooker->result->load : max64(onlooker->result->load, bound);
    return watch_goes_on(onlooker->watch);
}

/* Gives a task that starts processes a control group where there can be one.  False with a message
 * when there could, and is none.  */
static bool group(struct child_task *task, struct cgroup *cgroup, struct error *error)
{
    char *place = NULL;
    bool done = true;

    if (task->starts_processes)
        place = cgroup_place(&cgroup_of_this_process, error);
    if (place != NULL) {
        done = cgroup_make(cgroup, place, task->limits->memory_bytes, error);
        task->cgroup = cgroup;
    }
    free(place);
    return done;
}

static void run(const struct subject *subject, const struct watch *watch, struct run_view *view,
                struct call *call, struct run_result *result)
{
    struct onlooker onlooker = {watch, view, call->stream, result};
    struct watch child_watch;
    struct child_task task = {
        .watch = watch,
        .work = solve,
        .started = started,
        .context = call,
        .limits = call->limits,
        .starts_processes = (call->solver->capabilities & SOLVER_PROCESSES) != 0,
    };
    struct cgroup cgroup = {NULL, NULL};
    struct child_end end;
    struct error error;
    enum outcome way;

    if (watch != NULL && view != NULL) {
        child_watch = (struct watch){look, &onlooker, watch->period_s, watch->fd};
        task.watch = &child_watch;
    }
    result->outcome = OUTCOME_CRASHED;
    result->load = result->lower_bound = subject->judged->load;
    if (call->stream == NULL) {
        set_reason(result, "no memory to share with a process: %s", strerror(errno));
        return;
    }
    if (!group(&task, &cgroup, &error)) {
        set_reason(result, "%s", error.text);
        return;
    }
    call->enter = cgroup.enter;
    if (!child_run(&task, &end, &error)) {
        set_reason(result, "%s", error.text);
        return;
    }
    way = collect(subject->given, call->stream, &end, result);
    result->outcome = judge(subject, way, result);
    if (result->plan != NULL)
        result->plan->lower_bound = result->lower_bound;
}

static bool applies(const struct solver *solver, const struct instance *instance,
                    const struct params *params, struct run_result *result)
{
    struct error error = {""};

    if (instance->fixed > 0 && (solver->capabilities & SOLVER_FIXED) == 0)
        error_set(&error, "can't keep fixed offsets");
    else if (instance->max_alignment > 1 && (solver->capabilities & SOLVER_ALIGNMENT) == 0)
        error_set(&error, "takes no alignments above 1");
    else if (instance->pairs && (solver->capabilities & SOLVER_PAIRS) == 0)
        error_set(&error, "plans by lifetimes alone, but pairs of buffers say here who conflicts");
    else if (solver->applicable == NULL || solver->applicable(instance, params, &error))
        return true;
    result->outcome = OUTCOME_SKIPPED;
    set_reason(result, "%s", error.text);
    return false;
}

static void leave_origin(struct origin *origin)
{
    (void)origin; /* the instance that was given frees it */
}

/* Rounded as SOLVER rounds where it ships; NULL with no error where it rounds
 * nothing.  Buffers stand where they stood, so the origin is right for them too.  */
static struct instance *round_natively(const struct instance *instance,
                                       const struct native_alignment *native, struct error *error)
{
    struct instance *rounded;

    if (native->size <= 1 && native->offset <= 1)
        return NULL;
    rounded = instance_rounded(instance, native->size, native->offset, error);
    if (rounded != NULL) {
        rounded->origin = instance->origin;
        rounded->origin_free = leave_origin;
    }
    return rounded;
}

/* The bounding rectangles or the rounded buffers that CONTESTANT sees instead of
 * INSTANCE; NULL where it sees the instance, or with a reason where it can't.  */
static struct instance *make_seen(const struct instance *instance, bool native,
                                  const struct contestant *contestant, struct run_result *result)
{
    const struct solver *solver = contestant->entry->solver;
    const unsigned capabilities = solver_capabilities(solver, &contestant->params);
    struct error error = {""};
    struct instance *seen = NULL;

    if (native && instance->pairs)
        error_set(&error, "pairs of buffers say who conflicts, and are not rounded");
    else if (native)
        seen = round_natively(instance, &solver->native, &error);
    result->rounded = seen != NULL;
    if (error.text[0] != '\0')
        set_reason(result, "rounded as it does: %s", error.text);
    else if (seen == NULL && instance->shapes && (capabilities & SOLVER_SHAPES) == 0)
        seen = instance->pairs ? instance_joined_in_bytes(instance) : instance_joined(instance);
    result->joined = seen != NULL && !result->rounded;
    return seen;
}

void run_solver_watched(const struct instance *instance, const struct contestant *contestant,
                        uint32_t seed, const struct run_limits *limits, const struct watch *watch,
                        struct run_view *view, struct run_result *result)
{
    const struct solver *solver = contestant->entry->solver;
    const struct run_limits own = contestant_limits(contestant, limits);
    struct instance *seen;
    struct subject subject;
    struct call call = {
        .solver = solver,
        .nest = loop_layout_nest(instance->loops),
        .params = &contestant->params,
        .seed = seed,
        .limits = &own,
    };

    *result = (struct run_result){0};
    result->outcome = OUTCOME_SKIPPED;
    seen = make_seen(instance, own.native, contestant, result);
    if (result->reason[0] != '\0')
        return;
    call.instance = seen != NULL ? seen : instance;
    call.proof = seen != NULL ? NULL : contestant->proof;
    subject = (struct subject){instance, result->rounded ? seen : instance};
    if (applies(solver, call.instance, &contestant->params, result)) {
        call.stream = stream_new(instance->n);
        run(&subject, watch, view, &call, result);
        stream_free(call.stream);
    } else {
        result->joined = result->rounded = false;
    }
    instance_free(seen);
}

void run_solver(const struct instance *instance, const struct contestant *contestant, uint32_t seed,
                const struct run_limits *limits, struct run_result *result)
{
    run_solver_watched(instance, contestant, seed, limits, NULL, NULL, result);
}

void run_result_clear(struct run_result *result)
{
    plan_free(result->plan);
    free(result->event);
    *result = (struct run_result){0};
}

static bool has_verified_plan(const struct run_result *result)
{
    return result->plan != NULL && result->outcome != OUTCOME_INVALID;
}

void run_result_apply_bound(struct run_result *result, int64_t best_bound)
{
    if (result->outcome == OUTCOME_SKIPPED)
        return;
    result->lower_bound = max64(result->lower_bound, best_bound);
    if (has_verified_plan(result) && result->plan->peak == result->lower_bound)
        result->outcome = OUTCOME_OPTIMAL;
}
