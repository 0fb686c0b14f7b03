#include <config.h>

#include "kernels/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/mgemm.h"
#include "kernels/pool.h"
#include "kernels/predict.h"
#include "kernels/probe.h"
#include "lib/memory.h"
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

/* What the probe of the tiles computes on: a tile of the middle of the list.  */
enum { PROBE_CHANNELS = 8, PROBE_TILES = 8, PROBE_VECTORS = 2, PROBE_WIDTH = 4, PROBE_TAPS = 3 };
enum { PROBE_FAR = 192 * 1024 }; /* bytes of weights for the second level of cache */

/* The calls that are timed: tiles without channels, which only load and store
 * their accumulators, then few and many channels in one tile and in several,
 * with one tap, and with weights that the first-level cache has no room for.  */
enum {
    ONE_SUM,
    ALL_SUMS,
    FEW,
    MANY,
    FEW_TILES,
    MANY_TILES,
    FEW_TAP,
    MANY_TAP,
    FEW_WIDE,
    MANY_WIDE,
    FEW_TALL,
    MANY_TALL,
    FAR,
    CALLS
};
static const struct tile_call {
    int vectors, width;
    int64_t channels, tiles, taps;
} probed[CALLS] = {
    [ONE_SUM] = {1, 1, 0, PROBE_TILES, PROBE_TAPS},
    [ALL_SUMS] = {PROBE_VECTORS, PROBE_WIDTH, 0, PROBE_TILES, PROBE_TAPS},
    [FEW] = {PROBE_VECTORS, PROBE_WIDTH, PROBE_CHANNELS, 1, PROBE_TAPS},
    [MANY] = {PROBE_VECTORS, PROBE_WIDTH, 4 * PROBE_CHANNELS, 1, PROBE_TAPS},
    [FEW_TILES] = {PROBE_VECTORS, PROBE_WIDTH, PROBE_CHANNELS, PROBE_TILES, PROBE_TAPS},
    [MANY_TILES] = {PROBE_VECTORS, PROBE_WIDTH, 4 * PROBE_CHANNELS, PROBE_TILES, PROBE_TAPS},
    [FEW_TAP] = {PROBE_VECTORS, PROBE_WIDTH, PROBE_CHANNELS, 1, 1},
    [MANY_TAP] = {PROBE_VECTORS, PROBE_WIDTH, 4 * PROBE_CHANNELS, 1, 1},
    [FEW_WIDE] = {1, 8, PROBE_CHANNELS, 1, PROBE_TAPS},
    [MANY_WIDE] = {1, 8, 4 * PROBE_CHANNELS, 1, PROBE_TAPS},
    [FEW_TALL] = {4, 2, PROBE_CHANNELS, 1, PROBE_TAPS},
    [MANY_TALL] = {4, 2, 4 * PROBE_CHANNELS, 1, PROBE_TAPS},
    [FAR] = {PROBE_VECTORS, PROBE_WIDTH, -1, 1, PROBE_TAPS},
};

struct tile_probe {
    enum isa isa;
    double seconds;
    float *filter; /* PROBE_FAR bytes */
    float input[4096], output[4096], bias[MGEMM_MAX_VECTOR_LENGTH * 4];
};

/* Channels whose weights are PROBE_FAR bytes.  */
static int64_t far_channels(enum isa isa)
{
    return PROBE_FAR / (PROBE_TAPS * PROBE_VECTORS * isa_vector(isa) * (int64_t)sizeof(float));
}

/* Seconds of one call of a blocked tile; the quickest of many short runs.  The
 * tiles of a call share input and output, the blocks of channels their input.  */
