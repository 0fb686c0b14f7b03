#include <config.h>

#include "kernels/machine.h"

#include <math.h>
#include <string.h>

#include "kernels/mgemm.h"
#include "kernels/pool.h"
#include "kernels/probe.h"
#include "lib/timer.h"

struct machine machine_known(enum isa isa)
{
    struct machine machine;

    memset(&machine, 0, sizeof machine);
    machine.vector = isa_vector(isa);
#ifdef __aarch64__
    machine.registers = 32;
    machine.fused = true;
#else
    machine.registers = isa == ISA_AVX512 ? 32 : 16;
    machine.fused = isa != ISA_GENERIC;
#endif
    return machine;
}

double machine_read(const struct machine *machine, double working_set)
{
    const double at = log2(fmax(working_set, 1.0)) - MACHINE_SMALLEST;
    const int below = (int)floor(fmin(fmax(at, 0.0), MACHINE_SIZES - 2));
    const double share = fmin(fmax(at - below, 0.0), 1.0);

    return machine->read_s[below] * (1.0 - share) + machine->read_s[below + 1] * share;
}

/* What the probe of the tiles computes on; small enough for any cache.  */
enum { PROBE_CHANNELS = 8, PROBE_TILES = 8, PROBE_VECTORS = 2, PROBE_WIDTH = 4 };

struct tile_probe {
    enum isa isa;
    double seconds;
    float input[4096], filter[4096], output[4096], bias[MGEMM_MAX_VECTOR_LENGTH * 4];
};

/* Seconds of one call of a blocked tile of three taps; the quickest of many
 * short runs.  The tiles of a call share input and output.  */
static double time_call(struct tile_probe *probe, int vectors, int width, int64_t channels,
                        int64_t tiles)
{
    mgemm_tile *run = mgemm_set(probe->isa)->tile[MGEMM_BLOCKED_1][0][vectors - 1][width - 1];
    const int64_t vector = isa_vector(probe->isa);
    const struct mgemm_call call = {.input = probe->input,
                                    .filter = probe->filter,
                                    .bias = probe->bias,
                                    .output = probe->output,
                                    .tiles = tiles,
                                    .filter_rows = 1,
                                    .channels = channels,
                                    .first_channels = channels < vector ? channels : vector,
                                    .taps = 3,
                                    .input_tap = vector,
                                    .input_pixel = vector,
                                    .output_block = width * vector};
    const int repeats = 200;
    const double end = timer_now() + probe->seconds;
    double best = INFINITY, start, now;

    do {
        start = timer_now();
        for (int i = 0; i < repeats; i++)
            run(&call);
        now = timer_now();
        best = fmin(best, now - start);
    } while (now < end);
    return best / repeats;
}

/* What a call costs beside its multiply-adds: its time is a straight line in
 * the channels, and this is where the line begins.  */
static double time_empty(struct tile_probe *probe, int64_t tiles)
{
    const int64_t few = PROBE_CHANNELS, many = 4 * PROBE_CHANNELS;
    const double low = time_call(probe, PROBE_VECTORS, PROBE_WIDTH, few, tiles);
    const double high = time_call(probe, PROBE_VECTORS, PROBE_WIDTH, many, tiles);

    return fmax(0.0, low - (high - low) * (double)few / (double)(many - few));
}

static void measure_tiles(struct machine *machine, enum isa isa, double seconds)
{
    struct tile_probe probe = {.isa = isa, .seconds = seconds / 6};
    const double accumulators = PROBE_VECTORS * PROBE_WIDTH;
    double one, more, small, large;

    /* Without channels only the accumulators are loaded and stored.  */
    small = time_call(&probe, 1, 1, 0, PROBE_TILES);
    large = time_call(&probe, PROBE_VECTORS, PROBE_WIDTH, 0, PROBE_TILES);
    machine->accumulator_s = fmax(0.0, (large - small) / PROBE_TILES / (accumulators - 1.0));
    one = time_empty(&probe, 1);
    more = time_empty(&probe, PROBE_TILES);
    machine->tile_s =
        fmax(0.0, (more - one) / (PROBE_TILES - 1) - accumulators * machine->accumulator_s);
    machine->call_s = fmax(0.0, one - machine->tile_s - accumulators * machine->accumulator_s);
}

/* Others use the machine too: the best of so many short runs.  */
enum { SHORT_RUNS = 16 };

static double best_flops(enum isa isa, struct pool *pool, double seconds)
{
    double best = 0.0;

    for (int i = 0; i < SHORT_RUNS; i++)
        best = fmax(best, probe_flops(isa, pool, seconds / SHORT_RUNS));
    return best;
}

static double best_read(enum isa isa, int64_t bytes, double seconds)
{
    double best = 0.0;

    for (int i = 0; i < SHORT_RUNS; i++)
        best = fmax(best, probe_read(isa, bytes, seconds / SHORT_RUNS));
    return best;
}

bool machine_measure(struct machine *machine, enum isa isa, double seconds, struct error *error)
{
    struct pool *pool = pool_new(1, error);

    if (pool == NULL)
        return false;
    *machine = machine_known(isa);
    machine->fma_s = 2.0 * machine->vector / best_flops(isa, pool, seconds / 8);
    pool_free(pool);
    machine->latency_s = fmax(machine->fma_s, probe_latency(isa, false, seconds / 16));
    machine->memory_s = fmax(machine->latency_s, probe_latency(isa, true, seconds / 16));
    measure_tiles(machine, isa, seconds / 4);
    for (int i = 0; i < MACHINE_SIZES; i++) {
        const int64_t bytes = (int64_t)1 << (MACHINE_SMALLEST + i);

        machine->read_s[i] = 1.0 / best_read(isa, bytes, seconds / 2 / MACHINE_SIZES);
        if (i > 0)
            machine->read_s[i] = fmax(machine->read_s[i], machine->read_s[i - 1]);
    }
    machine->load_s = machine->read_s[0] * (double)sizeof(float) * machine->vector;
    return true;
}
