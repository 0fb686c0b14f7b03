/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/model/machine_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/mgemm/mgemm_run.h"
#include "kernels/mgemm/mgemm_sets.h"
#include "kernels/model/probe.h"
#include "kernels/pool.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

enum { MANY_CHANNELS = MACHINE_FEW_CHANNELS + MACHINE_MORE_CHANNELS };

/* Channels < 0: as many as have MACHINE_FAR_BYTES of weights.  */
static const struct tile_call {
    int vectors, width;
    int64_t channels, tiles, taps;
} probed[MACHINE_CALLS] = {
    [MACHINE_ONE_SUM] = {1, 1, 0, MACHINE_TILES, MACHINE_TAPS},
    [MACHINE_ALL_SUMS] = {MACHINE_VECTORS, MACHINE_WIDTH, 0, MACHINE_TILES, MACHINE_TAPS},
    [MACHINE_FEW] = {MACHINE_VECTORS, MACHINE_WIDTH, MACHINE_FEW_CHANNELS, 1, MACHINE_TAPS},
    [MACHINE_MANY] = {MACHINE_VECTORS, MACHINE_WIDTH, MANY_CHANNELS, 1, MACHINE_TAPS},
    [MACHINE_FEW_TILES] = {MACHINE_VECTORS, MACHINE_WIDTH, MACHINE_FEW_CHANNELS, MACHINE_TILES,
                           MACHINE_TAPS},
    [MACHINE_MANY_TILES] = {MACHINE_VECTORS, MACHINE_WIDTH, MANY_CHANNELS, MACHINE_TILES,
                            MACHINE_TAPS},
    [MACHINE_FEW_TAP] = {MACHINE_VECTORS, MACHINE_WIDTH, MACHINE_FEW_CHANNELS, 1, 1},
    [MACHINE_MANY_TAP] = {MACHINE_VECTORS, MACHINE_WIDTH, MANY_CHANNELS, 1, 1},
    [MACHINE_FEW_WIDE] = {MACHINE_WIDE_VECTORS, MACHINE_WIDE_WIDTH, MACHINE_FEW_CHANNELS, 1,
                          MACHINE_TAPS},
    [MACHINE_MANY_WIDE] = {MACHINE_WIDE_VECTORS, MACHINE_WIDE_WIDTH, MANY_CHANNELS, 1,
                           MACHINE_TAPS},
    [MACHINE_FEW_TALL] = {MACHINE_TALL_VECTORS, MACHINE_TALL_WIDTH, MACHINE_FEW_CHANNELS, 1,
                          MACHINE_TAPS},
    [MACHINE_MANY_TALL] = {MACHINE_TALL_VECTORS, MACHINE_TALL_WIDTH, MANY_CHANNELS, 1,
                           MACHINE_TAPS},
    [MACHINE_FAR] = {MACHINE_VECTORS, MACHINE_WIDTH, -1, 1, MACHINE_TAPS},
};

struct tile_probe {
    enum isa isa;
    double seconds;
    float *filter; /* MACHINE_FAR_BYTES */
    float input[4096], output[4096], bias[MGEMM_MAX_VECTOR_LENGTH * 4];
};

/* Channels whose weights are MACHINE_FAR_BYTES.  */
static int64_t far_channels(enum isa isa)
{
    return MACHINE_FAR_BYTES /
           (MACHINE_TAPS * MACHINE_VECTORS * isa_vector(isa) * (int64_t)sizeof(float));
}

/* Seconds of one call of a blocked tile; the quickest of many short runs.  The
 * tiles of a call share input and output, the blocks of channels their input.  */
static double time_call(struct tile_probe *probe, const struct tile_call *tile)
{
    const struct mgemm_tile *const *tiles =
        mgemm_set(probe->isa)->tile[MGEMM_BLOCKED_1][0][tile->vectors - 1];
    const int64_t vector = isa_vector(probe->isa);
    const int64_t channels = tile->channels < 0 ? far_channels(probe->isa) : tile->channels;
    const uint32_t all = UINT32_MAX, columns[MACHINE_TAPS] = {all, all, all}, rows = 1;
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
            mgemm_call_tile(tiles, tile->width, &call, vector);
        now = timer_now();
        best = fmin(best, now - start);
    } while (now < end);
    return best / repeats;
}

