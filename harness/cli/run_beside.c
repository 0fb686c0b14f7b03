/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/run_beside.h"

#include <stdlib.h>
#include <string.h>

#include "harness/beside/beside.h"
#include "harness/cli/run_table.h"
#include "harness/io/options.h"
#include "harness/timing/execution.h"
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
        error_set(error, "--beside %s: %s is not an ONNX file", program, spec);
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

/* In the order of the columns of run_summary.  */
static void add_row(struct table *table, const struct run_beside *request,
                    const struct beside *other)
{
    const struct beside_answer *answer = &other->answer;

    table_texts(table, request->instance->name, NULL, answer->library);
    table_ints(table, request->threads);
    run_add_times(table, answer->round, answer->rounds);
    table_ints(table, (int64_t)answer->rounds, TABLE_NONE, TABLE_NONE, TABLE_NONE, TABLE_NONE,
               TABLE_NONE, TABLE_NONE,
               answer->resident_bytes > 0 ? answer->resident_bytes : TABLE_NONE, TABLE_NONE,
               TABLE_NONE, TABLE_NONE, TABLE_NONE, TABLE_NONE);
    table_texts(table, NULL);
    table_cell(table, "%.3g", other->distance); /* of NaNs too */
    table_cell(table, "%.3g", BESIDE_BOUND);
}

void run_beside(const struct run_beside *beside, struct table *table)
{
    struct error error;
    char *model = model_of(beside->program, beside->spec, &error);
    const struct beside_request request = {
        .program = beside->program,
        .model = model,
        .network = beside->instance->origin->network,
        .threads = beside->threads,
        .rounds = beside->execution->rounds,
        .given = beside->given,
        .output = beside->execution->output,
        .limits = &beside->limits,
    };
    struct beside other;

    if (model == NULL) {
        complain("run: %s", error.text);
        return;
    }
    if (beside_run(&other, &request, &error)) {
        add_row(table, beside, &other);
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
