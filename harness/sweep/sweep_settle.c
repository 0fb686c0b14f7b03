/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/store.h"
#include "harness/sweep/sweep.h"
#include "lib/base/timer.h"

bool sweep_settle(struct sweep *sweep, size_t experiment, bool now, double *last,
                  struct error *error)
{
    const double time = timer_now(), passed = time - *last;

    if (!now && (passed < 1.0 || store_is_settled(sweep->store)))
        return true;
    *last = time;
    return store_add_used(sweep->store, sweep->experiment[experiment]->name,
                          experiment_size_name(sweep->options.size), passed, error) &&
           store_settle(sweep->store, error);
}
