/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/facts.h"

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/loops.h"
#include "lib/lifetimes/origin.h"
#include "lib/lifetimes/streams.h"
#include "lib/problem/instance.h"

struct facts {
    struct fact *fact;
    size_t count, capacity;
};

static void add(struct facts *facts, const char *name, double value)
{
    facts->fact = memory_grow(facts->fact, &facts->capacity, facts->count + 1, sizeof *facts->fact);
    facts->fact[facts->count++] = (struct fact){name, value};
}

/* Bytes of what is there for the whole schedule: weights, stored statistics.  */
static double stored_bytes(const struct network *network)
{
    double bytes = 0;

    for (size_t v = 0; v < network->n_values; v++) {
        enum value_role role = network->value[v].role;

        if (role == VALUE_WEIGHT || role == VALUE_STATISTIC)
            bytes += (double)value_bytes(&network->value[v]);
    }
    return bytes;
}

static void add_schedule(struct facts *facts, const struct origin *origin)
{
    const struct time_figures figures = streams_times(origin);

    add(facts, "operators", (double)origin->network->n_ops);
    add(facts, "weight_bytes", stored_bytes(origin->network));
    add(facts, "steps", (double)origin->schedule->steps);
    add(facts, "serial_s", figures.serial_s);
    add(facts, "scheduled_s", figures.scheduled_s);
    add(facts, "speed_up", figures.speed_up);
}

static void add_loops(struct facts *facts, const struct loop_layout *layout)
{
    struct loop_copies copies = loop_layout_copies(layout);

    add(facts, "loop_unroll", (double)loop_layout_unroll(layout));
    add(facts, "loop_trips", loop_layout_trips(layout));
    add(facts, "loop_entry_bytes", (double)copies.entry);
    add(facts, "loop_turn_bytes", (double)copies.turn);
    add(facts, "loop_exit_bytes", (double)copies.exit);
    add(facts, "loop_bytes", (double)(copies.entry + copies.turn + copies.exit));
}

size_t facts_of(const struct instance *instance, struct fact **fact)
{
    struct facts facts = {NULL, 0, 0};

    if (instance->origin != NULL)
        add_schedule(&facts, instance->origin);
    if (instance->loops != NULL)
        add_loops(&facts, instance->loops);
    *fact = facts.fact;
    return facts.count;
}
