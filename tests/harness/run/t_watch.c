/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who looks on at runs and comparisons: what is seen, and that no means no.  */
#include <config.h>

#include "harness/run/runner.h"

#include <math.h>
#include <unistd.h>

#include "harness/io/watch.h"
#include "harness/run/comparison.h"
#include "lib/problem/instance.h"
#include "solvers/solver.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"
#include "tests/support/three_buffers.h"

/* Never ends by itself.  */
static enum outcome solve_for_ever(const struct instance *instance, const struct solver_env *env,
                                   struct plan *plan)
{
    (void)instance;
    place_three(plan, 2, 12, 17);
    env->incumbent(env->context, plan);
    env->bound(env->context, 16);
    for (;;)
        pause();
    return OUTCOME_FEASIBLE;
}

static const struct solver quick = {.name = "quick", .solve = solve_22};
static const struct solver endless = {.name = "endless", .solve = solve_for_ever};

/* Looks until there is a plan and a bound, or for so often.  */
struct onlooker {
    int looks, most;
    struct run_view view;
};

static bool look(void *context)
{
    struct onlooker *onlooker = context;
    const struct run_view *view = &onlooker->view;

    onlooker->looks++;
    return onlooker->most > 0 ? onlooker->looks < onlooker->most
                              : !view->has_plan || view->lower_bound < 16;
}

static void watch_run(struct onlooker *onlooker, double period_s, int fd, struct run_result *result)
{
    const struct watch watch = {look, onlooker, period_s, fd};
    const struct solver_entry entry = {&endless, "0"};
    const struct contestant contestant = {.entry = &entry};
    const struct run_limits none = {0};
    struct instance *instance = three(1);

    run_solver_watched(instance, &contestant, 1, &none, &watch, &onlooker->view, result);
    instance_free(instance);
}

static void a_run(void)
{
    struct onlooker onlooker = {0};
    struct run_result result;

    watch_run(&onlooker, 0.01, -1, &result);
    is_int(onlooker.view.peak, 17, "the peak is seen");
    is_int(onlooker.view.lower_bound, 16, "and the bound");
    is_text(outcome_name(result.outcome), "timeout", "a run that is ended is as at its limit");
    is_text(result.reason, "interrupted", "for another reason");
    ok(result.timed, "and can't be repeated");
    ok(result.plan != NULL && result.plan->peak == 17, "its plan is kept");
    is_int(result.lower_bound, 16, "its bound too");
    run_result_clear(&result);
}

/* The descriptor stays readable, so there is no wait between two looks.  */
static void a_descriptor(void)
{
    struct onlooker onlooker = {.most = 3};
    struct run_result result;
    int ends[2];

    if (!ok(pipe(ends) == 0 && write(ends[1], "", 1) == 1, "a descriptor that is readable"))
        return;
    watch_run(&onlooker, INFINITY, ends[0], &result);
    is_int(onlooker.looks, 3, "is looked at without a period");
    is_text(result.reason, "interrupted", "until it is enough");
    run_result_clear(&result);
    close(ends[0]);
    close(ends[1]);
}

/* Looks until the endless one is at work and has a plan.  */
static bool look_at_all(void *context)
{
    const struct comparison_view *view = &((const struct comparison *)context)->view;

    return view->started < 2 || !view->has_plan || view->peak != 17 || view->lower_bound != 16;
}

static void a_comparison(void)
{
    const struct solver_entry entry[] = {{&quick, "0"}, {&endless, "0"}, {&quick, "0"}};
    struct contestant contestant[] = {{.entry = &entry[0], .label = "first"},
                                      {.entry = &entry[1], .label = "second"},
                                      {.entry = &entry[2], .label = "third"}};
    const struct contestants contestants = {3, contestant};
    struct instance *instance = three(1);
    struct comparison comparison = {.instance = instance, .contestants = &contestants, .seed = 1};
    const struct watch watch = {look_at_all, &comparison, 0.01, -1};
    struct error error = {""};

    comparison.watch = &watch;

    if (ok(comparison_run(&comparison, 1, &error), "a comparison that is ended has rows")) {
        is_int((int64_t)comparison.view.started, 2, "two had begun");
        is_text(comparison.view.label, "second", "the second was at work");
        is_text(outcome_name(comparison.row[0].outcome), "feasible", "who had ended, has");
        is_text(comparison.row[1].reason, "interrupted", "who was at work, was ended");
        ok(comparison.row[1].has_plan && comparison.row[1].peak == 17, "with its plan");
        ok(comparison.row[2].missing && !comparison.row[1].missing,
           "who had not begun, has no row");
        is_int(comparison.bound, 16, "the bound is that of those who ran");
        comparison_clear(&comparison);
    }
    instance_free(instance);
}

int main(void)
{
    alarm(300); /* a wait that nobody ends */
    a_run();
    a_descriptor();
    a_comparison();
    return tap_done();
}
