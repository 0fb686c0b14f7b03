/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/golden.h"

#include <stdio.h>

#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

struct instance *golden_instance(const char *name, const struct record *record, size_t count,
                                 int64_t shift, int64_t alignment)
{
    struct instance *instance = instance_new(name);

    for (size_t i = 0; i < count; i++) {
        char id[24];

        snprintf(id, sizeof id, "%zu", i);
        instance_add(instance, id, record[i].first, record[i].last + shift, record[i].size,
                     alignment);
    }
    return sealed(instance);
}

void golden_peak(const char *spec, const struct instance *instance, int64_t peak)
{
    struct plan *plan = solver_plan(spec, instance, 1);

    is_int(plan->peak, peak, "%s: peak of %s", instance->name, spec);
    plan_free(plan);
}

void golden_offsets(const char *spec, const struct instance *instance, const int64_t *offset)
{
    struct plan *plan = solver_plan(spec, instance, 1);

    for (size_t b = 0; b < instance->n; b++)
        is_int(plan->offset[b], offset[b], "%s: offset of buffer %zu by %s", instance->name, b,
               spec);
    plan_free(plan);
}

void golden_plans_of(const char *name, const struct record *record, size_t count, int64_t shift,
                     int64_t alignment, const int64_t *offset, const char *const *spec)
{
    struct instance *instance = golden_instance(name, record, count, shift, alignment);

    for (; *spec != NULL; spec++)
        golden_offsets(*spec, instance, offset);
    instance_free(instance);
}

void golden_objects(const char *spec, const struct instance *instance, const int64_t *size,
                    size_t objects)
{
    struct plan *plan = solver_plan(spec, instance, 1);

    if (is_int((int64_t)plan->objects, (int64_t)objects, "%s: objects of %s", instance->name, spec))
        for (size_t o = 0; o < objects; o++)
            is_int(plan->object_size[o], size[o], "%s: object %zu of %s", instance->name, o, spec);
    plan_free(plan);
}

struct instance *golden_rows(const struct golden_row *row, size_t count, int64_t scale)
{
    struct instance *instance = instance_new("rows");

    for (size_t i = 0; i < count; i++)
        instance_add(instance, row[i].id, row[i].begin, row[i].end, row[i].size * scale, 1);
    return sealed(instance);
}

void golden_by_hand(const char *spec, const struct golden_row *row, size_t count)
{
    struct instance *instance = golden_rows(row, count, 1);
    struct plan *plan = solver_plan(spec, instance, 1);

    for (size_t i = 0; i < count; i++)
        is_int(plan->offset[i], row[i].offset, "%s: offset of %s", spec, row[i].id);
    plan_free(plan);
    instance_free(instance);
}
