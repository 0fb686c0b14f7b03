/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "runtime/changes.h"

enum { ALIGNMENT = 64, CANARY = 0xa5 };

static void *take(struct run_memory *memory, size_t bytes)
{
    void *block = memory_aligned(ALIGNMENT, bytes + RUN_CANARY);

    /* Not zeros, which could hide that something was not written: NaN as f32 and f64.  */
    memset(block, 0xff, bytes + RUN_CANARY);
    memory->block =
        memory_grow(memory->block, &memory->capacity, memory->blocks + 1, sizeof *memory->block);
    memory->block[memory->blocks++] = block;
    return block;
}

/* Writes what stored value V begins as to its place, if that is known.  */
static void begin(const struct run_memory *memory, const struct network *network, size_t v)
{
    const struct value *value = &network->value[v];

    if (change_of(network, v) == CHANGE_STATE)
        memset(memory->value[v], 0, (size_t)value_bytes(value));
    else if (value->elements != NULL)
        memcpy(memory->value[v], value->elements->data, value->elements->bytes);
}

/* Memory of its own for value V; the elements of a stored one that stays as it is are its
 * memory.  */
static void place_alone(struct run_memory *memory, const struct network *network, size_t v)
{
    const struct value *value = &network->value[v];

    if (change_of(network, v) != CHANGE_NONE) {
        memory->value[v] = take(memory, (size_t)value_bytes(value));
        begin(memory, network, v);
        return;
    }
    if (value->elements != NULL) {
        memory->value[v] = value->elements->data;
        return;
    }
    memory->value[v] = take(memory, (size_t)value_bytes(value));
    memory->own_bytes += value_bytes(value);
}

static struct run_memory *new_memory(const struct network *network)
{
    struct run_memory *memory = memory_zalloc(1, sizeof *memory);

    memory->value = memory_zalloc(network->n_values, sizeof *memory->value);
    return memory;
}

struct run_memory *run_memory_beside(const struct network *network, void *const *given)
{
    struct run_memory *memory = new_memory(network);

    for (size_t v = 0; v < network->n_values; v++)
        if (given != NULL && given[v] != NULL)
            memory->value[v] = given[v];
        else
            place_alone(memory, network, v);
    return memory;
}

struct run_memory *run_memory_plain(const struct network *network)
{
    return run_memory_beside(network, NULL);
}

/* --- in an arena --- */

/* Bytes that this machine has; there is no use in trying to fill more.  */
static int64_t machine_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? (int64_t)pages * size : INT64_MAX;
}

static bool make_arena(struct run_memory *memory, struct run_arena *arena, int64_t bytes,
                       struct error *error)
{
    int64_t most = machine_bytes();

    if (bytes > most - 2 * RUN_CANARY)
        return error_set(
            error, "an arena of %" PRId64 " bytes, and the machine has %" PRId64 " bytes of memory",
            bytes, most);
    arena->data = (unsigned char *)take(memory, (size_t)bytes + 2 * RUN_CANARY) + RUN_CANARY;
    arena->bytes = bytes;
    memset(arena->data - RUN_CANARY, CANARY, RUN_CANARY);
    memset(arena->data + bytes, CANARY, RUN_CANARY);
    return true;
}

/* What a value's address is a multiple of.  */
static int64_t element_alignment(const struct value *value)
{
    int64_t size = (int64_t)dtype_size(value->dtype);

    return size > 8 ? 8 : size;
}

static bool place_planned(struct run_memory *memory, const struct instance *instance,
                          const struct run_places *places, size_t v, struct error *error)
{
    const struct origin *origin = instance->origin;
    const struct value *value = &origin->network->value[v];
    const size_t b = origin->buffer[v];
    int64_t at;

    if (b == SIZE_MAX) {
        place_alone(memory, origin->network, v);
        return true;
    }
    at = places->offset[b] + origin->place[v];
    if (at % element_alignment(value) != 0)
        return error_set(error,
                         "'%s', of type %s, would lie at offset %" PRId64
                         ": plan with alignment=%" PRId64,
                         value->name, dtype_name(value->dtype), at, element_alignment(value));
    memory->value[v] = memory->arena[places->arena[b]].data + at;
    begin(memory, origin->network, v);
    return true;
}

struct run_memory *run_memory_placed(const struct instance *instance,
                                     const struct run_places *places, struct error *error)
{
    struct run_memory *memory = new_memory(instance->origin->network);
    bool good = true;

    memory->arenas = places->arenas;
    memory->arena = memory_zalloc(places->arenas, sizeof *memory->arena);
    for (size_t a = 0; a < places->arenas && good; a++)
        good = make_arena(memory, &memory->arena[a], places->bytes[a], error);
    for (size_t v = 0; v < instance->origin->network->n_values && good; v++)
        good = place_planned(memory, instance, places, v, error);
    if (good)
        return memory;
    run_memory_free(memory);
    return NULL;
}

struct run_memory *run_memory_planned(const struct instance *instance, const struct plan *plan,
                                      struct error *error)
{
    size_t *arena = memory_zalloc(instance->n, sizeof *arena);
    const struct run_places places = {1, &plan->peak, arena, plan->offset};
    struct run_memory *memory = run_memory_placed(instance, &places, error);

    memory_free(arena);
    return memory;
}

size_t run_memory_arena(const struct run_memory *memory, const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    size_t a = 0;

    while (a < memory->arenas &&
           (at < (uintptr_t)memory->arena[a].data ||
            at >= (uintptr_t)memory->arena[a].data + (uintptr_t)memory->arena[a].bytes))
        a++;
    return a;
}

void run_memory_free(struct run_memory *memory)
{
    if (memory == NULL)
        return;
    for (size_t i = 0; i < memory->blocks; i++)
        free(memory->block[i]);
    free(memory->block);
    free(memory->value);
    free(memory->arena);
    free(memory);
}

static bool is_intact(const struct run_arena *arena)
{
    for (int i = 1; i <= RUN_CANARY; i++)
        if (arena->data[-i] != CANARY || arena->data[arena->bytes + i - 1] != CANARY)
            return false;
    return true;
}

bool run_memory_intact(const struct run_memory *memory)
{
    bool intact = true;

    for (size_t a = 0; a < memory->arenas; a++)
        intact = intact && is_intact(&memory->arena[a]);
    return intact;
}
