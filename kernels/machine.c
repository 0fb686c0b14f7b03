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

/* The calls that are timed: tiles without channels, which only load and store
 * their accumulators, then few and many channels in one tile and in several.  */
enum { ONE_SUM, ALL_SUMS, FEW_ONE, MANY_ONE, FEW_TILES, MANY_TILES, CALLS };
static const struct {
    int vectors, width;
    int64_t channels, tiles;
} probed[CALLS] = {
    [ONE_SUM] = {1, 1, 0, PROBE_TILES},
    [ALL_SUMS] = {PROBE_VECTORS, PROBE_WIDTH, 0, PROBE_TILES},
    [FEW_ONE] = {PROBE_VECTORS, PROBE_WIDTH, PROBE_CHANNELS, 1},
    [MANY_ONE] = {PROBE_VECTORS, PROBE_WIDTH, 4 * PROBE_CHANNELS, 1},
    [FEW_TILES] = {PROBE_VECTORS, PROBE_WIDTH, PROBE_CHANNELS, PROBE_TILES},
    [MANY_TILES] = {PROBE_VECTORS, PROBE_WIDTH, 4 * PROBE_CHANNELS, PROBE_TILES},
};

/* What a call costs beside its multiply-adds: its time is a straight line in
 * the channels, of which two points are given, and this is where it begins.  */
static double empty(double few, double many)
{
    return fmax(0.0, few - (many - few) / 3.0);
}

static void measure_tiles(struct machine *machine, enum isa isa, double seconds)
{
    const int rounds = 5; /* a slow period of the machine must not hit one call alone */
    const double sums = PROBE_VECTORS * PROBE_WIDTH;
    struct tile_probe probe = {.isa = isa, .seconds = seconds / rounds / CALLS};
    double best[CALLS], one, more;

    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < CALLS; i++) {
            double time = time_call(&probe, probed[i].vectors, probed[i].width, probed[i].channels,
                                    probed[i].tiles);

            best[i] = round == 0 ? time : fmin(best[i], time);
        }
    machine->accumulator_s =
        fmax(0.0, (best[ALL_SUMS] - best[ONE_SUM]) / PROBE_TILES / (sums - 1.0));
    one = empty(best[FEW_ONE], best[MANY_ONE]);
    more = empty(best[FEW_TILES], best[MANY_TILES]);
    machine->tile_s = fmax(0.0, (more - one) / (PROBE_TILES - 1) - sums * machine->accumulator_s);
    machine->call_s = fmax(0.0, one - machine->tile_s - sums * machine->accumulator_s);
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
