/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <string.h>

#include "harness/store/store.h"
#include "harness/store/store_conv.h"
#include "harness/store/store_execution.h"
#include "harness/store/store_private.h"
#include "harness/store/store_split.h"
#include "lib/base/check.h"

static void check_plan(const struct store_task *task)
{
    CHECK(task->peak >= task->lower_bound, "store", "no bound of a row is above its peak");
    CHECK(strcmp(task->outcome, "optimal") != 0 || task->peak == task->lower_bound, "store",
          "the peak of a row that is optimal is its bound");
    for (size_t b = 0; task->offset != NULL && b < task->n; b++)
        CHECK(task->offset[b] >= 0 && task->offset[b] < task->peak, "store",
              "the offsets of a row lie below its peak");
}

static void check_conv(const struct store_conv *conv)
{
    CHECK(!(conv->low_s > conv->high_s), "store", "an interval's ends are in order");
    CHECK(conv->threads > 0 && conv->rounds >= 0 && conv->compared >= 0, "store",
          "what a row of a kernel counts is not negative");
}

static void check_execution(const struct store_execution *execution)
{
    CHECK(!(execution->low_s > execution->high_s), "store", "an interval's ends are in order");
    CHECK(execution->threads > 0 && execution->rounds >= 0, "store",
          "what a row of an execution counts is not negative");
    CHECK((execution->rounds == 0) == (execution->arena_bytes == STORE_NULL), "store",
          "what was timed has an arena");
}

static void check_split(const struct store_split *split)
{
    CHECK(!(split->lower_bound > split->cost), "store", "no bound of a row is above its cost");
    CHECK(!(split->outside < 0.0 || split->outside > 1.0), "store", "a share is from 0 to 1");
}

void store_check_task(const struct store_task *task)
{
    CHECK(!(task->time_s < 0.0 || task->cpu_s < 0.0 || task->verify_s < 0.0 ||
            task->replay_s < 0.0 || task->harness_s < 0.0), /* what is missing is no number */
          "store", "the times of a row are not negative");
    CHECK((strcmp(task->kind, "conv") == 0) == (task->conv != NULL), "store",
          "a kernel's row has its figures");
    CHECK((strcmp(task->kind, "run") == 0) == (task->execution != NULL), "store",
          "a network's row has its figures");
    CHECK((strcmp(task->kind, "fit") == 0) == (task->split != NULL), "store",
          "the row of several memories has its figures");
    for (size_t i = 0; i < task->n_events; i++)
        CHECK(task->event[i].at_s >= 0.0, "store", "an event comes after the start");
    if (task->conv != NULL)
        check_conv(task->conv);
    else if (task->execution != NULL)
        check_execution(task->execution);
    else if (task->split != NULL)
        check_split(task->split);
    else if (task->peak != STORE_NULL && task->peak != 0 && strcmp(task->outcome, "invalid") != 0)
        check_plan(task);
}
