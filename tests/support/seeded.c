#include <config.h>

#include "tests/support/seeded.h"

#include <math.h>
#include <string.h>

#include "lib/base/rng.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/memory.h"
#include "runtime/run.h"

/* --- elements --- */

static void fill(struct rng *rng, float *element, int64_t count, double middle, double reach)
{
    for (int64_t i = 0; i < count; i++)
        element[i] = (float)(middle + reach * (2.0 * rng_unit(rng) - 1.0));
}

static struct elements *stored_elements(struct rng *rng, const struct value *value)
{
    int64_t count = value_elements(value);
    struct elements *elements = elements_new((size_t)value_bytes(value));
    int64_t sum = value->rank > 1 && value->dim[0] > 0 ? count / value->dim[0] : 1;

    if (value->dtype != DTYPE_F32)
        return elements;
    if (value->role == VALUE_STATISTIC)
        fill(rng, elements->data, count, 1.0, 0.5);
    else
        fill(rng, elements->data, count, 0.0, sqrt(5.0 / (double)(sum > 5 ? sum : 5)));
    return elements;
}

void seeded_store(struct network *network, uint32_t seed)
{
    struct rng *rng = rng_new(seed);

    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];

        if (value->producer != NETWORK_NONE || value->role == VALUE_INPUT ||
            (value->dtype != DTYPE_F32 && value->elements != NULL))
            continue;
        network_set_elements(network, v, stored_elements(rng, value));
    }
    rng_free(rng);
}

void seeded_inputs(const struct network *network, const struct run_memory *memory, uint32_t seed)
{
    struct rng *rng = rng_new(seed);

    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        int64_t count = value_elements(value);

        if (value->role != VALUE_INPUT)
            continue;
        memset(memory->value[v], 0, (size_t)value_bytes(value));
        if (value->dtype == DTYPE_F32)
            fill(rng, memory->value[v], count, 0.0, 1.0);
        for (int64_t i = 0; i < count && value->dtype == DTYPE_I32; i++)
            ((int32_t *)memory->value[v])[i] = (int32_t)rng_range(rng, 0, 7);
        for (int64_t i = 0; i < count && value->dtype == DTYPE_I64; i++)
            ((int64_t *)memory->value[v])[i] = rng_range(rng, 0, 7);
    }
    rng_free(rng);
}

/* --- running and comparing --- */

struct run_memory *seeded_run(const struct instance *instance, const struct plan *plan,
                              uint32_t seed, struct error *error)
{
    const struct origin *origin = instance->origin;
    struct run_memory *memory = plan == NULL ? run_memory_plain(origin->network)
                                             : run_memory_planned(instance, plan, error);
    struct run *run = memory == NULL ? NULL
                                     : run_new(origin->network, origin->schedule, memory,
                                               &(struct run_options){.threads = 1}, error);
    bool good = run != NULL;

    if (good) {
        seeded_inputs(origin->network, memory, seed);
        good = run_once(run, error);
    }
    run_free(run);
    if (good)
        return memory;
    run_memory_free(memory);
    return NULL;
}

bool seeded_same(const struct network *network, const struct run_memory *a,
                 const struct run_memory *b)
{
    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].output &&
            memcmp(a->value[v], b->value[v], (size_t)value_bytes(&network->value[v])) != 0)
            return false;
    return true;
}

bool seeded_telling(const struct network *network, const struct run_memory *memory)
{
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        const float *element = memory->value[v];
        int64_t count = value_elements(value), alike = 0;

        if (!value->output || value->dtype != DTYPE_F32)
            continue;
        for (int64_t i = 0; i < count; i++) {
            if (!isfinite(element[i]))
                return false;
            alike += element[i] == element[0];
        }
        if (count > 1 && alike == count)
            return false;
    }
    return true;
}
