/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A processor's constants: those that follow from times made up for them, what noise
 * may not do to them, and that there is a time for each.  */
#include <config.h>

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "kernels/model/machine_calibrate.h"
#include "kernels/model/machine_times.h"
#include "kernels/model/probe.h"
#include "tests/support/tap.h"

static void is_near(double got, double want, const char *what)
{
    if (!ok(fabs(got - want) <= 1e-6 * fabs(want), "%s: %g", what, want))
        tap_diag("got %.17g", got);
}

/* A call of FEW channels and one of many: EMPTY beside them, CHANNEL for each.  */
static void line(struct machine_times *times, enum machine_call few, enum machine_call many,
                 double empty, double channel)
{
    times->call_s[few] = empty + 8 * channel;
    times->call_s[many] = empty + 32 * channel;
}

/* Times of a processor with vectors of 4 and products that are not fused, made up from
 * the constants that should come out.  */
static struct machine_times made_up(void)
{
    struct machine_times times = {.fma_s = 0.5e-9,
                                  .latency_s = 4e-9,
                                  .memory_s = 12e-9,
                                  .block_calls_s = 100e-9,
                                  .tile_calls_s = (100 + 60 * 2) * 1e-9};

    for (int i = 0; i < MACHINE_SIZES; i++)
        times.read_s[i] = i <= 2 ? 1e-11 : i <= 7 ? 2e-11 : 1e-10;
    /* 8 tiles of one sum and of 8, each sum 1 ns.  */
    times.call_s[MACHINE_ONE_SUM] = 10e-9;
    times.call_s[MACHINE_ALL_SUMS] = (10 + 8 * 7) * 1e-9;
    /* 7 more tiles: 5 ns and 8 sums each.  */
    line(&times, MACHINE_FEW, MACHINE_MANY, 20e-9, 6e-9);
    line(&times, MACHINE_FEW_TILES, MACHINE_MANY_TILES, (20 + 7 * (5 + 8)) * 1e-9, 48e-9);
    /* A tap of three is 2 ns, a single one 3.  */
    line(&times, MACHINE_FEW_TAP, MACHINE_MANY_TAP, 10e-9, 3e-9);
    /* 1 x 8: three taps of 1 weight, 8 broadcasts of 2, 16 products and sums, a loop of 4,
     * and 6: 117 instructions of 0.2 ns, 24 broadcasts of 0.5 ns.  4 x 2: 4, 4, 16, 4
     * copies, 4, and 6: 102 and 6.  */
    line(&times, MACHINE_FEW_WIDE, MACHINE_MANY_WIDE, 10e-9, (117 * 0.2 + 24 * 0.5) * 1e-9);
    line(&times, MACHINE_FEW_TALL, MACHINE_MANY_TALL, 10e-9, (102 * 0.2 + 6 * 0.5) * 1e-9);
    /* 2048 channels of 96 bytes of weights, each 10 ps dearer; half of that shows.  */
    times.call_s[MACHINE_FAR] = 2048 * (6e-9 + 0.5 * 96 * 1e-11);
    return times;
}

/* The constants come back.  */
static void test_derive(void)
{
    const struct machine_times times = made_up();
    const struct machine machine = machine_derive(ISA_GENERIC, &times);
    const struct machine fused = machine_derive(ISA_AVX2, &times);

    is_int(machine.vector, 4, "floats of a vector");
    is_near(machine.fma_s, 0.5e-9, "a multiply-add");
    is_near(machine.latency_s, 4e-9, "that waits");
    is_near(machine.memory_s, 12e-9, "for memory");
    is_near(machine.load_s, 16e-11, "a load of 16 bytes");
    is_near(machine.read_s[0], 1e-11, "a byte of the first cache");
    is_near(machine.read_s[5], 2e-11, "of the second");
    is_near(machine.read_s[MACHINE_SIZES - 1], 1e-10, "of memory");
    is_near(machine.accumulator_s, 1e-9, "a sum");
    is_near(machine.tile_s, 5e-9, "a tile");
    is_near(machine.channel_s, 1e-9, "a channel of one tap");
    is_near(machine.call_s, 2e-9, "a call");
    is_near(machine.exposed, 0.5, "what multiply-adds do not hide");
    if (!machine.fused) {
        is_near(machine.issue_s, 0.2e-9, "an instruction");
        is_near(machine.broadcast_s, 0.5e-9, "a broadcast");
    }
    ok(fused.issue_s == 0.0 && fused.broadcast_s == 0.0, "fused: neither of them costs");
    is_near(fused.load_s, 32e-11, "a load of 32 bytes");
}

