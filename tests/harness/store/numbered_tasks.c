/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/harness/store/numbered_tasks.h"

#include <stdlib.h>

#include "harness/store/store.h"
#include "lib/base/memory.h"

bool put_numbered_workload(struct store *store, int number, size_t buffers, int64_t *id,
                           struct error *error)
{
    const struct store_workload row = {.label = "uniform",
                                       .checksum = (uint64_t)number,
                                       .kind = "generator",
                                       .w = 5,
                                       .n = (int64_t)buffers};

    return store_put_workload(store, &row, id, error);
}

bool record_numbered_task(struct store *store, const char *experiment, int number, int64_t workload,
                          size_t buffers, struct error *error)
{
    const struct store_event event[] = {{"bound", 0.0, 1.5 * number},
                                        {"incumbent", 0.25, 3.0 * number}};
    const struct store_statistic statistic = {"conflicts", 7 * number};
    const struct store_use use = {experiment, "quick", number};
    char *params = memory_printf("%03d", number), *key = memory_printf("task %s build=1", params);
    int64_t *offset = memory_alloc(buffers, sizeof *offset);
    const struct store_task task = {.key = key,
                                    .kind = "plan",
                                    .workload = workload,
                                    .contestant = "naive",
                                    .params = params,
                                    .contestant_checksum = "1",
                                    .seed = number,
                                    .outcome = "feasible",
                                    .reason = "",
                                    .time_s = 0.01 * number,
                                    .layout = "arena",
                                    .replay = "none",
                                    .peak = 64 * 40,
                                    .lower_bound = 1000,
                                    .objects = 1,
                                    .offset = offset,
                                    .n = buffers,
                                    .event = event,
                                    .n_events = 2,
                                    .statistic = &statistic,
                                    .n_statistics = 1};
    uint64_t state = (uint64_t)number;
    bool done;

    /* Without a pattern, which would be packed into nothing.  */
    for (size_t b = 0; b < buffers; b++) {
        state = state * UINT64_C(6364136223846793005) + 1;
        offset[b] = 64 * (int64_t)((state >> 33) % 31);
    }
    done = store_record_task(store, &task, &use, 1, error);
    free(offset);
    free(key);
    free(params);
    return done;
}
