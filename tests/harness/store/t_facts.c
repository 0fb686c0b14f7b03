/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep notes of an instance: of a network, of one with loops, of one without a graph.  */
#include <config.h>

#include "harness/store/facts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/loops.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

static double value_of(const struct fact *fact, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fact[i].name, name) == 0)
            return fact[i].value;
    tap_diag("no %s", name);
    return -1.0;
}

static void of_a_network(void)
{
    struct instance *instance = instance_of("alexnet");
    const struct network *network = instance->origin->network;
    struct fact *fact;
    size_t count = facts_of(instance, &fact);

    is_int((int64_t)count, 6, "facts of a network");
    is_int((int64_t)value_of(fact, count, "operators"), (int64_t)network->n_ops, "operators");
    is_int((int64_t)value_of(fact, count, "weight_bytes"), 4 * network_parameters(network),
           "bytes of weights");
    is_int((int64_t)value_of(fact, count, "steps"), instance->origin->schedule->steps, "steps");
    ok(value_of(fact, count, "serial_s") > 0 &&
           value_of(fact, count, "scheduled_s") <= value_of(fact, count, "serial_s") &&
           value_of(fact, count, "speed_up") >= 1,
       "seconds, one after the other and by the schedule");
    free(fact);
    instance_free(instance);
}

static void of_loops(const char *label)
{
    struct instance *instance = instance_of(label);
    struct fact *fact;
    size_t count = facts_of(instance, &fact);
    struct loop_copies copies = loop_layout_copies(instance->loops);

    is_int((int64_t)count, 6, "facts of loops");
    is_int((int64_t)value_of(fact, count, "loop_unroll"), 1, "nothing is unrolled");
    ok(value_of(fact, count, "loop_trips") > 1, "there are iterations");
    ok(copies.turn > 0, "some copies");
    is_int((int64_t)value_of(fact, count, "loop_entry_bytes"), copies.entry, "on entry");
    is_int((int64_t)value_of(fact, count, "loop_turn_bytes"), copies.turn, "between iterations");
    is_int((int64_t)value_of(fact, count, "loop_exit_bytes"), copies.exit, "on exit");
    is_int((int64_t)value_of(fact, count, "loop_bytes"), copies.entry + copies.turn + copies.exit,
           "in all");
    free(fact);
    instance_free(instance);
}

int main(void)
{
    struct instance *plain = three(1);
    struct fact *fact;

    is_int((int64_t)facts_of(plain, &fact), 0, "none without a graph");
    free(fact);
    instance_free(plain);
    of_a_network();
    of_loops("recurrence:depth=4,loops=copy");
    of_loops("recurrence:depth=2,subgraphs=block");
    return tap_done();
}
