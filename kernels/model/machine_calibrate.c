/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/model/machine_calibrate.h"

#include <math.h>

#include "kernels/model/machine_times.h"
#include "kernels/model/predict.h"

/* A channel's share of a call whose time is a straight line in the channels, of
 * which two points are given; and what the call costs beside.  */
static double slope(double few, double many)
{
    return fmax(0.0, (many - few) / MACHINE_MORE_CHANNELS);
}

static double empty(double few, double many)
{
    return fmax(0.0, few - MACHINE_FEW_CHANNELS * slope(few, many));
}

/* A tile with many broadcasts and one with few, both bound by what can be
 * issued: two equations.  */
static void derive_issue(struct machine *machine, double wide_s, double tall_s)
{
    const struct predict_tile wide = {
        MGEMM_BLOCKED_1, 1, MACHINE_WIDE_VECTORS, MACHINE_WIDE_WIDTH, MACHINE_TAPS, 1, false};
    const struct predict_tile tall = {
        MGEMM_BLOCKED_1, 1, MACHINE_TALL_VECTORS, MACHINE_TALL_WIDTH, MACHINE_TAPS, 1, false};
    const struct predict_cost w = predict_tile(machine, &wide), t = predict_tile(machine, &tall);
    const double wi = (double)w.instructions, wb = (double)w.broadcasts;
    const double ti = (double)t.instructions, tb = (double)t.broadcasts;

    machine->broadcast_s = fmax(0.0, (wide_s * ti - tall_s * wi) / (wb * ti - tb * wi));
    machine->issue_s = fmax(0.0, (tall_s - tb * machine->broadcast_s) / ti);
}

/* What follows from the times of the calls.  */
static void derive_tiles(struct machine *machine, const double *best)
{
    const double sums = MACHINE_VECTORS * MACHINE_WIDTH;
    const double channel = slope(best[MACHINE_FEW], best[MACHINE_MANY]);
    const int64_t weights =
        MACHINE_TAPS * MACHINE_VECTORS * machine->vector * (int64_t)sizeof(float);
    const double farther =
        (double)weights * (machine_read(machine, MACHINE_FAR_BYTES) - machine->read_s[0]);
    double more;

    machine->accumulator_s =
        fmax(0.0, (best[MACHINE_ALL_SUMS] - best[MACHINE_ONE_SUM]) / MACHINE_TILES / (sums - 1.0));
    more = empty(best[MACHINE_FEW_TILES], best[MACHINE_MANY_TILES]) -
           empty(best[MACHINE_FEW], best[MACHINE_MANY]);
    machine->tile_s = fmax(0.0, more / (MACHINE_TILES - 1) - sums * machine->accumulator_s);
    machine->channel_s =
        fmax(0.0, slope(best[MACHINE_FEW_TAP], best[MACHINE_MANY_TAP]) - channel / MACHINE_TAPS);
    if (!machine->fused)
        derive_issue(machine, slope(best[MACHINE_FEW_WIDE], best[MACHINE_MANY_WIDE]),
                     slope(best[MACHINE_FEW_TALL], best[MACHINE_MANY_TALL]));
    /* Caches that differ by less than the noise say nothing.  */
    if (farther > 0.02 * channel)
        machine->exposed =
            fmin(1.0, fmax(0.0, best[MACHINE_FAR] * (double)weights / MACHINE_FAR_BYTES - channel) /
                          farther);
}

struct machine machine_derive(enum isa isa, const struct machine_times *times)
{
    struct machine machine = machine_known(isa);

    machine.fma_s = times->fma_s;
    machine.latency_s = fmax(machine.fma_s, times->latency_s);
    machine.memory_s = fmax(machine.latency_s, times->memory_s);
    for (int i = 0; i < MACHINE_SIZES; i++)
        machine.read_s[i] = fmax(times->read_s[i], i > 0 ? machine.read_s[i - 1] : 0.0);
    machine.load_s = machine.read_s[0] * (double)sizeof(float) * machine.vector;
    derive_tiles(&machine, times->call_s);
    machine.call_s = fmax(0.0, times->tile_calls_s - times->block_calls_s) /
                     (MACHINE_TILE_CALLS - MACHINE_BLOCK_CALLS);
    return machine;
}

bool machine_measure(struct machine *machine, enum isa isa, double seconds, struct error *error)
{
    struct machine_times times;

    if (!machine_time(&times, isa, seconds, error))
        return false;
    *machine = machine_derive(isa, &times);
    return true;
}
