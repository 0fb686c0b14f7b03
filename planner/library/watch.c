/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/library/watch.h"

#include "lib/base/memory_scope.h"
#include "planner/arenaplan.h"

/* After WATCH_NEVER, and sums of such times still are numbers.  */
#define AFTER_ALL 1e300

/* Where the caller's functions are called: without scope and clock.  */
struct outside {
    struct memory_scope *scope;
    const struct timer_source *source;
};

static struct outside leave(void)
{
    return (struct outside){memory_scope_suspend(), timer_use(NULL)};
}

static void come_back(struct outside outside)
{
    timer_use(outside.source);
    memory_scope_resume(outside.scope);
}

static double ask_clock(const struct watch *watch)
{
    const struct arenaplan_options *options = watch->options;

    return options->clock == NULL ? timer_now() : options->clock(options->context);
}

static double now(void *context)
{
    struct watch *watch = context;
    const struct arenaplan_options *options = watch->options;
    struct outside outside;
    double time;

    if (watch->over)
        return AFTER_ALL;
    if (options->stop == NULL && options->clock == NULL) {
        timer_use(NULL);
        time = timer_now();
        timer_use(&watch->source);
        return time;
    }
    outside = leave();
    if (options->stop != NULL && options->stop(options->context))
        watch_stop(watch);
    time = ask_clock(watch);
    come_back(outside);
    return watch->over ? AFTER_ALL : time;
}

void watch_begin(struct watch *watch, const struct arenaplan_options *options)
{
    *watch = (struct watch){
        .options = options,
        .source = {now, watch},
        .deadline = WATCH_NEVER,
    };
    watch->begun = ask_clock(watch);
    if (options->seconds > 0.0 && options->seconds < WATCH_NEVER)
        watch->deadline = watch->begun + options->seconds;
}

void watch_stop(struct watch *watch)
{
    watch->over = true;
}

double watch_seconds(const struct watch *watch)
{
    return ask_clock(watch) - watch->begun;
}

void watch_tell_plan(struct watch *watch, const int64_t *offset, size_t count, int64_t peak)
{
    const struct arenaplan_options *options = watch->options;
    struct outside outside;

    if (options->better == NULL)
        return;
    outside = leave();
    options->better(options->context, offset, count, peak);
    come_back(outside);
}

void watch_tell_bound(struct watch *watch, int64_t bound)
{
    const struct arenaplan_options *options = watch->options;
    struct outside outside;

    if (options->bound == NULL)
        return;
    outside = leave();
    options->bound(options->context, bound);
    come_back(outside);
}
