/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks that run in several arenas: their outputs, and the bytes that are read and written in
 * each beside those of the buffers that lie there.  */
#include <config.h>

#include "runtime/memory.h"

#include "kernels/kernel.h"
#include "lib/base/memory.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "memories/traffic.h"
#include "runtime/compare.h"
#include "runtime/inputs.h"
#include "runtime/run.h"
#include "runtime/traffic.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

enum { ARENAS = 3, ALIGNMENT = 64 };

/* Buffers in turn in one arena after the other, none above another's bytes.  */
struct places {
    size_t *arena;
    int64_t *offset, bytes[ARENAS];
};

static struct run_places spread(struct places *places, const struct instance *instance)
{
    places->arena = memory_zalloc(instance->n, sizeof *places->arena);
    places->offset = memory_zalloc(instance->n, sizeof *places->offset);
    for (size_t a = 0; a < ARENAS; a++)
        places->bytes[a] = 0;
    for (size_t b = 0; b < instance->n; b++) {
        places->arena[b] = b % ARENAS;
        places->offset[b] = places->bytes[b % ARENAS];
        places->bytes[b % ARENAS] +=
            (instance->buffer[b].size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    return (struct run_places){ARENAS, places->bytes, places->arena, places->offset};
}

/* Whether as much was counted in each arena as is known of its buffers.  */
static bool is_counted(const struct instance *instance, const struct places *places,
                       const struct run_traffic *counted)
{
    int64_t reads[ARENAS] = {0}, writes[ARENAS] = {0};
    struct traffic traffic;
    struct error error;
    bool same = true;

    if (!traffic_find(instance, &traffic, &error))
        tap_bail(error.text);
    for (size_t b = 0; b < instance->n; b++) {
        reads[places->arena[b]] += traffic.reads[b];
        writes[places->arena[b]] += traffic.writes[b];
    }
    for (size_t a = 0; a < ARENAS; a++) {
        same = same && counted->reads[a] == reads[a] && counted->writes[a] == writes[a];
        if (!same)
            tap_diag("arena %zu: %lld read, %lld written; expected %lld and %lld", a,
                     (long long)counted->reads[a], (long long)counted->writes[a],
                     (long long)reads[a], (long long)writes[a]);
    }
    traffic_clear(&traffic);
    return same;
}

/* Runs it once; whether its outputs are those of a run with each value in memory of its own.  */
static bool run_in(const struct instance *instance, const struct run_places *places,
                   struct run_memory **memory, struct run_traffic *traffic)
{
    const struct origin *origin = instance->origin;
    struct run_options options = {.threads = 1};
    struct error error = {""};
    struct run_memory *plain = run_apart(origin->network, origin->schedule, &options, &error);
    struct run_inputs *inputs = run_inputs_new(origin->network, NULL);
    struct run *run;
    bool same;

    *memory = run_memory_placed(instance, places, &error);
    run = *memory == NULL ? NULL
                          : run_new(origin->network, origin->schedule, *memory, &options, &error);
    if (plain == NULL || run == NULL)
        tap_bail(error.text);
    run_traffic_init(traffic, *memory);
    run_traffic_begin(traffic, *memory, origin->network);
    run_count(run, traffic);
    run_inputs_write(inputs, *memory);
    same = run_once(run, &error) && run_differs(origin->network, *memory, plain) == NULL;
    run_free(run);
    run_inputs_free(inputs);
    run_memory_free(plain);
    return same;
}

static void network(const char *spec)
{
    struct instance *instance = runnable_of(spec);
    struct places places;
    struct run_places given = spread(&places, instance);
    struct run_memory *memory;
    struct run_traffic traffic;

    ok(run_in(instance, &given, &memory, &traffic), "%s: the outputs are those of a plain run",
       spec);
    ok(is_counted(instance, &places, &traffic), "... and bytes are counted where they are");
    ok(run_memory_intact(memory), "... and nobody wrote beside an arena");
    for (size_t a = 0; a < ARENAS; a++)
        for (int side = 0; side < 2; side++) {
            unsigned char *byte =
                memory->arena[a].data + (side == 0 ? -1 : (int)memory->arena[a].bytes);

            *byte ^= 1;
            ok(!run_memory_intact(memory), "... which is seen of arena %zu, side %d", a, side);
            *byte ^= 1;
        }
    run_memory_free(memory);
    run_traffic_clear(&traffic);
    memory_free(places.arena);
    memory_free(places.offset);
    instance_free(instance);
}

/* All buffers at the beginning of their arenas: it shows in the outputs.  */
static void overlapping(void)
{
    struct instance *instance = runnable_of("squeezenet1_1:size=64");
    struct places places;
    struct run_places given = spread(&places, instance);
    struct run_memory *memory;
    struct run_traffic traffic;

    for (size_t b = 0; b < instance->n; b++)
        places.offset[b] = 0;
    ok(!run_in(instance, &given, &memory, &traffic), "buffers that overlap are not");
    run_memory_free(memory);
    run_traffic_clear(&traffic);
    memory_free(places.arena);
    memory_free(places.offset);
    instance_free(instance);
}

int main(void)
{
    network("squeezenet1_1:size=64,io=both");
    network("densenet121:size=32,concat=place,inplace=nnc,alias=on");
    network("resnet18:size=32,train=sgd,weights=on");
    network("gru_lm:seq=3");
    overlapping();
    return tap_done();
}
