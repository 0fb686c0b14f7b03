/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a dump of MegEngine's: refused with a message that begins with the
 * file's name, or accepted, and then a plan of stacked buffers is good.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/fuzz/bytes.h"
#include "workloads/readers/megengine/dump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = bytes_text(data, size);
    struct error error = {""};
    struct instance *instance = megengine_dump_read(text, size, "fuzz.txt", "fuzz", &error);
    struct plan *plan;

    free(text);
    if (instance == NULL) {
        must(refused_at(&error, "fuzz.txt:"));
        return 0;
    }
    plan = plan_new(instance);
    for (size_t b = 1; b < instance->n; b++)
        plan->offset[b] = plan->offset[b - 1] + instance->buffer[b - 1].size;
    plan->peak = plan_peak(instance, plan);
    must(verify_plan(instance, plan, &error) && instance->load <= plan->peak);
    plan_free(plan);
    instance_free(instance);
    return 0;
}
