/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a plan of a fixed instance: refused with a message that has a
 * place, or accepted, and then written and read back to the same plan.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "lib/problem/plan.h"
#include "lib/problem/plan_csv.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fixed_instance.h"

struct planned {
    const struct instance *instance;
    struct plan *plan;
};

static bool read_plan(void *into, FILE *in, const char *path, struct error *error)
{
    struct planned *planned = into;

    planned->plan = plan_csv_read(in, path, planned->instance, error);
    return planned->plan != NULL;
}

static bool write_plan(FILE *out, const void *from)
{
    const struct planned *planned = from;

    return plan_csv_write(out, planned->instance, planned->plan);
}

static bool same(const void *one, const void *other)
{
    const struct plan *a = ((const struct planned *)one)->plan;
    const struct plan *b = ((const struct planned *)other)->plan;

    return a->peak == b->peak && memcmp(a->offset, b->offset, a->n * sizeof *a->offset) == 0;
}

static void clear(void *one)
{
    plan_free(((struct planned *)one)->plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct bytes_format format = {read_plan, write_plan, same, clear};
    struct instance *instance = fixed_instance();
    struct planned planned = {instance, NULL}, again = {instance, NULL};

    bytes_round_trip(&format, &planned, &again, data, size);
    instance_free(instance);
    return 0;
}
