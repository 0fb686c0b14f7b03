/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time model of schedules, worked out by hand, and its input file.  */
#include <config.h>

#include "lib/lifetimes/time_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/order.h"
#include "tests/support/loop_case.h"
#include "tests/support/network_text.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

/* 100 MAC/s, 10 B/s, 4 lanes, 1 s a synchronisation.  */
static const struct time_model machine = {100, 10, 4, 1, 0};

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* Each of b and c is on half of the machine.  */
static struct network *forked(int64_t macs_b, int64_t macs_c)
{
    struct network *network =
        network_of_text("forked", "x:1; a:4 = f(x); b!:2 = f(a); c!:2 = f(a)");

    network->op[1].macs = macs_b;
    network->op[2].macs = macs_c;
    return network;
}

/* a moves 1 + 4 bytes and fills the machine: 0.5 s.  b: 200 MACs are 2 s on the
 * whole machine, 4 s on half of it; c: 100 MACs, 2 s.
 * Serial 0.5 + 4 + 2 and two synchronisations: 8.5 s.  Side by side b and c fill
 * the machine for 2 s and b goes on alone: 4 s; 0.5 + 4 + 1 = 5.5 s.  */
static void by_hand(void)
{
    struct network *network = forked(200, 100);
    struct schedule *serial = schedule_file_order(network), *layers = order_groups(network, 1);
    struct time_figures figures = time_model_run(&machine, network, layers, NULL);

    ok(near(figures.serial_s, 8.5), "tau(G) by hand: %.17g", figures.serial_s);
    ok(near(figures.scheduled_s, 5.5), "tau'(G) by hand: %.17g", figures.scheduled_s);
    ok(near(figures.speed_up, 8.5 / 5.5), "S(G) by hand: %.17g", figures.speed_up);
    is_int(figures.barriers, 1, "one barrier between two layers");
    figures = time_model_run(&machine, network, serial, NULL);
    ok(figures.scheduled_s == figures.serial_s, "an operator a step takes the serial time");
    is_int(figures.barriers, 2, "a barrier after each operator but the last");
    /* Measured: 1, 3 and 5 s; halves of the machine: max(5, (3 + 5) / 2).  */
    figures = time_model_run(&machine, network, layers, (const double[]){1, 3, 5});
    ok(near(figures.serial_s, 1 + 3 + 5 + 2), "measured, serial: %.17g", figures.serial_s);
    ok(near(figures.scheduled_s, 1 + 5 + 1), "measured, layers: %.17g", figures.scheduled_s);
    schedule_free(serial);
    schedule_free(layers);
    network_free(network);
    /* Moving bytes is slower than computing: b reads 4 and writes 2, 0.6 s on the
     * whole machine, 1.2 on half of it, and so does c.  */
    network = forked(1, 1);
    layers = order_groups(network, 1);
    figures = time_model_run(&machine, network, layers, NULL);
    ok(near(figures.scheduled_s, 0.5 + 1.2 + 1), "bytes decide: %.17g", figures.scheduled_s);
    schedule_free(layers);
    network_free(network);
}

/* 100 MAC/s, 10 B/s and 1 s a synchronisation, of threads that take whole operators.  */
static struct time_figures threaded(int threads, const struct network *network,
                                    const struct schedule *schedule, const double *time)
{
    const struct time_model model = {100, 10, 4, 1, threads};

    return time_model_run(&model, network, schedule, time);
}

/* The shares do not count: a takes 0.5 s, b 2 s, c 1 s, and two threads wait for each other after
 * b and c: 0.5 + 2 + 1.  */
static void threads_by_hand(void)
{
    struct network *network = forked(200, 100);
    struct schedule *serial = schedule_file_order(network), *layers = order_groups(network, 1);
    struct time_figures figures = threaded(2, network, layers, NULL);

    ok(near(figures.serial_s, 3.5), "one operator after the other, without waiting: %.17g",
       figures.serial_s);
    ok(near(figures.scheduled_s, 3.5), "two threads, a barrier: %.17g", figures.scheduled_s);
    is_int(figures.barriers, 1, "after the step of two operators");
    figures = threaded(1, network, layers, NULL);
    ok(near(figures.scheduled_s, 3.5) && figures.barriers == 0,
       "one thread waits for nobody: %.17g", figures.scheduled_s);
    figures = threaded(2, network, serial, NULL);
    ok(near(figures.scheduled_s, 3.5) && figures.barriers == 0,
       "nor do steps of one operator: %.17g", figures.scheduled_s);
    figures = threaded(2, network, layers, (const double[]){1, 0, 5});
    ok(near(figures.scheduled_s, 6) && figures.barriers == 0,
       "nor does an operator that takes no time: %.17g", figures.scheduled_s);
    schedule_free(serial);
    schedule_free(layers);
    network_free(network);
}

/* The longest first: 5 and 4, then 3 to the second, another 3 to the first, 2 to the second: 9 s,
 * where in file order (2 3 3 4 5) it were 10.  */