static double time_call(struct tile_probe *probe, const struct tile_call *tile)
{
    const struct mgemm_tile *use =
        mgemm_set(probe->isa)->tile[MGEMM_BLOCKED_1][0][tile->vectors - 1][tile->width - 1];
    const int64_t vector = isa_vector(probe->isa);
    const int64_t channels = tile->channels < 0 ? far_channels(probe->isa) : tile->channels;
    const uint32_t all = UINT32_MAX, columns[PROBE_TAPS] = {all, all, all}, rows = 1;
    const struct mgemm_call call = {.input = probe->input,
                                    .filter = probe->filter,
                                    .bias = probe->bias,
                                    .output = probe->output,
                                    .tiles = tile->tiles,
                                    .lines = 1,
                                    .filter_rows = 1,
                                    .columns = columns,
                                    .rows = &rows,
                                    .edge = MGEMM_WHOLE,
                                    .filter_channel = tile->taps * tile->vectors * vector,
                                    .channels = channels,
                                    .first_channels = channels < vector ? channels : vector,
                                    .taps = tile->taps,
                                    .input_tap = vector,
                                    .input_pixel = vector,
                                    .output_block = tile->width * vector};
    const int repeats = channels > 100 ? 20 : 200;
    const double end = timer_now() + probe->seconds;
    double best = INFINITY, start, now;

    do {
        start = timer_now();
        for (int i = 0; i < repeats; i++)
            mgemm_call_tile(use, &call, vector);
        now = timer_now();
        best = fmin(best, now - start);
    } while (now < end);
    return best / repeats;
}

/* A channel's share of a call whose time is a straight line in the channels, of
 * which two points are given; and what the call costs beside.  */
static double slope(double few, double many)
{
    return fmax(0.0, (many - few) / (3.0 * PROBE_CHANNELS));
}

static double empty(double few, double many)
{
    return fmax(0.0, few - PROBE_CHANNELS * slope(few, many));
}

/* A tile with many broadcasts and one with few, both bound by what can be
 * issued: two equations.  */
static void derive_issue(struct machine *machine, double wide_s, double tall_s)
{
    const struct predict_tile wide = {MGEMM_BLOCKED_1, 1, 1, 8, PROBE_TAPS, 1, false};
    const struct predict_tile tall = {MGEMM_BLOCKED_1, 1, 4, 2, PROBE_TAPS, 1, false};
    const struct predict_cost w = predict_tile(machine, &wide), t = predict_tile(machine, &tall);
    const double wi = (double)w.instructions, wb = (double)w.broadcasts;
    const double ti = (double)t.instructions, tb = (double)t.broadcasts;

    machine->broadcast_s = fmax(0.0, (wide_s * ti - tall_s * wi) / (wb * ti - tb * wi));
    machine->issue_s = fmax(0.0, (tall_s - tb * machine->broadcast_s) / ti);
}

/* What follows from the times of the calls.  */
static void derive_tiles(struct machine *machine, const double *best)
{
    const double sums = PROBE_VECTORS * PROBE_WIDTH, channel = slope(best[FEW], best[MANY]);
    const int64_t weights = PROBE_TAPS * PROBE_VECTORS * machine->vector * (int64_t)sizeof(float);
    const double farther =
        (double)weights * (machine_read(machine, PROBE_FAR) - machine->read_s[0]);
    double more;

    machine->accumulator_s =
        fmax(0.0, (best[ALL_SUMS] - best[ONE_SUM]) / PROBE_TILES / (sums - 1.0));
    more = empty(best[FEW_TILES], best[MANY_TILES]) - empty(best[FEW], best[MANY]);
    machine->tile_s = fmax(0.0, more / (PROBE_TILES - 1) - sums * machine->accumulator_s);
    machine->channel_s = fmax(0.0, slope(best[FEW_TAP], best[MANY_TAP]) - channel / PROBE_TAPS);
    if (!machine->fused)
        derive_issue(machine, slope(best[FEW_WIDE], best[MANY_WIDE]),
                     slope(best[FEW_TALL], best[MANY_TALL]));
    /* Caches that differ by less than the noise say nothing.  */
    if (farther > 0.02 * channel)
        machine->exposed =
            fmin(1.0, fmax(0.0, best[FAR] * (double)weights / PROBE_FAR - channel) / farther);
}

