/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a recording in one of its formats: refused with a message that names the file, or
 * read, and then each pool is an instance whose recorded addresses are a valid plan.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/fuzz/bytes.h"
#include "traces/trace.h"

static void look_at(const struct trace *trace, size_t pool)
{
    struct error error = {""};
    struct instance *instance = trace_instance(trace, pool, &error);

    if (instance == NULL) {
        must(error.text[0] != '\0');
        return;
    }
    for (int closed = 0; closed < 2; closed++) {
        struct plan *plan = trace_plan(trace, pool, instance, closed, &error);
        struct trace_sample *sample;
        size_t count;

        if (plan == NULL)
            continue;
        must(verify_plan(instance, plan, NULL));
        sample = trace_samples(trace, pool, plan, &count);
        for (size_t i = 0; i < count; i++)
            must(sample[i].alive >= 0 && sample[i].alive <= sample[i].top &&
                 sample[i].top <= plan->peak);
        memory_free(sample);
        plan_free(plan);
    }
    instance_free(instance);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *in = bytes_file(data, size);
    struct error error = {""};
    struct trace *trace = trace_read(in, "fuzz.csv", &error);

    fclose(in);
    must(trace != NULL || refused_at(&error, "fuzz.csv:"));
    for (size_t p = 0; trace != NULL && p < trace->n_pools; p++)
        look_at(trace, p);
    trace_free(trace);
    return 0;
}
