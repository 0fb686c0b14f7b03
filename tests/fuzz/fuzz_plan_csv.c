/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a plan of a fixed instance: refused with a message that has a
 * place, or accepted, and then written and read back to the same plan.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/plan_csv.h"
#include "tests/fuzz/fixed_instance.h"

static struct plan *read_bytes(const void *data, size_t size, const struct instance *instance,
                               struct error *error)
{
    FILE *in = fmemopen((void *)data, size, "r");
    struct plan *plan;

    if (in == NULL)
        abort();
    plan = plan_csv_read(in, "fuzz.csv", instance, error);
    fclose(in);
    return plan;
}

static void check_round_trip(const struct instance *instance, const struct plan *plan)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    struct plan *again;

    if (out == NULL || !plan_csv_write(out, instance, plan))
        abort();
    fclose(out);
    again = read_bytes(text, length, instance, NULL);
    if (again == NULL || again->peak != plan->peak ||
        memcmp(again->offset, plan->offset, plan->n * sizeof *plan->offset) != 0)
        abort();
    plan_free(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct instance *instance = fixed_instance();
    struct plan *plan = read_bytes(data, size, instance, &error);

    if (plan != NULL)
        check_round_trip(instance, plan);
    else if (strncmp(error.text, "fuzz.csv:", 9) != 0)
        abort();
    plan_free(plan);
    instance_free(instance);
    return 0;
}
