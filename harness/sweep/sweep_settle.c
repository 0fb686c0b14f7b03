/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/store.h"
#include "harness/sweep/sweep.h"
#include "lib/base/timer.h"

struct sweep_clock sweep_clock_start(const struct sweep *sweep, size_t experiment)
{
    const double now = timer_now();

    return (struct sweep_clock){sweep->experiment[experiment]->name,
                                experiment_size_name(sweep->options.size), now, now};
}

struct store_used sweep_clock_take(struct sweep_clock *clock)
{
    const double now = timer_now(), passed = now - clock->used;

    clock->used = now;
    return (struct store_used){clock->experiment, clock->size, passed};
}

bool sweep_settle(struct sweep *sweep, struct sweep_clock *clock, bool now, struct error *error)
{
    struct store_used used;

    if (!now && (timer_now() - clock->settled < 1.0 || store_is_settled(sweep->store)))
        return true;
    used = sweep_clock_take(clock);
    clock->settled = clock->used;
    return store_add_used(sweep->store, &used, error) && store_settle(sweep->store, error);
}