static void measure_tiles(struct machine *machine, enum isa isa, double seconds)
{
    const int rounds = 5; /* a slow period of the machine must not hit one call alone */
    struct tile_probe probe = {.isa = isa, .seconds = seconds / rounds / CALLS};
    double best[CALLS];

    probe.filter = memory_zalloc(1, PROBE_FAR);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < CALLS; i++) {
            double time = time_call(&probe, &probed[i]);

            best[i] = round == 0 ? time : fmin(best[i], time);
        }
    free(probe.filter);
    derive_tiles(machine, best);
}

/* The best time of a plan of a small pointwise layer, all in the first-level
 * cache, in SECONDS.  *TILES: how many register tiles that is.  */
static double time_plan(enum isa isa, const char *order, double seconds, int64_t *tiles)
{
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    const int64_t v = isa_vector(isa), pixels = 16 * PROBE_WIDTH, k = 4 * PROBE_VECTORS * v;
    const struct conv_request request = {
        .shape = {1, v, 1, pixels, k, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1}, .isa = isa, .threads = 1};
    char *text = memory_printf("co=%d,wo=%d,order=%s", PROBE_VECTORS * (int)v, PROBE_WIDTH, order);
    const double end = timer_now() + seconds;
    double best = INFINITY, start, now;
    struct error error = {""};
    struct params params;
    struct conv_plan plan;
    float *data;

    *tiles = 16 * 4;
    if (kernel == NULL || !params_parse(&params, "mgemm", text, &kernel->params, 1, &error))
        memory_exhausted();
    free(text);
    if (!conv_plan_make(&plan, kernel, &request, &params, &error))
        memory_exhausted();
    data = memory_zalloc((size_t)(v * pixels + plan.packed_floats + k * pixels), sizeof *data);
    do {
        start = timer_now();
        for (int i = 0; i < 50; i++)
            kernel->run(&plan, data, data + v * pixels, data + v * pixels + plan.packed_floats);
        now = timer_now();
        best = fmin(best, (now - start) / 50.0);
    } while (now < end);
    free(data);
    conv_plan_clear(&plan);
    params_clear(&params);
    return best;
}

/* A call for each tile against one for each block of channels.  */
static void measure_calls(struct machine *machine, enum isa isa, double seconds)
{
    double many = INFINITY, few = INFINITY;
    int64_t tiles;

    for (int round = 0; round < 5; round++) {
        few = fmin(few, time_plan(isa, "co-tile", seconds / 10, &tiles));
        many = fmin(many, time_plan(isa, "tile-co", seconds / 10, &tiles));
    }
    machine->call_s = fmax(0.0, many - few) / (double)(tiles - 4);
}

/* Others use the machine too: the best of many runs so short that some of them
 * are not interrupted.  */
static const double short_run_s = 1e-3;

static double best_flops(enum isa isa, struct pool *pool, double seconds)
{
    double best = 0.0;

    for (double spent = 0.0; spent < seconds; spent += short_run_s)
        best = fmax(best, probe_flops(isa, pool, fmin(seconds, short_run_s)));
    return best;
}

static double best_read(enum isa isa, int64_t bytes, double seconds)
{
    double best = 0.0;

    for (double spent = 0.0; spent < seconds; spent += short_run_s)
        best = fmax(best, probe_read(isa, bytes, fmin(seconds, short_run_s)));
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
    for (int i = 0; i < MACHINE_SIZES; i++) {
        const int64_t bytes = (int64_t)1 << (MACHINE_SMALLEST + i);

        machine->read_s[i] = 1.0 / best_read(isa, bytes, 3.0 * seconds / 8 / MACHINE_SIZES);
        if (i > 0)
            machine->read_s[i] = fmax(machine->read_s[i], machine->read_s[i - 1]);
    }
    machine->load_s = machine->read_s[0] * (double)sizeof(float) * machine->vector;
    measure_tiles(machine, isa, seconds / 4);
    measure_calls(machine, isa, seconds / 8);
    return true;
}
