/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What else the machine did while an experiment ran.  */
#include <config.h>

#include <stdlib.h>

#include "harness/run/load.h"
#include "harness/store/store.h"
#include "harness/sweep/sweep.h"
#include "lib/base/memory.h"

bool sweep_run_noted(struct sweep *sweep, size_t experiment, int *signal, struct error *error)
{
    struct load before, after;
    char *name, *text;
    bool done;

    load_read(&before);
    done = sweep_run(sweep, experiment, signal, error);
    load_read(&after);
    if (!done)
        return false;
    name = memory_printf("load during %s", sweep->experiment[experiment]->name);
    text = load_text(&before, &after);
    done = store_add_pair(sweep->store, name, text, error);
    free(text);
    free(name);
    return done;
}
