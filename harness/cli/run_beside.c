/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/run_beside.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/beside/beside.h"
#include "harness/io/options.h"
#include "harness/timing/execution.h"
#include "lib/base/statistics.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "workloads/workload.h"

/* The path of the ONNX file that SPEC names; NULL with a message.  The caller frees it.  */
static char *model_of(const char *program, const char *spec, struct error *error)
{
    struct workload workload;
    char *path = NULL;

    if (!workload_parse(&workload, spec, error))
        return NULL;
    if (workload.kind == WORKLOAD_FILE && strcmp(workload.reader->name, "onnx") == 0)
        path = workload_real_path(workload.name);
    else
        error_set(error, "--beside %s: %s is no ONNX file", program, spec);
    workload_clear(&workload);
    return path;
}

bool run_beside_check(const char *program, const char *spec, struct error *error)
{
    char *path = model_of(program, spec, error);

    if (path == NULL)
        return false;
    free(path);
    return beside_known(program, error) || error_prefix(error, "--beside");
}

/* The cell of the column that is called so.  */
static void add_cell(struct table *table, const char *column, const struct run_beside *request,
                     const struct beside_answer *answer, double distance)
{
    struct interval interval = {0.0, INFINITY};

    statistics_median_interval(answer->round, answer->rounds, &interval);
    if (strcmp(column, "network") == 0)
        table_cell(table, "%s", request->instance->name);
    else if (strcmp(column, "kernels") == 0)
        table_cell(table, "%s", answer->library);
    else if (strcmp(column, "threads") == 0)
        table_cell(table, "%d", request->threads);
    else if (strcmp(column, "time_s") == 0)
        table_cell(table, "%.6g", statistics_median(answer->round, answer->rounds));
    else if (strcmp(column, "low_s") == 0 && isfinite(interval.high))
        table_cell(table, "%.6g", interval.low);
    else if (strcmp(column, "high_s") == 0 && isfinite(interval.high))
        table_cell(table, "%.6g", interval.high);
    else if (strcmp(column, "rounds") == 0)
        table_cell(table, "%zu", answer->rounds);
    else if (strcmp(column, "resident_bytes") == 0 && answer->resident_bytes > 0)
        table_cell(table, "%" PRId64, answer->resident_bytes);
    else if (strcmp(column, "distance") == 0)
        table_cell(table, "%.3g", distance);
    else if (strcmp(column, "bound") == 0)
        table_cell(table, "%.3g", BESIDE_BOUND);
    else
        table_cell(table, "%s", "");
}

void run_beside(const struct run_beside *beside, struct table *table,
                const struct table_column *columns, size_t count)
{
    struct error error;
    char *model = model_of(beside->program, beside->spec, &error);
    const struct beside_request request = {
        .program = beside->program,
        .model = model,
        .network = beside->instance->origin->network,
        .threads = beside->threads,
        .rounds = beside->execution->rounds,
        .output = beside->execution->output,
        .limits = &beside->limits,
    };
    struct beside other;

    if (model == NULL) {
        complain("run: %s", error.text);
        return;
    }
    if (beside_run(&other, &request, &error)) {
        for (size_t c = 0; c < count; c++)
            add_cell(table, columns[c].name, beside, &other.answer, other.distance);
        if (!(other.distance <= BESIDE_BOUND))
            complain("run: %s: %s gives another output '%s', by %.3g of its largest element",
                     beside->instance->name, other.answer.library, other.farthest, other.distance);
    } else {
        complain("run: %s: no row of %s: %s", beside->instance->name,
                 other.answer.library[0] != '\0' ? other.answer.library : beside->program,
                 error.text);
    }
    beside_clear(&other);
    free(model);
}