static void time_tiles(struct machine_times *times, enum isa isa, double seconds)
{
    const int rounds = 5; /* a slow period of the machine must not hit one call alone */
    struct tile_probe probe = {.isa = isa, .seconds = seconds / rounds / MACHINE_CALLS};

    probe.filter = memory_zalloc(1, MACHINE_FAR_BYTES);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < MACHINE_CALLS; i++) {
            const double time = time_call(&probe, &probed[i]);

            times->call_s[i] = round == 0 ? time : fmin(times->call_s[i], time);
        }
    free(probe.filter);
}

/* The plan's best of many short runs.  */
static double time_runs(const struct conv_plan *plan, double seconds)
{
    const int64_t input = layout_floats(&plan->input), output = layout_floats(&plan->output);
    float *data = memory_zalloc((size_t)(input + plan->packed_floats + output), sizeof *data);
    const double end = timer_now() + seconds;
    double best = INFINITY, start, now;

    do {
        start = timer_now();
        for (int i = 0; i < 50; i++)
            plan->kernel->run(plan, data, data + input, data + input + plan->packed_floats);
        now = timer_now();
        best = fmin(best, (now - start) / 50.0);
    } while (now < end);
    free(data);
    return best;
}

bool machine_time_plan(double *time, enum isa isa, const char *params, double seconds,
                       struct error *error)
{
    const struct conv_kernel *kernel = conv_kernel_find("mgemm");
    const int64_t v = isa_vector(isa);
    const struct conv_request request = {
        .shape =
            conv_shape_pointwise(1, v, 1, MACHINE_TILE_CALLS / MACHINE_BLOCK_CALLS * MACHINE_WIDTH,
                                 MACHINE_BLOCK_CALLS * MACHINE_VECTORS * v),
        .isa = isa,
        .threads = 1};
    struct params parsed;
    struct conv_plan plan;
    bool good;

    if (!params_parse(&parsed, kernel->name, params, &kernel->params, 1, error))
        return false;
    good = conv_plan_make(&plan, kernel, &request, &parsed, error);
    params_clear(&parsed);
    if (!good)
        return false;
    *time = time_runs(&plan, seconds);
    conv_plan_clear(&plan);
    return true;
}

/* A call for each tile against one for each block of channels.  */
static bool time_calls(struct machine_times *times, enum isa isa, double seconds,
                       struct error *error)
{
    const int co = MACHINE_VECTORS * isa_vector(isa);
    char *blocks = memory_printf("co=%d,wo=%d,order=co-tile", co, MACHINE_WIDTH);
    char *tiles = memory_printf("co=%d,wo=%d,order=tile-co", co, MACHINE_WIDTH);
    bool good = true;

    times->block_calls_s = times->tile_calls_s = INFINITY;
    for (int round = 0; round < 5 && good; round++) {
        double of_blocks = INFINITY, of_tiles = INFINITY;

        good = machine_time_plan(&of_blocks, isa, blocks, seconds / 10, error) &&
               machine_time_plan(&of_tiles, isa, tiles, seconds / 10, error);
        times->block_calls_s = fmin(times->block_calls_s, of_blocks);
        times->tile_calls_s = fmin(times->tile_calls_s, of_tiles);
    }
    free(blocks);
    free(tiles);
    return good;
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

/* POOL: of this thread alone.  */
static bool time_all(struct machine_times *times, enum isa isa, struct pool *pool, double seconds,
                     struct error *error)
{
    memset(times, 0, sizeof *times);
    times->fma_s = 2.0 * isa_vector(isa) / best_flops(isa, pool, seconds / 8);
    times->latency_s = probe_latency(isa, false, seconds / 16);
    times->memory_s = probe_latency(isa, true, seconds / 16);
    for (int i = 0; i < MACHINE_SIZES; i++) {
        const int64_t bytes = (int64_t)1 << (MACHINE_SMALLEST + i);

        times->read_s[i] = 1.0 / best_read(isa, bytes, 3.0 * seconds / 8 / MACHINE_SIZES);
    }
    time_tiles(times, isa, seconds / 4);
    return time_calls(times, isa, seconds / 8, error);
}

bool machine_time(struct machine_times *times, enum isa isa, double seconds, struct error *error)
{
    struct pool *pool = pool_new(1, error);
    const bool good = pool != NULL && time_all(times, isa, pool, seconds, error);

    pool_free(pool);
    return good;
}
