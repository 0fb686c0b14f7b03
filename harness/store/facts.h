/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the store knows of a workload beside its instance's figures: one number
 * a name.
 *
 *   operators, steps       of the network's schedule
 *   weight_bytes           of the network's weights and stored statistics
 *   serial_s, scheduled_s  the model's times (lib/lifetimes/time_model.h, its default machine); on
 *                          streams scheduled_s is until the last of them ends
 *   speed_up               serial_s / scheduled_s
 *   loop_unroll, loop_trips   of networks with loops: the largest number of copies of
 *                          a body, and of iterations in a run, nested loops' products
 *   loop_entry_bytes, loop_turn_bytes, loop_exit_bytes, loop_bytes   what a run copies
 *                          (struct loop_copies), and the sum  */
#ifndef ARENABENCH_HARNESS_STORE_FACTS_H
#define ARENABENCH_HARNESS_STORE_FACTS_H

#include <stddef.h>

struct instance;

struct fact {
    const char *name; /* static text */
    double value;
};

/* The facts of INSTANCE; none without a network.  The caller frees *FACT.  */
size_t facts_of(const struct instance *instance, struct fact **fact);

#endif