/* Noise that makes times grow smaller where they can't: what comes out is in order.  */
static void test_noise(void)
{
    struct machine_times times = made_up();
    struct machine machine;

    times.latency_s = 0.4e-9;
    times.memory_s = 0.3e-9;
    times.read_s[4] = 0.5e-11;
    times.read_s[MACHINE_SIZES - 1] = 0.1e-11;
    times.call_s[MACHINE_ALL_SUMS] = 9e-9;
    times.call_s[MACHINE_MANY_TILES] = 1.0;
    times.call_s[MACHINE_MANY_TAP] = 0.0;
    times.tile_calls_s = 99e-9;
    times.call_s[MACHINE_FAR] = 1.0;
    machine = machine_derive(ISA_GENERIC, &times);
    is_near(machine.latency_s, 0.5e-9, "waiting takes no less than not waiting");
    is_near(machine.memory_s, 0.5e-9, "through memory neither");
    is_near(machine.read_s[4], 2e-11, "a larger set is no quicker to read");
    is_near(machine.read_s[MACHINE_SIZES - 1], 1e-10, "nor is the largest");
    ok(machine.accumulator_s == 0.0, "a sum takes no less than no time");
    ok(machine.tile_s == 0.0, "nor does a tile");
    ok(machine.channel_s == 0.0, "nor a channel of one tap");
    ok(machine.call_s == 0.0, "nor a call");
    is_near(machine.exposed, 1.0, "no more shows than there is");
    times.call_s[MACHINE_FAR] = 0.0;
    ok(machine_derive(ISA_GENERIC, &times).exposed == 0.0, "nor less than nothing");
    times.call_s[MACHINE_FAR] = 1.0;
    for (int i = 0; i < MACHINE_SIZES; i++)
        times.read_s[i] = 1e-11 * (1.0 + 1e-3 * i);
    ok(machine_derive(ISA_GENERIC, &times).exposed == 0.0, "caches that are alike say nothing");
    /* Both tiles as if a broadcast gave time back, and as if all were broadcasts.  */
    line(&times, MACHINE_FEW_WIDE, MACHINE_MANY_WIDE, 10e-9, 1e-9);
    machine = machine_derive(ISA_GENERIC, &times);
    ok(machine.broadcast_s == 0.0 && machine.issue_s >= 0.0, "a broadcast gives nothing back");
    line(&times, MACHINE_FEW_WIDE, MACHINE_MANY_WIDE, 10e-9, 1e-6);
    machine = machine_derive(ISA_GENERIC, &times);
    ok(machine.issue_s == 0.0 && machine.broadcast_s >= 0.0, "nor does an instruction");
}

static bool are_times(const double *time, size_t count)
{
    bool good = true;

    for (size_t i = 0; i < count; i++)
        good = good && isfinite(time[i]) && time[i] > 0.0;
    return good;
}

/* Each of the times that were taken is one: nothing was left out.  Which is longer
 * than which is for machine_derive to say.  */
static void test_times(void)
{
    struct machine_times times;
    struct machine machine;
    struct error error = {""};

    ok(machine_time(&times, ISA_GENERIC, 0.1, &error), "timed %s", error.text);
    ok(are_times(&times.fma_s, 1) && are_times(&times.latency_s, 1) &&
           are_times(&times.memory_s, 1),
       "multiply-adds");
    ok(are_times(times.read_s, MACHINE_SIZES), "reading");
    ok(are_times(times.call_s, MACHINE_CALLS), "calls of tiles");
    ok(are_times(&times.block_calls_s, 1) && are_times(&times.tile_calls_s, 1), "plans");
    ok(machine_measure(&machine, ISA_GENERIC, 0.1, &error), "measured %s", error.text);
    ok(machine.vector == 4 && are_times(&machine.fma_s, 1) && are_times(&machine.load_s, 1),
       "and that is what the constants are made of");
}

/* Each probe runs once, however little time it has.  */
static void test_no_time(void)
{
    const double probed[] = {probe_latency(ISA_GENERIC, false, 0.0),
                             probe_latency(ISA_GENERIC, true, 0.0),
                             probe_read(ISA_GENERIC, 4096, 0.0)};
    struct error error = {""};
    double time = 0.0;

    ok(are_times(probed, 3), "multiply-adds and reading");
    ok(machine_time_plan(&time, ISA_GENERIC, "co=8,wo=4", 0.0, &error) && time > 0.0, "a plan %s",
       error.text);
}

/* A plan that there is not is no lack of memory.  */
static void test_no_plan(void)
{
    struct error error = {""};
    double time = 0.0;

    ok(machine_time_plan(&time, ISA_GENERIC, "co=8,wo=4", 1e-3, &error) && time > 0.0,
       "a plan is timed %s", error.text);
    ok(!machine_time_plan(&time, ISA_GENERIC, "co=7", 1e-3, &error), "one that can't be is not");
    is_text(error.text, "mgemm: co=7, expected a multiple of 4 up to 16", "and the error says so");
    ok(!machine_time_plan(&time, ISA_GENERIC, "speed=1", 1e-3, &error) &&
           strstr(error.text, "speed") != NULL,
       "nor with what is no parameter: %s", error.text);
}

int main(void)
{
    alarm(300); /* a probe that does not end */
    test_derive();
    test_noise();
    test_times();
    test_no_time();
    test_no_plan();
    return tap_done();
}