static void longest_first(void)
{
    struct network *network = network_of_text(
        "wide", "x:1; a!:1 = f(x); b!:1 = f(x); c!:1 = f(x); d!:1 = f(x); e!:1 = f(x)");
    const double time[] = {2, 3, 3, 4, 5};
    struct schedule *layers = order_groups(network, 1);
    struct time_figures figures;
    size_t *order;

    order = schedule_longest_first(layers, time);
    ok(order[0] == 4 && order[1] == 3 && order[2] == 1 && order[3] == 2 && order[4] == 0,
       "operators of a step by falling time, equal ones in file order");
    figures = threaded(2, network, layers, time);
    ok(near(figures.serial_s, 17), "17 s of work: %.17g", figures.serial_s);
    ok(near(figures.scheduled_s, 9 + 1), "9 s on two threads, and a barrier: %.17g",
       figures.scheduled_s);
    figures = threaded(3, network, layers, time);
    ok(near(figures.scheduled_s, 6 + 1), "on three 5, 4 + 2 and 3 + 3: %.17g", figures.scheduled_s);
    figures = threaded(9, network, layers, time);
    ok(near(figures.scheduled_s, 5 + 1), "on nine the longest alone: %.17g", figures.scheduled_s);
    free(order);
    schedule_free(layers);
    network_free(network);
}

/* What the thesis assumes of tau(L): S(G) >= 1.  */
static void properties(void)
{
    struct rng *rng = rng_new(3);
    int gains = 0, monotone = 0, rounds = tap_tier(50, 300);

    for (int round = 0; round < rounds; round++) {
        struct network *network = network_new("random");
        struct time_model model = {(double)rng_range(rng, 1, 1000), (double)rng_range(rng, 1, 100),
                                   (double)rng_range(rng, 1, 40), (double)rng_range(rng, 0, 3), 0};
        size_t made[30] = {case_input(network, "x", 1)};
        int64_t before = 0;
        bool good = true;

        for (size_t o = 1; o < 30; o++) {
            char *name = memory_printf("o%zu", o);

            made[o] = CASE_OP(network, name, rng_range(rng, 1, 50),
                              made[rng_range(rng, 0, (int64_t)o - 1)]);
            network->op[o - 1].macs = rng_range(rng, 0, 1000);
            free(name);
        }
        for (int64_t groups = 1; groups <= 32; groups *= 2) {
            struct schedule *schedule = order_groups(network, groups);
            struct time_figures figures = time_model_run(&model, network, schedule, NULL);

            good = good && figures.barriers >= before;
            before = figures.barriers;
            gains += figures.speed_up >= 1 - 1e-12;
            schedule_free(schedule);
        }
        monotone += good;
        network_free(network);
    }
    is_int(gains, 6 * rounds, "steps side by side are never slower than one by one");
    is_int(monotone, rounds, "more groups have no fewer barriers");
    rng_free(rng);
}

/* TEXT as the file t.csv: with all times, or refused with WANT.  */
static void times(const char *text, const char *want, const char *what)
{
    struct network *network = forked(1, 1);
    FILE *in = scratch_text(text);
    struct error error = {{0}};
    double *time = time_model_read(in, "t.csv", network, &error);

    fclose(in);
    if (want == NULL)
        ok(time != NULL && time[0] == 1 && time[1] == 0 && time[2] == 0.25, "%s %s", what,
           error.text);
    else
        ok(time == NULL && strncmp(error.text, want, strlen(want)) == 0, "%s: %s", what,
           error.text);
    free(time);
    network_free(network);
}

int main(void)
{
    by_hand();
    threads_by_hand();
    longest_first();
    properties();
    times("operator,time_s\nc,0.25\na,1\nb,0\n", NULL, "times in any order");
    times("type,time_s,operator,low,high\nr,1,a,,\nr,0,b,-1,x\nr,.25,c,1,2\n", NULL,
          "columns in any order, with others between them");
    times("", "t.csv:1:1: no header; expected a line such as operator,time_s", "an empty file");
    times("operator,seconds\na,1\n", "t.csv:1:17: no column 'time_s'; expected a header such as",
          "another header");
    times("time_s\n1\n", "t.csv:1:7: no column 'operator'", "times of nothing");
    times("time_s,operator,time_s\n1,a,2\n",
          "t.csv:1:17: the column 'time_s' is at 1 already; expected it once", "a column twice");
    times("operator,time_s\na,1,2\n", "t.csv:2:5: 3 cells; expected 2", "a cell too many");
    times("operator,time_s\na\n", "t.csv:2:2: 1 cells; expected 2", "a cell too few");
    times("operator,time_s\na,1\nb,0\n", "t.csv:4:1: no time of operator 'c'",
          "an operator left out");
    times("operator,time_s\na,1\na,1\n", "t.csv:3:1: operator 'a' has a time already",
          "an operator twice");
    times("operator,time_s\nz,1\n", "t.csv:2:1: network 'forked' has no operator 'z'",
          "a stranger");
    times("operator,time_s\na,-1\n", "t.csv:2:3: time_s '-1'; expected a number, at least 0",
          "a negative time");
    times("operator,time_s\na,nan\n", "t.csv:2:3: time_s 'nan'", "no number");
    times("operator,time_s\na,inf\n", "t.csv:2:3: time_s 'inf'", "for ever");
    times("operator,time_s\na,1e999\n", "t.csv:2:3: time_s '1e999'", "longer than any number");
    times("operator,time_s\na,1e-999\n", "t.csv:2:3: time_s '1e-999'", "shorter than any");
    times("operator,time_s\na,1s\n", "t.csv:2:3: time_s '1s'", "a unit");
    times("operator,time_s\na,\n", "t.csv:2:3: time_s ''", "no time");
    return tap_done();
}
