/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/sweep_case.h"

#include "harness/store/store.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

struct experiment *sweep_case_read(const char *text)
{
    struct error error = {""};
    struct experiment *experiment = experiment_parse("tiny.cfg", text, &error);

    if (experiment == NULL)
        tap_diag("%s", error.text);
    return experiment;
}

bool sweep_case_begin(struct sweep *sweep, struct experiment *experiment, const char *dir,
                      const char *processor, bool retry)
{
    const struct sweep_options options = {
        .output = dir, .size = EXPERIMENT_QUICK, .jobs = 2, .retry = retry};
    const struct store_pair machine = {"processor", processor};
    struct error error = {""};
    struct store *store = store_open(dir, true, &error);
    bool done;

    *sweep = (struct sweep){.store = store};
    if (store != NULL)
        store_begin_sweep(store, &machine, 1);
    done = store != NULL && experiment != NULL &&
           sweep_plan(sweep, &options, &experiment, 1, &error) &&
           sweep_look_up(sweep, store, &error);
    sweep->store = store;
    if (!done)
        tap_diag("%s", error.text);
    return done;
}

void sweep_case_end(struct sweep *sweep)
{
    struct store *store = sweep->store;

    sweep_clear(sweep);
    store_close(store);
}

int64_t sweep_case_run(struct experiment *experiment, const char *dir, const char *processor)
{
    struct error error = {""};
    struct sweep sweep;
    int64_t before = -1;
    int caught;

    if (sweep_case_begin(&sweep, experiment, dir, processor, false) &&
        sweep_register(&sweep, &error) && sweep_run(&sweep, 0, &caught, &error) &&
        sweep_write_csv(&sweep, 0, &error))
        before = (int64_t)sweep.done_before[0];
    else
        tap_diag("%s", error.text);
    sweep_case_end(&sweep);
    return before;
}

void is_stored(const char *dir, const char *sql, const char *want, const char *what)
{
    struct store *store = opened(dir, false);

    is_answer(store, sql, want, what);
    store_close(store);
}
